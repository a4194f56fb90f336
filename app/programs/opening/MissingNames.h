#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/SourceTokens.h"
#include "opening/OpenedFile.h"
#include "opening/TextNames.h"

namespace haloscope::opening {

/// Supplies the names that a kernel copied from a book uses without declaring them: tile sizes become tunables,
/// coefficients and filters become constant memory. For a program with host code or includes, only names of macros and
/// the book's coefficients are supplied. A name that resembles a declared one is a misspelling, and never supplied.
class MissingNames {
 public:
  MissingNames(const TextNames& names, const std::string& text);

  /// Supplies the undeclared names that the diagnostics name, as far as possible. Returns whether any was new.
  bool supply(const frontend::TextSummary& summary);
  /// Adds the supplied names to a kernel: tunables, prologue, the list of missing values and an assumption for each.
  void addTo(ProposedKernel& kernel) const;
  /// The constant array that holds the book's coefficients c0 … c6; empty if they are not missing.
  [[nodiscard]] const std::string& starCoefficients() const { return star_; }

 private:
  bool supplyName(const std::string& name, bool misspelt);
  void supplyArray(const std::string& name);
  void supplyMacro(const std::string& name);
  void supplyCoefficient(const std::string& name);
  [[nodiscard]] bool isKernelOnly() const;  ///< a kernel without host code and includes
  [[nodiscard]] std::string radius() const;

  static constexpr int kCalled = -1;
  /// How many subscripts follow a name where it first has any; kCalled if it is called before that.
  [[nodiscard]] int subscripts(const std::string& name);
  /// Whether the text uses threadIdx.x, .y or .z.
  [[nodiscard]] bool usesThreadIndex(std::string_view axis);
  [[nodiscard]] const std::vector<frontend::SourceToken>& tokens();

  const TextNames& names_;
  const std::string& text_;
  std::optional<frontend::SourceTokens> tokens_;   ///< of the text, once they are needed
  std::map<std::string, std::int64_t> constants_;  ///< of the text
  std::set<std::string> known_;
  std::vector<Tunable> tunables_;
  std::vector<MissingValue> missing_;
  std::string macros_, arrays_;  ///< lines of the prologue; the arrays' extents use the macros
  std::string star_;
};

}  // namespace haloscope::opening
