#include "faults/IntegerTruncations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "language/Text.h"
#include "program/Half.h"
#include "provenance/ValueFlow.h"

namespace haloscope::faults {
namespace {

bool isInteger(ValueType type) { return !isFloating(type) && type != ValueType::Pointer && type != ValueType::Bool; }

double number(std::uint64_t bits, ValueType type) {
  switch (type) {
    case ValueType::F16:
      return halfValue(static_cast<std::uint16_t>(bits));
    case ValueType::F32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case ValueType::F64:
      return std::bit_cast<double>(bits);
    case ValueType::I64:
      return static_cast<double>(static_cast<std::int64_t>(bits));
    case ValueType::U64:
      return static_cast<double>(bits);
    case ValueType::U32:
      return static_cast<std::uint32_t>(bits);
    default:
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
  }
}

bool isDivision(const Instruction& code) { return code.op == Opcode::Div && isInteger(code.type); }

bool isExact(std::uint64_t a, std::uint64_t b, ValueType type) {
  const double divisor = number(b, type);
  return divisor == 0 || std::fmod(number(a, type), divisor) == 0;
}

}  // namespace

IntegerTruncations::IntegerTruncations(const Program& program) : NumberObserver(program) {
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    const Instruction& code = program.code[at];
    const bool implied = code.op == Opcode::Convert && code.aux != kConvertAsked && isInteger(code.type) &&
                         isFloating(program.registers[code.a].type);
    suspect_[at] =
        ((isDivision(code) && !countsPlaces(at)) || (implied && !roundedOnPurpose(at))) && becomesFloating(at);
  }
}

bool IntegerTruncations::roundedOnPurpose(std::uint32_t instruction) const {
  const auto definitions = provenance::ValueFlow(program_).definitions(program_.code[instruction].a, instruction);
  return !definitions.empty() && std::all_of(definitions.begin(), definitions.end(), [&](std::uint32_t at) {
    if (program_.code[at].op != Opcode::Math) { return false; }
    switch (static_cast<MathFunction>(program_.code[at].aux)) {
      case MathFunction::Floor:
      case MathFunction::Ceil:
      case MathFunction::Trunc:
      case MathFunction::Round:
      case MathFunction::Rint:
        return true;
      default:
        return false;
    }
  });
}

/// Whether a quotient counts rows, tiles or points: it comes from indices of threads and blocks or from sizes, and not
/// from what is in memory.
bool IntegerTruncations::countsPlaces(std::uint32_t instruction) const {
  const provenance::ValueFlow flow(program_);
  const auto origins = [&](RegisterId first) {
    struct {
      bool places = false, data = false;
    } found;
    std::set<std::pair<RegisterId, std::uint32_t>> seen;
    std::vector<std::pair<RegisterId, std::uint32_t>> waiting{{first, instruction}};
    while (!waiting.empty()) {
      const auto [reg, reader] = waiting.back();
      waiting.pop_back();
      if (reg == kNone || !seen.emplace(reg, reader).second) { continue; }
      const Variable* variable = flow.variable(reg);
      if (program_.registers[reg].kind == RegisterKind::Builtin || (variable != nullptr && variable->parameter)) {
        found.places = true;
      }
      for (const std::uint32_t at : flow.definitions(reg, reader)) {
        const Instruction& code = program_.code[at];
        const bool fromFloating = code.op == Opcode::Convert && isFloating(program_.registers[code.a].type);
        if (readsMemory(code.op) || fromFloating) {
          found.data = true;
          continue;
        }
        for (const RegisterId operand : {code.a, code.b, code.c}) { waiting.emplace_back(operand, at); }
      }
    }
    return found;
  };
  const auto dividend = origins(program_.code[instruction].a);
  return !dividend.data && (dividend.places || origins(program_.code[instruction].b).places);
}

bool IntegerTruncations::becomesFloating(std::uint32_t instruction) const {
  const provenance::ValueFlow flow(program_);
  const bool division = isDivision(program_.code[instruction]);
  bool reaches = false, isIndex = false;
  flow.follow({instruction}, [&](std::uint32_t, std::uint32_t at) {
    const Instruction& code = program_.code[at];
    switch (code.op) {
      case Opcode::Offset:
        isIndex = true;
        return false;
      case Opcode::Convert:
        reaches = reaches || isFloating(code.type);
        return !isFloating(code.type);
      case Opcode::Add:
      case Opcode::Sub:
        // What a quotient is added to is a count more often than not; an accumulator of values is none.
        return !division;
      case Opcode::Assign:
      case Opcode::Select:
      case Opcode::Negate:
      case Opcode::Mul:
        return true;
      default:
        return false;
    }
  });
  return reaches && !isIndex;
}

bool IntegerTruncations::faulty(const simt::Warp& warp, const Instruction& code, int lane) const {
  if (isDivision(code)) { return !isExact(warp.bits(code.a, lane), warp.bits(code.b, lane), code.type); }
  const double value = number(warp.bits(code.a, lane), program_.registers[code.a].type);
  return std::isfinite(value) && value != std::trunc(value);
}

std::vector<Finding> IntegerTruncations::findings() const {
  std::vector<Finding> found;
  const provenance::ValueFlow flow(program_);
  for (const auto& [at, sighting] : sightings_) {
    if (sighting.occurrences == 0) { continue; }
    const Instruction& code = program_.code[at];
    Finding finding{.kind = FindingKind::IntegerTruncation,
                    .where = code.range,
                    .threads = {sighting.thread},
                    .occurrences = sighting.occurrences};
    if (isDivision(code)) {
      const double a = number(sighting.a, code.type);
      const double b = number(sighting.b, code.type);
      finding.message =
          trf("{:.0f} / {:.0f} is an integer division and gives {:.0f}, not {:.4g}; the fraction is lost before the "
              "quotient becomes a floating-point number",
              a, b, std::trunc(a / b), a / b);
    } else {
      const double value = number(sighting.a, program_.registers[code.a].type);
      std::string holder = tr("an integer");
      for (const std::uint32_t use : flow.uses(at)) {
        const Variable* variable =
            program_.code[use].op == Opcode::Assign ? flow.variable(program_.code[use].dst) : nullptr;
        if (variable != nullptr) { holder = tr("the integer ") + variable->name; }
      }
      finding.message = trf(
          "{:.4g} becomes {:.0f} in {}; the fraction is lost, and the value is used as a floating-point number again",
          value, std::trunc(value) + 0.0, holder);  // -0.3 becomes 0, not -0
    }
    found.push_back(finding);
  }
  return found;
}

}  // namespace haloscope::faults
