#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "checking/SiblingRunner.h"
#include "checking/Siblings.h"
#include "judging/CheckedKernel.h"
#include "judging/KernelVerdicts.h"
#include "running/OfferedSizes.h"

namespace haloscope::judging {

/// A size that is to become another.
struct WantedSize {
  std::string name;  ///< where several have its value, that of this name is meant first
  std::int64_t from = 0, to = 0;
};

/// A checked kernel, launched with other sizes than those with which it was checked.
class KernelAtSizes {
 public:
  /// `program`: that launches it; null: none does. Both must outlive this.
  KernelAtSizes(CheckedKernel& row, const ExecutedProgram* program);
  KernelAtSizes(const KernelAtSizes&) = delete;
  KernelAtSizes& operator=(const KernelAtSizes&) = delete;
  ~KernelAtSizes() = default;

  [[nodiscard]] const CheckedKernel& row() const { return row_; }
  /// As its program launches it, or else as it was checked; null: it cannot be launched alone.
  [[nodiscard]] const checking::SiblingRunner* own() const { return own_ ? &*own_ : nullptr; }

  /// As its program launches it, once its text, or the arguments of main(), have other sizes. None if the program does
  /// not offer these, or does not come to a launch that `isWanted`.
  [[nodiscard]] std::optional<checking::SiblingRunner> launched(
      const std::vector<WantedSize>& sizes, const std::function<bool(const checking::SiblingRunner&)>& isWanted,
      const std::stop_token& stop) const;
  /// As it may be meant to be launched with other integers, see checking::resizedLaunches().
  [[nodiscard]] std::vector<checking::SiblingRunner> proposed(
      const std::map<std::size_t, std::int64_t>& integers) const;

  /// How many elements the first array that the kernel writes has by its text with these integers; none: it does not
  /// say.
  [[nodiscard]] std::optional<std::int64_t> elements(const std::map<std::size_t, std::int64_t>& integers) const;

  /// Numbers in the program's text that may be sizes.
  [[nodiscard]] const std::vector<running::OfferedSize>& offered() const { return offered_; }
  /// Whether its text has a size of this name.
  [[nodiscard]] bool isSize(const std::string& name) const;

 private:
  [[nodiscard]] std::optional<checking::SiblingRunner> launchedWith(const std::vector<running::ChangedSize>& changes,
                                                                    const std::stop_token& stop) const;

  CheckedKernel& row_;
  const ExecutedProgram* program_;
  std::optional<checking::Sibling> sibling_;
  std::optional<checking::SiblingRunner> own_;
  std::size_t launch_ = 0;  ///< of its program: the first one of this kernel
  host::HostProgram executed_;
  std::vector<std::string> arguments_;
  std::vector<running::OfferedSize> offered_;
};

}  // namespace haloscope::judging
