#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "commands/CommandLine.h"
#include "commands/FigureOptions.h"
#include "commands/KernelOptions.h"
#include "measuring/Verify.h"
#include "program/Catalogue.h"
#include "state/ComparedBlock.h"

/// The commands of `haloscope`, one function each. Each prints its result to standard output, as a table for people or,
/// with `json`, as one JSON document.
namespace haloscope {

struct CheckCommandOptions {
  std::vector<std::string> targets;  ///< files, folders, or ids of variants
  KernelOptions kernel;
  bool json = false;
  bool quiet = false;  ///< the table alone
};

/// Exit code 0: clean; 1: findings; 2: something cannot be read.
ExitCode checkCommand(const Catalogue& catalogue, const CheckCommandOptions& options);

ExitCode listCommand(const Catalogue& catalogue, bool json);
ExitCode countCommand(const Catalogue& catalogue, const std::string& id, const KernelOptions& options, bool json);
/// The same launch counted by the emulator and by the GPU's hardware; without a size, at one that no cache holds.
ExitCode hardwareCommand(const Catalogue& catalogue, const std::string& id, const KernelOptions& options, bool json);
ExitCode verifyCommand(const Catalogue& catalogue, const std::vector<std::string>& ids, const KnobOptions& knobs,
                       const measuring::VerifyOptions& options, bool recording, bool json);
/// Records blocks of each file, at the bindings beside it, on the emulator and on the GPU, and compares them. Throws
/// MissingError without a GPU.
ExitCode recordingCommand(const std::vector<KernelFile>& files, const std::vector<Bindings>& bindings, bool json);
ExitCode lowerCommand(const Catalogue& catalogue, const std::string& id, const KnobOptions& knobs);
ExitCode benchCommand(const Catalogue& catalogue, const std::vector<std::string>& ids, const KnobOptions& knobs,
                      bool json);

struct TuneOptions {
  std::string id;  ///< a variant, or the path of a .cu file
  KernelOptions kernel;
  std::string columns, rows;  ///< tunables; empty: the first that can be
  std::string gpu;            ///< of assets/gpus.json, instead of the one that is there
  bool json = false;
};

/// A map over tile and block sizes, and the chosen ones at other problem sizes.
ExitCode tuneCommand(const Catalogue& catalogue, const TuneOptions& options);

/// Where a rendered picture stands in its block's execution.
struct RenderPosition {
  std::optional<std::int64_t> step, barrier, plane;
  std::optional<std::int64_t> finding;  ///< counted from 1: the step, block and thread at which it shows
  bool end = false;                     ///< after the last step
};

struct TraceOptions {
  std::string id;  ///< a variant, or the path of a .cu file
  KernelOptions kernel;
  ScheduleOptions schedule;
  std::string cell;  ///< "I,J,K", slowest axis first
  bool json = false;
};

/// The element of an array `name` with these extents that "I,J,K" names, slowest axis first. Throws InputError.
[[nodiscard]] std::int64_t parseCell(const std::string& text, const std::string& name,
                                     const std::vector<std::int64_t>& extents);

/// Where the value of an output element came from.
ExitCode traceCommand(const Catalogue& catalogue, const TraceOptions& options);

struct CompareCommandOptions {
  std::vector<std::string> ids;  ///< variants, or paths of .cu files; two to four
  KernelOptions kernel;          ///< of the first; the others take over what they share with it
  std::string cell;              ///< "I,J,K": an element of the output; empty: one of the first's middle block
  bool json = false;
};

/// Variants by the blocks that compute one output cell. Exit code 2: one of them has no such block.
ExitCode compareCommand(Catalogue catalogue, const CompareCommandOptions& options);

/// What stands beside a variant.
struct CompareOptions {
  std::vector<std::string> targets;  ///< ids, or paths of .cu files; at most three
  LineUp lineUp = LineUp::Interval;
};

struct RenderOptions {
  std::string id;  ///< a variant, or the path of a .cu file
  KernelOptions kernel;
  ScheduleOptions schedule;
  RenderPosition position;
  std::string block;  ///< "x,y,z"; empty: an interior block
  int width = 1600, height = 900;
  bool light = false;
  bool field = false;      ///< the field in front instead of the block
  bool tuning = false;     ///< the tuning map in front instead of the block
  std::string figure;      ///< of the book, in front instead of the block; empty: none
  FigureOptions ofFigure;  ///< what else is said of it
  bool addresses = false;  ///< the addresses in front of the memory
  std::string cell;        ///< "I,J,K": the output element that is selected; empty: the middle thread's
  bool origins = false;    ///< where the output came from, in front of the memory
  CompareOptions compare;
  bool bugLab = false;    ///< the bug lab's tasks in front
  bool edit = false;      ///< the editor instead of the text to be read
  bool hardware = false;  ///< the GPU's counters are read before
  bool onGpu = false;     ///< the block as the GPU itself ran it
  int sweeps = 0;         ///< sweeps of the field before the picture is taken
  std::filesystem::path output;
};

ExitCode renderCommand(const Catalogue& catalogue, const RenderOptions& options);

struct WindowOptions {
  std::filesystem::path file;  ///< a .cu file to open; empty: none
  KernelOptions kernel;        ///< its `kernel` is the variant to open first where there is no file
  CompareOptions compare;
  bool uncapped = false;
  int frames = 0;          ///< leave after that many frames, printing their times as JSON; 0: stay open
  bool tuning = false;     ///< the tuning map in front
  bool offscreen = false;  ///< no window; for measuring frames where there is no display
  std::chrono::steady_clock::time_point started;  ///< of the program
};

ExitCode windowCommand(const Catalogue& catalogue, const WindowOptions& options);

}  // namespace haloscope
