#include "handout/ChapterText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "faults/Finding.h"
#include "faults/FindingPosition.h"
#include "inputs/ChosenData.h"
#include "language/Text.h"
#include "program/NumberText.h"
#include "text/Html.h"

namespace haloscope::handout {

namespace {

using experiment::Experiment;

std::string gridText(const Dim3& grid) {
  if (grid.z > 1) { return fmt::format("{} × {} × {}", grid.x, grid.y, grid.z); }
  return grid.y > 1 ? fmt::format("{} × {}", grid.x, grid.y) : std::to_string(grid.x);
}

std::string findingHtml(const faults::Finding& finding, const Experiment& experiment, std::size_t steps) {
  std::string html = "<li>" + element("strong", tr(faults::rowOf(finding.kind).title)) + " ";
  if (finding.where.valid()) { html += element("span", trf("line {}", finding.where.line), "class=\"place\"") + " "; }
  html += element("p", finding.text());
  const auto position = faults::positionOf(finding.where, finding, *experiment.recording);
  if (finding.where.valid() && position && *position <= steps) {
    html += element("button", trf("Show step {}", *position),
                    fmt::format("type=\"button\" class=\"go\" data-position=\"{}\"", *position));
  }
  return html + "</li>\n";
}

/// A line of the table of counts.
std::string countRow(const char* what, const std::string& count) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(what), escaped(count));
}

}  // namespace

std::string element(const char* name, const std::string& text, const std::string& attributes) {
  return fmt::format("<{0}{1}>{2}</{0}>\n", name, attributes.empty() ? "" : " " + attributes, escapedLines(text));
}

std::string captionOf(const Experiment& experiment) {
  const KernelFile& file = experiment.file;
  std::vector<std::string> knobs;
  for (const auto& [name, value] : experiment.bindings) {
    knobs.push_back(fmt::format("{} = {}", name, file.valueText(name, value)));
  }
  std::vector<std::string> parts = {file.isOpened() ? file.path.filename().string() : file.id};
  if (!file.book.empty()) { parts.push_back(file.book); }
  if (!knobs.empty()) { parts.push_back(fmt::format("{}", fmt::join(knobs, tr(", ")))); }
  const LaunchConfiguration& launch = experiment.configuration;
  parts.push_back(trf("block {} of a grid of {}, {} threads", text(experiment.block), gridText(launch.grid),
                      launch.threadsPerBlock()));
  for (const auto& [array, choice] : experiment.choice.data) {
    parts.push_back(fmt::format("{}: {}", array, inputs::describe(choice)));
  }
  if (!experiment.choice.withoutBarriers.empty()) {
    parts.push_back(trf("without the barrier of line {}", fmt::join(experiment.choice.withoutBarriers, ", ")));
  }
  return trf("{}. Every value was recorded while Haloscope's emulator executed this source.", fmt::join(parts, " · "));
}

std::string findingsHtml(const Experiment& experiment, const checking::CheckReport* checked, std::size_t steps) {
  std::string html = "<section class=\"findings\">" + element("h3", tr("Findings"));
  if (experiment.fault && (checked == nullptr || checked->findings.empty())) {
    html += element("p", experiment.fault->message, "class=\"fault\"");
  }
  if (!experiment.recording->message.empty()) { html += element("p", experiment.recording->message); }
  if (!experiment.file.task.empty()) {
    html += element("p", trf("A task of the bug lab: {}", tr(experiment.file.task)));
  } else if (checked == nullptr) {
    html += element("p", tr("The kernel was not checked for this page."));
  } else {
    const checking::CheckReport& report = *checked;
    if (!report.findings.empty()) {
      html += "<ol>";
      for (const faults::Finding& finding : report.findings) { html += findingHtml(finding, experiment, steps); }
      html += "</ol>";
    } else if (report.notChecked.empty()) {
      html += element("p", tr("No faults were found."), "class=\"good\"");
    }
    for (const std::string& sentence : {report.notChecked, report.watched, report.compared}) {
      if (!sentence.empty()) { html += element("p", sentence, "class=\"small\""); }
    }
  }
  return html + "</section>\n";
}

std::string countsHtml(const Experiment& experiment) {
  if (!experiment.outcome) { return {}; }
  const experiment::LaunchCounts& counts = experiment.counts;
  const experiment::OpPerByte& opPerByte = experiment.opPerByte;
  std::string html = "<section class=\"counts\">" + element("h3", tr("Counts")) + "<table><tbody>";
  const auto bytes = [&](const char* what, std::uint64_t count) {
    if (count > 0) { html += countRow(what, trf("{} bytes", grouped(count))); }
  };
  html += countRow(tr("floating-point operations"), grouped(counts.flops));
  bytes(tr("loaded from global memory"), counts.globalLoadBytes);
  bytes(tr("stored to global memory"), counts.globalStoreBytes);
  bytes(tr("loaded from constant memory"), counts.constantLoadBytes);
  bytes(tr("loaded from shared memory"), counts.sharedLoadBytes);
  bytes(tr("stored to shared memory"), counts.sharedStoreBytes);
  const auto ratio = [&](const char* what, double value) {
    if (value > 0) { html += countRow(what, trf("{:.3f} OP/B", value)); }
  };
  ratio(tr("per byte loaded, whole grid"), opPerByte.executed);
  ratio(tr("per byte loaded, an interior block"), opPerByte.interiorBlock);
  ratio(tr("per byte loaded, the book's formula"), opPerByte.formula.value_or(0));
  html += "</tbody></table>";
  html +=
      element("p",
              experiment.outcome == simt::Outcome::Finished
                  ? trf("Counted while all {} blocks were executed.", grouped(experiment.configuration.grid.count()))
                  : std::string(tr("Counted as far as the launch came: it did not come to its end.")),
              "class=\"small\"");
  return html + "</section>\n";
}

std::vector<std::int64_t> faultyOutputs(const Experiment& experiment, const checking::CheckReport* checked) {
  std::vector<std::int64_t> faulty;
  if (checked == nullptr) { return faulty; }
  const recording::Footprint& footprint = experiment.footprint;
  for (const std::int64_t output : footprint.outputs) {
    if (std::ranges::any_of(checked->findings, [&](const faults::Finding& finding) {
          return finding.reaches({footprint.output, output});
        })) {
      faulty.push_back(output);
    }
  }
  return faulty;
}

}  // namespace haloscope::handout
