#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/Kernel.h"
#include "gpu/SharedLibrary.h"

struct _nvrtcProgram;

namespace haloscope::gpu {

/// Machine code for one GPU.
struct CompiledText {
  std::vector<char> image;  ///< what cuModuleLoadData takes: a cubin, or PTX for the driver to translate
  std::map<std::string, std::string> symbols;  ///< name expression of the text → name in the image
  std::string log;                             ///< warnings
};

/// NVRTC, NVIDIA's compiler as a library. It needs no GPU.
class Compiler {
 public:
  /// Opens the newest NVRTC that a driver of this CUDA version (13000 for 13.0) can load the code of. Looks beside the
  /// program (../lib too), in the toolkit the program was built with, on the system's search path, and in
  /// /usr/local/cuda. Throws Unavailable naming what to install.
  explicit Compiler(int driverVersion);

  /// `names` are name expressions: "kernel", "space::kernel", "&constant". `capability` is 90 for compute
  /// capability 9.0. May be called from several threads. Throws CompileError.
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
  [[nodiscard]] std::string architecture(int capability) const;
  /// CUDA's own headers, which only texts that include some need; empty: none found.
  [[nodiscard]] std::string headerFolder() const;

  SharedLibrary library_;
  std::string path_;
  int major_ = 0, minor_ = 0;

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
