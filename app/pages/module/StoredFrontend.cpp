#include "module/StoredFrontend.h"

#include <algorithm>
#include <utility>

#include "frontend/Frontend.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "program/StoredProgram.h"

namespace haloscope::frontend {

namespace {

std::vector<StoredVariant> offered;

}  // namespace

void offer(std::vector<StoredVariant> variants) { offered = std::move(variants); }

CompileResult compile(const std::string& file, const std::string& /*text*/, const CompileOptions& options) {
  const auto found = std::ranges::find_if(
      offered, [&](const StoredVariant& one) { return one.file == file && one.defines == options.defines; });
  if (found == offered.end()) {
    Diagnostic missing;
    missing.message = tr("this page has no program for these values");
    throw CompileError(file, {std::move(missing)});
  }
  return {.program = readProgram(found->program), .kernels = {options.kernel}, .warnings = {}};
}

}  // namespace haloscope::frontend
