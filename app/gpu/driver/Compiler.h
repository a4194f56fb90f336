#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/DiskCache.h"
#include "driver/Kernel.h"
#include "driver/SharedLibrary.h"

struct _nvrtcProgram;

namespace haloscope::gpu {

/// A kernel's resources as reported by the assembler (ptxas).
struct CodeResources {
  int registers = 0;    ///< per thread
  int sharedBytes = 0;  ///< static, per block
  int stackBytes = 0;   ///< local memory per thread: spilled registers, arrays indexed at run time
  int spillBytes = 0;   ///< spill stores per thread
};

/// Removes the assembler's report (`--ptxas-options=-v`) from `log`, which keeps other output such as warnings. Keyed
/// by the kernel's name in the image.
[[nodiscard]] std::map<std::string, CodeResources> takeAssemblerReport(std::string& log);

/// Machine code for one GPU.
struct CompiledText {
  std::vector<char> image;  ///< input of cuModuleLoadData: a cubin, or PTX that the driver translates
  std::map<std::string, std::string> symbols;        ///< name expression in the source → name in the image
  std::string log;                                   ///< warnings
  std::map<std::string, CodeResources> resources{};  ///< by name in the image; empty for PTX
};

/// The code as an entry of the disk cache, in CBOR.
[[nodiscard]] std::string cacheEntry(const CompiledText& compiled);
/// Empty if the entry is damaged.
[[nodiscard]] std::optional<CompiledText> compiledTextIn(std::string_view entry);

/// NVRTC, NVIDIA's run-time compiler. Needs no GPU.
class Compiler {
 public:
  /// Opens the newest NVRTC whose code a driver of this CUDA version (13000 for 13.0) can load. Searches next to the
  /// program (also ../lib and ../lib/haloscope), the toolkit that the program was built with, the system's search path,
  /// and /usr/local/cuda. Throws Unavailable naming what to install. Compiled code is kept in `cache`.
  explicit Compiler(int driverVersion, DiskCache cache = {});
  /// The persistent cache of compiled code: cacheFolder()/nvrtc, at most 64 MiB.
  [[nodiscard]] static DiskCache sharedCache();

  /// `names` are name expressions: "kernel", "space::kernel", "&constant". `capability` is 90 for compute
  /// capability 9.0. May be called from several threads. Throws NvrtcError.
  [[nodiscard]] CompiledText compile(const KernelText& text, const std::vector<std::string>& names,
                                     int capability) const;

  /// "13.0"
  [[nodiscard]] std::string versionText() const;
  /// The library's path or name.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  using Program = _nvrtcProgram*;
  class Compilation;

  [[nodiscard]] bool open(const std::string& path);
  [[nodiscard]] CompiledText translate(const KernelText& text, const std::string& source,
                                       const std::vector<std::string>& names,
                                       const std::vector<std::string>& options) const;
  [[nodiscard]] std::string cacheKey(const KernelText& text, const std::string& source,
                                     const std::vector<std::string>& names,
                                     const std::vector<std::string>& options) const;
  [[nodiscard]] std::string architecture(int capability) const;
  /// CUDA's headers, needed only by sources that include them; empty if not found.
  [[nodiscard]] std::string headerFolder() const;

  DiskCache cache_;
  SharedLibrary library_;
  std::string path_;
  std::string build_;  ///< distinguishes this library from others of the same version
  int major_ = 0, minor_ = 0;
  std::vector<int> architectures_;  ///< supported, 90 for 9.0; queried once, before threads are started

  int (*version_)(int*, int*) = nullptr;
  int (*getNumSupportedArchs_)(int*) = nullptr;
  int (*getSupportedArchs_)(int*) = nullptr;
  int (*createProgram_)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*destroyProgram_)(Program*) = nullptr;
  int (*compileProgram_)(Program, int, const char* const*) = nullptr;
  int (*addNameExpression_)(Program, const char*) = nullptr;
  int (*getLoweredName_)(Program, const char*, const char**) = nullptr;
  int (*getCubinSize_)(Program, std::size_t*) = nullptr;
  int (*getCubin_)(Program, char*) = nullptr;
  int (*getPtxSize_)(Program, std::size_t*) = nullptr;
  int (*getPtx_)(Program, char*) = nullptr;
  int (*getLogSize_)(Program, std::size_t*) = nullptr;
  int (*getLog_)(Program, char*) = nullptr;
  const char* (*getErrorString_)(int) = nullptr;
};

}  // namespace haloscope::gpu
