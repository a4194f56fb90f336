#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "checking/Check.h"
#include "faults/Finding.h"
#include "language/Text.h"
#include "worksheet/Sections.h"

namespace haloscope::worksheet {

namespace {

constexpr std::size_t kMostFindings = 6;

std::string placesOf(const faults::Finding& finding) {
  std::vector<int> lines;
  const auto add = [&](const SourceRange& range) {
    if (range.valid() && std::ranges::find(lines, range.line) == lines.end()) { lines.push_back(range.line); }
  };
  add(finding.where);
  add(finding.other);
  for (const faults::AlsoAt& also : finding.also) { add(also.where); }
  std::ranges::sort(lines);
  if (lines.size() > 6) { lines.resize(6); }
  return fmt::format("{}", fmt::join(lines, ", "));
}

std::string threadsOf(const faults::Finding& finding) {
  std::vector<std::string> threads;
  for (const faults::ThreadPlace& place : finding.threads) {
    threads.push_back(trf("{} of block {}", text(place.thread), text(place.block)));
    if (threads.size() == 2) { break; }
  }
  return threads.empty() ? "–" : fmt::format("{}", fmt::join(threads, ", "));
}

void addFinding(SheetWriter& writer, const faults::Finding& finding, std::size_t number, bool numbered) {
  const Text marker(writer.fonts(), numbered ? fmt::format("{}.", number) : std::string(), {Face::Strong, kBody});
  const Text lines(writer.fonts(), tr("Line(s)"), {});
  const Text threads(writer.fonts(), tr("Threads, for instance"), {});
  const Gap place(writer, placesOf(finding), kCode, mm(22));
  const Gap who(writer, threadsOf(finding), kCode, mm(60));
  Piece piece;
  piece.height = kRuled;
  piece.before = 4;
  piece.keepWithNext = true;
  piece.draw = [=](const Pen& pen, double x, double y) {
    const double baseline = y + kRuled - 6;
    if (marker.width() > 0) {
      pen.text(marker, x, baseline - marker.baseline());
      x += 18;
    }
    pen.text(lines, x, baseline - lines.baseline());
    x += lines.width() + 5;
    place.draw(pen, x, baseline);
    x += place.width() + 16;
    pen.text(threads, x, baseline - threads.baseline());
    who.draw(pen, x + threads.width() + 5, baseline);
  };
  writer.add(std::move(piece));
  writer.paragraph({{tr("What happens there, and what does it do to the result?"), {}}}, 5, true);
  std::vector<Run> answer = {{tr(faults::rowOf(finding.kind).title), {Face::Strong, kBody, kAnswer}},
                             {": ", {Face::Sans, kBody, kAnswer}}};
  for (Run& run : sentenceRuns(finding.text(), {Face::Sans, kBody, kAnswer})) { answer.push_back(std::move(run)); }
  if (finding.outputCount > 0) {
    const bool ended = finding.text().ends_with('.') || finding.text().ends_with("。");
    const std::string reached =
        trn("{} output is affected.", "{} outputs are affected.", finding.outputCount, finding.outputCount);
    answer.push_back({(ended ? " " : ". ") + reached, {Face::Sans, kBody, kAnswer}});
  }
  writer.answer(answer, 3);
}

}  // namespace

void addFindings(SheetWriter& writer, const ChapterSheet& sheet) {
  const experiment::Experiment& experiment = *sheet.chapter.experiment;
  const checking::CheckReport* report = sheet.chapter.report.get();
  const std::size_t count = report == nullptr ? 0 : report->findings.size();
  if (count > 0) {
    writer.heading(tr("What is wrong?"));
    writer.sentence(
        count == 1 ? tr("There is a mistake in this kernel. In which line, and which threads make it?")
                   : trf("There are {} mistakes in this kernel. In which lines, and which threads make them?", count),
        {}, 4, true);
    for (std::size_t i = 0; i < std::min(count, kMostFindings); ++i) {
      addFinding(writer, report->findings[i], i + 1, count > 1);
    }
    if (count > kMostFindings) {
      writer.sentence(trf("{} more are not asked for here.", count - kMostFindings), {Face::Sans, kSmall, kDim});
    }
    return;
  }
  if (experiment.fault) {
    writer.heading(tr("What is wrong?"));
    writer.sentence(tr("There is a mistake in this kernel. In which line, and which threads make it?"), {}, 4, true);
    writer.answer(sentenceRuns(experiment.fault->message, {Face::Sans, kBody, kAnswer}), 3);
    return;
  }
  const std::string sentence = report == nullptr            ? tr("The kernel was not checked for this sheet.")
                               : report->notChecked.empty() ? tr("No faults were found in this kernel.")
                                                            : report->notChecked;
  writer.sentence(sentence, {Face::Sans, kSmall, kDim}, 10);
}

}  // namespace haloscope::worksheet
