#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "gpu/KernelMessages.h"
#include "gpu/KernelProcess.h"
#include "gpu/LaunchArrays.h"
#include "gpu/SweepRunner.h"

namespace haloscope::gpu {

namespace {

void tell(KernelReply reply, const std::string& text = {}) {
  std::copy_n(text.begin(), std::min(text.size(), reply.text.size() - 1), reply.text.begin());
  (void)send(kSocketFile, &reply, sizeof reply, MSG_NOSIGNAL);
}

/// False if the other side is gone.
bool hear(KernelRequest& request) {
  return recv(kSocketFile, &request, sizeof request, 0) == static_cast<ssize_t>(sizeof request);
}

/// Ends this process together with its parent, even while a kernel runs forever.
void followTheOtherSide() {
  std::thread([] {
    pollfd gone{.fd = kSocketFile, .events = POLLRDHUP, .revents = 0};
    while (poll(&gone, 1, -1) < 0) {}
    _exit(0);
  }).detach();
}

void serveSweeps(const std::shared_ptr<Device>& device, const KernelJob& job) {
  const SharedMemory shared = SharedMemory::of(kFieldFile);
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
  tell({.kind = KernelReply::Ready}, device->properties().name);
  for (KernelRequest request; hear(request);) {
    if (request.kind == KernelRequest::Replace) {
      upload();
      continue;
    }
    for (int i = 0; i < request.sweeps; ++i) {
      runner.sweep(newest->address(), other->address());
      std::swap(newest, other);
    }
    runner.stream().synchronize();
    runner.poll();
    newest->download(shared.bytes());
    KernelReply done{.kind = KernelReply::Done};
    const auto& ring = runner.ring();
    done.times = static_cast<int>(std::min({ring.size(), kTimesTold, static_cast<std::size_t>(request.sweeps)}));
    std::copy(ring.end() - done.times, ring.end(), done.milliseconds.begin());
    tell(done);
  }
}

void serveOneLaunch(const std::shared_ptr<Device>& device, KernelJob& job) {
  Kernel kernel(Clearance::forChildProcess(), device, job.text, job.program);
  const LaunchArrays arrays(kernel, job.program, job.launch);
  const Stream stream(device);
  tell({.kind = KernelReply::Ready}, device->properties().name);
  KernelRequest request;
  if (!hear(request)) { return; }
  kernel.launch(job.launch.configuration, arrays.arguments(), stream);
  stream.synchronize();
  arrays.download(kernel, job.program, job.launch);
  // The same job with different array values has the same number of bytes.
  const std::vector<std::byte> bytes = encode(job);
  const SharedMemory shared = SharedMemory::of(kJobFile);
  if (bytes.size() != shared.bytes().size()) { throw InputError("the result does not fit into the job's memory"); }
  std::memcpy(shared.bytes().data(), bytes.data(), bytes.size());
  tell({.kind = KernelReply::Done});
}

}  // namespace

int serveKernelProcess() {
  followTheOtherSide();
  try {
    KernelJob job = decode(SharedMemory::of(kJobFile).bytes());
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
    tell({.kind = KernelReply::Failed}, problem.what());
    _exit(1);  // skips the driver's cleanup, which is slow after a fault
  }
  return 0;
}

}  // namespace haloscope::gpu
