#include "judging/CheckedKernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "checking/WrongResult.h"
#include "language/Text.h"

namespace haloscope::judging {

SourceError atNowhere(const std::string& file, const std::string& message) { return {file, {}, message}; }

std::string withoutName(const std::string& message, const std::string& name) {
  return message.starts_with(name + ": ") ? message.substr(name.size() + 2) : message;
}

std::string ResultVerdict::text() const { return with.empty() ? word : word + " " + with; }

ResultVerdict resultOf(const CheckedKernel& kernel) {
  if (!kernel.checked()) { return {.word = tr("not compared")}; }
  const checking::CheckReport& report = *kernel.report;
  const std::string others = trf("with {}", fmt::join(report.agreesWith, ", "));
  const ResultVerdict disagrees{.word = tr("disagrees"), .with = trf("with {}", fmt::join(report.disagreesWith, ", "))};
  if (std::ranges::any_of(report.findings, checking::isWrongResult)) {
    return report.disagreesWith.empty() ? ResultVerdict{.word = tr("differs")} : disagrees;
  }
  if (!report.doubt.empty()) { return {.word = tr("not compared")}; }
  if (report.agreesWithReference) { return {.word = tr("agrees"), .with = others}; }
  if (report.matchesReference) {
    const bool supposed =
        kernel.text && kernel.text->computes && (kernel.text->computes->guessed || kernel.text->computes->observed);
    return {.word = *report.matchesReference ? tr("matches") : tr("differs"),
            .with = !*report.matchesReference ? ""
                    : supposed                ? tr("the sum that it is recognised as")
                                              : tr("its definition")};
  }
  if (!report.ownFunction.empty()) { return {.word = tr("matches"), .with = report.ownFunction}; }
  if (!report.rejection.empty()) { return {.word = tr("differs")}; }
  if (!report.ownCheck.empty()) {
    return {.word = tr("own check"), .with = report.agreesWith.empty() ? "" : trf("and agrees {}", others)};
  }
  if (!report.disagreesWith.empty()) { return disagrees; }
  if (!report.agreesWith.empty()) { return {.word = tr("agrees"), .with = others}; }
  return {.word = report.uniform ? tr("uniform") : tr("not compared")};
}

void checkKernel(const KernelFile& file, const Bindings& bindings, CheckedKernel& row,
                 const checking::CheckOptions& options) {
  try {
    row.text = file;
    row.bindings = file.bind(bindings);
    row.report = checking::check(file, bindings, options);
    row.assumptions.insert(row.assumptions.end(), row.report->notes.begin(), row.report->notes.end());
    if (row.kernel.empty()) { row.kernel = row.report->kernel; }
  } catch (const SourceError& error) { row.errors.push_back(error); } catch (const InputError& error) {
    row.readable = true;
    row.errors.push_back(atNowhere(row.file, withoutName(error.what(), file.id)));
  }
}

}  // namespace haloscope::judging
