#include <algorithm>
#include <limits>
#include <vector>

#include "App.h"
#include "actions/Barriers.h"
#include "actions/Comparing.h"
#include "actions/Findings.h"
#include "actions/Origins.h"
#include "actions/ProgramSteps.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "state/ProgramFaults.h"

/// The App waits for what was chosen, and makes pictures of it.
namespace haloscope {

void App::settle() {
  applyLanguage();
  documents_.settle(state_);
  inputs_.settle(state_);
  program_.settle(state_);  // its launches say how large the kernel's arrays are
  settleExperiment();
  comparer_.settle(state_);
  stepper_.settle(state_);
  drawUntilStill();
  field_.settle(state_);
  hardware_.settle(state_);
  frame(FramePacer::kLongestFrame);
  tuning_.settle(state_, field_.device());
  costs_.settle(state_);
  climb_.settle(state_);
  lessons_.settle(state_);
  exercises_.settle(state_);
  making_.settle(state_);
  program_.settle(state_);
  workOnFigures(&FigureWork::settle);
  frame(FramePacer::kLongestFrame);
}

void App::settleExperiment() {
  askForChoice(true);
  while (state_.computing || rooflineComes_ || reportComes_) {
    if (state_.computing) { receive(runner_.wait()); }
    if (rooflineComes_) {
      state_.roofline = runner_.waitRoofline();
      rooflineComes_ = false;
    }
    if (reportComes_) { receiveReport(runner_.waitReport()); }
    // A race in another block chooses that block.
    followBarriers(state_);
    askForChoice(true);
  }
}

void App::drawUntilStill() {
  // Bars take the height their content asked for, panels their new places, a movement its end.
  constexpr int kFrames = 6;
  for (int i = 0; i < kFrames; ++i) {
    frame(FramePacer::kLongestFrame);
    receiveOrigins(tracer_.wait());
  }
}

void App::goTo(const Place& place) {
  if (place.end) {
    state_.cursor.goTo(state_.cursor.end());
    if (state_.comparison.follows(state_.experiment)) { goToTick(state_, state_.comparison.time.end()); }
  }
  if (place.step) { state_.cursor.goTo(static_cast<std::size_t>(*place.step)); }
  if (place.barrier) { state_.cursor.goToInterval(static_cast<std::size_t>(*place.barrier)); }
  if (place.plane) { state_.cursor.goToPlane(static_cast<std::size_t>(*place.plane)); }
}

void App::showLaunch(std::size_t launch) {
  const auto& executed = state_.program.executed;
  const std::size_t count = executed == nullptr ? 0 : executed->timeline.launches.size();
  if (launch >= count) {
    throw InputError(trf("--program-launch {}: {}", launch + 1,
                         executed == nullptr ? state_.program.missing
                         : count == 0        ? tr("the program launches no kernel")
                                             : trf("there are 1 to {}", count)));
  }
  selectColumn(state_, executed->timeline.launches[launch]);
}

void App::showFinding(std::size_t index) {
  const std::size_t own = findings(state_).size();
  const std::vector<ProgramFault> others = programFaults(state_);
  const std::size_t count = own + others.size();
  if (index >= count) {
    throw InputError(
        trf("--finding {}: {}", index + 1, count == 0 ? tr("there are no findings") : trf("there are 1 to {}", count)));
  }
  if (index < own) { return chooseFinding(state_, index); }
  const ProgramFault& fault = others[index - own];
  chooseProgramFault(state_, fault);
  if (!fault.launch) { return; }
  settle();
  settle();  // the data of its launch come from the program
  const auto now = findings(state_);
  const auto same = std::ranges::find_if(
      now, [&](const faults::Finding& one) { return fault.kind == one.kind && fault.at.line == one.where.line; });
  if (same != now.end()) { chooseFinding(state_, static_cast<std::size_t>(same - now.begin())); }
}

void App::prepare(const PictureOptions& options) {
  state_.playback.playing = false;
  state_.fieldControls.run = false;  // a picture does not depend on how long it took
  if (!options.firstFinding) { state_.selection.showFirstFinding.clear(); }
  settle();
  if (state_.experiment == nullptr && state_.problem) { throw InputError(state_.problem->message); }
  if (options.finding) { showFinding(*options.finding); }
  if (options.launch) { showLaunch(*options.launch); }
  settle();                          // a finding's block is another one, a launch's kernel may be
  if (options.launch) { settle(); }  // ... and its data come from the program
  if (!state_.cursor.empty()) { goTo(options.place); }
  if (options.element) { chooseOutput(state_, *options.element); }
  if (options.warp) { state_.selection.thread = *options.warp * kWarpSize; }
  // The bar hides; with the notes it is shown, too.
  state_.presenting.quiet = state_.presenting.notes ? 0 : std::numeric_limits<double>::infinity();
  state_.fieldControls.run = false;
  if (options.sweeps > 0) { field_.sweep(state_, options.sweeps); }
  drawUntilStill();
}

render::Image App::picture(const PictureOptions& options) {
  const bool runs = state_.fieldControls.run;
  prepare(options);
  render::Image image = context_->readPixels();
  context_->expectDrawing();  // still: otherwise the picture is black
  state_.fieldControls.run = runs;
  return image;
}

void App::exportPanel(const PictureOptions& options, const ExportPlan& plan, const ExportReport& report,
                      const std::stop_token& stop) {
  prepare(options);
  Exporting& exporting = state_.exporting;
  exporting.plan = plan;
  exporting.wanted = true;
  do {
    exporting.cancel = stop.stop_requested();
    exporter_.update(state_, stepper_.values());
    report(exporting.done, exporting.all);
    exporter_.wait(stop);
  } while (exporter_.busy());
  if (!exporting.problem.empty()) { throw InputError(exporting.problem); }
}

}  // namespace haloscope
