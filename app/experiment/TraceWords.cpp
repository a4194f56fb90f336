#include "experiment/TraceWords.h"

#include <fmt/format.h>

namespace haloscope::experiment {

using analysis::Hop;
using analysis::Operand;

std::string TraceWords::element(ObjectId object, std::int64_t index) const {
  return recording::formatElement(program_.objects[object].name, recording_.extents[object], index);
}

std::string TraceWords::operand(const Operand& operand) const {
  if (operand.object != kNone) { return element(operand.object, operand.element); }
  return operand.kind == Operand::Kind::Uninitialised ? "a variable" : "a literal";
}

std::string TraceWords::thread(std::uint32_t index) const {
  const Dim3 at = unlinear(index, recording_.configuration.block);
  return fmt::format("({},{},{})", at.x, at.y, at.z);
}

std::string TraceWords::place(const Hop& hop) const {
  return hop.place == Hop::Place::Variable ? program_.variables[hop.id].name : element(hop.id, hop.index);
}

std::string TraceWords::role(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::Element:
      if (operand.object != footprint_.input) { return "other array"; }
      return footprint_.computes(operand.element) ? "interior" : "halo";
    case Operand::Kind::Constant:
      return "constant";
    case Operand::Kind::Literal:
      return "literal";
    case Operand::Kind::Uninitialised:
      return "uninitialised";
  }
  return {};
}

int TraceWords::line(StatementId statement) const {
  return statement == kNone ? 0 : program_.statements[statement].range.line;
}

}  // namespace haloscope::experiment
