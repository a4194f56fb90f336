#include "driver/Device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "driver/Compiler.h"
#include "driver/Driver.h"
#include "language/Text.h"

namespace haloscope::gpu {

namespace {

/// The oldest supported driver: CUDA 12, which can load code from NVRTC 12.
constexpr int kOldestDriver = 12000;

std::string versionText(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

/// Formats a UUID like nvidia-smi.
std::string readUuid(const Driver& driver, int handle) {
  std::array<unsigned char, 16> bytes{};
  if (driver.deviceGetUuid == nullptr || driver.deviceGetUuid(bytes.data(), handle) != Driver::kSuccess) { return {}; }
  std::string text = "GPU";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool begins = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    text += fmt::format("{}{:02x}", begins ? "-" : "", bytes.at(i));
  }
  return text;
}

DeviceProperties readProperties(const Driver& driver, int handle) {
  DeviceProperties properties;
  std::array<char, 256> name{};
  driver.check(driver.deviceGetName(name.data(), static_cast<int>(name.size()) - 1, handle), "cuDeviceGetName");
  properties.name = name.data();
  std::size_t memory = 0;
  driver.check(driver.deviceTotalMem(&memory, handle), "cuDeviceTotalMem");
  properties.memoryBytes = memory;
  const auto attribute = [&](Driver::DeviceAttribute which) {
    int value = 0;
    // A driver that does not know an attribute leaves it at 0, which means "unknown".
    (void)driver.deviceGetAttribute(&value, which, handle);
    return value;
  };
  properties.major = attribute(Driver::kMajor);
  properties.minor = attribute(Driver::kMinor);
  properties.multiprocessors = attribute(Driver::kMultiprocessors);
  properties.threadsPerMultiprocessor = attribute(Driver::kThreadsPerMultiprocessor);
  properties.registersPerMultiprocessor = attribute(Driver::kRegistersPerMultiprocessor);
  properties.sharedBytesPerMultiprocessor = attribute(Driver::kSharedBytesPerMultiprocessor);
  properties.sharedBytesPerBlock = attribute(Driver::kSharedBytesPerBlock);
  properties.l2Bytes = attribute(Driver::kL2Bytes);
  properties.clockMHz = attribute(Driver::kClockKHz) / 1000;
  properties.memoryClockMHz = attribute(Driver::kMemoryClockKHz) / 1000;
  properties.memoryBusBits = attribute(Driver::kMemoryBusBits);
  driver.check(driver.driverGetVersion(&properties.driverVersion), "cuDriverGetVersion");
  properties.uuid = readUuid(driver, handle);
  std::array<char, 32> bus{};
  if (driver.deviceGetPciBusId != nullptr &&
      driver.deviceGetPciBusId(bus.data(), static_cast<int>(bus.size()) - 1, handle) == Driver::kSuccess) {
    properties.pciBus = bus.data();
  }
  return properties;
}

}  // namespace

bool Error::endsProcess() const {
  // CUDA_ERROR_DEVICE_UNAVAILABLE, ECC_UNCORRECTABLE, NVLINK_UNCORRECTABLE, UNKNOWN; 7xx: caused by a kernel.
  constexpr std::array<int, 14> kAll{46,  214, 220, 999, 700, 702, Driver::kContextIsDestroyed,
                                     710, 714, 715, 716, 717, 718, 719};
  return std::ranges::find(kAll, code_) != kAll.end();
}

std::string DeviceProperties::computeCapability() const { return fmt::format("{}.{}", major, minor); }
std::string DeviceProperties::driverVersionText() const { return versionText(driverVersion); }

std::shared_ptr<Device> Device::open(const DeviceOptions& options) {
  if (const char* hidden = std::getenv("HALOSCOPE_NO_GPU"); hidden != nullptr && *hidden != '\0') {
    throw Unavailable(tr("every GPU is hidden by the environment variable HALOSCOPE_NO_GPU"));
  }
  auto driver = std::make_unique<Driver>(options.driver);
  if (const Driver::Result result = driver->init(0); result != Driver::kSuccess) {
    constexpr Driver::Result kNoDevice = 100;
    throw Unavailable(result == kNoDevice ? std::string(tr("no NVIDIA GPU (the driver finds none)"))
                                          : tr("the NVIDIA driver cannot be initialised: ") + driver->describe(result));
  }
  int version = 0;
  driver->check(driver->driverGetVersion(&version), "cuDriverGetVersion");
  if (version < kOldestDriver) {
    throw Unavailable(trf("the NVIDIA driver is for CUDA {}, older than {}: install driver 525 or newer",
                          versionText(version), versionText(kOldestDriver)));
  }
  int count = 0;
  driver->check(driver->deviceGetCount(&count), "cuDeviceGetCount");
  if (count == 0) { throw Unavailable(tr("no NVIDIA GPU (CUDA_VISIBLE_DEVICES may hide it)")); }
  if (options.ordinal < 0 || options.ordinal >= count) {
    throw Unavailable(trf("no GPU number {}: the driver shows {}", options.ordinal, count));
  }
  int handle = 0;
  driver->check(driver->deviceGet(&handle, options.ordinal), "cuDeviceGet");
  DeviceProperties properties = readProperties(*driver, handle);
  CUctx_st* context = nullptr;
  driver->check(driver->devicePrimaryCtxRetain(&context, handle), "cuDevicePrimaryCtxRetain");
  // make_shared cannot reach the private constructor.
  return std::shared_ptr<Device>(new Device(std::move(driver), handle, context, std::move(properties)));
}

Device::Device(std::unique_ptr<Driver> driver, int handle, CUctx_st* context, DeviceProperties properties)
    : driver_(std::move(driver)), handle_(handle), context_(context), properties_(std::move(properties)) {}

Device::~Device() {
  if (!abandoned_) { (void)driver_->devicePrimaryCtxRelease(handle_); }
}

void Device::makeCurrent() const {
  if (abandoned_) { throw Error(tr("the GPU was abandoned in this process"), Driver::kContextIsDestroyed); }
  driver_->check(driver_->ctxSetCurrent(context_), "cuCtxSetCurrent");
}

bool Device::tryMakeCurrent() const noexcept {
  return !abandoned_ && driver_->ctxSetCurrent(context_) == Driver::kSuccess;
}

std::uint64_t Device::freeBytes() const {
  makeCurrent();
  std::size_t free = 0;
  std::size_t total = 0;
  driver_->check(driver_->memGetInfo(&free, &total), "cuMemGetInfo");
  return free;
}

const Compiler& Device::compiler() const {
  const std::scoped_lock lock(compilerMutex_);
  if (!compiler_) { compiler_ = std::make_unique<Compiler>(properties_.driverVersion, Compiler::sharedCache()); }
  return *compiler_;
}

DeviceSearch findDevice(const DeviceOptions& options) {
  DeviceSearch search;
  try {
    search.device = Device::open(options);
  } catch (const std::runtime_error& problem) {  // Unavailable, or an Error from a partly working driver
    search.missing = problem.what();
  }
  return search;
}

Stream::Stream(std::shared_ptr<const Device> device) : device_(std::move(device)) {
  device_->makeCurrent();
  const Driver& driver = device_->driver();
  driver.check(driver.streamCreate(&handle_, Driver::kStreamNonBlocking), "cuStreamCreate");
}

Stream::~Stream() {
  if (!device_->tryMakeCurrent()) { return; }
  const Driver& driver = device_->driver();
  (void)driver.streamSynchronize(handle_);  // queued work may use memory that is freed next
  (void)driver.streamDestroy(handle_);
}

bool Stream::idle() const {
  const Driver& driver = device_->driver();
  const Driver::Result result = driver.streamQuery(handle_);
  if (result == Driver::kNotReady) { return false; }
  driver.check(result, tr("the GPU, running a kernel"));
  return true;
}

void Stream::synchronize() const {
  const Driver& driver = device_->driver();
  driver.check(driver.streamSynchronize(handle_), tr("the GPU, running a kernel"));
}

}  // namespace haloscope::gpu
