#include "module/StoredRecords.h"

#include <fmt/format.h>

#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"
#include "questions/CompiledCode.h"
#include "questions/Records.h"

namespace haloscope::questions {

namespace {

std::map<std::string, double> offered;

double offeredNumber(const std::string& name) {
  const auto found = offered.find(name);
  if (found == offered.end()) { throw InputError(trf("this page has no number \"{}\"", name)); }
  return found->second;
}

[[noreturn]] void throwMissing() { throw MissingError(tr("a page has no compiler for GPUs")); }

}  // namespace

void offerRecords(std::map<std::string, double> records) { offered = std::move(records); }

double recordedNumber(const std::string& arguments) { return offeredNumber(fmt::format("recorded({})", arguments)); }
double dataSheetNumber(const std::string& arguments) { return offeredNumber(fmt::format("gpu({})", arguments)); }

double compiledRegisters(Execution& /*execution*/) { throwMissing(); }
double compiledOccupancy(Execution& /*execution*/) { throwMissing(); }
double compiledBlocks(Execution& /*execution*/) { throwMissing(); }

}  // namespace haloscope::questions
