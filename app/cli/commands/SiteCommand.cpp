#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "catalogue/BookSection.h"
#include "catalogue/Catalogue.h"
#include "cells/Palette.h"
#include "commands/ChapterMaker.h"
#include "commands/Command.h"
#include "commands/ExecutedLesson.h"
#include "commands/ManualPages.h"
#include "experiment/Experiment.h"
#include "files/FileText.h"
#include "handout/Handout.h"
#include "handout/LiveKernel.h"
#include "language/Language.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "lessons/PageAddress.h"
#include "lessons/Setting.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"
#include "questions/NamedPlaces.h"
#include "reports/ProgressLine.h"
#include "site/LessonHtml.h"
#include "text/Html.h"

/// `haloscope site`: the course, the manual and the variants as a static web site.
namespace haloscope {
namespace {

namespace fs = std::filesystem;
using lessons::Course;
using lessons::Lesson;
using lessons::Link;
using lessons::Question;

/// The pages of one language, in OUT/en or OUT/zh: course/, manual/, variants/ and their lists.
class SiteLanguage {
 public:
  /// `module`: of the variants' pages, see handout::page().
  SiteLanguage(const CommandContext& context, const fs::path& out, const fs::path& assets, const fs::path& module)
      : context_(context),
        catalogue_(context.catalogue),
        out_(out),
        assets_(assets),
        module_(module),
        code_(languageCode(language())),
        course_(Course::read(assets / "lessons", code_, context.catalogue)),
        manual_(readManual()) {}

  void write() {
    writeVariants();  // finds the steps to which lessons lead
    for (const Lesson& lesson : course_.lessons) { writeLesson(lesson); }
    for (const Lesson& page : manual_.lessons) { writeManual(page); }
    std::string body = list(tr("Course"), course_, "course/") + list(tr("Manual"), manual_, "manual/");
    writePage("index.html", "Haloscope", body, "", "");
  }

 private:
  static std::string list(const char* title, const Course& of, const char* folder) {
    std::string html = fmt::format("<h2>{}</h2>\n<ol class=\"contents\">", escaped(title));
    for (const Lesson& one : of.lessons) {
      html += fmt::format("<li><a href=\"{}{}.html\">{}</a></li>\n", folder, one.id, escaped(one.title));
    }
    return html + "</ol>\n";
  }

  void put(const fs::path& path, const std::string& text) const {
    fs::create_directories(path.parent_path());
    if (const std::string problem = replaceWhole(path, text); !problem.empty()) { throw InputError(problem); }
  }

  /// `up`: the way from the page to the folder of its language.
  [[nodiscard]] std::string navigation(const std::string& path, const std::string& up) const {
    const std::string other = code_ == "en" ? "zh" : "en";
    return fmt::format(
        "<nav class=\"site\"><a href=\"{0}index.html\">Haloscope</a> <a href=\"{0}variants/index.html\">{1}</a> "
        "<a href=\"{0}../{2}/{3}\" lang=\"{4}\">{5}</a></nav>\n",
        up, escaped(tr("Variants")), other, path, other == "zh" ? "zh-Hans" : "en", other == "zh" ? "中文" : "English");
  }

  void writePage(const std::string& path, const std::string& title, const std::string& body, const std::string& up,
                 const std::string& around) const {
    put(out_ / code_ / path,
        fmt::format("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; "
                    "img-src 'self'\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n"
                    "<link rel=\"stylesheet\" href=\"{}../site.css\">\n</head>\n<body>\n"
                    "<header>\n{}</header>\n<main>\n<h1>{}</h1>\n{}</main>\n<footer>{}</footer>\n</body>\n</html>\n",
                    code_ == "zh" ? "zh-Hans" : "en", escaped(title), up, navigation(path, up), escaped(title), body,
                    around));
  }

  static std::string neighbours(const Course& of, const Lesson& lesson) {
    std::string html = "<nav>";
    for (const int by : {-1, 1}) {
      if (const Lesson* const one = of.neighbour(lesson.id, by)) {
        html += fmt::format("<a rel=\"{}\" href=\"{}.html\">{}</a> ", by < 0 ? "prev" : "next", one->id,
                            escaped(one->title));
      }
    }
    return html + "</nav>";
  }

  [[nodiscard]] std::string address(const Link& link) const {
    switch (link.kind) {
      case Link::Kind::Lesson:
        return fmt::format("../course/{}.html", link.target);
      case Link::Kind::Page:
        return fmt::format("../manual/{}.html", link.target);
      case Link::Kind::Web:
        return link.target;
      case Link::Kind::Window: {
        const auto known = variantLinks_.find(&link);
        return known == variantLinks_.end() ? std::string() : "../" + known->second;
      }
      default:
        return {};  // the words alone
    }
  }

