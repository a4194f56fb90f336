#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/BugLab.h"
#include "catalogue/Catalogue.h"
#include "catalogue/KernelFile.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "experiment/TracedOutput.h"
#include "frontend/CodeText.h"
#include "measuring/GpuRecorder.h"
#include "measuring/GpuSpecs.h"
#include "measuring/HardwareReading.h"
#include "measuring/TuningMap.h"
#include "program/SourceLocation.h"
#include "recording/BlockView.h"
#include "recording/Cursor.h"
#include "recording/RecordingAgreement.h"
#include "state/ChangedOutputs.h"
#include "state/ChoiceHistory.h"
#include "state/ClimbView.h"
#include "state/Comparison.h"
#include "state/CostsShown.h"
#include "state/Editing.h"
#include "state/ExerciseView.h"
#include "state/Exporting.h"
#include "state/FieldStatus.h"
#include "state/Figures.h"
#include "state/FilmReel.h"
#include "state/LessonView.h"
#include "state/MakeView.h"
#include "state/Playback.h"
#include "state/Playground.h"
#include "state/Presenting.h"
#include "state/ProgramView.h"
#include "state/RaceDemonstration.h"
#include "state/Scene.h"
#include "state/Selection.h"
#include "state/Session.h"
#include "state/StartPage.h"
#include "state/TypedCell.h"
#include "state/View.h"
#include "state/WorkingCopy.h"

/// What the window shows and what the user requested. The App owns the only one; panels read it and write requests into
/// it; the App acts on them between frames. Nothing in here draws, computes or waits.
namespace haloscope {

/// What the GPU's hardware counted of the variants; filled by the App on request.
struct Hardware {
  bool wanted = false;    ///< consumed by the App
  std::string measuring;  ///< the variant that is being measured; empty: none
  std::map<std::string, std::shared_ptr<const measuring::HardwareReading>> readings;  ///< by variant
  std::map<std::string, std::string> problems;  ///< by variant: why it could not be measured, a sentence
  std::string missing;                          ///< why no variant can be: no GPU, no CUPTI, no permission

  /// The reading of this text with these tunables; null if there is none.
  [[nodiscard]] const measuring::HardwareReading* of(const KernelFile& file, const Bindings& bindings) const {
    const auto found = readings.find(file.id);
    return found != readings.end() && found->second->describes(file, bindings) ? found->second.get() : nullptr;
  }
};

/// Stepping through the block as the GPU itself ran it; filled by the App while it is on.
struct GpuStepping {
  bool wanted = false;
  bool busy = false;
  std::string problem;     ///< why there is no recording of the GPU, a sentence
  std::string gpu;         ///< "NVIDIA H200"
  std::string copyReason;  ///< why the scene's values come by way of the host; empty: OpenGL reads the GPU's own words
  std::shared_ptr<const experiment::Experiment> emulated;    ///< what the emulator recorded of the same block
  std::shared_ptr<const measuring::RecordedOnGpu> recorded;  ///< what the GPU did; null: nothing yet
  std::optional<recording::RecordingAgreement> agreement;    ///< of the two; none: still being compared
  bool byClock = false;  ///< its steps in the order in which the multiprocessor's clock had them
};

/// Which number of the tuning map is shown.
enum class TuningQuantity : std::uint8_t { Time, Bandwidth, OfCopy, Occupancy, Registers, Spills };

/// The tuning map, and the user's settings of it; filled by the App while its panel is in front.
struct Tuning {
  std::int64_t size = 0;  ///< given to every size of the kernel; 0: one that fills the GPU
  measuring::AxisChoice axes;
  TuningQuantity quantity = TuningQuantity::Time;
  std::shared_ptr<const measuring::TuningMap> map;  ///< as far as it is filled; null: none yet
  std::string text;                                 ///< of the kernel that it is of
  bool running = false;
};

/// Where the selected thread's output came from; filled by the App while its panel is in front.
struct Origins {
  std::optional<std::int64_t> wanted;  ///< element of the output array
  std::shared_ptr<const experiment::Experiment> experiment;
  std::int64_t element = -1;                              ///< what `trace` is about
  std::shared_ptr<const experiment::TracedOutput> trace;  ///< none where the value could not be followed
  std::optional<std::uint32_t> operand;                   ///< the one that the user has chosen
};

/// The search in the source that is read.
struct SourceSearch {
  bool open = false;
  bool focus = false;  ///< its field is to get the keys; consumed by it
  std::string query{};
  std::ptrdiff_t shown = 0;  ///< which occurrence, from 0; beyond either end it goes on at the other
};

/// What went wrong with the last request. The last good experiment stays on screen.
struct Problem {
  std::string message;  ///< one line: "47:12: " and what, where it has a place in the text
  SourceRange where;    ///< marks the line in the source panel when valid
  std::string text;     ///< the text the range refers to, when it differs from the experiment's
};

/// The user's progress with a task of the bug lab.
struct LabProgress {
  bool hint = false;      ///< has seen it
  bool revealed = false;  ///< has seen the findings
  bool solved = false;    ///< has mended the kernel
  bool operator==(const LabProgress&) const = default;
};

struct AppState {
  Catalogue catalogue;
  std::vector<measuring::GpuSpec> gpuSpecs;

