#include "gpu/KernelProcess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

namespace haloscope::gpu {

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void throwSystemError(const char* call) { throw std::system_error(errno, std::generic_category(), call); }

SharedMemory sharedCopy(std::span<const std::byte> bytes) {
  SharedMemory memory(bytes.size());
  if (!bytes.empty()) { std::memcpy(memory.bytes().data(), bytes.data(), bytes.size()); }
  return memory;
}

/// Above the descriptor numbers that the new process uses.
int movedUp(int file) {
  constexpr int kBeyond = 16;
  const int moved = fcntl(file, F_DUPFD_CLOEXEC, kBeyond);
  if (moved < 0) { throwSystemError("fcntl"); }
  close(file);
  return moved;
}

/// "was ended by signal 9 (Killed)"
std::string endOf(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

}  // namespace

SharedMemory::SharedMemory(std::size_t bytes)
    : SharedMemory(movedUp(memfd_create("haloscope", MFD_CLOEXEC)), bytes, true) {}

SharedMemory SharedMemory::of(int file) {
  struct stat facts{};
  if (fstat(file, &facts) != 0) { throwSystemError("fstat"); }
  return {file, static_cast<std::size_t>(facts.st_size), false};
}

SharedMemory::SharedMemory(int file, std::size_t bytes, bool owned) : file_(file), owned_(owned), size_(bytes) {
  const bool sized = !owned || ftruncate(file, static_cast<off_t>(bytes)) == 0;
  void* const data = !sized       ? MAP_FAILED
                     : bytes == 0 ? nullptr
                                  : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) {
    const int error = errno;
    if (owned) { close(file); }
    throw std::system_error(error, std::generic_category(), "memory shared with the GPU process");
  }
  data_ = static_cast<std::byte*>(data);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      owned_(other.owned_),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) { munmap(data_, size_); }
  if (owned_ && file_ >= 0) { close(file_); }
}

std::filesystem::path KernelProcess::thisProgram() { return std::filesystem::read_symlink("/proc/self/exe"); }

KernelProcess::KernelProcess(const KernelJob& job, std::span<const std::byte> field,
                             const std::filesystem::path& program, const ProcessLimits& limits)
    : limits_(limits),
      job_(encode(job)),
      sharedJob_(sharedCopy(job_)),
      arrays_(arrayBytes(job.launch)),
      field_(sharedCopy(field)) {
  storeArrays(job.launch, arrays_.bytes());
  start(program.empty() ? thisProgram() : program);
  deadline_ = Clock::now() + limits_.start;
  while (!ready_ && problem_.empty()) { receive(std::chrono::milliseconds(100)); }
  if (!problem_.empty()) { throw std::runtime_error(problem_); }
}

KernelProcess::~KernelProcess() { stop(); }

