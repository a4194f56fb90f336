#include "driver/KernelProcess.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "language/Language.h"
#include "language/Text.h"
#include "program/HaloscopeProgram.h"

namespace haloscope::gpu {

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void throwSystemError(const char* call) { throw std::system_error(errno, std::generic_category(), call); }

process::SharedMemory sharedCopy(std::span<const std::byte> bytes) {
  process::SharedMemory memory(bytes.size());
  if (!bytes.empty()) { std::memcpy(memory.bytes().data(), bytes.data(), bytes.size()); }
  return memory;
}

}  // namespace

KernelProcess::KernelProcess(const KernelJob& job, std::span<const std::byte> field,
                             const std::filesystem::path& program, const ProcessLimits& limits)
    : limits_(limits),
      job_(encode(job)),
      sharedJob_(sharedCopy(job_)),
      arrays_(arrayBytes(job.launch)),
      field_(sharedCopy(field)) {
  storeArrays(job.launch, arrays_.bytes());
  start(program);
  deadline_ = Clock::now() + limits_.start;
  while (!ready_ && problem_.empty()) { receive(std::chrono::milliseconds(100)); }
  if (!problem_.empty()) { throw std::runtime_error(problem_); }
}

KernelProcess::~KernelProcess() { stop(); }

void KernelProcess::start(const std::filesystem::path& program) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) { throwSystemError("socketpair"); }
  std::vector<std::string> arguments = languageArguments();
  arguments.emplace_back("kernel-process");
  const process::ChildStart start{
      .program = program.empty() ? usedHaloscope().value_or(process::thisProgram()) : program,
      .arguments = arguments,
      .files = {{ends[1], kSocketFile},
                {sharedJob_.file(), kJobFile},
                {arrays_.file(), kArraysFile},
                {field_.file(), kFieldFile}}};
  try {
    child_.emplace(start);
  } catch (const std::system_error& refused) {
    for (const int end : ends) { close(end); }
    throw std::runtime_error(
        trf("{} cannot be started for the GPU: {}", start.program.string(), refused.code().message()));
  }
  socket_ = ends[0];
  close(ends[1]);
}

void KernelProcess::stop() {
  if (socket_ >= 0) { close(std::exchange(socket_, -1)); }
  child_.reset();  // frees its GPU memory; the driver stops a running kernel
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
    fail(ready_ ? trf("the kernel did not end within {} s on {}: its process was stopped",
                      static_cast<double>(limits_.run.count()) / 1000, gpuName_)
                : trf("the GPU process did not start within {} s", limits_.start.count() / 1000));
    return true;
  }
  // The process has closed its socket; the driver may still be cleaning up after it.
  const std::optional<process::ChildEnd> end = child_->waitForEnd(std::min(wait, std::chrono::milliseconds(2)));
  if (!end && Clock::now() < deadline_) { return false; }
  fail(end ? tr("the GPU process ") + process::describe(*end) : tr("the GPU process does not end"));
  return true;
}

void KernelProcess::replaceField(std::span<const std::byte> field) {
  if (field.size() != field_.bytes().size()) {
    throw InputError(tr("the field in the GPU process has a different size"));
  }
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
