#include "faults/SignedOverflows.h"

#include <cstdint>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "faults/FindingGroups.h"
#include "language/Text.h"
#include "provenance/IntegerRanges.h"
#include "provenance/ValueFlow.h"

namespace haloscope::faults {
namespace {

/// What the operation gives without a limit.
std::int64_t exactly(Opcode op, std::uint64_t bitsA, std::uint64_t bitsB) {
  const std::int64_t a = static_cast<std::int32_t>(static_cast<std::uint32_t>(bitsA));
  const std::int64_t b = static_cast<std::int32_t>(static_cast<std::uint32_t>(bitsB));
  return op == Opcode::Add ? a + b : op == Opcode::Sub ? a - b : a * b;
}

/// Whether an unsigned number is handed to an int, and nothing computed.
bool isHandedOver(const Instruction& code) { return code.op == Opcode::Assign || code.op == Opcode::Convert; }

bool fits(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

SignedOverflows::SignedOverflows(const Program& program, const Launch& launch) : NumberObserver(program) {
  const provenance::IntegerRanges ranges(program, launch);
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    suspect_[at] = ranges.mayOverflow(at) && becomesIndex(at);
  }
}

std::unique_ptr<simt::Observer> SignedOverflows::fork() const {
  std::unique_ptr<SignedOverflows> fork(new SignedOverflows(*this));
  fork->sightings_.clear();
  return fork;
}

/// Whether a result is a part of an index, or of what one is compared with. What is divided, shifted or masked is a
/// hash or a random number.
bool SignedOverflows::becomesIndex(std::uint32_t instruction) const {
  bool found = false;
  const provenance::ValueFlow flow(program_);
  flow.follow({instruction}, [&](std::uint32_t from, std::uint32_t at) {
    const Instruction& code = program_.code[at];
    const RegisterId value = program_.code[from].dst;
    switch (code.op) {
      case Opcode::Offset:
        found = found || code.b == value;
        return false;
      case Opcode::Equal:
      case Opcode::NotEqual:
      case Opcode::Less:
      case Opcode::LessEqual:
      case Opcode::Greater:
      case Opcode::GreaterEqual:
        found = true;
        return false;
      case Opcode::Select:
        return code.a != value;
      case Opcode::Math: {
        const auto function = static_cast<MathFunction>(code.aux);
        return function == MathFunction::Min || function == MathFunction::Max;
      }
      case Opcode::Convert:
        return !isFloating(code.type);
      case Opcode::Add:
      case Opcode::Sub:
      case Opcode::Mul:
      case Opcode::Negate:
      case Opcode::Assign:
        return true;
      default:
        return false;
    }
  });
  return found;
}

bool SignedOverflows::faulty(const simt::Warp& warp, const Instruction& instruction, int lane) const {
  if (isHandedOver(instruction)) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(warp.bits(instruction.a, lane))) < 0;
  }
  return !fits(exactly(instruction.op, warp.bits(instruction.a, lane), warp.bits(instruction.b, lane)));
}

std::vector<Finding> SignedOverflows::findings() const {
  std::vector<Finding> found;
  for (const auto& [at, sighting] : sightings_) {
    if (sighting.occurrences == 0) { continue; }
    const Instruction& code = program_.code[at];
    const ThreadPlace& who = sighting.thread;
    Finding finding{.kind = FindingKind::SignedOverflow,
                    .where = code.range,
                    .threads = {who},
                    .occurrences = sighting.occurrences};
    const std::string where = trf("in thread {} of block {}", text(who.thread), text(who.block));
    const auto asInt = [](std::uint64_t bits) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)); };
    if (isHandedOver(code)) {
      const Variable* variable = provenance::ValueFlow(program_).variable(code.dst);
      finding.message = trf("{} is {}, which no int can hold: it becomes {}, {}; use a 64-bit type, as size_t",
                            variable != nullptr ? variable->name : tr("an index"),
                            static_cast<std::uint32_t>(sighting.a), asInt(sighting.a), where);
    } else {
      const std::int64_t exact = exactly(code.op, sighting.a, sighting.b);
      const char* sign = code.op == Opcode::Add ? "+" : code.op == Opcode::Sub ? "-" : "*";
      finding.message = trf(
          "{} {} {} is {}, which no int can hold: undefined in C++ (here it wraps around to {}), {}; compute it in 64 "
          "bits, as with (size_t)",
          asInt(sighting.a), sign, asInt(sighting.b), exact, asInt(static_cast<std::uint64_t>(exact)), where);
    }
    found.push_back(finding);
  }
  return FindingGroups(program_).merged(found);
}

}  // namespace haloscope::faults
