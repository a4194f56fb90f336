#include "handout/Handout.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "cells/CodeHtml.h"
#include "cells/Palette.h"
#include "files/FileText.h"
#include "handout/ChapterText.h"
#include "handout/LiveKernel.h"
#include "handout/Packed.h"
#include "handout/PageWords.h"
#include "handout/RecordingData.h"
#include "language/Language.h"
#include "language/Text.h"
#include "program/NumberText.h"
#include "program/Sha256.h"
#include "program/SourceLocation.h"
#include "text/Html.h"
#include "text/JsonText.h"

namespace haloscope::handout {

namespace {

using experiment::Experiment;

/// Of a site, beside the common script: the module, and its words where they are not English.
constexpr std::string_view kModuleFile = "module.js", kTextsFile = "zh_CN.js";

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
  std::string controls;  ///< HTML: what the page executes anew; empty: nothing
};

std::string dataElement(const std::string& id, const std::string& text) {
  return fmt::format("<script type=\"text/plain\" id=\"{}\">{}</script>\n", id, text);
}

std::string hashOf(const std::string& script) {
  Sha256 hash;
  hash.add(script);
  return "sha256-" + base64OfDigits(hash.digits());
}

/// What the page may do: its own script, and where it executes, WebAssembly in a worker. No network, and no other file
/// but those of its site.
std::string policyFor(const std::string& script, bool executes, const char* style) {
  return fmt::format("default-src 'none'; script-src '{}'{}; style-src '{}'", script,
                     executes ? " 'wasm-unsafe-eval' blob:; worker-src blob:" : "", style);
}

std::string styleText(const std::filesystem::path& assets) {
  return cells::cssVariables() + codeStyle() + assetText(assets, "page.css");
}

std::string scriptText(const std::filesystem::path& assets, bool executes) {
  return "\n\"use strict\";\n" + assetText(assets, "common.js") + assetText(assets, "recording.js") +
         assetText(assets, "picture.js") + (executes ? assetText(assets, "live.js") : std::string()) +
         assetText(assets, "page.js");
}

/// What the module says in another language than English.
std::string moduleWords() {
  const std::filesystem::path path = languageFolder() / "zh_CN.mo";
  const std::optional<std::string> texts = readWhole(path);
  if (!texts) { throw InputError(trf("{} could not be read", path.string())); }
  return packed(*texts);
}

/// Statements that make elements with these texts, by their ids.
std::string elementScript(const std::map<std::string, std::string>& texts) {
  std::string script;
  for (const auto& [id, text] : texts) {
    script += fmt::format(
        "document.body.append(Object.assign(document.createElement(\"script\"), "
        "{{type: \"text/plain\", id: \"{}\", textContent: {}}}));\n",
        id, jsonText(nlohmann::json(text)));
  }
  return script;
}

/// The module and its worker as the texts of elements, by their ids.
std::map<std::string, std::string> moduleTexts(const std::filesystem::path& assets,
                                               const std::filesystem::path& module) {
  if (module.empty()) { return {}; }
  const std::optional<std::string> code = readWhole(module);
  if (!code) { throw InputError(trf("{} could not be read", module.string())); }
  return {{"module", packed(*code)}, {"worker", assetText(assets, "worker.js")}};
}

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
  html += "</header>\n" + recorded.controls + "<div class=\"work\">\n" + sourceHtml(file);
  html += "<section class=\"picture\"></section>\n</div>\n";
  return html + countsHtml(experiment) + findingsHtml(experiment, chapter.report.get(), recorded.steps) +
         questionsHtml(chapter) + "</article>\n";
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

std::map<std::string, std::string> commonFiles(const std::filesystem::path& assets,
                                               const std::filesystem::path& module) {
  std::map<std::string, std::string> files = {{"page.css", styleText(assets)},
                                              {"page.js", scriptText(assets, !module.empty())}};
  if (module.empty()) { return files; }
  files[std::string(kModuleFile)] = elementScript(moduleTexts(assets, module));
  if (language() != Language::English) { files[std::string(kTextsFile)] = elementScript({{"texts", moduleWords()}}); }
  return files;
}

std::string dataScript(const std::string& id, const std::string& bytes) { return elementScript({{id, packed(bytes)}}); }

std::string policyOfSite(bool executes) { return policyFor("self", executes, "self"); }

std::string page(const std::string& title, const std::vector<Chapter>& chapters, const std::filesystem::path& assets,
                 const std::filesystem::path& module, const std::stop_token& stop,
                 const std::optional<SiteAround>& site) {
  std::vector<Shared> recordings;
  std::string body = contentsHtml(chapters), data;
  for (std::size_t i = 0; i < chapters.size(); ++i) {
    const auto known =
        std::ranges::find_if(recordings, [&](const Shared& one) { return sameRecording(*one.chapter, chapters[i]); });
    if (known == recordings.end()) {
      const Experiment& experiment = *chapters[i].experiment;
      const RecordingData recorded = recordingData(experiment, faultyOutputs(experiment, chapters[i].report.get()));
      const std::string id = fmt::format("recording-{}", recordings.size() + 1);
      data += dataElement(id, packed(recorded.bytes));
      recordings.push_back({&chapters[i], id, recorded.steps, recorded.all, {}});
      if (!module.empty()) {
        LiveKernel live = liveKernel(experiment, site ? site->linked : std::vector<Bindings>{}, stop);
        data += dataElement(id + "-kernel", packed(live.bytes));
        recordings.back().controls = std::move(live.controls);
      }
      body += chapterHtml(chapters[i], i + 1, recordings.back(), chapters.size() > 1);
    } else {
      body += chapterHtml(chapters[i], i + 1, *known, chapters.size() > 1);
    }
  }
  const bool executes = !module.empty();
  const bool translated = executes && language() != Language::English;
  std::string style, script, policy;
  if (site) {
    style = fmt::format("<link rel=\"stylesheet\" href=\"{}page.css\">", site->common);
    if (translated) { script = fmt::format("<script src=\"{}{}\"></script>", site->common, kTextsFile); }
    if (executes) { script += fmt::format("<script src=\"{}{}\"></script>", site->common, kModuleFile); }
    script += fmt::format("<script src=\"{}page.js\"></script>", site->common);
    policy = policyOfSite(executes);
  } else {
    for (const auto& [id, text] : moduleTexts(assets, module)) { data += dataElement(id, text); }
    if (translated) { data += dataElement("texts", moduleWords()); }
    const std::string code = scriptText(assets, executes);
    style = "<style>\n" + styleText(assets) + "</style>";
    script = "<script>" + code + "</script>";
    policy = policyFor(hashOf(code), executes, "unsafe-inline");
  }
  return filledIn(
      assetText(assets, "page.html"),
      {{"language", language() == Language::Chinese ? "zh-Hans" : "en"},
       {"title", escaped(title)},
       {"style", style},
       {"policy", policy},
       {"navigation", site ? site->navigation : std::string()},
       {"script", script},
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