void KernelProcess::start(const std::filesystem::path& program) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) { throwSystemError("socketpair"); }
  socket_ = movedUp(ends[0]);
  const int theirs = movedUp(ends[1]);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, theirs, kSocketFile);
  posix_spawn_file_actions_adddup2(&files, sharedJob_.file(), kJobFile);
  posix_spawn_file_actions_adddup2(&files, arrays_.file(), kArraysFile);
  posix_spawn_file_actions_adddup2(&files, field_.file(), kFieldFile);
  std::string name = program.string();
  std::string command = "kernel-process";
  std::array<char*, 3> arguments{name.data(), command.data(), nullptr};
  const int error = posix_spawn(&child_, name.c_str(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  close(theirs);
  if (error != 0) {
    child_ = -1;
    close(std::exchange(socket_, -1));
    throw std::runtime_error(fmt::format("{} cannot be started for the GPU: {}", name, std::strerror(error)));
  }
}

void KernelProcess::stop() {
  if (socket_ >= 0) { close(std::exchange(socket_, -1)); }
  if (child_ <= 0) { return; }
  kill(child_, SIGKILL);  // frees its GPU memory; the driver stops a running kernel
  // The driver takes tenths of a second for that, and a frame may be waiting, so the thread that reaps the process is
  // detached. It holds only the process id, which stays valid until then; if this program ends first, init reaps it.
  const pid_t child = std::exchange(child_, -1);
  try {
    std::thread([child] { waitpid(child, nullptr, 0); }).detach();
  } catch (const std::system_error&) { waitpid(child, nullptr, 0); }
}

void KernelProcess::fail(std::string problem) {
  problem_ = std::move(problem);
  underway_ = false;
  stop();
}

void KernelProcess::send(const KernelRequest& request) const {
  const std::vector<std::byte> packet = encode(request);
  // If the process has ended, the next receive() finds out.
  (void)::send(socket_, packet.data(), packet.size(), MSG_NOSIGNAL);
}

void KernelProcess::accept(const KernelReply& reply) {
  if (const auto* failed = std::get_if<KernelFailed>(&reply)) {
    fail(failed->message);
  } else if (const auto* ready = std::get_if<KernelReady>(&reply)) {
    ready_ = true;
    gpuName_ = ready->gpuName;
  } else {
    times_ = std::get<SweepsDone>(reply).milliseconds;
    underway_ = false;
  }
}

bool KernelProcess::receive(std::chrono::milliseconds wait) {
  if (!alive()) { return false; }
  pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
  (void)poll(&waiting, 1, static_cast<int>(wait.count()));
  std::array<std::byte, kMaxPacketBytes> packet{};
  const ssize_t got = recv(socket_, packet.data(), packet.size(), MSG_DONTWAIT);
  if (got > 0) {
    try {
      accept(decodeReply(std::span(packet).first(static_cast<std::size_t>(got))));
    } catch (const InputError& malformed) { fail(malformed.what()); }
    return true;
  }
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
    if (Clock::now() < deadline_) { return false; }
    fail(ready_ ? fmt::format("the kernel did not end within {} s on {}: its process was stopped",
                              static_cast<double>(limits_.run.count()) / 1000, gpuName_)
                : fmt::format("the GPU process did not start within {} s", limits_.start.count() / 1000));
    return true;
  }
  // The process has closed its socket; the driver may still be cleaning up after it.
  int status = 0;
  const pid_t ended = waitpid(child_, &status, WNOHANG);
  if (ended == 0 && Clock::now() < deadline_) {
    std::this_thread::sleep_for(std::min(wait, std::chrono::milliseconds(2)));
    return false;
  }
  if (ended != 0) { child_ = -1; }
  fail(ended == 0    ? "the GPU process does not end"
       : ended == -1 ? "the GPU process has disappeared"
                     : "the GPU process " + endOf(status));
  return true;
}

void KernelProcess::replaceField(std::span<const std::byte> field) {
  if (field.size() != field_.bytes().size()) { throw InputError("the field in the GPU process has a different size"); }
  std::memcpy(field_.bytes().data(), field.data(), field.size());
  send(ReplaceField{});
}

void KernelProcess::begin(int sweeps) {
  send(RunSweeps{sweeps});
  underway_ = true;
  deadline_ = Clock::now() + limits_.run;
}

bool KernelProcess::finished() { return underway_ && receive(std::chrono::milliseconds(0)); }

bool KernelProcess::finish() {
  while (underway_ && alive()) {
    if (receive(std::chrono::milliseconds(100))) { return true; }
  }
  return false;
}

Launch KernelProcess::result() const { return decodeJob(job_, arrays_.bytes()).launch; }

Launch runInChildProcess(const KernelJob& job, const std::filesystem::path& program, const ProcessLimits& limits) {
  KernelProcess process(job, {}, program, limits);
  process.begin(1);
  process.finish();
  if (!process.problem().empty()) { throw std::runtime_error(process.problem()); }
  return process.result();
}

}  // namespace haloscope::gpu
