#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "faults/Finding.h"
#include "host/HostMessages.h"
#include "host/HostProgram.h"
#include "opening/ExecutedLaunch.h"
#include "process/NamedFiles.h"
#include "program/Launch.h"
#include "program/Program.h"
#include "running/DeviceMemory.h"
#include "running/HostEnds.h"
#include "running/HostFinding.h"
#include "running/HostHalf.h"
#include "running/KernelTexts.h"
#include "running/LaunchBinding.h"
#include "running/NamedFile.h"
#include "running/OfferedSizes.h"
#include "running/OwnCheck.h"
#include "verdict/Verdict.h"

/// A whole program, executed: its host half in a confined process, its kernels on the emulator.
namespace haloscope::running {

/// What executing a program may take.
struct RunBudget {
  std::chrono::milliseconds hostTime{15'000};
  /// Of this process: for the program's arrays, and beside them for what checks and comparisons copy of them, half of
  /// it at most for those of one launch. Together the most memory that a whole run takes here.
  std::uint64_t deviceBytes = std::uint64_t{4} << 30, besideBytes = std::uint64_t{2} << 30;
  std::uint64_t hostBytes = std::uint64_t{8} << 30;  ///< of the program's own process
  std::chrono::milliseconds kernelTime{45'000};      ///< of all launches, on the emulator
  std::uint64_t warpInstructions = 4'000'000'000;    ///< of all launches
  std::uint64_t checkedInstructions = 250'000'000;   ///< of one launch under all checks
  int checkedLaunches = 2;                           ///< of each kernel with the same configuration and arrays
  /// Of host code, and of kernels on the emulator, before a smaller size is looked for among those that the program
  /// offers.
  std::chrono::milliseconds patience{4'000};
  /// All of it together, with smaller sizes and whatever it waits for: host code and kernels, and a moment to compile.
  [[nodiscard]] std::chrono::milliseconds whole() const { return hostTime + kernelTime + std::chrono::seconds(10); }
};

/// The GPU that the program sees.
struct RunDevice {
  std::uint32_t count = 0;  ///< GPUs, all alike; 0: as many as the text is written for, see devicesFor()
  std::string name = "Haloscope's emulator";
  std::map<std::string, std::int64_t> properties;  ///< by the name in cudaDeviceProp
  double bytesPerSecond = 0, flopsPerSecond = 0;   ///< of its memory and its units; 0: unknown
};

/// How far a program has come.
struct RunProgress {
  bool compiled = false;  ///< main() has begun
  std::size_t calls = 0, launches = 0;
  host::HostPlace at{};  ///< of the last call
  std::string kernel{};  ///< that is being executed; empty: host code is
};

/// A launch as it begins, with a copy of its arrays.
struct KeptLaunch {
  std::shared_ptr<const Program> program;  ///< see BoundLaunch
  Launch launch;
  std::vector<BoundPointer> pointers;
  std::vector<ObjectId> arrays;  ///< of the allocations, once each
};

struct ProgramLaunch;

/// What an array holds after a launch is put into one of the host's own.
struct GivenArray {
  std::size_t event = 0;  ///< of the launch
  AllocationId from = 0;
  std::size_t to = 0;                                      ///< index among those as long, see host::HostReply
  std::function<void(std::span<std::byte> bytes)> change;  ///< called with what is given
};

/// What is changed, or looked at, in a program that is executed again.
struct Repetition {
  std::map<AllocationId, std::uint32_t> unwritten{};  ///< what memory holds that nothing has written, see DeviceMemory
  /// Called with what the host is about to get of an allocation, by the index of the event: of a copy, or of a launch
  /// that writes memory which both can use.
  std::function<void(std::size_t event, AllocationId from, std::span<std::byte> bytes)> toHost{};
  /// Called at a copy of a whole array to the host, with what others of the device hold that are as large.
  std::function<void(std::size_t event, AllocationId other, std::span<const std::byte> bytes)> beside{};
  /// Called with what a copy has brought to the device, which it may change there.
  std::function<void(std::span<std::byte> bytes)> toDevice{};
  bool gathersArrays = false;         ///< see ProgramRun::hostArrays
  bool notesComparisons = false;      ///< see ProgramRun::comparedArrays
  std::optional<GivenArray> given{};  ///< needs them to be gathered
  ChangedKernels kernels{};
};

struct RunOptions {
  std::vector<std::string> arguments{};  ///< of main(), without the program's name
  RunBudget budget{};
  RunDevice device{};
  unsigned workers = 0;  ///< of the emulator; 0: one per core
  std::stop_token stop{};
  std::filesystem::path executable{};                  ///< see HostProcess
  std::optional<HostEnds> hostEnds{};                  ///< see HostProcess::Start
  std::filesystem::path compilerHeaders{};             ///< folder of Clang's own headers
  std::shared_ptr<const CompiledHost> compiled{};      ///< of an earlier run: used if the host half is still the same
  std::vector<NamedFile> files{};                      ///< that it can open
  std::function<void(const RunProgress&)> progress{};  ///< called at each call, on the calling thread
  /// Kernels are compared with the program's own functions that were called with the same data, see OwnFunction.h.
  bool comparesOwnFunctions = false;
  /// Set: the program is only executed, nothing is checked or compared, and no clock tells it another time than in
  /// another such run.
  std::optional<Repetition> repeated{};
  /// Index of a launch that is kept instead of executed; the program ends there.
  std::optional<std::size_t> keepLaunch{};
  /// Called for each launch before it is executed, with its arrays as it finds them, on the calling thread.
  std::function<void(const ProgramLaunch&, const LaunchedKernel&, const BoundLaunch&)> beforeLaunch{};
};

/// An argument of a launch that points to memory, or a variable of the device that the kernel uses.
struct LaunchPointer {
  std::string parameter;  ///< or the variable's name
  std::optional<DevicePlace> place{};
  bool reads = false, writes = false;
};

/// A launch of a kernel.
struct ProgramLaunch {
  std::string symbol, kernel;  ///< "heat::sweep<8>"
  std::string file;            ///< whose text has the kernel
  LaunchConfiguration configuration;
  std::uint32_t device = 0;  ///< the GPU that executes it
  host::HostPlace at;
  std::vector<LaunchPointer> pointers, variables;
  std::map<std::string, std::string> scalars;  ///< values by parameter, as text
  opening::ExecutedLaunch facts;               ///< the same for opening::openFile
  std::shared_ptr<const Program> program;      ///< null if the kernel cannot be lowered
  bool executed = false;
  bool lacksMemory = false;         ///< an array was allocated with a number of elements where bytes are meant
  bool lacksConstants = false;      ///< a `__constant__` array that it reads was never copied to
  bool checked = false;             ///< under all analyses
  std::vector<bool> loaded;         ///< objects of `program` from which something was read
  std::uint64_t blocks = 0;         ///< executed ones
  std::uint64_t checkedBlocks = 0;  ///< of these, under all analyses
  std::vector<faults::Finding> findings;
  std::string problem;                       ///< why it was not executed, or stopped: a sentence
  std::uint64_t flops = 0, globalBytes = 0;  ///< of all threads; loads and stores
  std::uint64_t textureRequests = 0;         ///< of warps; what textures and surfaces move is not in `globalBytes`
  std::uint64_t arrayBytes = 0;              ///< of the allocations that it uses
  std::uint64_t instructions = 0;            ///< warp instructions that all its blocks take
  double seconds = 0;                        ///< the emulator's
  /// "conv_cpu (line 28)", with whose result its own agrees, and on which data if these were only the program's; or
  /// empty
  std::string ownFunction;
  bool onOwnDataOnly = false;   ///< with that one
  bool unlessAccepted = false;  ///< its wrong result: see OwnVerdict
  /// The function, called with the same data, from which its result differs nearly everywhere: whether it is meant to
  /// compute the same is not known; or empty. And what is wrong if it is.
  std::string unlike;
  bool meantWrong = false;  ///< its result is one that the program is to reject
  std::optional<faults::Finding> wrongIfMeant{};
  bool wrongIfCompared = false;              ///< the same where the program only prints how far the two are apart
  std::vector<std::string> alike;            ///< symbols of other kernels that made the same of the same data
  std::optional<verdict::Verdict> result{};  ///< on its kernel; none: its result is wrong, or judge() was not asked
  std::optional<std::size_t> wrongIn{};  ///< index of the launch of this kernel that has the finding of a wrong result
};

/// What the host did, in order.
struct ProgramEvent {
  enum class Kind : std::uint8_t { Allocate, Free, Copy, Fill, Symbol, Launch, Synchronize, Record, Error };
  Kind kind = Kind::Allocate;
  host::HostPlace at;
  std::optional<DevicePlace> destination{}, source{};
  std::uint64_t bytes = 0;
  std::size_t launch = 0;   ///< of a Launch: index into ProgramRun::launches
  std::int32_t error = 0;   ///< cudaError_t that the call returned
  std::size_t printed = 0;  ///< bytes of the output before it
};

/// The host has copied memory of the device that nothing had written.
struct UnwrittenCopy {
  host::HostPlace at;
  AllocationId from = 0;
  std::uint64_t copied = 0, unwritten = 0;  ///< bytes
  std::uint64_t first = 0;                  ///< the first of these in the allocation
};

/// How a program ended.
enum class ProgramEnd : std::uint8_t {
  Rejected,
  NoMain,
  Exited,
  Crashed,
  Uncaught,
  Unsupported,
  LacksInput,  ///< it needs an argument, or a file, that it was not given
  TooLong,
  Stopped,
  Failed
};

/// Whether a program ended because of what Haloscope lacks, or was not given: no mistake of the program.
[[nodiscard]] constexpr bool isRefused(ProgramEnd how) {
  return how == ProgramEnd::Rejected || how == ProgramEnd::Unsupported || how == ProgramEnd::LacksInput;
}

/// A file that the program asked for and did not get.
struct RefusedFile {
  std::string name;
  process::FileRefusal how = process::FileRefusal::Reading;
  host::HostPlace at;
  [[nodiscard]] bool writes() const { return how == process::FileRefusal::Writing; }
};
/// The same as a sentence that says how to give it to the program.
[[nodiscard]] std::string sentence(const RefusedFile& file);

/// What of the budget a program exceeded first.
/// CheckMemory: all was executed, but a launch writes too much to be checked.
enum class Excess : std::uint8_t { None, HostTime, Kernels, DeviceMemory, CheckMemory };
/// Whether something was not executed, so that the arrays are not what the program makes of them.
[[nodiscard]] constexpr bool leavesOut(Excess what) { return what != Excess::None && what != Excess::CheckMemory; }

struct ProgramRun {
  ProgramEnd end = ProgramEnd::Failed;
  int status = 0;                              ///< of Exited
  std::string message;                         ///< a sentence on how it ended; empty after Exited
  host::HostPlace endedAt;                     ///< where in the text
  std::vector<host::HostDiagnostic> problems;  ///< of Rejected
  std::string output;
  std::uint64_t outputLeftOut = 0;
  std::vector<OwnCheck> ownChecks;  ///< what its own comparisons say of its results
  std::vector<ProgramEvent> events;
  std::vector<ProgramLaunch> launches;
  std::vector<HostFinding> findings;    ///< of the host half
  std::vector<Allocation> allocations;  ///< names and places, without their bytes
  /// With what small change of a kernel the program ends with success, or a result is what it is compared with: the
  /// place, and a sentence. That the kernel is wrong does not follow.
  std::optional<std::pair<host::HostPlace, std::string>> tried{};
  std::vector<UnwrittenCopy> unwritten;                ///< once for a place and an allocation
  std::vector<std::vector<std::byte>> hostArrays;      ///< of a repetition that gathers them, see host::GatheredArrays
  std::vector<std::vector<std::byte>> comparedArrays;  ///< of one that notes them, see host::ComparedArrays
  double compileSeconds = 0, hostSeconds = 0, kernelSeconds = 0;
  std::shared_ptr<const CompiledHost> compiled;  ///< the host half; null if it was rejected
  std::shared_ptr<const KeptLaunch> kept;        ///< see RunOptions::keepLaunch; null: the program did not come so far
  std::vector<RefusedFile> refusedFiles;
  Excess excess = Excess::None;
  /// What was executed is the program with these sizes, see withSizes(). Findings of the first launches at its own
  /// sizes are among those of their kernels.
  std::vector<ChangedSize> sizes;
  std::vector<opening::ExecutedLaunch> ownFacts;  ///< as facts(), at its own sizes; empty: those are its own
  std::string linkedText;  ///< which files it was linked with that were not named: a sentence; empty: none
  std::string sizesText;   ///< which size is another here and why, or why none is: sentences; empty: nothing to say

  /// Whether every launch was executed, nothing was found, and none of its own comparisons fails.
  [[nodiscard]] bool faultless() const;
  /// Whether it came to its end, and every launch with it.
  [[nodiscard]] bool isWhole() const;
  /// Of the first executed launch of each kernel.
  [[nodiscard]] std::vector<opening::ExecutedLaunch> facts() const;
};

/// The most GPUs that a program is shown.
inline constexpr std::uint32_t kMostDevices = 16;
/// Two GPUs for a program that moves data from one to another by name, through NCCL or peer copies; otherwise one.
[[nodiscard]] std::uint32_t devicesFor(const host::HostProgram& program);

/// What a launch would take, by the roofline of the device: each array once through its memory, each operation at its
/// peak. 0 where neither is known.
[[nodiscard]] double predictedSeconds(const ProgramLaunch& launch, const RunDevice& device);

/// Executes a program. One that is too large for the budget is executed with smaller sizes, if it offers any. Never
/// throws for a faulty program; throws std::system_error if no process can be started.
[[nodiscard]] ProgramRun run(const host::HostProgram& program, const RunOptions& options);

}  // namespace haloscope::running
