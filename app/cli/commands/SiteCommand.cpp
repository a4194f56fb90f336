#include <fmt/format.h>
#include <fmt/ranges.h>

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
#include "cells/CodeHtml.h"
#include "cells/Palette.h"
#include "commands/ChapterMaker.h"
#include "commands/Command.h"
#include "commands/ExecutedLesson.h"
#include "commands/ManualPages.h"
#include "commands/SiteShell.h"
#include "experiment/Experiment.h"
#include "files/FileText.h"
#include "handout/Handout.h"
#include "handout/LiveKernel.h"
#include "handout/LiveLesson.h"
#include "language/Language.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "lessons/PageAddress.h"
#include "lessons/Setting.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"
#include "questions/NamedPlaces.h"
#include "questions/Origin.h"
#include "reports/ProgressLine.h"
#include "site/LessonHtml.h"
#include "site/LessonWords.h"
#include "site/QuestionHtml.h"
#include "text/Html.h"

/// `haloscope site`: the course, the manual and the variants as a static web site.
namespace haloscope {
namespace {

namespace fs = std::filesystem;
using lessons::Course;
using lessons::Lesson;
using lessons::Link;

/// The pages of one language, in OUT/en or OUT/zh: course/, manual/, variants/ and their lists.
class SiteLanguage {
 public:
  /// `module`: of the variants' pages, see handout::page().
  SiteLanguage(const CommandContext& context, const fs::path& out, const fs::path& assets, const fs::path& module)
      : context_(context),
        catalogue_(context.catalogue),
        assets_(assets),
        module_(module),
        shell_(out, languageCode(language())),
        course_(Course::read(assets / "lessons", shell_.language(), context.catalogue)),
        manual_(readManual()) {}

  /// One lesson alone, whose links to variants lead nowhere until these are written.
  void writeOnly(const std::string& id) {
    const Lesson& lesson = course_.at(id);
    for (const KernelFile& file : catalogue_.kernels()) { findLinksTo(file, {&lesson}, nullptr); }
    writeCommonFiles();
    writeLesson(lesson);
    writeContents();
  }

  void write() {
    writeVariants();  // finds the steps to which lessons lead
    for (const Lesson& lesson : course_.lessons) { writeLesson(lesson); }
    for (const Lesson& page : manual_.lessons) { writeManual(page); }
    writeContents();
  }

 private:
  static std::string list(const char* title, const Course& of, const char* folder) {
    std::string html = fmt::format("<h2>{}</h2>\n<ol class=\"contents\">", escaped(title));
    for (const Lesson& one : of.lessons) {
      html += fmt::format("<li><a href=\"{}{}.html\">{}</a></li>\n", folder, one.id, escaped(one.title));
    }
    return html + "</ol>\n";
  }

  /// The lessons by chapter, with room for what a reader has done (assets/site/contents.js).
  [[nodiscard]] std::string lessonList() const {
    std::string html = fmt::format(
        "<h2>{}</h2>\n<section class=\"overview\" hidden>\n<p class=\"counts\" role=\"status\" tabindex=\"-1\"></p>"
        "<p class=\"onward\"></p><p class=\"unkept small\" hidden>{}</p>\n<details><summary>{}</summary><p>{} "
        "<button type=\"button\" class=\"forget\">{}</button></p></details></section>\n",
        escaped(tr("Course")),
        escaped(tr("This browser lets these pages keep nothing: your progress is lost with the page.")),
        escaped(tr("Forget my progress")), escaped(tr("It is kept in this browser alone.")),
        escaped(tr("Forget it now")));
    std::size_t number = 1;
    for (const lessons::Chapter& chapter : lessons::chapters(course_)) {
      html +=
          fmt::format("<h3>{}</h3>\n<ol class=\"contents\" start=\"{}\">", escaped(lessons::titleOf(chapter)), number);
      for (const Lesson* const lesson : chapter.lessons) {
        const auto known = answerable_.find(lesson->id);
        const std::vector<std::string> ids = known == answerable_.end() ? std::vector<std::string>() : known->second;
        html += fmt::format(
            "<li data-lesson=\"{0}\" data-questions=\"{1}\" data-ids=\"{2}\"><a href=\"course/{0}.html\">{3}</a> "
            "<span class=\"state\"></span></li>\n",
            lesson->id, ids.size(), escaped(fmt::format("{}", fmt::join(ids, " "))), escaped(lesson->title));
      }
      html += "</ol>\n";
      number += chapter.lessons.size();
    }
    return html;
  }

