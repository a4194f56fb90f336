#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "experiment/TracedOutput.h"
#include "measuring/GpuSpecs.h"
#include "measuring/HardwareReading.h"
#include "measuring/RecordedOnGpu.h"
#include "measuring/TuningMap.h"
#include "opening/OpenedFile.h"
#include "program/BugLab.h"
#include "program/Catalogue.h"
#include "recording/BlockView.h"
#include "recording/Cursor.h"
#include "recording/RecordingAgreement.h"
#include "state/Comparison.h"
#include "state/Figures.h"
#include "state/WorkingCopy.h"

/// What the window shows and what the person asked for. The App owns the only one; panels read it and write their
/// wishes into it; the App acts on them between frames. Nothing in here draws, computes or waits.
namespace haloscope {

/// What went wrong with the last request. The last good experiment stays on screen.
struct Problem {
  std::string message;  ///< one line: "47:12: " and what, where it has a place in the text
  SourceRange where;    ///< marks the line in the source panel when valid
  std::string text;     ///< the text the range refers to, when it differs from the experiment's
};

/// The text, as the person works on it.
struct Editing {
  bool open = false;               ///< the editor stands in the source panel, instead of the text to be read
  bool focused = false;            ///< keys are typed into it
  int line = 0;                    ///< where the caret stands, or shall when the editor opens; 0: at the kernel
  std::string message;             ///< what came of the last save
  bool failed = false;             ///< ... it was not saved
  std::vector<std::string> found;  ///< variants whose text an earlier run of the program left unsaved
};

/// How a file that the person brought is launched: what was assumed, and what they say instead.
struct OpenedLaunch {
  opening::LaunchOverrides overrides;
  std::string kernel;                          ///< which of the file's; empty: the first
  std::vector<std::string> kernels;            ///< all of them, once read
  std::vector<std::string> assumptions;        ///< a sentence each
  std::vector<opening::MissingValue> missing;  ///< names that the text uses and does not declare
  std::uint64_t revision = 0;                  ///< counts what the person changed
};

/// How far the person has come with a task of the bug lab.
struct LabProgress {
  bool hint = false;      ///< has seen it
  bool revealed = false;  ///< has seen the findings
  bool solved = false;    ///< has mended the kernel
  bool operator==(const LabProgress&) const = default;
};

/// What the person wants done with texts and files. Consumed by the App.
struct FileRequests {
  bool save = false;
  bool revert = false;        ///< back to the file's text
  bool keepMine = false;      ///< of two changed texts, the one here
  bool takeOutside = false;   ///< ... or the file's
  bool discardFound = false;  ///< what an earlier run left: back to the files
  bool keepFound = false;     ///< ... it stays
  std::optional<std::filesystem::path> saveAs;
  std::optional<std::filesystem::path> open;
};

struct Playback {
  bool playing = false;
  double stepsPerSecond = 8;
  double carry = 0;  ///< fraction of a step not yet taken
};

/// What the pointer or the keyboard has picked out; panels highlight it in common.
struct Selection {
  std::uint32_t thread = 0;            ///< whose variables are shown, linear in the block
  std::optional<std::int64_t> output;  ///< of the thread's outputs: the element that was clicked on
  std::optional<std::uint32_t> hoveredThread;
  std::optional<recording::GridPoint> hoveredPoint;  ///< set by whichever panel the pointer is in
  std::optional<int> hoveredLine;
  std::optional<std::size_t> finding;  ///< index into the report's findings
  bool followFinding = false;          ///< the cursor is to go there when its block is on screen
  std::string showFirstFinding;        ///< variant just opened whose first finding is to be chosen; empty: none
};

/// Where the field on screen comes from.
enum class FieldPath : std::uint8_t {
  None,
  Interop,   ///< drawn from device memory through CUDA–OpenGL interop
  HostCopy,  ///< computed on the GPU, copied through the host (interop refused)
  Emulator,  ///< no GPU: swept by the emulator, uploaded
};

/// One sample of the live timings ring.
struct TimingSample {
  double milliseconds = 0;
};

/// One point of the field, under the pointer.
struct FieldProbe {
  recording::GridPoint point;
  double value = 0;
};

/// The running field, as the field and timing panels see it. Filled by the App from gpu/ and render/.
struct FieldStatus {
  FieldPath path = FieldPath::None;
  std::string pathReason;  ///< why not interop, when it is not
  std::string kernel;      ///< catalogue id of what sweeps it
  bool preparing = false;  ///< compiling, or making the initial field
  bool running = false;    ///< sweep after sweep
  std::uint64_t sweeps = 0;
  std::vector<std::int64_t> extents;   ///< slowest first
  ValueType element = ValueType::F32;  ///< what it is kept in; drawn in float
  std::uint32_t texture = 0;           ///< OpenGL texture with the drawn field, 0: none yet
  float low = 0, high = 1;             ///< colour range
  std::vector<TimingSample> ring;      ///< newest last
  double medianMs = 0, p10Ms = 0, p90Ms = 0;
  int clockMHz = 0;                 ///< of the multiprocessors while it sweeps; 0: not told
  double powerWatts = 0;            ///< 0: not told
  std::string disturbance;          ///< what is in the way of the times; empty: nothing known
  double effectiveGBs = 0;          ///< (bytes of input + output, each once) / median
  double copyGBs = 0;               ///< this GPU's measured copy bandwidth; 0: not measured
  double fractionOfCopy = 0;        ///< effectiveGBs / copyGBs; 0: not measured
  double fieldBytes = 0;            ///< input and output together
  std::optional<FieldProbe> probe;  ///< under FieldControls::pointer, in a plane
  std::string problem;              ///< the GPU could not compile or run it
  bool refused = false;             ///< the emulator found a fault in it, and no GPU was given it: one may insist
};

/// How the person wants to see the field.
struct FieldControls {
  bool run = false;
  bool hold = false;         ///< no sweep begins: something else is measured on the GPU
  bool singleSweep = false;  ///< consumed by the App
  bool reset = false;        ///< consumed by the App
  bool volume = false;       ///< 3D: volume instead of slice
  int axis = 0;              ///< slice axis: 0 slowest
  float slice = 0.5F;        ///< 0…1 along the axis
  float yaw = 0.6F, pitch = 0.5F, distance = 2.2F;
  int width = 0, height = 0;                    ///< pixels of the panel's picture
  std::int64_t size = 0;                        ///< field size N for the GPU run; 0: as chosen
  std::string insistedOn;                       ///< kernel that shall run on the GPU though the emulator found a fault
  std::optional<std::array<float, 2>> pointer;  ///< pixel of the picture under the pointer, from its top left corner
  /// What surrounds the field in its picture, red in the lowest byte: from the theme.
  std::uint32_t background = 0xff261c15, frame = 0xffab9b8e, fault = 0xff005ed5;
};

/// Orbit camera of the block scene.
struct SceneCamera {
  float yaw = 0.78F, pitch = 0.55F, zoom = 1.0F;
  float panX = 0, panY = 0;
};

/// Which of the panels in the memory's place is in front.
enum class MemoryTab : std::uint8_t { Memory, Addresses, Origins };

struct View {
  bool light = false;      ///< light theme
  float scale = 1.0F;      ///< type scale: 1 at 1280×720
  bool showField = false;  ///< field tab in front of the block scene
  MemoryTab memoryTab = MemoryTab::Memory;
  bool showHelp = false;
  bool showAbout = false;
  bool showBugLab = false;
  bool showLaunch = false;  ///< the launch table
  enum class FileDialog : std::uint8_t { None, Open, SaveAs };
  FileDialog fileDialog = FileDialog::None;
  std::filesystem::path folder;  ///< that the file dialog shall list; consumed by it
  bool openVariants = false;     ///< the list of variants opens; consumed by it
  std::string variantQuery{};    ///< what the list is searched for
  std::string variantRow{};      ///< the variant that Enter would choose
  bool quit = false;
  bool resetLayout = false;              ///< consumed by the layout
  std::optional<bool> tuningInFront{};   ///< the tuning map comes to the front, or goes; consumed by the layout
  std::optional<bool> figuresInFront{};  ///< the same of the figures
  SceneCamera camera;
  int gpuSpec = -1;  ///< index into AppState::gpuSpecs: whose roof is predicted; -1: the measured GPU, else the first
};

/// Where the selected thread's output came from; filled by the App while its panel is in front.
struct Origins {
  std::optional<std::int64_t> wanted;  ///< element of the output array
  std::shared_ptr<const experiment::Experiment> experiment;
  std::int64_t element = -1;                              ///< what `trace` is about
  std::shared_ptr<const experiment::TracedOutput> trace;  ///< none where the value could not be followed
  std::optional<std::uint32_t> operand;                   ///< the one that the person has chosen
};

/// What the GPU's hardware counted of the variants; filled by the App when the person asks for it.
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

/// What the window showed before variants stood side by side.
struct BeforeComparison {
  experiment::Choice choice;
  std::size_t position = 0;  ///< of the cursor
  Selection selection;
  Playback playback;
  SceneCamera camera;
  bool showField = false;
  MemoryTab memoryTab = MemoryTab::Memory;
  bool left = false;  ///< the person has gone back: cursor and selection follow when the choice's experiment is there
};

/// Stepping through the block as the GPU itself ran it; filled by the App while the person wants it.
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

/// The tuning map, and what the person wants of it; filled by the App while its panel is in front.
struct Tuning {
  bool shown = false;     ///< its panel is on the screen; written by the layout
  std::int64_t size = 0;  ///< given to every size of the kernel; 0: one that fills the GPU
  measuring::AxisChoice axes;
  TuningQuantity quantity = TuningQuantity::Time;
  std::shared_ptr<const measuring::TuningMap> map;  ///< as far as it is filled; null: none yet
  bool running = false;
};

struct AppState {
  Catalogue catalogue;
  std::vector<measuring::GpuSpec> gpuSpecs;

