#include "commands/ExportedPage.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <utility>
#include <vector>

#include "actions/Findings.h"
#include "actions/SceneActions.h"
#include "checking/Check.h"
#include "commands/StartingState.h"
#include "documents/FileText.h"
#include "documents/SessionFile.h"
#include "documents/SessionFiles.h"
#include "experiment/Experiment.h"
#include "handout/Handout.h"
#include "language/Text.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"
#include "reports/Interruption.h"
#include "reports/SceneExecution.h"
#include "state/AppState.h"

namespace haloscope {
namespace {

namespace fs = std::filesystem;
using experiment::Experiment;
using handout::Chapter;

/// Makes chapters, with the course read once.
class ChapterMaker {
 public:
  ChapterMaker(const CommandContext& context, const PageOptions& options, std::stop_token stop)
      : options_(options), stop_(std::move(stop)) {
    addResources(state_, context.catalogue);
  }

  Chapter ofKernel(const CommandContext& context, const PageSubject& subject) {
    const ChosenKernel chosen = chosenKernel(context.catalogue, subject.id, subject.kernel);
    const KernelFile& file = chosen.file;
    experiment::Choice choice = chosen.choice();
    subject.schedule.apply(choice);
    subject.schedule.expectBarriers(experiment::compile(file, file.bind(choice.bindings)));
    if (!subject.block.empty()) {
      choice.block = parseBlock(subject.block, file.configuration(file.bind(choice.bindings)).grid);
    }
    Chapter chapter;
    chapter.experiment = execute(file, choice);
    complete(chapter);
    const bool placed = subject.place.given() || subject.place.end;
    const std::size_t findings = chapter.report ? chapter.report->findings.size() : 0;
    if (subject.finding && (*subject.finding < 1 || static_cast<std::size_t>(*subject.finding) > findings)) {
      throw InputError(trn("--finding {}: the kernel has {} finding", "--finding {}: the kernel has {} findings",
                           findings, *subject.finding, findings));
    }
    if (subject.finding || (file.isOpened() && !placed && findings > 0)) {
      goToFinding(chapter, static_cast<std::size_t>(subject.finding.value_or(1) - 1), subject.block.empty());
    } else {
      chapter.position = haloscope::positionOf(momentOf(subject.place), {}, *chapter.experiment);
    }
    return chapter;
  }

  std::vector<Chapter> ofSession(const std::string& path) {
    Session session = readSession(path);
    if (session.scenes.empty()) { throw InputError(trf("{} has no scenes", path)); }
    unpack(session, state_);
    std::vector<Chapter> chapters;
    for (const Scene& scene : session.scenes) {
      if (stop_.stop_requested()) { throw experiment::Cancelled(); }
      try {
        chapters.push_back(ofScene(scene));
      } catch (const UserError& error) {
        throw InputError(trf("{}: scene {}, \"{}\": {}", path, chapters.size() + 1, scene.title, error.what()));
      }
    }
    return chapters;
  }

 private:
  [[nodiscard]] std::shared_ptr<const Experiment> execute(const KernelFile& file,
                                                          const experiment::Choice& choice) const {
    experiment::RunOptions run;
    run.countGrid = false;
    run.stop = stop_;
    return experiment::run(file, choice, run);
  }

  Chapter ofScene(const Scene& scene) {
    showScene(state_, scene);
    Chapter chapter;
    chapter.title = scene.title;
    if (options_.notes) { chapter.note = scene.note; }
    chapter.experiment = executeScene(state_, scene.choice, scene.launch);
    chapter.thread = threadAt(scene.thread, *chapter.experiment);
    chapter.position = haloscope::positionOf(scene.moment, chapter.thread, *chapter.experiment);
    complete(chapter);
    return chapter;
  }

  /// What is wrong with the kernel, and the questions. A task of the bug lab keeps its answer.
  void complete(Chapter& chapter) const {
    const KernelFile& file = chapter.experiment->file;
    if (file.task.empty()) {
      chapter.report = std::make_shared<const checking::CheckReport>(checking::check(*chapter.experiment, stop_));
    }
    if (options_.questions && state_.lesson.course != nullptr && !file.isOpened()) {
      chapter.questions = handout::questionsAbout(file.id, *state_.lesson.course, state_.catalogue, stop_);
    }
  }

