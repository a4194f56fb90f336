#include "making/MakeTask.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "catalogue/YamlReader.h"
#include "checking/NextStep.h"
#include "faults/FindingKinds.h"
#include "files/FileText.h"
#include "language/Text.h"
#include "questions/Questions.h"

namespace haloscope::making {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSection = "\nmake:";
constexpr std::array<std::string_view, 3> kRelations{"<=", ">=", "=="};

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) { return {}; }
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

/// The text without the section, which would give the help away: up to the header's next key, or its end.
std::string withoutSection(std::string text) {
  const std::size_t begin = text.find(kSection);
  if (begin == std::string::npos) { return text; }
  std::size_t end = begin + 1;
  do {
    end = text.find('\n', end);
    if (end == std::string::npos) { return text; }
    ++end;
  } while (end < text.size() && (text[end] == ' ' || text[end] == '\n'));
  return text.erase(begin + 1, end - begin - 1);
}

Goal readGoal(const HeaderReader& header, const YAML::Node& node) {
  header.expectKeys(node, tr("a goal"), {"reach", "says", "hint"});
  const YAML::Node reach = header.need(node, tr("a goal"), "reach");
  const std::string text = header.text(reach, "reach");
  Goal goal{.what = {},
            .relation = {},
            .bound = {},
            .says = header.text(header.need(node, tr("a goal"), "says"), "says"),
            .hint = node["hint"] ? header.text(node["hint"], "hint") : std::string(),
            .where = header.place(reach)};
  for (const std::string_view relation : kRelations) {
    const std::size_t at = text.find(relation);
    if (at == std::string::npos) { continue; }
    goal.what = trimmed(std::string_view(text).substr(0, at));
    goal.relation = relation;
    goal.bound = trimmed(std::string_view(text).substr(at + relation.size()));
  }
  if (goal.what.empty() || goal.bound.empty()) {
    header.fail(reach, tr("a goal is a quantity, <=, >= or ==, and a number: block.loads_per_output <= 2.4"));
  }
  return goal;
}

void readSection(const HeaderReader& header, MakeTask& task) {
  const YAML::Node make = header.root()["make"];
  header.expectKeys(make, "make", {"rung", "above", "lesson", "sketch", "drawing", "outline", "hints", "goals"});
  for (const auto& [word, value] :
       {std::pair("rung", &task.rung), std::pair("above", &task.above), std::pair("lesson", &task.lesson),
        std::pair("sketch", &task.sketch), std::pair("drawing", &task.drawing)}) {
    if (make[word]) { *value = header.text(make[word], word); }
  }
  for (const YAML::Node& line : make["outline"]) { task.outline.push_back(header.text(line, "outline")); }
  for (const auto& hint : make["hints"]) {
    const std::string kind = header.text(hint.first, "hints");
    const auto named = [&](const faults::FindingRow& row) { return row.name == kind; };
    if (std::ranges::none_of(faults::kFindingRows, named)) {
      std::vector<const char*> names;
      for (const faults::FindingRow& row : faults::kFindingRows) { names.push_back(row.name); }
      header.fail(hint.first, trf("there is no kind of finding {}; they are {}", kind, fmt::join(names, ", ")));
    }
    task.hints[kind] = header.text(hint.second, kind);
  }
  for (const YAML::Node& goal : make["goals"]) { task.goals.push_back(readGoal(header, goal)); }
}

}  // namespace

const char* signOf(const Goal& goal) { return goal.relation == "<=" ? "≤" : goal.relation == ">=" ? "≥" : "="; }

std::string MakeTask::hintFor(const std::string& kind) const {
  const auto own = hints.find(kind);
  return own == hints.end() ? checking::nextStep(kind) : std::string(tr(own->second));
}

std::string MakeTask::wanted(const Goal& goal) const {
  try {
    const double bound = Expression(goal.bound).evaluate(skeleton.defaults());
    return fmt::format("{} {}", signOf(goal), questions::numberText(bound));
  } catch (const InputError&) { return fmt::format("{} {}", signOf(goal), goal.bound); }
}

std::string MakeTask::outlineText() const {
  std::string text;
  for (std::size_t i = 0; i < outline.size(); ++i) { text += fmt::format("// {}. {}\n", i + 1, tr(outline[i])); }
  return text;
}

MakeTask readMakeTask(const fs::path& file) {
  const auto text = readWhole(file);
  if (!text) { throw InputError(trf("{} cannot be read", file.string())); }
  const HeaderReader header(file.string(), *text);
  if (!header.root()["make"]) {
    throw SourceError(file.string(), {1, 1, 1, 1}, tr("no task: its header has no \"make\" section"));
  }
  MakeTask task;
  task.id = file.stem().string();
  task.file = file;
  const std::string id = fmt::format("{}/{}", KernelFile::kMadeChapter, task.id);
  const KernelFile whole = KernelFile::parse(id, file, *text);  // names the lines of this file
  if (whole.task.empty()) { throw SourceError(file.string(), {1, 1, 1, 1}, tr("the header lacks the key \"task\"")); }
  if (!whole.isDefined()) {
    throw SourceError(file.string(), {1, 1, 1, 1},
                      tr("the header says with neither \"computes\" nor \"definition\" what the result is"));
  }
  task.skeleton = KernelFile::parse(id, {}, withoutSection(*text));
  readSection(header, task);
  return task;
}

std::vector<MakeTask> readMakeTasks(const fs::path& folder) {
  std::error_code failed;
  std::vector<MakeTask> tasks;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".cu") { tasks.push_back(readMakeTask(entry.path())); }
  }
  if (failed) { throw InputError(trf("{} cannot be read: {}", folder.string(), failed.message())); }
  std::ranges::sort(tasks, {}, [](const MakeTask& task) { return std::tuple(task.skeleton.order, task.id); });
  return tasks;
}

fs::path ownTasks(const fs::path& assets) { return assets / "make"; }

const MakeTask* findTask(const std::vector<MakeTask>& tasks, const std::string& id) {
  const auto found = std::ranges::find(tasks, id, &MakeTask::id);
  return found == tasks.end() ? nullptr : &*found;
}

MakeTask taskNamed(const std::vector<MakeTask>& tasks, const std::string& name) {
  if (const MakeTask* task = findTask(tasks, name)) { return *task; }
  std::error_code unknown;  // what cannot be looked at is no file here
  if (name.ends_with(".cu") || fs::exists(name, unknown)) { return readMakeTask(name); }
  std::vector<std::string> ids;
  for (const MakeTask& task : tasks) { ids.push_back(task.id); }
  throw InputError(trf("there is no task {}; the tasks are {}, and any .cu file whose header has a \"make\" section",
                       name, fmt::join(ids, ", ")));
}

}  // namespace haloscope::making