  // What the person asked for, and what came of it.
  experiment::Choice choice;                                 ///< panels write here; the App computes when it changes
  std::shared_ptr<const experiment::Experiment> experiment;  ///< last good one; null only before the first
  std::vector<experiment::RooflinePoint> roofline;           ///< of the chapter, at the current tunables
  std::shared_ptr<const checking::CheckReport> report;       ///< of the experiment; null until it was checked
  std::optional<Problem> problem;
  bool computing = false;
  bool checking = false;     ///< a report comes
  double lastLatencyMs = 0;  ///< from choice to picture

  // The texts that were opened or looked at so far, by variant, and what is done with them.
  std::map<std::string, WorkingCopy> copies;
  BugLab bugLab;
  std::map<std::string, LabProgress> labProgress;  ///< by task
  std::map<std::string, OpenedLaunch> launches;    ///< by variant
  Editing editing;
  FileRequests fileRequests;

  // The cursor and what it sees.
  recording::Cursor cursor;
  recording::BlockView blockView;  ///< of the cursor's position; refreshed by the App when it moves
  Playback playback;
  Selection selection;
  Origins origins;
  Comparison comparison;
  std::optional<BeforeComparison> beforeComparison;

  FieldStatus field;
  FieldControls fieldControls;
  Hardware hardware;
  GpuStepping gpuStepping;
  Tuning tuning;
  Figures figures;
  View view;

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
