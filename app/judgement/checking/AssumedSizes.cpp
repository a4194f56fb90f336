#include "checking/AssumedSizes.h"

#include <algorithm>
#include <string>

#include "analysis/ElementName.h"
#include "experiment/ArrayFilling.h"
#include "faults/Finding.h"
#include "language/Text.h"
#include "program/Program.h"

namespace haloscope::checking {

namespace {

/// Whether elements of an array of integers become divisors or parts of an index.
bool integersSteer(const Program& program) {
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    const bool given = object.space == MemorySpace::Global || object.space == MemorySpace::Constant;
    const bool isInteger = !isFloating(object.element) && object.element != ValueType::Pointer;
    if (given && isInteger && object.initial.empty() && experiment::steers(program, id)) { return true; }
  }
  return false;
}

}  // namespace

void dropAssumed(const KernelFile& file, CheckReport& report) {
  if (file.assumedArrays.empty()) { return; }
  std::erase_if(report.findings, [&](const faults::Finding& one) {
    const bool ofArray = one.object != kNone && one.object < report.program->objects.size() &&
                         file.assumedArrays.contains(report.program->objects[one.object].name);
    if (one.kind == faults::FindingKind::OutOfBounds && ofArray) {
      const std::string& name = report.program->objects[one.object].name;
      report.notes.push_back(
          trf("At {}:{} it reaches {} (with the sizes assumed here). This is no fault if {} points to an array that "
              "has it.",
              one.where.line, one.where.column, analysis::elementName(*report.program, one.object, one.index), name));
      return true;
    }
    if (one.kind == faults::FindingKind::DivisionByZero && integersSteer(*report.program)) {
      report.notes.push_back(
          trf("At {}:{} the divisor is zero with the numbers assumed here. This is no fault if it is "
              "not with others.",
              one.where.line, one.where.column));
      return true;
    }
    return false;
  });
}

}  // namespace haloscope::checking
