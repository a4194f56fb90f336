#include "experiment/TraceWords.h"

#include <fmt/format.h>

#include <cmath>

#include "language/Text.h"
#include "program/RealBits.h"

namespace haloscope::experiment {

using provenance::Hop;
using provenance::Operand;
using provenance::OperandPlace;
using provenance::OperandRole;

std::string TraceWords::element(ObjectId object, std::int64_t index) const {
  return recording::formatElement(program_.objects[object].name, recording_.extents[object], index);
}

std::string TraceWords::operand(const Operand& operand, const OperandPlace& place) const {
  if (place.role == OperandRole::Ghost && place.at) {
    const recording::GridPoint& at = *place.at;
    std::string text = program_.objects[footprint_.input].name;
    if (footprint_.inputExtents.size() > 2) { text += fmt::format("[{}]", at.z); }
    if (footprint_.inputExtents.size() > 1) { text += fmt::format("[{}]", at.y); }
    return text + fmt::format("[{}]", at.x);
  }
  if (operand.kind == Operand::Kind::OutOfBounds) {
    return operand.object == kNone ? tr("no array")
                                   : fmt::format("{}[{}]", program_.objects[operand.object].name, operand.element);
  }
  if (operand.object != kNone) { return element(operand.object, operand.element); }
  if (operand.variable != kNone) { return program_.variables[operand.variable].name; }
  return operand.kind == Operand::Kind::Uninitialised ? tr("a variable") : tr("a literal");
}

std::string TraceWords::value(ValueType type, std::uint64_t bits) const {
  if (isFloating(type) && std::isnan(numberOf(type, bits))) { return "NaN"; }
  return recording::formatValue(program_, type, bits);
}

std::string TraceWords::value(ValueType type, std::uint64_t bits, int digits) const {
  if (!isFloating(type)) { return recording::formatValue(program_, type, bits); }
  const double number = numberOf(type, bits);
  return std::isnan(number) ? "NaN" : fmt::format("{:.{}g}", number, digits);
}

std::string TraceWords::thread(std::uint32_t index) const {
  const Dim3 at = unlinear(index, recording_.configuration.block);
  return fmt::format("({},{},{})", at.x, at.y, at.z);
}

std::string TraceWords::place(const Hop& hop) const {
  return hop.place == Hop::Place::Variable ? program_.variables[hop.id].name : element(hop.id, hop.index);
}

int TraceWords::line(StatementId statement) const {
  return statement == kNone ? 0 : program_.statements[statement].range.line;
}

std::string TraceWords::plane(std::uint32_t step) const {
  const std::uint32_t index = recording_.steps[step].plane;
  if (index == kNone) { return {}; }
  const recording::Plane& plane = recording_.planes[index];
  return plane.variable.empty() ? trf("plane {}", index) : fmt::format("{} = {}", plane.variable, plane.value);
}

std::string TraceWords::when(std::uint32_t step) const {
  const std::string inPlane = plane(step);
  return trf("step {}, interval {}{}{}", step + 1, interval(step), inPlane.empty() ? "" : ", ", inPlane);
}

std::string TraceWords::fault(const Operand& operand, const OperandPlace& place) const {
  const auto write = [&] {
    return trf("thread {} wrote it (step {})", thread(place.missed->thread), place.missed->step + 1);
  };
  const std::string instead =
      place.instead ? trf("; with the warps side by side it is {}", element(footprint_.input, *place.instead)) : "";
  switch (place.role) {
    case OperandRole::Uninitialised:
      if (place.missed) { return tr("read before ") + write(); }
      return operand.object != kNone ? tr("read uninitialised: no thread had written it") : tr("used uninitialised");
    case OperandRole::Stale:
      return tr("read before ") + write() + instead;
    case OperandRole::Overwritten:
      return tr("read after ") + write() + instead;
    case OperandRole::OutOfBounds:
      return tr("read outside the array");
    default:
      return {};
  }
}

}  // namespace haloscope::experiment
