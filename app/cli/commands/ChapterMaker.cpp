#include "commands/ChapterMaker.h"

#include <filesystem>
#include <utility>

#include "actions/SceneActions.h"
#include "checking/Check.h"
#include "commands/StartingState.h"
#include "documents/SessionFile.h"
#include "documents/SessionFiles.h"
#include "faults/FindingPosition.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "reports/SceneExecution.h"

namespace haloscope {

namespace {

namespace fs = std::filesystem;

Moment momentOf(const Place& place) {
  if (place.step) { return {Moment::Kind::Step, *place.step}; }
  if (place.barrier) { return {Moment::Kind::Barrier, *place.barrier}; }
  if (place.plane) { return {Moment::Kind::Plane, *place.plane}; }
  return {place.end ? Moment::Kind::End : Moment::Kind::None};
}

}  // namespace

using experiment::Experiment;
using handout::Chapter;

ChapterMaker::ChapterMaker(const CommandContext& context, ChapterOptions options, std::stop_token stop)
    : options_(std::move(options)), stop_(std::move(stop)) {
  addResources(state_, context.catalogue);
}

std::vector<Chapter> ChapterMaker::chaptersOf(const CommandContext& context, const PageSubject& subject) {
  if (!isSession(subject.id)) {
    std::vector<Chapter> chapters;
    chapters.push_back(ofKernel(context, subject));
    return chapters;
  }
  if (!subject.kernel.leaveLaunch() || !subject.kernel.data.empty() || !subject.block.empty()) {
    throw InputError(
        trf("{} is a session, whose scenes say what is launched: leave out the other options", subject.id));
  }
  return ofSession(subject.id);
}

Chapter ChapterMaker::ofKernel(const CommandContext& context, const PageSubject& subject) {
  const ChosenKernel chosen = chosenKernel(context.catalogue, subject.id, subject.kernel);
  const KernelFile& file = chosen.file;
  experiment::Choice choice = chosen.choice();
  subject.schedule.apply(choice);
  const Program program = experiment::compile(file, file.bind(choice.bindings));
  subject.schedule.expectBarriers(program);
  if (options_.data) { choice.data = options_.data(file, program, std::move(choice.data)); }
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
  const bool open = file.isOpened() || (options_.tasks && !file.task.empty());
  if (subject.finding || (open && !placed && findings > 0)) {
    goToFinding(chapter, static_cast<std::size_t>(subject.finding.value_or(1) - 1), subject.block.empty());
    if (!subject.finding && !options_.atFindings) { chapter.position = 0; }
  } else {
    chapter.position = haloscope::positionOf(momentOf(subject.place), {}, *chapter.experiment);
  }
  return chapter;
}

std::vector<Chapter> ChapterMaker::ofSession(const std::string& path) {
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

std::shared_ptr<const Experiment> ChapterMaker::execute(const KernelFile& file,
                                                        const experiment::Choice& choice) const {
  experiment::RunOptions run;
  run.countGrid = options_.counts;
  run.stop = stop_;
  return experiment::run(file, choice, run);
}

Chapter ChapterMaker::ofScene(const Scene& scene) {
  showScene(state_, scene);
  Chapter chapter;
  chapter.title = scene.title;
  if (options_.notes) { chapter.note = scene.note; }
  chapter.experiment = executeScene(state_, scene.choice, scene.launch);
  if (options_.data) {
    experiment::Choice choice = chapter.experiment->choice;
    choice.data = options_.data(chapter.experiment->file, *chapter.experiment->program, std::move(choice.data));
    if (choice != chapter.experiment->choice) { chapter.experiment = execute(chapter.experiment->file, choice); }
  }
  chapter.thread = threadAt(scene.thread, *chapter.experiment);
  chapter.position = haloscope::positionOf(scene.moment, chapter.thread, *chapter.experiment);
  complete(chapter);
  return chapter;
}

/// What is wrong with the kernel, and the questions. On a page, a task of the bug lab keeps its answer.
void ChapterMaker::complete(Chapter& chapter) const {
  const KernelFile& file = chapter.experiment->file;
  if (file.task.empty() || options_.tasks) {
    chapter.report = std::make_shared<const checking::CheckReport>(checking::check(*chapter.experiment, stop_));
  }
  if (options_.questions && state_.lesson.course != nullptr && !file.isOpened()) {
    chapter.questions = handout::questionsAbout(file.id, *state_.lesson.course, state_.catalogue, stop_);
  }
}

/// The block and the step at which a finding shows.
void ChapterMaker::goToFinding(Chapter& chapter, std::size_t index, bool anyBlock) const {
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
  chapter.position = faults::positionOf(finding.where, finding, *chapter.experiment->recording).value_or(0);
  chapter.thread = static_cast<std::uint32_t>(linear(place.thread, chapter.experiment->configuration.block));
}

std::string titleOf(const PageSubject& subject, const std::vector<Chapter>& chapters) {
  if (isSession(subject.id)) { return fs::path(subject.id).stem().string(); }
  const KernelFile& file = chapters.front().experiment->file;
  return file.title.empty() ? file.path.filename().string() : std::string(tr(file.title));
}

}  // namespace haloscope
