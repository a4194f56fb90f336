#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <thread>
#include <variant>
#include <vector>

#include "driver/KernelMessages.h"
#include "driver/KernelProcess.h"
#include "driver/LaunchArrays.h"
#include "driver/SweepRunner.h"

namespace haloscope::gpu {

namespace {

void reply(const KernelReply& message) {
  const std::vector<std::byte> packet = encode(message);
  (void)send(kSocketFile, packet.data(), packet.size(), MSG_NOSIGNAL);
}

/// The next request; none once the parent process has closed its socket. Throws InputError.
std::optional<KernelRequest> receiveRequest() {
  std::array<std::byte, kMaxPacketBytes> packet{};
  const ssize_t got = recv(kSocketFile, packet.data(), packet.size(), 0);
  if (got <= 0) { return std::nullopt; }
  return decodeRequest(std::span(packet).first(static_cast<std::size_t>(got)));
}

/// Ends this process when its parent ends, even while a kernel runs that never ends.
void endWithParent() {
  std::thread([] {
    pollfd gone{.fd = kSocketFile, .events = POLLRDHUP, .revents = 0};
    while (poll(&gone, 1, -1) < 0) {}
    _exit(0);
  }).detach();
}

void serveSweeps(const std::shared_ptr<Device>& device, const KernelJob& job) {
  const process::SharedMemory shared = process::SharedMemory::of(kFieldFile);
  auto kernel = std::make_shared<Kernel>(Clearance::forChildProcess(), device, job.text, job.program);
  DeviceMemory first(device, shared.bytes().size());
  DeviceMemory second(device, shared.bytes().size());
  SweepRunner runner(std::move(kernel), job.program, job.launch, job.input, job.output);
  DeviceMemory* newest = &first;
  DeviceMemory* other = &second;
  const auto upload = [&] {
    first.upload(shared.bytes());
    second.upload(shared.bytes());
  };
  upload();
  reply(KernelReady{device->properties().name});
  while (const std::optional<KernelRequest> request = receiveRequest()) {
    const auto* run = std::get_if<RunSweeps>(&*request);
    if (run == nullptr) {
      upload();
      continue;
    }
    for (int i = 0; i < run->count; ++i) {
      runner.sweep(newest->address(), other->address());
      std::swap(newest, other);
    }
    runner.stream().synchronize();
    runner.poll();
    newest->download(shared.bytes());
    const auto& ring = runner.ring();
    const std::size_t times =
        std::min({ring.size(), kMaxSweepTimes, static_cast<std::size_t>(std::max(run->count, 0))});
    reply(SweepsDone{{ring.end() - static_cast<std::ptrdiff_t>(times), ring.end()}});
  }
}

void serveOneLaunch(const std::shared_ptr<Device>& device, KernelJob& job) {
  Kernel kernel(Clearance::forChildProcess(), device, job.text, job.program);
  const LaunchArrays arrays(kernel, job.program, job.launch);
  const Stream stream(device);
  reply(KernelReady{device->properties().name});
  if (!receiveRequest()) { return; }
  kernel.launch(job.launch.configuration, arrays.arguments(), stream);
  stream.synchronize();
  arrays.download(kernel, job.program, job.launch);
  storeArrays(job.launch, process::SharedMemory::of(kArraysFile).bytes());
  reply(SweepsDone{});
}

}  // namespace

int serveKernelProcess() {
  endWithParent();
  try {
    KernelJob job =
        decodeJob(process::SharedMemory::of(kJobFile).bytes(), process::SharedMemory::of(kArraysFile).bytes());
    const std::shared_ptr<Device> device = Device::open(job.device);
    try {
      if (job.sweeps()) {
        serveSweeps(device, job);
      } else {
        serveOneLaunch(device, job);
      }
    } catch (...) {
      device->abandon();
      throw;
    }
  } catch (const std::exception& problem) {
    reply(KernelFailed{problem.what()});
    _exit(1);  // without waiting for the driver to clean up after a fault
  }
  return 0;
}

}  // namespace haloscope::gpu
