#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "FramePacer.h"
#include "NotesWindow.h"
#include "PanelExporter.h"
#include "UiHost.h"
#include "book/Figure.h"
#include "commands/Screen.h"
#include "documents/Documents.h"
#include "field/FieldController.h"
#include "live/Comparer.h"
#include "live/ExerciseRunner.h"
#include "live/ExperimentRunner.h"
#include "live/HardwareReadings.h"
#include "live/InputReader.h"
#include "live/LessonRunner.h"
#include "live/LiveClimb.h"
#include "live/LiveCosts.h"
#include "live/LiveProgram.h"
#include "live/LiveTuning.h"
#include "live/MakeRunner.h"
#include "live/OutputTracer.h"
#include "measuring/GpuGate.h"
#include "render/Context.h"
#include "render/Image.h"
#include "render/SceneRenderers.h"
#include "render/StillPicture.h"
#include "state/AppState.h"
#include "stepping/GpuStepper.h"
#include "ui/widgets/Theme.h"
#include "ui/window/Layout.h"
#include "work/Pool.h"

namespace haloscope {

/// What an App works with, and the state it begins with.
struct AppOptions {
  AppState state;                     ///< with an experiment: what the choice has in common with it is not
                                      ///< executed again
  std::filesystem::path shaders;      ///< the folder
  std::filesystem::path settings;     ///< file that remembers where the panels are; empty: none
  std::filesystem::path memory;       ///< folder for texts not in their files, and launches; empty: none
  bool gpu = true;                    ///< use one if there is one
  gpu::DeviceOptions device;          ///< which
  std::filesystem::path program;      ///< Haloscope's executable, started for kernels in a process of their
                                      ///< own; empty: this
  checking::Checker checker;          ///< checks a kernel; none: nothing is checked
  ProgramRunner::Execution programs;  ///< of opened files; without a function they are not executed
  HardwareRunner::Measure measure;    ///< reads the GPU's counters; none: of the first GPU
  ClimbTimer::Measure timeClimb;      ///< times the rungs of a climb; none: on the first GPU
  /// Folders; of a font that is in several of them, the first is taken.
  std::vector<std::filesystem::path> fonts = ui::Theme::systemFonts();
};

/// The program with its window: owns the one AppState and everything that works on it. The same frame is drawn into a
/// window, into a picture and in tests.
///
/// A frame: take what the worker has finished, begin ImGui's frame, let keys act, let time pass, look at the block
/// where the cursor is now, draw the panels, and request what has newly been chosen. Nothing in it waits.
class App {
 public:
  App(AppOptions options, std::unique_ptr<render::Context> context);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// Draws until the user closes the window. Sleeps while nothing changes.
  void run(const WindowOptions& options);
  /// The window's picture, with the chosen experiment finished. Throws InputError if it cannot be made.
  render::Image picture(const PictureOptions& options);

  /// Writes a panel as `plan` says, with the chosen experiment finished; `report` hears again and again how many of its
  /// pictures are done. Throws InputError if it cannot be written. Asked to stop, it leaves no file.
  void exportPanel(const PictureOptions& options, const ExportPlan& plan, const ExportReport& report,
                   const std::stop_token& stop);

  /// One frame, `seconds` after the last one. Shows nothing yet: see swap() of the context.
  void frame(double seconds);
  /// Waits for the workers, then draws frames until nothing moves on its own any more.
  void settle();

  /// Until a frame may show something new: 0 while something moves, FramePacer::kSleep where nothing is known to come.
  [[nodiscard]] double secondsToNextChange();

  [[nodiscard]] AppState& state() { return state_; }
  [[nodiscard]] render::Context& context() { return *context_; }
  [[nodiscard]] render::SceneRenderers& scenes() { return scenes_; }