  void writeContents() const {
    shell_.write({.path = "index.html",
                  .title = "Haloscope",
                  .body = lessonList() + list(tr("Manual"), manual_, "manual/"),
                  .script = "contents.js",
                  .words = site::contentsWords()});
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
    std::string& address = pictures_[block.text];
    if (address.empty()) { address = shell_.copied(block.text); }
    return "../" + address;
  }

  site::Surroundings around(lessons::ComputedValue values) {
    return {.values = std::move(values),
            .address = [this](const Link& link) { return address(link); },
            .picture = [this](const lessons::Block& block) { return picture(block); }};
  }

  void writeLesson(const Lesson& lesson) {
    ExecutedLesson executed(lesson, catalogue_, 0);
    site::Surroundings about = around(executed.valueText());
    std::set<std::size_t> live;
    about.question = [&](std::size_t index) {
      const lessons::AskedQuestion& asked = executed.asked(index);
      if (executes() && canBeExecuted(asked)) { live.insert(index); }
      return site::questionHtml(lesson, index, asked, about, live.contains(index));
    };
    SitePage page{.path = "course/" + lesson.id + ".html", .title = lesson.title, .body = {}};
    if (const KernelFile* const kernel = catalogue_.find(lesson.setting.kernel)) {
      const experiment::Choice shown = executes() ? lessons::choiceOf(lesson.setting) : experiment::Choice{};
      page.body =
          fmt::format("<p class=\"small\">{} <a href=\"../{}\">{}</a></p>\n", escaped(tr("The kernel, step by step:")),
                      escaped(lessons::pageAddress(*kernel, shown, 0)), escaped(tr(kernel->title)));
    }
    page.body += site::lessonHtml(lesson, about);
    page.footer = neighbourLinks(course_, lesson);
    page.script = "lesson.js";
    page.words = site::lessonWords();
    page.data = fmt::format("data-lesson=\"{}\"", lesson.id);
    for (const std::size_t index : live) { answerable_[lesson.id].push_back(lesson.questions[index].id); }
    if (!live.empty()) {
      const std::string data = lesson.id + "-questions.js";
      shell_.put(fs::path(shell_.language()) / "course" / data,
                 handout::dataScript("lesson", handout::liveLesson(lesson, live, catalogue_,
                                                                   [&](const Link& link) { return address(link); })));
      page.executes = true;
      page.data += fmt::format(" data-questions=\"{}\" data-seeds=\"{}\"", data, handout::kSeedsOfPage);
    }
    shell_.write(page);
    if (!executed.problems().empty()) { throw executed.problems().front(); }
  }

  /// A page has no compiler for GPUs.
  static bool canBeExecuted(const lessons::AskedQuestion& asked) {
    const auto compiled = [](const questions::Origins& origins) {
      return origins.contains(questions::Origin::Compiler);
    };
    return asked.problem.empty() && !compiled(asked.origins) &&
           std::ranges::none_of(asked.values, [&](const auto& value) { return compiled(value.second.origins); });
  }

  void writeManual(const Lesson& page) {
    const site::Surroundings about = around([](std::size_t) { return nullptr; });
    shell_.write({.path = "manual/" + page.id + ".html",
                  .title = page.title,
                  .body = site::lessonHtml(page, about),
                  .footer = neighbourLinks(manual_, page)});
  }

  /// Whether the variants' pages do, so that a link can set sizes, tunables and block.
  [[nodiscard]] bool executes() const { return !module_.empty(); }

  void writeCommonFiles() {
    for (const auto& [name, text] : handout::commonFiles(assets_, module_)) {
      shell_.put(fs::path("handout") / name, text);
    }
  }

