#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace haloscope::lowering {

/// One instruction of inline PTX: `@p cp.async.bulk.commit_group;`.
struct PtxInstruction {
  std::string predicate;               ///< "p" or "!p"; empty: none
  std::string name;                    ///< with its modifiers
  std::vector<std::string> modifiers;  ///< the parts of the name, between its dots
  std::vector<std::string> operands;   ///< as written, without blanks

  [[nodiscard]] bool is(const std::string& begin) const { return name == begin || name.starts_with(begin + "."); }
  [[nodiscard]] bool has(const std::string& modifier) const {
    return std::ranges::find(modifiers, modifier) != modifiers.end();
  }
};

/// The instructions of an asm statement, in its order. Labels, braces, comments and declarations of registers are left
/// out.
[[nodiscard]] std::vector<PtxInstruction> ptxInstructions(const std::string& text);

}  // namespace haloscope::lowering
