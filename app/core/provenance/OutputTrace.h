#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "simt/Executor.h"

/// Where a value came from: the operands that arithmetic made an output element of, each with its way there.
namespace haloscope::provenance {

/// A copy on an operand's way: a thread put the value somewhere.
struct Hop {
  enum class Place : std::uint8_t { Variable, Shared, Local, Global };
  Place place = Place::Variable;
  std::uint32_t id = kNone;  ///< VariableId, or ObjectId
  std::int64_t index = 0;    ///< element of the array; of a variable: the thread that holds it
  std::uint32_t thread = 0;  ///< the thread that put it there, linear in the block
  std::uint32_t step = 0;    ///< when: index into Recording::steps of the block
  StatementId statement = kNone;
};

/// One value that arithmetic took.
struct Operand {
  enum class Kind : std::uint8_t {
    Element,        ///< of a global array, as it was before the launch
    Computed,       ///< of a global array, after another thread of the block had written its result there
    Constant,       ///< an element of constant memory
    Literal,        ///< a number of the text, an argument or threadIdx and its kin
    Uninitialised,  ///< memory or a variable that was not yet written
    OutOfBounds,    ///< what a load outside its array yields
  };
  Kind kind = Kind::Literal;
  ObjectId object = kNone;  ///< the array that it was read from; of an uninitialised variable or a literal: none
  std::int64_t element = 0;
  VariableId variable = kNone;  ///< the uninitialised one
  bool given = false;           ///< of a Literal: assigned, or chosen by a conditional expression, not computed with
  ValueType type = ValueType::F32;
  std::uint64_t bits = 0;
  std::uint32_t loadedBy = 0;  ///< thread that read the array or first held the value
  std::uint32_t loadedAt = 0;  ///< step
  StatementId loadedIn = kNone;
  std::uint32_t computedBy = kNone;  ///< of a Computed one: the thread that wrote it, and
  std::uint32_t computedAt = kNone;  ///< ... the step
  std::vector<Hop> hops;             ///< from there on, in order of time
  std::uint32_t usedBy = 0;          ///< thread that computed with it, or stored it as it was
  std::uint32_t usedAt = 0;          ///< step
  StatementId usedIn = kNone;
};

/// What an operation took: an operand, or another operation's result.
struct Taken {
  enum class From : std::uint8_t { Nothing, Operand, Operation };
  From from = From::Nothing;
  std::uint32_t index = 0;  ///< into OutputTrace::operands or ::operations
};

/// One piece of arithmetic on the way to an output.
struct Operation {
  std::uint32_t instruction = 0;  ///< index into Program::code; an AtomicAdd adds
  ValueType type = ValueType::F32;
  std::uint64_t bits = 0;        ///< its result
  std::array<Taken, 3> taken{};  ///< registers a, b and c
};

/// The last value that a block wrote to an element of a global array.
struct OutputTrace {
  ObjectId object = kNone;
  std::int64_t element = 0;
  std::uint64_t bits = 0;
  std::uint32_t thread = 0;  ///< its writer
  std::uint32_t step = 0;    ///< when
  StatementId statement = kNone;
  std::vector<Operand> operands;      ///< in the order in which arithmetic took them
  std::vector<Operation> operations;  ///< each after those whose results it took
  Taken result;                       ///< what was written: the last operation's result, or an operand as it was
};

struct TraceOptions {
  simt::WarpOrder order = simt::WarpOrder::SideBySide;
  std::uint64_t orderSeed = 0;  ///< of WarpOrder::Random
  std::stop_token stop{};
};

/// One block, executed again in the order in which it is recorded with the same options, with every value followed: any
/// of its outputs can be asked for. Index arithmetic and conditions are not followed.
class TracedBlock {
 public:
  /// `launch` holds the arrays as they were before the kernel ran. `program` must outlive this. Throws InputError as
  /// simt::execute does, and when there is no such block.
  TracedBlock(const Program& program, Launch launch, const Dim3& block, const TraceOptions& options = {});
  ~TracedBlock();
  TracedBlock(TracedBlock&&) noexcept;
  TracedBlock& operator=(TracedBlock&&) noexcept;

  /// Elements of a global array that the block wrote, ascending.
  [[nodiscard]] std::vector<std::int64_t> written(ObjectId object) const;
  /// The last value written to an element. Nothing if the block did not write it, or there was too much to follow.
  [[nodiscard]] std::optional<OutputTrace> trace(ObjectId object, std::int64_t element) const;

 private:
  struct Values;
  std::unique_ptr<const Values> values_;
};

/// One output of a TracedBlock.
[[nodiscard]] std::optional<OutputTrace> traceOutput(const Program& program, Launch launch, const Dim3& block,
                                                     ObjectId object, std::int64_t element,
                                                     const TraceOptions& options = {});

}  // namespace haloscope::provenance
