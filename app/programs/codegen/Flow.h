#pragma once

#include <cstdint>
#include <vector>

#include "codegen/Constructs.h"
#include "program/Program.h"
#include "simt/Structure.h"

namespace haloscope::codegen {

/// The ways that machine code may take through a program: with divergent constructs, both sides of an `if` in turn.
class Flow {
 public:
  Flow(const Program& program, const Constructs& constructs, const simt::Structure& structure);

  /// What may be executed next after an instruction.
  [[nodiscard]] std::vector<std::uint32_t> successors(std::uint32_t at) const;
  /// Where a Continue goes on in its loop.
  [[nodiscard]] std::uint32_t continuesAt(ConstructId loop) const;

 private:
  const Program& program_;
  const Constructs& constructs_;
  const simt::Structure& structure_;
  std::vector<std::uint32_t> leaving_;  ///< by instruction: how many before it make lanes leave a construct
};

}  // namespace haloscope::codegen
