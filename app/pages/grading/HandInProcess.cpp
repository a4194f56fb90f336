#include "grading/HandInProcess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "host/HostCompiler.h"
#include "language/Language.h"
#include "language/Text.h"
#include "process/ChildProcess.h"
#include "process/Descriptor.h"
#include "program/SourceLocation.h"

namespace haloscope::grading {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

/// Of a process that could not allocate.
constexpr int kNoMemory = 77;
/// For a process to begin, and to answer.
constexpr std::chrono::seconds kSpareTime{3};

[[noreturn]] void failWith(const char* call) { throw std::system_error(errno, std::generic_category(), call); }

void setLimit(__rlimit_resource resource, rlim_t most, rlim_t beforeTheEnd = 0) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0) { failWith("getrlimit"); }
  const rlimit lowered{std::min(most, now.rlim_max), std::min(most + beforeTheEnd, now.rlim_max)};
  if (setrlimit(resource, &lowered) != 0) { failWith("setrlimit"); }
}

/// A folder of temporary files, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code error;
    std::string path = (fs::temp_directory_path(error) / "haloscope-grade-XXXXXX").string();
    if (error || mkdtemp(path.data()) == nullptr) {
      throw InputError(trf("{} could not be written: {}", path, std::strerror(errno)));
    }
    path_ = path;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

enum class Listening : std::uint8_t { Ended, TooLong, TooMuch, Stopped };

/// Reads until the other end is closed.
Listening listen(int file, Clock::time_point until, const std::stop_token& stop, std::string& answer) {
  constexpr int kTurn = 50;  // milliseconds
  std::array<char, 65536> part{};
  while (true) {
    if (stop.stop_requested()) { return Listening::Stopped; }
    if (Clock::now() > until) { return Listening::TooLong; }
    pollfd waited{.fd = file, .events = POLLIN, .revents = 0};
    if (poll(&waited, 1, kTurn) <= 0) { continue; }
    const ssize_t got = read(file, part.data(), part.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) { continue; }
    if (got <= 0) { return Listening::Ended; }
    answer.append(part.data(), static_cast<std::size_t>(got));
    if (answer.size() > HandInLimits::kAnswerBytes) { return Listening::TooMuch; }
  }
}

Record tookTooLong(const HandInLimits& limits) {
  return refused(Verdict::TooLong,
                 trf("judging it took more than {} s; --seconds N sets the limit", limits.seconds.count()));
}

Record withoutAnswer(const process::ChildEnd& end, const HandInLimits& limits) {
  if (end.signal == SIGXCPU) { return tookTooLong(limits); }
  if (end.signal == SIGKILL) {
    return refused(Verdict::NotJudged, tr("the process that judged it was ended from outside"));
  }
  if (end.status == kNoMemory) {
    return refused(Verdict::TooMuchMemory,
                   trf("judging it took more than {} MiB of memory", limits.memoryBytes >> 20U));
  }
  return refused(Verdict::NotJudged,
                 trf("the process that judged it {}; it may be too deeply nested for a compiler", describe(end)));
}

}  // namespace

void limitThisProcess(const HandInLimits& limits) {
  // Each thread reserves addresses for its stack and its heap, whether it uses them or not.
  constexpr std::size_t kOfAThread = std::size_t{80} << 20;
  const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::size_t pages = 0;
  if (!(std::ifstream("/proc/self/statm") >> pages)) { failWith("/proc/self/statm"); }
  setLimit(RLIMIT_AS,
           pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + limits.memoryBytes + threads * kOfAThread);
  setLimit(RLIMIT_CPU, static_cast<rlim_t>(limits.seconds.count()), 1);
  setLimit(RLIMIT_CORE, 0);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) { failWith("PR_SET_PDEATHSIG"); }
  std::set_new_handler([] { _exit(kNoMemory); });
  host::whenCompilersLackMemory([] { _exit(kNoMemory); });
}

std::variant<Record, Interrupted> judgeInProcess(const HandInTask& task, const HandInLimits& limits,
                                                 const std::stop_token& stop) {
  const ScratchFolder scratch;
  // Above the texts there are only empty folders, further up than an include leads (opening/LocalHeaders.h), and then
  // the reference's.
  const fs::path root = scratch.path() / "a" / "b" / "c";
  std::error_code error;
  fs::create_directories(root / kWork, error);
  unpack(*task.handIn, root);
  if (task.reference != nullptr) {
    fs::create_directories(scratch.path() / kReferenceFolder, error);
    unpack(*task.reference, scratch.path() / kReferenceFolder);
  }
  process::Pipe pipe;
  if (fcntl(pipe.reading.number(), F_SETFL, O_NONBLOCK) != 0) { failWith("fcntl"); }
  std::vector<std::string> arguments = languageArguments();
  arguments.emplace_back(kGradeCommand);
  arguments.insert(arguments.end(), {"--in", (root / kWork).string(), "--target", task.handIn->target});
  if (task.reference != nullptr) {
    arguments.insert(arguments.end(), {"--against", fmt::format("../../../../{}/{}/{}", kReferenceFolder, kWork,
                                                                task.reference->target)});
  }
  for (const std::string& name : task.handIn->shared) { arguments.insert(arguments.end(), {"--shared-file", name}); }
  // In one word each: such a name may begin with anything.
  for (const LeftOut& left : task.handIn->leftOut) { arguments.push_back("--left-out=" + left.name); }
  arguments.insert(arguments.end(), {"--seconds", std::to_string(limits.seconds.count()), "--bytes",
                                     std::to_string(limits.memoryBytes)});
  std::ranges::copy(task.arguments, std::back_inserter(arguments));
  std::optional<process::ChildProcess> child;
  try {
    child.emplace(process::ChildStart{.program = task.executable,
                                      .arguments = std::move(arguments),
                                      .files = {{pipe.writing.number(), kAnswerFile}},
                                      .standardStreams = false,
                                      .ownGroup = true});
  } catch (const std::system_error& problem) {
    throw InputError(trf("no process could be started: {}", problem.what()));
  }
  pipe.writing.close();
  std::string answer;
  switch (listen(pipe.reading.number(), Clock::now() + limits.seconds + kSpareTime, stop, answer)) {
    case Listening::Stopped:
      return Interrupted{};
    case Listening::TooLong:
      return tookTooLong(limits);
    case Listening::TooMuch:
      return refused(Verdict::NotJudged, tr("what was found in it is too long to be listed"));
    case Listening::Ended:
      break;
  }
  constexpr std::chrono::seconds kLongestEnd{5};
  const std::optional<process::ChildEnd> end = child->waitForEnd(kLongestEnd);
  if (std::optional<Record> record = recordOf(answer)) { return std::move(*record); }
  return withoutAnswer(end.value_or(process::ChildEnd{}), limits);
}

}  // namespace haloscope::grading
