#pragma once

#include <set>
#include <string>
#include <vector>

#include "opening/HostCode.h"
#include "opening/OpenedFile.h"

namespace haloscope::opening {

/// Gives values to what a kernel, typed off a book's page, uses but does not declare: tile macros become tunables,
/// coefficients and filters become constant memory. Of a program with host code or includes only macros' names and the
/// book's coefficients are; a name that resembles a declared one is a misspelling, and never is.
class MissingNames {
 public:
  MissingNames(const HostCode& code, const std::string& text);

  /// Looks for undeclared names among Clang's messages and gives each a value that it can have. Whether any was new.
  bool supply(const std::vector<frontend::Diagnostic>& diagnostics);
  /// What was supplied, put into the kernel: tunables, prologue, the list of missing values and a sentence for each.
  void addTo(ProposedKernel& kernel) const;
  /// The constant array that stands for the book's coefficients c0 … c6; empty if they are not missing.
  [[nodiscard]] const std::string& starCoefficients() const { return star_; }

 private:
  bool supplyName(const std::string& name, bool misspelt);
  void supplyArray(const std::string& name);
  void supplyMacro(const std::string& name);
  void supplyCoefficient(const std::string& name);
  [[nodiscard]] bool isBare() const;  ///< a kernel without host code and includes
  [[nodiscard]] std::string radius() const;

  const HostCode& code_;
  const std::string& text_;
  std::set<std::string> known_;
  std::vector<Tunable> tunables_;
  std::vector<MissingValue> missing_;
  std::string macros_, arrays_;  ///< lines of the prologue: the arrays' extents name the macros
  std::string star_;
};

}  // namespace haloscope::opening
