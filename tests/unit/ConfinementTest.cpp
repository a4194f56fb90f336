#include <poll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <condition_variable>
#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "ConfinementSupport.h"

namespace haloscope::process {
namespace {

using namespace std::chrono_literals;

// -- what must go on working

class ConfinementTest : public ConfinedTest {
 protected:
  /// That `body`, confined, returns true.
  void expectWorks(const std::function<bool()>& body, const ConfinementLimits& limits = testLimits()) {
    const ChildEnd end = confined(around_, [&] { return body() ? 0 : 1; }, limits);
    EXPECT_EQ(end.status, 0) << describe(end);
  }
};

TEST_F(ConfinementTest, MemoryIsAllocatedAndFreed) {
  expectWorks([] {
    for (int round = 0; round < 20; ++round) {
      std::vector<std::unique_ptr<std::vector<int>>> parts;
      for (std::size_t size = 1; size < 4'000'000; size *= 3) {
        parts.push_back(std::make_unique<std::vector<int>>(size, 1));
      }
      for (const auto& part : parts) { part->resize(part->size() * 2, 1); }
      if (std::accumulate(parts.back()->begin(), parts.back()->end(), std::size_t{0}) != parts.back()->size()) {
        return false;
      }
    }
    return true;
  });
}

TEST_F(ConfinementTest, ExceptionsAreThrownAndCaught) {
  expectWorks([] {
    try {
      (void)std::stoi("no number");
    } catch (const std::invalid_argument&) { return true; }
    return false;
  });
}

TEST_F(ConfinementTest, TimePassesAndIsTold) {
  expectWorks([] {
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(20ms);
    return std::chrono::steady_clock::now() - begin >= 20ms && time(nullptr) > 0 && std::clock() != -1;
  });
}

TEST_F(ConfinementTest, RandomNumbersAreThere) {
  expectWorks([] {
    std::array<unsigned char, 16> bytes{};
    return getrandom(bytes.data(), bytes.size(), 0) == 16;
  });
}

TEST_F(ConfinementTest, TheSocketIsUsed) {
  ASSERT_EQ(write(around_.mine(), "question", 8), 8);
  expectWorks([&] {
    pollfd waiting{.fd = around_.theirs(), .events = POLLIN, .revents = 0};
    std::array<char, 16> text{};
    return poll(&waiting, 1, 1000) == 1 && recv(around_.theirs(), text.data(), text.size(), 0) == 8 &&
           std::strcmp(text.data(), "question") == 0 && send(around_.theirs(), "ans", 3, MSG_NOSIGNAL) == 3 &&
           write(around_.theirs(), "wer", 3) == 3;
  });
  std::array<char, 16> answer{};
  EXPECT_EQ(recv(around_.mine(), answer.data(), answer.size(), MSG_DONTWAIT), 6);
  EXPECT_STREQ(answer.data(), "answer");
}

TEST_F(ConfinementTest, StreamsAreUsed) {
  expectWorks([&] {
    std::FILE* const stream = fdopen(around_.theirs(), "w");
    return stream != nullptr && std::fprintf(stream, "%d %s\n", 42, "values") > 0 && std::fclose(stream) == 0;
  });
  std::array<char, 16> text{};
  EXPECT_EQ(recv(around_.mine(), text.data(), text.size(), MSG_DONTWAIT), 10);
  EXPECT_STREQ(text.data(), "42 values\n");
}

TEST_F(ConfinementTest, SignalsAreHandled) {
  static sigjmp_buf back;
  expectWorks([] {
    struct sigaction action{};
    action.sa_handler = [](int) { siglongjmp(back, 1); };
    sigaction(SIGSEGV, &action, nullptr);
    if (sigsetjmp(back, 1) == 0) {
      raise(SIGSEGV);
      return false;
    }
    return true;
  });
}

TEST_F(ConfinementTest, AbortAborts) {
  const ChildEnd end = confined(around_, []() -> int { std::abort(); });
  EXPECT_EQ(end.signal, SIGABRT) << describe(end);
}

TEST_F(ConfinementTest, ExitExits) {
  const ChildEnd end = confined(around_, []() -> int { _exit(7); });
  EXPECT_EQ(end.status, 7) << describe(end);
}

TEST_F(ConfinementTest, OwnLimitsCanBeAsked) {
  expectWorks([] {
    rlimit stack{};
    return getrlimit(RLIMIT_STACK, &stack) == 0 && std::thread::hardware_concurrency() > 0;
  });
}

TEST_F(ConfinementTest, ThreadsWorkTogether) {
  ConfinementLimits limits = testLimits();
  limits.threads = 4;
  const ChildEnd end = inChild([&] {
    Confinement confinement(limits, keptFiles(around_));
    if (!confinement.threadsPermitted()) { return 3; }
    confinement.forbidNewCode();
    std::mutex mutex;
    std::condition_variable changed;
    int arrived = 0;
    std::vector<std::future<int>> results;
    for (int i = 0; i < 4; ++i) {
      results.push_back(std::async(std::launch::async, [&, i] {
        std::unique_lock lock(mutex);
        if (++arrived == 4) { changed.notify_all(); }
        changed.wait(lock, [&] { return arrived == 4; });
        return i;
      }));
    }
    int sum = 0;
    for (auto& result : results) { sum += result.get(); }
    return sum == 6 ? 0 : 1;
  });
  if (end.status == 3) { GTEST_SKIP() << "this user's threads cannot be limited here, so none are permitted"; }
  EXPECT_EQ(end.status, 0) << describe(end);
}

// -- stages

/// A function that returns 42, in memory that is still to be made executable; null where its code is unknown.
std::byte* newFunction() {
#if defined(__x86_64__)
  constexpr std::array<unsigned char, 6> kCode{0xb8, 42, 0, 0, 0, 0xc3};
#elif defined(__aarch64__)
  constexpr std::array<unsigned char, 8> kCode{0x40, 0x05, 0x80, 0x52, 0xc0, 0x03, 0x5f, 0xd6};
#endif
  void* const memory = mmap(nullptr, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memcpy(memory, kCode.data(), kCode.size());
  __builtin___clear_cache(static_cast<char*>(memory), static_cast<char*>(memory) + kCode.size());
  return static_cast<std::byte*>(memory);
}

int callFunction(std::byte* code) {
  int (*function)() = nullptr;
  std::memcpy(&function, &code, sizeof function);
  return function();
}

TEST_F(ConfinementTest, CodeIsLinkedUntilItIsForbidden) {
  const ChildEnd end = inChild([&] {
    Confinement confinement(testLimits(), keptFiles(around_));
    if (confinement.stage() != Confinement::Stage::Load) { return 1; }
    std::byte* const early = newFunction();
    if (mprotect(early, 65536, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) { return 2; }
    if (mprotect(early, 65536, PROT_READ | PROT_EXEC) != 0) { return 3; }
    confinement.forbidNewCode(5s);
    if (confinement.stage() != Confinement::Stage::Run) { return 4; }
    confinement.forbidNewCode();  // nothing is left to do
    if (callFunction(early) != 42) { return 5; }
    return mprotect(newFunction(), 65536, PROT_READ | PROT_EXEC) == 0 ? 6 : 0;
  });
  EXPECT_EQ(end.status, 0) << describe(end);
}

TEST_F(ConfinementTest, StagesBindThreadsThatRunAlready) {
  ConfinementLimits limits = testLimits();
  limits.threads = 1;
  const ChildEnd end = inChild([&] {
    Confinement confinement(limits, keptFiles(around_));
    if (!confinement.threadsPermitted()) { return 3; }
    std::promise<void> forbidden;
    std::future<int> tried = std::async(std::launch::async, [&] {
      forbidden.get_future().wait();
      return mprotect(newFunction(), 65536, PROT_READ | PROT_EXEC);
    });
    confinement.forbidNewCode();
    forbidden.set_value();
    return tried.get() == 0 ? 1 : 0;
  });
  if (end.status == 3) { GTEST_SKIP() << "this user's threads cannot be limited here, so none are permitted"; }
  EXPECT_EQ(end.status, 0) << describe(end);
}

int opened(const std::string& path, int flags = O_RDONLY) {
  const int file = open(path.c_str(), flags | O_CLOEXEC, 0600);
  return file < 0 ? -errno : file;
}

TEST_F(ConfinementTest, FoldersAreReadUntilThatIsForbidden) {
  const std::string inside = around_.path("file");
  const ChildEnd end = inChild([&] {
    Confinement confinement(testLimits(), keptFiles(around_), {"/nowhere", around_.folder});
    if (confinement.stage() != Confinement::Stage::Compile) { return 1; }
    const int file = opened(inside);
    std::array<char, 16> text{};
    if (file < 0 || read(file, text.data(), text.size()) != 7 || std::strcmp(text.data(), "content") != 0) { return 2; }
    const void* const mapped = mmap(nullptr, 7, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped == MAP_FAILED || std::memcmp(mapped, "content", 7) != 0) { return 3; }
    if (!std::filesystem::exists(inside) || std::filesystem::file_size(inside) != 7) { return 4; }
    const std::filesystem::directory_iterator list(around_.folder);
    if (list->path().filename() != "file") { return 5; }
    // Nothing is written, neither inside nor outside.
    if (opened(inside, O_RDWR) != -EPERM || opened(inside, O_WRONLY) != -EPERM || opened(inside, O_TRUNC) != -EPERM ||
        opened(around_.path("new"), O_WRONLY | O_CREAT) != -EPERM || opened("/tmp", O_RDWR | O_TMPFILE) != -EPERM ||
        unlink(inside.c_str()) == 0 || mmap(nullptr, 7, PROT_READ, MAP_SHARED, file, 0) != MAP_FAILED ||
        mmap(nullptr, 7, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) != MAP_FAILED) {
      return 6;
    }
    if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || fork() >= 0) { return 7; }
    if (confinement.foldersEnforced() &&
        (opened("/etc/passwd") != -EACCES || opened("/proc/self/mem") != -EACCES || opened(inside + "/../..") >= 0)) {
      return 8;
    }
    confinement.forbidFiles();
    if (confinement.stage() != Confinement::Stage::Load) { return 9; }
    if (opened(inside) != -EPERM || read(file, text.data(), text.size()) >= 0 ||
        std::memcmp(mapped, "content", 7) != 0) {
      return 10;
    }
    if (mprotect(newFunction(), 65536, PROT_READ | PROT_EXEC) != 0) { return 11; }
    confinement.forbidNewCode();
    return confinement.foldersEnforced() ? 0 : 100;
  });
  if (end.status == 100) { GTEST_SKIP() << "this kernel has no Landlock: only the folders' limits are not enforced"; }
  EXPECT_EQ(end.status, 0) << describe(end);
}

TEST_F(ConfinementTest, RunMayFollowCompileAtOnce) {
  const ChildEnd end = inChild([&] {
    Confinement confinement(testLimits(), keptFiles(around_), {around_.folder});
    const int file = opened(around_.path("file"));
    confinement.forbidNewCode();
    return file >= 0 && opened(around_.path("file")) == -EPERM &&
                   mprotect(newFunction(), 65536, PROT_READ | PROT_EXEC) != 0
               ? 0
               : 1;
  });
  EXPECT_EQ(end.status, 0) << describe(end);
}

/// As for headers below root's own folder, which the user that the process becomes could not read.
TEST_F(ConfinementTest, FoldersMayBeTheUsersAlone) {
  std::filesystem::permissions(around_.folder, std::filesystem::perms::owner_all);
  const ChildEnd end = inChild([&] {
    const Confinement confinement(testLimits(), keptFiles(around_), {around_.folder});
    return opened(around_.path("file")) >= 0 ? 0 : 1;
  });
  EXPECT_EQ(end.status, 0) << describe(end);
}

TEST_F(ConfinementTest, AProcessWithThreadsIsNotConfined) {
  const ChildEnd end = inChild([&] {
    std::promise<void> done;
    const std::future<void> other = std::async(std::launch::async, [&] { done.get_future().wait(); });
    try {
      const Confinement confinement(testLimits(), keptFiles(around_));
    } catch (const ConfinementError&) {
      done.set_value();
      return 0;
    }
    done.set_value();
    return 1;
  });
  EXPECT_EQ(end.status, 0) << describe(end);
}

// -- limits

TEST_F(ConfinementTest, MemoryIsLimited) {
  ConfinementLimits limits = testLimits();
  limits.memoryBytes = std::size_t{256} << 20;
  const ChildEnd end = confined(
      around_,
      [] {
        constexpr std::size_t kPart = std::size_t{8} << 20;
        for (int parts = 0; parts < 100; ++parts) {
          if (mmap(nullptr, kPart, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) { return parts; }
        }
        return 100;
      },
      limits);
  EXPECT_GE(end.status.value_or(0), 28) << describe(end);
  EXPECT_LE(end.status.value_or(0), 32) << describe(end);
}

TEST_F(ConfinementTest, AnEndlessLoopIsEnded) {
  ConfinementLimits limits = testLimits();
  limits.processorTime = 0s;
  const auto loop = []() -> int {
    for (volatile bool going = true; going;) {}
    return 0;
  };
  const ChildEnd end = confined(around_, loop, limits);
  EXPECT_EQ(end.signal, SIGXCPU) << describe(end);
}

TEST_F(ConfinementTest, AnEndlessLoopThatIgnoresTheLimitIsEnded) {
  const ChildEnd end = inChild([&]() -> int {
    Confinement confinement(testLimits(), keptFiles(around_));
    confinement.forbidNewCode(0s);
    if (std::signal(SIGXCPU, SIG_IGN) == SIG_ERR) { return 1; }
    for (volatile bool going = true; going;) {}
    return 0;
  });
  EXPECT_EQ(end.signal, SIGKILL) << describe(end);
}

TEST_F(ConfinementTest, ThreadsAreLimited) {
  ConfinementLimits limits = testLimits();
  limits.threads = 3;
  const ChildEnd end = inChild([&] {
    Confinement confinement(limits, keptFiles(around_));
    confinement.forbidNewCode();
    int started = 0;
    try {
      while (started < 150) {
        std::thread([] { std::this_thread::sleep_for(1min); }).detach();
        ++started;
      }
    } catch (const std::system_error&) {}
    return started;
  });
  std::string users;
  std::getline(std::ifstream("/proc/self/uid_map"), users);
  const bool isRoot = geteuid() == 0 && users.find("4294967295") != std::string::npos;
  // Otherwise this user's other processes, which the kernel counts as well, may need some.
  EXPECT_LE(end.status.value_or(1000), isRoot ? 3 : 3 + 64) << describe(end);
}

TEST_F(ConfinementTest, WithoutPermissionNoThreadStarts) {
  expectWorks([] {
    try {
      std::thread([] {}).join();
    } catch (const std::system_error&) { return true; }
    return false;
  });
}

TEST_F(ConfinementTest, WritingAFileIsLimitedToNothing) {
  const ChildEnd end = confined(around_, [&] { return static_cast<int>(write(around_.openFile, "x", 1)); });
  EXPECT_EQ(end.signal, SIGXFSZ) << describe(end);
}

// -- what others see of it

/// A confined process that waits to be ended.
class ConfinedForAWhile {
 public:
  explicit ConfinedForAWhile(const Surroundings& around, const std::vector<std::filesystem::path>& folders = {})
      : id_(fork()) {
    if (id_ == 0) {
      Confinement confinement(testLimits(), keptFiles(around), folders);
      confinement.forbidNewCode();
      (void)!write(around.theirs(), "x", 1);
      std::this_thread::sleep_for(1min);
      _exit(0);
    }
    char ready = 0;
    EXPECT_EQ(read(around.mine(), &ready, 1), 1);
  }
  ConfinedForAWhile(const ConfinedForAWhile&) = delete;
  ConfinedForAWhile& operator=(const ConfinedForAWhile&) = delete;
  ~ConfinedForAWhile() {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }
  [[nodiscard]] pid_t id() const { return id_; }

 private:
  pid_t id_;
};

TEST_F(ConfinementTest, OtherFilesAreClosed) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const ConfinedForAWhile child(around_);
  close(ends[1]);
  pollfd ended{.fd = ends[0], .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&ended, 1, 1000), 1);  // no process has the other end open
  close(ends[0]);
}

std::map<std::string, std::string> statusOf(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  std::map<std::string, std::string> values;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    std::istringstream(line.substr(colon + 1)) >> values[line.substr(0, colon)];
  }
  return values;
}

TEST_F(ConfinementTest, ItHasNoRightsLeft) {
  for (const bool readsFirst : {false, true}) {
    const ConfinedForAWhile child(around_,
                                  readsFirst ? std::vector{around_.folder} : std::vector<std::filesystem::path>{});
    std::map<std::string, std::string> status = statusOf(child.id());
    for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapAmb"}) {
      EXPECT_EQ(status[set], "0000000000000000") << set;
    }
    EXPECT_EQ(status["NoNewPrivs"], "1");
    EXPECT_EQ(status["Seccomp"], "2");
    struct stat facts{};
    EXPECT_EQ(stat(("/proc/" + std::to_string(child.id()) + "/environ").c_str(), &facts), 0);
    EXPECT_EQ(facts.st_uid, 0U) << "it can be inspected";
  }
}

TEST_F(ConfinementTest, ItEndsWithItsParent) {
  const ChildEnd middle = inChild([&] {
    new ConfinedForAWhile(around_);  // not ended by this process
    return 0;
  });
  EXPECT_EQ(middle.status, 0);
  close(std::exchange(around_.ends[1], -1));
  pollfd ended{.fd = around_.mine(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&ended, 1, 10'000), 1);  // its end of the socket is closed
}

}  // namespace
}  // namespace haloscope::process