  // What the user requested, and the results.
  experiment::Choice choice;                                 ///< panels write here; the App computes when it changes
  std::shared_ptr<const experiment::Experiment> experiment;  ///< last good one; null only before the first
  std::vector<experiment::RooflinePoint> roofline;           ///< of the chapter, at the current tunables
  std::shared_ptr<const checking::CheckReport> report;       ///< of the experiment; null until it was checked
  std::optional<Problem> problem;
  ChoiceHistory history;
  TypedCell typedCell;
  ChangedOutputs changedOutputs;  ///< by the newest change of data
  CostsShown costs;               ///< of the experiment
  bool computing = false;
  bool checking = false;     ///< a report comes
  double lastLatencyMs = 0;  ///< from choice to picture

  // The texts that were opened or looked at so far, by variant, and what is done with them.
  std::map<std::string, WorkingCopy> copies;
  BugLab bugLab;
  std::map<std::string, LabProgress> labProgress;  ///< by task
  std::map<std::string, OpenedLaunch> launches;    ///< by variant
  Editing editing;
  CodeReader code;  ///< tokens of the texts on screen
  SourceSearch search;
  FileRequests fileRequests;

  // The cursor and what it sees.
  recording::Cursor cursor;
  recording::BlockView blockView;  ///< of the cursor's position; refreshed by the App when it moves
  FilmReel film;                   ///< of the experiment
  Playback playback;
  Selection selection;
  RaceDemonstration demonstration;
  Origins origins;
  Comparison comparison;
  std::optional<BeforeComparison> beforeComparison;

  FieldStatus field;
  FieldControls fieldControls;
  Playground playground;
  Hardware hardware;
  GpuStepping gpuStepping;
  Tuning tuning;
  Figures figures;
  ProgramView program;
  ClimbView climb;
  ExerciseView exercise;
  LessonView lesson;
  MakeView make;
  AwaitedScene awaited;
  Session session;
  std::filesystem::path shippedSessions;  ///< the folder of those that come with the program; empty: none
  Presenting presenting;
  Exporting exporting;
  View view;
  StartPage start;

  std::string languageProblem;  ///< why the chosen language is not shown, until the user dismisses it

  // The status bar.
  std::string gpuName;     ///< "NVIDIA H200", or empty
  std::string gpuMissing;  ///< why there is none: "no NVIDIA driver (libcuda.so.1)"
  std::string gpuTrouble;  ///< what ended the use of the GPU in this process; empty: nothing
  std::string glRenderer;  ///< GL_RENDERER
  std::string glNote;      ///< why it is not a better one; empty: it is the first choice
  double measuredCopyGBs = 0;
  double measuredFp32GFlops = 0;
  double measuredFp64GFlops = 0;
};

}  // namespace haloscope
