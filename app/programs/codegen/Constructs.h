#pragma once

#include <cstdint>
#include <vector>

#include "program/Program.h"

/// Kernels compiled to the machine code of this machine's processor, for the processes that machine/Execution.h asks.
namespace haloscope::codegen {

using ConstructId = std::uint32_t;

/// What encloses instructions: the kernel, a side of an `if`, a loop, or an inlined call.
struct Construct {
  enum class Kind : std::uint8_t { Kernel, Then, Else, Loop, Call };
  Kind kind = Kind::Kernel;
  std::uint32_t opener = 0;  ///< its If, Loop or Call, for both sides of an `if`
  std::uint32_t begin = 0;   ///< its first instruction: the opener, or the Else
  std::uint32_t end = 0;     ///< one past its last
  ConstructId parent = kNone;
  bool leaves = false;   ///< a Break, Continue or Return is in it
  bool barrier = false;  ///< a barrier is in it: other warps run in between
};

/// The constructs of a program, and which of them its warps execute *divergently*: some lanes stay out, or leave before
/// the others do. In all others the lanes that are active at the beginning are active to the end, unless they leave the
/// kernel, so that branches need no masks.
class Constructs {
 public:
  explicit Constructs(const Program& program);

  [[nodiscard]] const Construct& operator[](ConstructId id) const { return all_[id]; }
  [[nodiscard]] const Construct& kernel() const { return all_.front(); }
  /// The innermost construct around an instruction; an opener is in what is around it, an end in what it ends.
  [[nodiscard]] ConstructId around(std::uint32_t instruction) const { return around_[instruction]; }
  /// The construct that an If, Loop or Call opens, or an Else begins.
  [[nodiscard]] ConstructId openedBy(std::uint32_t instruction) const { return openedBy_[instruction]; }
  [[nodiscard]] bool encloses(ConstructId outer, ConstructId inner) const;

  /// Whether the construct with this opener is divergent.
  [[nodiscard]] bool divergent(std::uint32_t opener) const { return divergent_[opener]; }
  /// Returns whether that is new.
  bool setDivergent(std::uint32_t opener);
  /// The innermost divergent construct around an instruction; 0, the kernel, if there is none.
  [[nodiscard]] ConstructId divergence(std::uint32_t instruction) const;
  /// The innermost loop with a LoopBack, or call, around an instruction; kNone if there is none. Break leaves any loop.
  [[nodiscard]] ConstructId loopOf(std::uint32_t instruction, bool withBack) const;
  [[nodiscard]] ConstructId callOf(std::uint32_t instruction) const;
  /// Whether a divergent construct lies between an instruction and one that encloses it.
  [[nodiscard]] bool divergesWithin(ConstructId outer, std::uint32_t instruction) const;

 private:
  ConstructId open(Construct::Kind kind, std::uint32_t opener, std::uint32_t begin, ConstructId parent);

  std::vector<Construct> all_;
  std::vector<ConstructId> around_, openedBy_;
  std::vector<bool> divergent_;
  std::vector<bool> hasBack_;  ///< by construct: a loop with a LoopBack
};

}  // namespace haloscope::codegen