  /// The block and the step at which a finding shows.
  void goToFinding(Chapter& chapter, std::size_t index, bool anyBlock) const {
    const faults::Finding& finding = chapter.report->findings[index];
    if (finding.threads.empty()) { return; }
    const faults::ThreadPlace& place = finding.threads.front();
    const bool elsewhere = !(place.block == chapter.experiment->block);
    if (elsewhere && !anyBlock) { return; }
    if (elsewhere) {
      experiment::Choice choice = chapter.experiment->choice;
      choice.block = place.block;
      chapter.experiment = execute(chapter.experiment->file, choice);
    }
    chapter.position = haloscope::positionOf(finding.where, finding, *chapter.experiment->recording).value_or(0);
    chapter.thread = static_cast<std::uint32_t>(linear(place.thread, chapter.experiment->configuration.block));
  }

  static Moment momentOf(const Place& place) {
    if (place.step) { return {Moment::Kind::Step, *place.step}; }
    if (place.barrier) { return {Moment::Kind::Barrier, *place.barrier}; }
    if (place.plane) { return {Moment::Kind::Plane, *place.plane}; }
    return {place.end ? Moment::Kind::End : Moment::Kind::None};
  }

  const PageOptions& options_;
  std::stop_token stop_;
  AppState state_;
};

std::string pageTitle(const PageSubject& subject, const std::vector<Chapter>& chapters) {
  if (isSession(subject.id)) { return fs::path(subject.id).stem().string(); }
  const KernelFile& file = chapters.front().experiment->file;
  return file.title.empty() ? file.path.filename().string() : std::string(tr(file.title));
}

}  // namespace

void PageOptions::addTo(CLI::App& command) {
  const std::vector<CLI::Option*> others = command.get_options();
  CLI::Option* html = command.add_option(
      "--html", output,
      tr("Write a page that any browser opens without a network: the source, the block at every step, its values and "
         "the findings. The scenes of a session become its chapters"));
  command
      .add_flag("--questions", questions,
                tr("With --html: the course's questions about the kernel, with their answers as executed now"))
      ->needs(html);
  command.add_flag("--notes", notes, tr("With --html, of a session: its notes, too"))->needs(html);
  // What says which block is executed, and where the page opens.
  const std::set<std::string> mine = {"ID",
                                      "help",
                                      "define",
                                      "size",
                                      "blocks",
                                      "kernel",
                                      "launch",
                                      "bind",
                                      "shared",
                                      "data",
                                      "order",
                                      "seed",
                                      "without-barrier",
                                      "block",
                                      "step",
                                      "barrier",
                                      "plane",
                                      "end",
                                      "finding",
                                      "file",
                                      "no-host",
                                      "program-arguments"};
  for (CLI::Option* other : others) {
    if (!mine.contains(other->get_single_name())) { html->excludes(other); }
  }
}

ExitCode exportPage(const CommandContext& context, const PageSubject& subject, const PageOptions& options) {
  const Interruption interruption;
  const std::string ending = options.output.extension().string();
  if (ending != ".html" && ending != ".htm") {
    throw InputError(trf("--html {}: give a name that ends in .html", options.output.string()));
  }
  if (options.notes && !isSession(subject.id)) {
    throw InputError(trf("--notes: {} is no session, whose scenes have notes", subject.id));
  }
  try {
    ChapterMaker maker(context, options, interruption.token());
    std::vector<Chapter> chapters;
    if (isSession(subject.id)) {
      if (!subject.kernel.leaveLaunch() || !subject.kernel.data.empty() || !subject.block.empty()) {
        throw InputError(
            trf("{} is a session, whose scenes say what is launched: leave out the other options", subject.id));
      }
      chapters = maker.ofSession(subject.id);
    } else {
      chapters.push_back(maker.ofKernel(context, subject));
    }
    const std::string text =
        handout::page(pageTitle(subject, chapters), chapters, resourceFolder("assets", HALOSCOPE_SOURCE_DIR));
    if (interruption.token().stop_requested()) { throw experiment::Cancelled(); }
    const std::string problem = replaceWhole(options.output, text);
    if (!problem.empty()) { throw InputError(problem); }
  } catch (const experiment::Cancelled&) {
    throw InputError(trf("interrupted: {} was not written", options.output.string()));
  }
  return ExitCode::Good;
}

}  // namespace haloscope