  void writeVariants() {
    writeCommonFiles();
    std::vector<const Lesson*> all;
    for (const Course* const course : {&course_, &manual_}) {
      for (const Lesson& lesson : course->lessons) { all.push_back(&lesson); }
    }
    ChapterMaker maker(context_, {.counts = true}, {});
    ProgressLine progress;
    std::size_t done = 0;
    for (const KernelFile& file : catalogue_.kernels()) {
      progress.show(trf("{} of {} variants", done++, catalogue_.kernels().size()));
      const PageSubject subject{file.id, KernelOptions{}, ScheduleOptions{}, std::string{}, Place{}};
      const std::vector<handout::Chapter> chapters = maker.chaptersOf(context_, subject);
      const std::string path = "variants/" + file.id + ".html";
      shell_.put(fs::path(shell_.language()) / path,
                 handout::page(titleOf(subject, chapters), chapters, assets_, module_, {},
                               handout::SiteAround{"../../../handout/", shell_.navigation(path), linked(file)}));
      findLinksTo(file, all, chapters.front().experiment);
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
    shell_.write({.path = "variants/index.html", .title = tr("Variants"), .body = body});
  }

  /// What can be seen in the variant's page of what links of these lessons set; the rest, such as figures and panels,
  /// is in the program alone. `of`: what the page shows before anything is chosen, if that was executed.
  void findLinksTo(const KernelFile& file, const std::vector<const Lesson*>& lessons,
                   std::shared_ptr<const experiment::Experiment> of) {
    std::vector<std::shared_ptr<const experiment::Experiment>> executed;
    if (of != nullptr) { executed.push_back(std::move(of)); }
    for (const Lesson* const lesson : lessons) {
      for (const Link& link : lesson->links) {
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
    // A wrong answer leads to the step that shows why.
    for (const Lesson& lesson : course_.lessons) {
      std::set<std::size_t> questions;
      for (std::size_t i = 0; i < lesson.questions.size(); ++i) { questions.insert(i); }
      for (const auto& setting : handout::settingsOfQuestions(lesson, questions, catalogue_)) { add(setting); }
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
    if (!executed.empty()) { run.known = executed.front(); }
    executed.push_back(experiment::run(file, choice, run));
    return *executed.back();
  }

  const CommandContext& context_;
  const Catalogue& catalogue_;
  fs::path assets_, module_;
  SiteShell shell_;
  Course course_, manual_;
  std::map<std::string, std::vector<std::string>> answerable_;  ///< questions, by lesson
  std::map<std::string, std::string> pictures_;                 ///< their addresses, by their paths
  std::map<const Link*, std::string> variantLinks_;             ///< below the language's folder
};

/// Gives all texts back their language.
struct LanguageKeeper {
  Language before = language();
  LanguageKeeper() = default;
  LanguageKeeper(const LanguageKeeper&) = delete;
  LanguageKeeper& operator=(const LanguageKeeper&) = delete;
  ~LanguageKeeper() { setLanguage(before); }
};

std::string assetText(const fs::path& path) {
  std::optional<std::string> text = readWhole(path);
  if (!text) { throw InputError(trf("{} could not be read", path.string())); }
  return *std::move(text);
}

CommandRun addSite(CLI::App& command) {
  const auto out = std::make_shared<std::string>();
  const auto recorded = std::make_shared<bool>(false);
  command.add_option("OUT", *out, tr("The folder to write; it is made if it is not there"))->required();
  command.add_flag(
      "--recorded", *recorded,
      tr("The variants' pages show what was recorded, and execute nothing: they are smaller, and written sooner"));
  const auto lesson = std::make_shared<std::string>();
  command.add_option("--lesson", *lesson, tr("Write the page of this lesson alone, to look at it while it is written"));
  return [out, recorded, lesson](const CommandContext& context) {
    const fs::path folder = *out, assets = resourceFolder("assets", HALOSCOPE_SOURCE_DIR);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) { throw InputError(fmt::format("{}: {}", folder.string(), error.message())); }
    const fs::path module = *recorded ? fs::path() : handout::modulePath(assets, handout::kSiteModule);
    if (module.empty() && !*recorded) {
      trPrint(stderr, "haloscope: the variants' pages show what was recorded, as with {}: {} builds what more needs\n",
              "--recorded", "./run.sh --pages");
    }
    const LanguageKeeper keeper;
    for (const Language one : {Language::English, Language::Chinese}) {
      setLanguage(one);
      SiteLanguage pages(context, folder, assets, module);
      lesson->empty() ? pages.write() : pages.writeOnly(*lesson);
    }
    const SiteShell shell(folder, "");
    shell.put("site.css", cells::cssVariables() + codeStyle() + assetText(assets / "site" / "site.css"));
    const std::string common =
        "\"use strict\";\n" + assetText(assets / "handout" / "common.js") + assetText(assets / "site" / "progress.js");
    for (const char* const script : {"lesson.js", "contents.js"}) {
      shell.put(script, common + assetText(assets / "site" / script));
    }
    shell.put("index.html",
              "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"0; "
              "url=en/index.html\">\n<title>Haloscope</title>\n<a href=\"en/index.html\">English</a> "
              "<a href=\"zh/index.html\" lang=\"zh-Hans\">中文</a>\n");
    return ExitCode::Good;
  };
}

}  // namespace

extern const Command siteCommand{
    "site", trMark("Write the course, the manual and a page for every variant as a web site"), addSite};

}  // namespace haloscope
