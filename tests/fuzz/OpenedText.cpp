#include "OpenedText.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "catalogue/KernelFile.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "opening/OpenedFile.h"
#include "opening/TextNames.h"
#include "program/SourceLocation.h"
#include "work/Deadline.h"

namespace haloscope::fuzz {

namespace {

constexpr std::int64_t kUsualSize = 12;  ///< points along an axis
constexpr checking::CheckLimits kLimits{.warpInstructions = 500'000, .arrayBytes = 4 << 20, .referenceTerms = 5e6};
constexpr std::uint64_t kStepBudget = 20'000;
constexpr std::size_t kMaxChecked = 3;
constexpr std::chrono::milliseconds kPatience{1000};

/// Runs what may throw the program's own errors, and keeps their messages; any other exception passes on.
template <typename Work>
void withMessages(Opened& opened, Work work) {
  std::string message;
  try {
    work();
    return;
  } catch (const SourceError& error) { message = error.message(); } catch (const InputError& error) {
    message = error.what();
  } catch (const experiment::Cancelled&) { message = "not finished in time"; }
  if (message.empty()) { throw std::logic_error("an error without a message"); }
  opened.messages.push_back(std::move(message));
}

/// The defaults, with sizes small enough for a sanitizer's pace.
Bindings smallBindings(const KernelFile& file) {
  Bindings bindings;
  for (const SizeParameter& size : file.sizes) {
    bindings[size.name] = std::min(size.defaultValue, std::max(size.minimum, kUsualSize));
  }
  return bindings;
}

void checkKernel(const KernelFile& file, Opened& opened) {
  const Bindings bindings = smallBindings(file);
  const work::Deadline deadline(kPatience);
  checking::CheckOptions options;
  options.workers = 1;
  options.stepBudget = kStepBudget;
  options.limits = kLimits;
  options.stop = deadline.token();
  const checking::CheckReport report = checking::check(file, bindings, options);
  ++opened.checked;
  for (const faults::Finding& finding : report.findings) {
    if (finding.message.empty()) { throw std::logic_error("a finding without a message"); }
    static_cast<void>(report.outputNames(finding));
  }
}

}  // namespace

Opened openText(const std::string& text) {
  Opened opened;
  withMessages(opened, [&] {
    const opening::OpenedFile file = opening::openText("any.cu", text);
    opened.kernels = file.kernels.size();
    for (const frontend::Diagnostic& diagnostic : file.diagnostics) { opened.messages.push_back(diagnostic.message); }
    for (std::size_t i = 0; i < std::min(opened.kernels, kMaxChecked); ++i) {
      withMessages(opened, [&] { checkKernel(file.kernels[i].file, opened); });
    }
  });
  if (opened.kernels == 0 && opened.messages.empty()) { throw std::logic_error("neither a kernel nor a message"); }
  return opened;
}

Opened openHeader(const std::string& text) {
  Opened opened;
  withMessages(opened, [&] {
    const KernelFile file = KernelFile::parse("any/any", "any.cu", text);
    const Bindings bindings = file.bind({});
    static_cast<void>(file.defines(bindings));
    static_cast<void>(file.configuration(bindings));
    static_cast<void>(file.taps(bindings));
    opened.kernels = 1;
  });
  static_cast<void>(opening::TextNames(text).launches());
  return opened;
}

}  // namespace haloscope::fuzz
