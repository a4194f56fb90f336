#include "catalogue/BugLab.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "catalogue/YamlReader.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

std::string courseText(const std::filesystem::path& path) {
  const std::ifstream file(path);
  if (!file) { throw InputError(trf("the bug lab has no {}", path.string())); }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

BugLab BugLab::read(const std::filesystem::path& folder) {
  BugLab lab;
  lab.catalogue_ = Catalogue::read(folder);
  if (!lab.catalogue_.problems().empty()) { throw lab.catalogue_.problems().front(); }
  for (const KernelFile& kernel : lab.catalogue_.kernels()) {
    const std::string id = kernel.chapter;
    if (lab.find(id) != nullptr) { continue; }
    const KernelFile* faulty = lab.catalogue_.find(id + "/faulty");
    const KernelFile* fixed = lab.catalogue_.find(id + "/fixed");
    if (faulty == nullptr || fixed == nullptr) {
      throw InputError(trf("the bug lab's {} lacks {}.cu", id, faulty == nullptr ? tr("faulty") : tr("fixed")));
    }
    if (faulty->task.empty() || faulty->hint.empty()) {
      throw InputError(trf("{}: the header of a bug-lab kernel needs a \"task\" and a \"hint\"", faulty->id));
    }
    lab.tasks_.push_back({id, faulty->title, faulty->task, faulty->hint, *faulty, *fixed});
  }
  lab.readCourse(folder / "course.yaml");
  return lab;
}

void BugLab::readCourse(const std::filesystem::path& path) {
  const YamlReader reader(path.string(), courseText(path));
  reader.expectKeys(reader.root(), "the course", {"tasks"});
  std::vector<BugTask> ordered;
  for (const YAML::Node& entry : reader.need(reader.root(), "the course", "tasks")) {
    reader.expectKeys(entry, "a task", {"task", "lesson", "difficulty"});
    const std::string id = reader.text(reader.need(entry, "a task", "task"), "task");
    const auto task = std::ranges::find(tasks_, id, &BugTask::id);
    if (task == tasks_.end()) { reader.fail(entry, trf("the bug lab has no task {}, or it is listed twice", id)); }
    const std::int64_t difficulty = reader.integer(reader.need(entry, "a task", "difficulty"), "difficulty");
    constexpr int kHardest = 3;
    if (difficulty < 1 || difficulty > kHardest) { reader.fail(entry, tr("a difficulty is 1, 2 or 3")); }
    task->lesson = reader.text(reader.need(entry, "a task", "lesson"), "lesson");
    task->difficulty = static_cast<int>(difficulty);
    ordered.push_back(std::move(*task));
    tasks_.erase(task);
  }
  if (!tasks_.empty()) {
    throw SourceError(path.string(), {}, fmt::format("the task {} is missing", tasks_.front().id));
  }
  tasks_ = std::move(ordered);
}

const BugTask* BugLab::find(const std::string& id) const {
  const auto it = std::find_if(tasks_.begin(), tasks_.end(), [&](const BugTask& task) { return task.id == id; });
  return it == tasks_.end() ? nullptr : &*it;
}

}  // namespace haloscope
