#include "program/BugLab.h"

#include <algorithm>

#include <fmt/format.h>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

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
  std::stable_sort(lab.tasks_.begin(), lab.tasks_.end(),
                   [](const BugTask& a, const BugTask& b) { return a.faulty.order < b.faulty.order; });
  return lab;
}

const BugTask* BugLab::find(const std::string& id) const {
  const auto it = std::find_if(tasks_.begin(), tasks_.end(), [&](const BugTask& task) { return task.id == id; });
  return it == tasks_.end() ? nullptr : &*it;
}

}  // namespace haloscope
