#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judging/KernelVerdicts.h"
#include "program/Launch.h"
#include "running/Repetitions.h"

namespace haloscope::judging {

/// What a program gives to the device and what its host gets from there: kernels that compute the same are of no use
/// to a program that launches them once too often, or copies another array.
class ProgramResults {
 public:
  /// Executes the program again. None if it was not executed whole and with its own sizes, does not end by itself, or
  /// takes too long.
  [[nodiscard]] static std::optional<ProgramResults> of(const ExecutedProgram& program);

  /// How it differs from a reference, as a clause whose subject is a kernel: what the host gets, where both give the
  /// device the same data; or how they end. None where it does not differ, or the data are not the same.
  [[nodiscard]] std::optional<std::string> differenceFrom(const ProgramResults& reference,
                                                          const std::string& name) const;

  /// Given the same data, its host gets the same.
  [[nodiscard]] bool endsLike(const ProgramResults& reference) const;

 private:
  std::set<running::CopiedBytes::Contents> given_;
  std::vector<ArrayData> all_;   ///< that came to the host from a kernel, or from what one computed
  std::vector<ArrayData> last_;  ///< of these, the last of each allocation, if it says something of a result
  bool any_ = false;             ///< something came, although it need not be known what
  int status_ = 0;
  std::size_t launches_ = 0;
};

}  // namespace haloscope::judging
