#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

// NVIDIA's names for the driver API's handles, declared here to avoid CUDA headers.
struct CUctx_st;
struct CUstream_st;

/// The GPU. Nothing of CUDA is linked: the driver and the run-time compiler are loaded on demand, so that the same
/// program starts on a machine without them and reports what is missing.
namespace haloscope::gpu {

class Compiler;
struct Driver;

/// A driver call failed. what() gives the call, the driver's message and the error number:
/// "cuMemAlloc: out of memory (2)".
class Error : public std::runtime_error {
 public:
  Error(const std::string& what, int code) : std::runtime_error(what), code_(code) {}
  /// The driver's CUresult.
  [[nodiscard]] int code() const { return code_; }
  /// True if CUDA is unusable for the rest of this process, because a kernel or the GPU itself faulted. Documented in
  /// the driver's manual; on an H200 (driver 580) neither a reset of the primary context nor a new context helps.
  [[nodiscard]] bool endsProcess() const;

 private:
  int code_;
};

/// No GPU can be used. what() is one line: what is missing and the remedy.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct DeviceProperties {
  std::string name;          ///< "NVIDIA H200"
  int major = 0, minor = 0;  ///< compute capability
  std::uint64_t memoryBytes = 0;
  int multiprocessors = 0;
  int threadsPerMultiprocessor = 0;    ///< resident at once
  int registersPerMultiprocessor = 0;  ///< of 32 bits
  int sharedBytesPerMultiprocessor = 0;
  int sharedBytesPerBlock = 0;  ///< without opt-in
  int l2Bytes = 0;
  int clockMHz = 0;        ///< highest multiprocessor clock
  int memoryClockMHz = 0;  ///< 0: unknown
  int memoryBusBits = 0;
  int driverVersion = 0;  ///< CUDA version of the driver, 13000 for 13.0
  std::string uuid;       ///< "GPU-8f6d…", as in nvidia-smi; empty: unknown
  std::string pciBus;     ///< "0000:65:00.0"; empty: unknown

  /// "9.0"
  [[nodiscard]] std::string computeCapability() const;
  /// "13.0"
  [[nodiscard]] std::string driverVersionText() const;
};

struct DeviceOptions {
  int ordinal = 0;     ///< GPU index, as in CUDA_VISIBLE_DEVICES
  std::string driver;  ///< file name of the driver's library; empty: libcuda.so.1
};

/// One GPU and its context. Every object of this library keeps its Device alive, so that the context outlives it. All
/// member functions may be called from any thread.
class Device {
 public:
  /// Throws Unavailable. The environment variable HALOSCOPE_NO_GPU, set and not empty, hides every GPU.
  static std::shared_ptr<Device> open(const DeviceOptions& options = {});

  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  [[nodiscard]] const DeviceProperties& properties() const { return properties_; }
  [[nodiscard]] const Driver& driver() const { return *driver_; }
  /// The driver's number of the device (CUdevice), for interop.
  [[nodiscard]] int handle() const { return handle_; }
  /// The driver's context (CUcontext), for the profiler.
  [[nodiscard]] CUctx_st* context() const { return context_; }
  /// Makes this device's context current on the calling thread. Every function of this library that calls the driver
  /// does so itself. Throws Error.
  void makeCurrent() const;
  /// As makeCurrent(), for destructors: false if the context has been destroyed, with everything in it, or abandoned.
  [[nodiscard]] bool tryMakeCurrent() const noexcept;
  /// After a kernel that faulted or does not end: resources are kept until the process ends, because every driver call
  /// that would free them waits. From now on makeCurrent() throws, and destructors do nothing.
  void abandon() const noexcept { abandoned_ = true; }
  /// Bytes of device memory that are free now. Throws Error.
  [[nodiscard]] std::uint64_t freeBytes() const;
  /// The run-time compiler, opened at the first call. Throws Unavailable.
  [[nodiscard]] const Compiler& compiler() const;

 private:
  Device(std::unique_ptr<Driver> driver, int handle, CUctx_st* context, DeviceProperties properties);

  std::unique_ptr<Driver> driver_;
  int handle_ = 0;
  CUctx_st* context_ = nullptr;
  DeviceProperties properties_;
  mutable std::atomic<bool> abandoned_ = false;
  mutable std::mutex compilerMutex_;
  mutable std::unique_ptr<Compiler> compiler_;
};

/// Result of a non-throwing search: either `device`, or the reason in `missing`.
struct DeviceSearch {
  std::shared_ptr<Device> device;
  std::string missing;  ///< "no NVIDIA driver (libcuda.so.1 not found)"; empty when there is a device
};
[[nodiscard]] DeviceSearch findDevice(const DeviceOptions& options = {});

/// An asynchronous queue of work.
class Stream {
 public:
  explicit Stream(std::shared_ptr<const Device> device);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  [[nodiscard]] CUstream_st* handle() const { return handle_; }
  [[nodiscard]] const std::shared_ptr<const Device>& device() const { return device_; }
  /// True if everything queued has finished. Never waits. Throws Error if it failed.
  [[nodiscard]] bool idle() const;
  /// Waits for everything queued. Not for use in a frame. Throws Error if it failed.
  void synchronize() const;

 private:
  std::shared_ptr<const Device> device_;
  CUstream_st* handle_ = nullptr;
};

}  // namespace haloscope::gpu