 private:
  void applyTheme();
  /// The screen and the still picture of a presentation.
  void present(double seconds);
  /// Everything that says something is made again.
  void applyLanguage();
  /// Requests what has newly been chosen or written; while the user types, only in pauses, or `now`.
  void askForChoice(bool now = false);
  /// Whether the text on screen was changed and is not executed yet.
  [[nodiscard]] bool typing() const;
  [[nodiscard]] double secondsToTypingPause() const;
  void receive(ExperimentOutcome outcome);
  void receiveReport(std::shared_ptr<const checking::CheckReport> report);
  /// Something is being executed or measured, apart from the course.
  [[nodiscard]] bool working() const;
  /// Of a file that was just opened, unless the user is busy elsewhere already.
  void showFirstFinding();
  void receiveFinished();
  void forgetMovedBarriers();
  void refreshBlockView();
  /// Lets time pass for the cursor, and for those of variants side by side.
  void walkOn(double seconds);
  /// Asks for the trace of the selected thread's output while its panel is in front.
  void followOrigins();
  void receiveOrigins(std::optional<FollowedOutput> result);
  /// What the options ask for is executed and on screen.
  void prepare(const PictureOptions& options);
  void goTo(const Place& place);
  void showLaunch(std::size_t launch);
  /// Of the kernel on screen, then of its program. Throws InputError if there are not so many.
  void showFinding(std::size_t index);
  void workOnFigures(void (FigureWork::*step)(AppState&));
  /// After trouble on the GPU: throws render::ContextError if OpenGL draws no more.
  void expectDrawing();
  /// Waits for the chosen experiment, its roofline points and its checks, and for a block that a finding chooses.
  void settleExperiment();
  void drawUntilStill();
  void waitForEvents(double frameSeconds);
  /// Waits at most this long; true if an event came.
  bool sleep(double seconds);

  // Torn down from the last to the first: whatever has jobs on the pool waits for them before the pool ends, OpenGL
  // objects go before the context.
  measuring::GpuGate gate_;
  work::Pool pool_;
  AppState state_;
  std::unique_ptr<render::Context> context_;
  UiHost ui_;
  std::vector<std::filesystem::path> fonts_;
  ui::Theme theme_;
  ui::Layout layout_;
  render::SceneRenderers scenes_;
  render::StillPicture still_, live_;
  std::unique_ptr<NotesWindow> notes_;
  PanelExporter exporter_;
  bool cameraMoves_ = false;  ///< as of the newest frame
  bool fullscreen_ = false;
  field::FieldController field_;
  ExperimentRunner runner_;

  Documents documents_;
  HardwareReadings hardware_;
  GpuStepper stepper_;

  std::optional<experiment::Choice> asked_;
  std::uint64_t askedRevision_ = 0;  ///< of the choice's text
  std::uint64_t askedLaunch_ = 0;    ///< ... and of its launch
  std::uint64_t askedProgram_ = 0;   ///< ... and of what its program says of it
  std::uint64_t typedRevision_ = 0;  ///< ... the newest seen
  std::chrono::steady_clock::time_point typedAt_;
  std::chrono::steady_clock::time_point askedAt_;
  std::shared_ptr<const experiment::Experiment> viewed_;  ///< what AppState::blockView shows, and points into
  std::size_t viewedPosition_ = 0;
  std::chrono::steady_clock::time_point quietSince_;  ///< since when no input came and nothing moved
  int quietFrame_ = 0;                                ///< likewise, by ImGui's count
  FramePacer pacer_;
  bool reportComes_ = false;    ///< the worker is still at it
  bool rooflineComes_ = false;  ///< the worker is still at it
  OutputTracer tracer_{pool_};
  ExerciseRunner exercises_{pool_};
  MakeRunner making_{pool_};
  InputReader inputs_{pool_};
  Comparer comparer_{pool_};
  LiveTuning tuning_{pool_, gate_};
  LiveCosts costs_{pool_};
  LiveClimb climb_{pool_};
  LessonRunner lessons_{pool_};
  LiveProgram program_;
  std::vector<std::unique_ptr<FigureWork>> figures_ = figureWorks(pool_);
  std::string drawnAfter_;  ///< the GPU's trouble, after which OpenGL was seen to draw
  bool checks_ = false;     ///< there is a checker
  bool themeApplied_ = false;
};

}  // namespace haloscope