  std::string picture(const lessons::Block& block) {
    const fs::path from = block.text;
    const std::string name = from.filename().string();
    if (copied_.insert(name).second) {
      fs::create_directories(out_ / "images");
      fs::copy_file(from, out_ / "images" / name, fs::copy_options::overwrite_existing);
    }
    return "../../images/" + name;
  }

  site::Surroundings around(lessons::ComputedValue values) {
    return {.values = std::move(values),
            .address = [this](const Link& link) { return address(link); },
            .picture = [this](const lessons::Block& block) { return picture(block); }};
  }

  void writeLesson(const Lesson& lesson) {
    ExecutedLesson executed(lesson, catalogue_, 0);
    site::Surroundings about = around(executed.valueText());
    about.question = [&](std::size_t index) {
      const Question& question = lesson.questions[index];
      const lessons::AskedQuestion& asked = executed.asked(index);
      std::string html = "<section class=\"question\"><p>" + site::spansHtml(question.ask, lesson, about) + "</p>";
      if (!question.options.empty()) {
        html += "<ul>";
        for (const lessons::Option& option : question.options) {
          html += "<li>" + site::spansHtml(option.text, lesson, about) + "</li>";
        }
        html += "</ul>";
      }
      if (!asked.problem.empty()) { return html + "<p class=\"small\">" + escaped(asked.problem) + "</p></section>\n"; }
      return html +
             fmt::format("<details><summary>{}</summary><p class=\"answer\">{}</p><p>{}</p></details></section>\n",
                         escaped(tr("Answer")), escaped(lessons::answerText(question, asked)),
                         site::spansHtml(question.because, lesson, about));
    };
    std::string body;
    if (const KernelFile* const kernel = catalogue_.find(lesson.setting.kernel)) {
      const experiment::Choice shown = executes() ? lessons::choiceOf(lesson.setting) : experiment::Choice{};
      body =
          fmt::format("<p class=\"small\">{} <a href=\"../{}\">{}</a></p>\n", escaped(tr("The kernel, step by step:")),
                      escaped(lessons::pageAddress(*kernel, shown, 0)), escaped(tr(kernel->title)));
    }
    writePage("course/" + lesson.id + ".html", lesson.title, body + site::lessonHtml(lesson, about), "../",
              neighbours(course_, lesson));
    if (!executed.problems().empty()) { throw executed.problems().front(); }
  }

  void writeManual(const Lesson& page) {
    const site::Surroundings about = around([](std::size_t) { return nullptr; });
    writePage("manual/" + page.id + ".html", page.title, site::lessonHtml(page, about), "../",
              neighbours(manual_, page));
  }

  /// Whether the variants' pages do, so that a link can set sizes, tunables and block.
  [[nodiscard]] bool executes() const { return !module_.empty(); }

  void writeVariants() {
    for (const auto& [name, text] : handout::commonFiles(assets_, module_)) { put(out_ / "handout" / name, text); }
    ChapterMaker maker(context_, {.counts = true}, {});
    ProgressLine progress;
    std::size_t done = 0;
    for (const KernelFile& file : catalogue_.kernels()) {
      progress.show(trf("{} of {} variants", done++, catalogue_.kernels().size()));
      const PageSubject subject{file.id, KernelOptions{}, ScheduleOptions{}, std::string{}, Place{}};
      const std::vector<handout::Chapter> chapters = maker.chaptersOf(context_, subject);
      const std::string path = "variants/" + file.id + ".html";
      put(out_ / code_ / path,
          handout::page(titleOf(subject, chapters), chapters, assets_, module_, {},
                        handout::SiteAround{"../../../handout/", navigation(path, "../../"), linked(file)}));
      findLinksTo(file, chapters.front().experiment);
    }
    std::string body, chapter;
    for (const BookSection& section : bookSections(catalogue_)) {
      if (section.chapter != chapter) { body += "<h2 class=\"chapter\">" + escaped(tr(section.chapter)) + "</h2>\n"; }
      chapter = section.chapter;
      body += "<h3>" + escaped(shownHeading(section)) + "</h3>\n<ul>";
      for (const KernelFile* const file : section.variants) {
        body += fmt::format("<li><a href=\"{}.html\">{}</a><br><span class=\"small\">{}</span></li>\n", file->id,
                            escaped(tr(file->title)), escaped(tr(file->idea)));
      }
      body += "</ul>\n";
    }
    writePage("variants/index.html", tr("Variants"), body, "../", "");
  }

