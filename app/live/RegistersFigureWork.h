#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "figures/CodeReport.h"
#include "live/FigureWork.h"
#include "live/NewestTask.h"

namespace haloscope {

/// Has the reports of the registers' figure compiled, one after another.
class RegistersFigureWork final : public FigureWork {
 public:
  RegistersFigureWork();
  void update(AppState& state) override;
  void settle(AppState& state) override;
  [[nodiscard]] bool busy() const override { return task_.busy(); }

 private:
  struct Job {
    std::uint64_t list = 0;  ///< its number: reports of an older one are dropped
    std::size_t index = 0;
    std::shared_ptr<const KernelFile> file;
    figures::CodeReport report;
    figures::CodeTarget target;
    bool operator==(const Job& other) const { return list == other.list && index == other.index; }
  };
  struct Done {
    Job job;
    std::string compiler, missing;
  };
  /// What a list of reports depends on.
  struct Asked {
    std::string kernel, text;
    Bindings bindings;
    bool ofSizes = false;
    figures::CodeTarget target;
    bool operator==(const Asked&) const = default;
  };

  void receive(AppState& state, Done done) const;
  void requestNext(const AppState& state);

  NewestTask<Job, Done> task_;
  std::optional<Asked> asked_;
  std::uint64_t number_ = 0;  ///< of the list
};

}  // namespace haloscope
