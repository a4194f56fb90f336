#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driver/Clearance.h"
#include "driver/Device.h"
#include "program/Launch.h"
#include "program/Program.h"
#include "program/SourceLocation.h"

struct CUfunc_st;
struct CUmod_st;

namespace haloscope::gpu {

/// Kernel arguments, laid out like the parameter list: the scalars of a struct passed by value are contiguous.
class Arguments {
 public:
  explicit Arguments(const Program& program);

  /// Sets one of Program::parameters: a scalar's bits in the low bytes, or a device address.
  void set(std::size_t parameter, std::uint64_t bits);
  /// Sets an array inside a struct passed by value.
  void set(const MemoryObject& array, std::span<const std::byte> bytes);

  /// One pointer per parameter in the source, for cuLaunchKernel. Valid for the lifetime of this object.
  [[nodiscard]] std::vector<void*> pointers() const;

 private:
  struct Place {
    std::size_t byte = 0;  ///< in words_
    std::size_t bytes = 0;
  };

  void copy(std::size_t byte, std::span<const std::byte> bytes);

  std::vector<std::uint64_t> words_;    ///< every argument starts at a word boundary
  std::vector<std::size_t> arguments_;  ///< first word of each parameter in the source
  std::vector<Place> parameters_;       ///< per Program::parameters
};

using DeviceAddress = std::uint64_t;

/// A kernel's source and its preprocessor settings.
struct KernelText {
  std::string file;  ///< name for messages; nothing is read from disk
  std::string text;
  std::map<std::string, std::string> defines;    ///< macro name → text
  std::string prologue{};                        ///< declarations between the macros and the source
  std::map<std::string, std::string> headers{};  ///< by the name used in #include
  std::string kernel{};                          ///< as a name expression; empty: the program's name
  bool contract = true;  ///< allow fusing a * b + c; otherwise products and sums are rounded separately
  std::map<std::string, std::string> variables{};  ///< name of a constant or variable → name expression
  int registerLimit = 0;                           ///< maximum registers per thread; 0: unlimited
  int leastCapability = 0;                         ///< of a GPU that has what the text uses: 90 for 9.0; 0: any
};

/// NVRTC rejected the source. what() is its first error as "file:line:column: message"; log() is the whole log.
class NvrtcError : public SourceError {
 public:
  NvrtcError(std::string file, SourceRange where, const std::string& message, std::string log)
      : SourceError(std::move(file), where, message), log_(std::move(log)) {}
  [[nodiscard]] const std::string& log() const { return log_; }

 private:
  std::string log_;
};

/// Resources of the compiled kernel.
struct KernelResources {
  int registersPerThread = 0;
  int sharedBytes = 0;  ///< static shared memory per block
  int localBytes = 0;   ///< per thread: spilled registers, and arrays indexed at run time
  int spillBytes = 0;   ///< spill stores per thread; also 0 if the compiler does not report it
  int constantBytes = 0;
  int maxThreadsPerBlock = 0;  ///< limited by the registers
};

/// One __global__ function, compiled by NVRTC for one GPU and loaded there.
class Kernel {
 public:
  /// `kernel` names the __global__ function, with namespaces and template arguments, and `variables` the __constant__
  /// and __device__ variables that will be set, by the names that KernelText::variables has for them. Throws
  /// Unavailable (no NVRTC), InputError (the GPU is too old for the text), NvrtcError, Error. Takes tens of
  /// milliseconds: not for use in a frame.
  Kernel(const Clearance& clearance, std::shared_ptr<const Device> device, const KernelText& text,
         const std::string& kernel, const std::vector<std::string>& variables = {}, int leastCapability = 0);
  /// As above, with the names of a lowered program; `more` are variables in addition to the program's.
  Kernel(const Clearance& clearance, std::shared_ptr<const Device> device, const KernelText& text,
         const Program& program, const std::vector<std::string>& more = {});
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel();

  [[nodiscard]] const std::shared_ptr<const Device>& device() const { return device_; }
  [[nodiscard]] const KernelResources& resources() const { return resources_; }
  /// Blocks of this size that fit on one multiprocessor at once.
  [[nodiscard]] int residentBlocks(const LaunchConfiguration& configuration) const;

  /// Sets a __constant__ or __device__ variable. Throws Error, or InputError if the name is unknown or the size
  /// differs.
  void setVariable(const std::string& name, std::span<const std::byte> bytes);
  /// Reads a variable, after all work queued before on the device. Throws as setVariable().
  void readVariable(const std::string& name, std::span<std::byte> bytes) const;
  [[nodiscard]] bool hasVariable(const std::string& name) const { return variables_.contains(name); }

  /// Queues one launch. `arguments` has one entry per kernel parameter: a scalar's bits in the low bytes, or a device
  /// address. Throws Error, either now or, if the kernel fails, at a later call on the same stream.
  void launch(const LaunchConfiguration& configuration, std::span<const std::uint64_t> arguments,
              const Stream& stream) const;
  void launch(const LaunchConfiguration& configuration, const Arguments& arguments, const Stream& stream) const;

 private:
  void queue(const LaunchConfiguration& configuration, std::vector<void*> arguments, const Stream& stream) const;

  struct Variable {
    DeviceAddress address = 0;
    std::size_t bytes = 0;
  };
  [[nodiscard]] const Variable& variable(const std::string& name, std::size_t bytes) const;

  std::shared_ptr<const Device> device_;
  CUmod_st* module_ = nullptr;
  CUfunc_st* function_ = nullptr;
  KernelResources resources_;
  std::map<std::string, Variable> variables_;
};

}  // namespace haloscope::gpu