  /// What can be seen in the variant's page of what links set; the rest, such as figures and panels, is in the program
  /// alone. `of`: what the page shows before anything is chosen.
  void findLinksTo(const KernelFile& file, const std::shared_ptr<const experiment::Experiment>& of) {
    std::vector<std::shared_ptr<const experiment::Experiment>> executed = {of};
    for (const Course* const course : {&course_, &manual_}) {
      for (const Lesson& lesson : course->lessons) {
        for (const Link& link : lesson.links) {
          if (link.kind != Link::Kind::Window || link.broken || link.window.setting.kernel != file.id) { continue; }
          const Moment& moment = link.window.moment;
          const bool named = moment.kind != Moment::Kind::None || link.target.find("kernel=") != std::string::npos;
          const bool sets = executes() && !link.window.tab && link.window.camera.empty() && link.window.element.empty();
          if (!link.window.figure.empty() || !(named || sets)) { continue; }
          const experiment::Choice choice =
              executes() ? lessons::choiceOf(link.window.setting) : experiment::Choice{.kernel = file.id};
          std::size_t step = 0;
          try {
            const experiment::Experiment& at = executedWith(file, choice, executed);
            step = positionOf(moment, threadAt(link.window.thread, at), at);
          } catch (const InputError&) {}  // the block has no such moment
          variantLinks_[&link] = lessons::pageAddress(file, choice, step);
        }
      }
    }
  }

  /// The values of all settings in which the course names the variant.
  [[nodiscard]] std::vector<Bindings> linked(const KernelFile& file) const {
    std::vector<Bindings> all;
    const auto add = [&](const lessons::Setting& setting) {
      if (setting.kernel == file.id) { all.push_back(file.bind(setting.with)); }
    };
    for (const Course* const course : {&course_, &manual_}) {
      for (const Lesson& lesson : course->lessons) {
        add(lesson.setting);
        for (const Link& link : lesson.links) {
          if (!link.broken) { add(link.window.setting); }
        }
      }
    }
    return all;
  }

  /// One of those that were executed, or another beside them.
  static const experiment::Experiment& executedWith(
      const KernelFile& file, const experiment::Choice& choice,
      std::vector<std::shared_ptr<const experiment::Experiment>>& executed) {
    const auto known = std::ranges::find(executed, choice, [](const auto& one) { return one->choice; });
    if (known != executed.end()) { return **known; }
    experiment::RunOptions run;
    run.countGrid = false;
    run.known = executed.front();
    executed.push_back(experiment::run(file, choice, run));
    return *executed.back();
  }

  const CommandContext& context_;
  const Catalogue& catalogue_;
  fs::path out_, assets_, module_;
  std::string code_;
  Course course_, manual_;
  std::set<std::string> copied_;
  std::map<const Link*, std::string> variantLinks_;  ///< below the language's folder
};

/// Gives all texts back their language.
struct LanguageKeeper {
  Language before = language();
  LanguageKeeper() = default;
  LanguageKeeper(const LanguageKeeper&) = delete;
  LanguageKeeper& operator=(const LanguageKeeper&) = delete;
  ~LanguageKeeper() { setLanguage(before); }
};

CommandRun addSite(CLI::App& command) {
  const auto out = std::make_shared<std::string>();
  const auto recorded = std::make_shared<bool>(false);
  command.add_option("OUT", *out, tr("The folder to write; it is made if it is not there"))->required();
  command.add_flag(
      "--recorded", *recorded,
      tr("The variants' pages show what was recorded, and execute nothing: they are smaller, and written sooner"));
  return [out, recorded](const CommandContext& context) {
    const fs::path folder = *out, assets = resourceFolder("assets", HALOSCOPE_SOURCE_DIR);
    const std::optional<std::string> style = readWhole(assets / "site" / "site.css");
    if (!style) { throw InputError(trf("{} could not be read", (assets / "site" / "site.css").string())); }
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) { throw InputError(fmt::format("{}: {}", folder.string(), error.message())); }
    const fs::path module = *recorded ? fs::path() : handout::modulePath(assets);
    if (module.empty() && !*recorded) {
      trPrint(stderr, "haloscope: the variants' pages show what was recorded, as with {}: {} builds what more needs\n",
              "--recorded", "./run.sh --pages");
    }
    const LanguageKeeper keeper;
    for (const Language one : {Language::English, Language::Chinese}) {
      setLanguage(one);
      SiteLanguage(context, folder, assets, module).write();
    }
    std::string problem = replaceWhole(folder / "site.css", cells::cssVariables() + *style);
    if (problem.empty()) {
      problem = replaceWhole(folder / "index.html",
                             "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"0; "
                             "url=en/index.html\">\n<title>Haloscope</title>\n<a href=\"en/index.html\">English</a> "
                             "<a href=\"zh/index.html\" lang=\"zh-Hans\">中文</a>\n");
    }
    if (!problem.empty()) { throw InputError(problem); }
    return ExitCode::Good;
  };
}

}  // namespace

extern const Command siteCommand{
    "site", trMark("Write the course, the manual and a page for every variant as a web site"), addSite};

}  // namespace haloscope
