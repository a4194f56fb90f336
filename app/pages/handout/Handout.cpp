#include "handout/Handout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "cells/CodeHtml.h"
#include "cells/Palette.h"
#include "faults/Finding.h"
#include "faults/FindingPosition.h"
#include "handout/PageWords.h"
#include "handout/RecordingData.h"
#include "inputs/ChosenData.h"
#include "language/Language.h"
#include "language/Text.h"
#include "program/NumberText.h"
#include "program/SourceLocation.h"
#include "text/Html.h"

namespace haloscope::handout {

namespace {

using experiment::Experiment;

std::string assetText(const std::filesystem::path& assets, const char* name) {
  const std::filesystem::path path = assets / "handout" / name;
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) { throw InputError(trf("{} could not be read", path.string())); }
  return text;
}

std::string titleOf(const Chapter& chapter) {
  if (!chapter.title.empty()) { return chapter.title; }
  const KernelFile& file = chapter.experiment->file;
  return file.title.empty() ? file.id : tr(file.title);
}

std::string element(const char* name, const std::string& text, const std::string& attributes = {}) {
  return fmt::format("<{0}{1}>{2}</{0}>\n", name, attributes.empty() ? "" : " " + attributes, escapedLines(text));
}

/// Elements of the block's output that faults reach.
std::vector<std::int64_t> faultyOutputs(const Chapter& chapter) {
  std::vector<std::int64_t> faulty;
  if (chapter.report == nullptr) { return faulty; }
  const recording::Footprint& footprint = chapter.experiment->footprint;
  for (const std::int64_t output : footprint.outputs) {
    if (std::ranges::any_of(chapter.report->findings, [&](const faults::Finding& finding) {
          return finding.reaches({footprint.output, output});
        })) {
      faulty.push_back(output);
    }
  }
  return faulty;
}

std::string gridText(const Dim3& grid) {
  if (grid.z > 1) { return fmt::format("{} × {} × {}", grid.x, grid.y, grid.z); }
  return grid.y > 1 ? fmt::format("{} × {}", grid.x, grid.y) : std::to_string(grid.x);
}

std::string findingHtml(const faults::Finding& finding, const Chapter& chapter, std::size_t steps) {
  std::string html = "<li>" + element("strong", tr(faults::rowOf(finding.kind).title)) + " ";
  if (finding.where.valid()) { html += element("span", trf("line {}", finding.where.line), "class=\"place\"") + " "; }
  html += element("p", finding.text());
  const auto position = faults::positionOf(finding.where, finding, *chapter.experiment->recording);
  if (finding.where.valid() && position && *position <= steps) {
    html += element("button", trf("Show step {}", *position),
                    fmt::format("type=\"button\" class=\"go\" data-position=\"{}\"", *position));
  }
  return html + "</li>\n";
}

/// What was found, or that nothing was, and what was looked for.
std::string findingsHtml(const Chapter& chapter, std::size_t steps) {
  const Experiment& experiment = *chapter.experiment;
  std::string html = "<section class=\"findings\">" + element("h3", tr("Findings"));
  if (experiment.fault) { html += element("p", experiment.fault->message, "class=\"fault\""); }
  if (!experiment.recording->message.empty()) { html += element("p", experiment.recording->message); }
  if (!experiment.file.task.empty()) {
    html += element("p", trf("A task of the bug lab: {}", tr(experiment.file.task)));
  } else if (chapter.report == nullptr) {
    html += element("p", tr("The kernel was not checked for this page."));
  } else {
    const checking::CheckReport& report = *chapter.report;
    if (!report.findings.empty()) {
      html += "<ol>";
      for (const faults::Finding& finding : report.findings) { html += findingHtml(finding, chapter, steps); }
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

std::string questionHtml(const AnsweredQuestion& question) {
  std::string html = "<li>" + element("p", question.ask);
  if (!question.options.empty()) {
    html += "<ul>";
    for (const std::string& option : question.options) { html += element("li", option); }
    html += "</ul>";
  }
  if (!question.setting.empty()) { html += element("p", question.setting, "class=\"small\""); }
  html += "<details>" + element("summary", tr("Answer"));
  html += element("p", question.answer, "class=\"answer\"") + element("p", question.because);
  html += element("p", trf("Found when this page was made: {}.", question.origin), "class=\"small\"");
  return html + "</details></li>\n";
}

std::string questionsHtml(const Chapter& chapter) {
  if (!chapter.questions) { return {}; }
  std::string html = "<section class=\"questions\">" + element("h3", tr("Questions"));
  if (chapter.questions->questions.empty()) {
    html += element("p", trf("The course has no questions about {}.", chapter.experiment->file.id));
  }
  html += "<ol>";
  for (const AnsweredQuestion& question : chapter.questions->questions) { html += questionHtml(question); }
  html += "</ol>";
  for (const std::string& missing : chapter.questions->missing) {
    html += element("p", trf("Not answered here: {}", missing), "class=\"small\"");
  }
  return html + "</section>\n";
}

std::string sourceHtml(const KernelFile& file) {
  const std::vector<CodeLine> lines = readCode(file.text);
  const std::size_t first = std::min(static_cast<std::size_t>(std::max(file.firstCodeLine, 1)) - 1, lines.size());
  const auto listed = [&](std::size_t from, std::size_t end) {
    std::string html = "<ol class=\"code\">";
    for (std::size_t line = from; line < end; ++line) {
      fmt::format_to(std::back_inserter(html), "<li value=\"{0}\" data-line=\"{0}\"><code>{1}</code></li>\n", line + 1,
                     codeHtml(lines[line]));
    }
    return html + "</ol>";
  };
  std::string html = "<section class=\"source\">" + element("h3", file.path.filename().string());
  html += fmt::format("<div class=\"lines\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">", escaped(tr("Source")));
  if (first > 0) {
    html += "<details>" + element("summary", tr("The file's header")) + listed(0, first) + "</details>";
  }
  return html + listed(first, lines.size()) + "</div></section>\n";
}

/// What it was made from: the same for two chapters that share a recording.
struct Shared {
  const Chapter* chapter;
  std::string id;
  std::size_t steps;
  std::size_t all;
};

bool sameRecording(const Chapter& a, const Chapter& b) {
  return a.experiment == b.experiment ||
         (a.experiment->choice == b.experiment->choice && a.experiment->file.text == b.experiment->file.text &&
          a.experiment->block == b.experiment->block && a.experiment->configuration == b.experiment->configuration &&
          a.experiment->bindings == b.experiment->bindings && a.experiment->file.data == b.experiment->file.data);
}

/// `named`: the page has other chapters, so that its own title is another one.
std::string chapterHtml(const Chapter& chapter, std::size_t number, const Shared& recorded, bool named) {
  const Experiment& experiment = *chapter.experiment;
  const KernelFile& file = experiment.file;
  const std::string thread = chapter.thread ? std::to_string(*chapter.thread) : std::string();
  std::string html = fmt::format(
      "<article class=\"chapter\" id=\"chapter-{}\" data-recording=\"{}\" data-position=\"{}\" data-thread=\"{}\">\n",
      number, recorded.id, std::min(chapter.position, recorded.steps), thread);
  html += "<header>";
  if (named) { html += element("h2", titleOf(chapter), "tabindex=\"-1\""); }
  if (!chapter.note.empty()) { html += element("p", chapter.note, "class=\"note\""); }
  if (!file.idea.empty()) { html += element("p", tr(file.idea), "class=\"idea\""); }
  html += element("p", captionOf(experiment), "class=\"caption\"");
  if (recorded.steps < recorded.all) {
    html += element("p",
                    trf("This page has the first {} of the block's {} steps: all of them would be too large for it.",
                        grouped(recorded.steps), grouped(recorded.all)),
                    "class=\"shortened\"");
  }
  html += "</header>\n<div class=\"work\">\n" + sourceHtml(file);
  html += "<section class=\"picture\"></section>\n</div>\n";
  return html + findingsHtml(chapter, recorded.steps) + questionsHtml(chapter) + "</article>\n";
}

std::string contentsHtml(const std::vector<Chapter>& chapters) {
  if (chapters.size() < 2) { return {}; }
  std::string html = fmt::format("<nav class=\"contents\" aria-label=\"{}\"><ol>", escaped(tr("Chapters")));
  for (std::size_t i = 0; i < chapters.size(); ++i) {
    html += fmt::format("<li><a href=\"#chapter-{}\">{}</a></li>", i + 1, escaped(titleOf(chapters[i])));
  }
  return html + "</ol></nav>\n";
}

}  // namespace

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

std::string page(const std::string& title, const std::vector<Chapter>& chapters, const std::filesystem::path& assets) {
  std::vector<Shared> recordings;
  std::string body = contentsHtml(chapters), data;
  for (std::size_t i = 0; i < chapters.size(); ++i) {
    const auto known =
        std::ranges::find_if(recordings, [&](const Shared& one) { return sameRecording(*one.chapter, chapters[i]); });
    if (known == recordings.end()) {
      const RecordingData packed = recordingData(*chapters[i].experiment, faultyOutputs(chapters[i]));
      const std::string id = fmt::format("recording-{}", recordings.size() + 1);
      data += fmt::format("<script type=\"text/plain\" id=\"{}\">{}</script>\n", id, packed.packed);
      recordings.push_back({&chapters[i], id, packed.steps, packed.all});
      body += chapterHtml(chapters[i], i + 1, recordings.back(), chapters.size() > 1);
    } else {
      body += chapterHtml(chapters[i], i + 1, *known, chapters.size() > 1);
    }
  }
  return filledIn(
      assetText(assets, "page.html"),
      {{"language", language() == Language::Chinese ? "zh-Hans" : "en"},
       {"title", escaped(title)},
       {"style", cells::cssVariables() + codeStyle() + assetText(assets, "page.css")},
       {"script", assetText(assets, "recording.js") + assetText(assets, "picture.js") + assetText(assets, "page.js")},
       {"needs script", escaped(tr("The steps of this page need JavaScript, which is off here. The source, the "
                                   "findings and the answers can be read without it."))},
       {"words", escapedJson(pageWords())},
       {"keys", escaped(tr("← → a step, Shift + ← → a barrier interval, Space plays, Home and End; or swipe the "
                           "picture."))},
       {"made", escaped(tr("Made with Haloscope, which executes CUDA kernels step by step."))},
       {"bar", escaped(tr("Steps"))},
       {"body", body},
       {"data", data}});
}

}  // namespace haloscope::handout
