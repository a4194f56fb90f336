#include "driver/Compiler.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <regex>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>

#include "driver/SharedLibrary.h"
#include "language/Text.h"
#include "program/Cbor.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"
#include "text/Printable.h"

namespace haloscope::gpu {

namespace {

int number(const std::string& line, const std::regex& pattern) {
  std::smatch match;
  return std::regex_search(line, match, pattern) ? std::stoi(match[1]) : 0;
}

/// Format name of a cache entry; change it with the layout.
constexpr std::string_view kEntry = "compiled text 3";

/// The source preceded by the macros, with #line so that its first line remains line 1. Macros are not passed as -D
/// options because those would also apply to NVRTC's headers, whose template parameters have names like T.
std::string withDefines(const KernelText& text) {
  std::string all;
  for (const auto& [name, value] : text.defines) { all += fmt::format("#define {} {}\n", name, value); }
  std::string file;
  for (const char c : printable(text.file)) {
    if (c == '"' || c == '\\') { file += '\\'; }
    file += c;
  }
  if (!text.prologue.empty()) { all += fmt::format("#line 1 \"before {}\"\n{}\n", file, text.prologue); }
  return all + fmt::format("#line 1 \"{}\"\n", file) + text.text;
}

/// The first error of NVRTC's log: `file(12): error: identifier "x" is undefined`.
[[noreturn]] void throwNvrtcError(const KernelText& text, const std::string& log, const std::string& otherwise) {
  static const std::regex pattern(R"(\((\d+)\): (?:catastrophic )?error: ([^\n]*))");
  SourceRange where;
  std::string message = otherwise;
  if (std::smatch match; std::regex_search(log, match, pattern)) {
    // The text may say with #line that it has others.
    const std::string digits = match[1];
    const auto lines = static_cast<int>(std::ranges::count(text.text, '\n')) + 1;
    int line = 0;
    const bool isNumber = std::from_chars(digits.data(), digits.data() + digits.size(), line).ec == std::errc();
    if (isNumber && line <= lines) { where = {line, 1, line, 1}; }
    message = match[2];
  }
  throw NvrtcError(text.file, where, message, log);
}

/// All that a kernel needs of <cuda.h>.
constexpr const char* kTensorMap = R"(#pragma once
struct alignas(64) CUtensorMap_st { unsigned long long opaque[16]; };
typedef struct CUtensorMap_st CUtensorMap;
)";

}  // namespace

std::map<std::string, CodeResources> takeAssemblerReport(std::string& log) {
  static const std::regex function("Function properties for (\\S+)|Compiling entry function '([^']+)'");
  static const std::regex registers("Used (\\d{1,6}) registers");
  static const std::regex shared("(\\d{1,8}) bytes smem");
  static const std::regex stack("(\\d{1,8}) bytes stack frame");
  static const std::regex spills("(\\d{1,8}) bytes spill stores");
  std::map<std::string, CodeResources> report;
  std::string name;
  std::string others;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    // "ptxas info    : …", and its continuation "ptxas         .     …".
    const bool continued = line.starts_with("ptxas  ");
    if (!line.starts_with("ptxas info") && !continued) {
      others += line + "\n";
      continue;
    }
    std::smatch match;
    if (std::regex_search(line, match, function)) { name = match[1].matched ? match[1] : match[2]; }
    if (line.find("stack frame") != std::string::npos) {
      report[name].stackBytes = number(line, stack);
      report[name].spillBytes = number(line, spills);
    }
    if (line.find(" registers") != std::string::npos && line.find("Used ") != std::string::npos) {
      report[name].registers = number(line, registers);
      report[name].sharedBytes = number(line, shared);
    }
  }
  while (others.ends_with("\n\n") || others == "\n") { others.pop_back(); }
  log = others;
  return report;
}

std::string cacheEntry(const CompiledText& compiled) {
  nlohmann::json resources = nlohmann::json::object();
  for (const auto& [symbol, code] : compiled.resources) {
    resources[symbol] = {code.registers, code.sharedBytes, code.stackBytes, code.spillBytes};
  }
  const std::vector<std::byte> bytes =
      toCbor({{"image", nlohmann::json::binary({compiled.image.begin(), compiled.image.end()})},
              {"symbols", compiled.symbols},
              {"log", compiled.log},
              {"resources", resources}});
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::optional<CompiledText> compiledTextIn(std::string_view entry) {
  try {
    const nlohmann::json from = fromCbor(std::as_bytes(std::span(entry)), "compiled code in the cache");
    CompiledText compiled;
    const nlohmann::json::binary_t& image = from.at("image").get_binary();
    compiled.image.assign(image.begin(), image.end());
    from.at("symbols").get_to(compiled.symbols);
    from.at("log").get_to(compiled.log);
    for (const auto& [symbol, code] : from.at("resources").items()) {
      compiled.resources[symbol] = {code.at(0).get<int>(), code.at(1).get<int>(), code.at(2).get<int>(),
                                    code.at(3).get<int>()};
    }
    return compiled.image.empty() ? std::nullopt : std::optional(std::move(compiled));
  } catch (const InputError&) { return std::nullopt; } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

/// An owning handle of an NVRTC program.
class Compiler::Compilation {
 public:
  Compilation(const Compiler& compiler, const KernelText& text, const std::string& source) : compiler_(compiler) {
    // Kernel files include these headers; what kernels need of them is built into NVRTC.
    std::vector<const char*> names;
    std::vector<const char*> contents;
    for (const char* name : {"cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h", "cuda.h", "stdio.h",
                             "stdlib.h", "math.h", "assert.h"}) {
      if (text.headers.contains(name)) { continue; }  // NVRTC refuses a name that is given twice
      names.push_back(name);
      contents.push_back(std::string_view(name) == "cuda.h" ? kTensorMap : "");
    }
    for (const auto& [name, content] : text.headers) {
      names.push_back(name.c_str());
      contents.push_back(content.c_str());
    }
    compiler_.createProgram_(&program_, source.c_str(), text.file.c_str(), static_cast<int>(names.size()),
                             contents.data(), names.data());
  }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;
  ~Compilation() { compiler_.destroyProgram_(&program_); }

  [[nodiscard]] Program get() const { return program_; }
  [[nodiscard]] std::string log() const {
    std::size_t size = 0;
    if (compiler_.getLogSize_(program_, &size) != 0 || size <= 1) { return {}; }
    std::string text(size, '\0');
    compiler_.getLog_(program_, text.data());
    text.resize(std::min(text.find('\0'), text.size()));  // terminated by one or two zeros
    return text;
  }

 private:
  const Compiler& compiler_;
  Program program_ = nullptr;
};

DiskCache Compiler::sharedCache() {
  constexpr std::uintmax_t kMaximumBytes = std::uintmax_t{64} << 20U;
  const std::filesystem::path folder = cacheFolder();
  return folder.empty() ? DiskCache() : DiskCache(folder / "nvrtc", kMaximumBytes);
}

Compiler::Compiler(int driverVersion, DiskCache cache) : cache_(std::move(cache)) {
  // The driver cannot load code from a newer major version.
  const int driverMajor = driverVersion / 1000;
  for (int major = std::min(driverMajor, 13); major >= 12; --major) {
    for (const std::string& folder : libraryFolders()) {
      const std::string name = fmt::format("libnvrtc.so.{}", major);
      if (open((std::filesystem::path(folder) / name).string())) { return; }
    }
  }
  for (const std::string& folder : libraryFolders()) {
    if (driverMajor < 13 && open((std::filesystem::path(folder) / "libnvrtc.so.13").string())) {
      throw Unavailable(
          trf("NVRTC {} was found, but the driver is for CUDA {}.{} and cannot load its code: install a newer "
              "driver, or put "
              "libnvrtc.so.{} and its libnvrtc-builtins next to the program",
              versionText(), driverMajor, driverVersion % 1000 / 10, driverMajor));
    }
  }
  throw Unavailable(
      trf("NVRTC not found (libnvrtc.so.{} or older, down to 12): install the CUDA toolkit, or put the library "
          "and its libnvrtc-builtins next to the program",
          std::min(driverMajor, 13)));
}

bool Compiler::open(const std::string& path) {
  SharedLibrary library(path);
  if (!library.opened()) { return false; }
  const bool complete =
      library.load(version_, "nvrtcVersion") && library.load(getNumSupportedArchs_, "nvrtcGetNumSupportedArchs") &&
      library.load(getSupportedArchs_, "nvrtcGetSupportedArchs") &&
      library.load(createProgram_, "nvrtcCreateProgram") && library.load(destroyProgram_, "nvrtcDestroyProgram") &&
      library.load(compileProgram_, "nvrtcCompileProgram") &&
      library.load(addNameExpression_, "nvrtcAddNameExpression") &&
      library.load(getLoweredName_, "nvrtcGetLoweredName") && library.load(getCubinSize_, "nvrtcGetCUBINSize") &&
      library.load(getCubin_, "nvrtcGetCUBIN") && library.load(getPtxSize_, "nvrtcGetPTXSize") &&
      library.load(getPtx_, "nvrtcGetPTX") && library.load(getLogSize_, "nvrtcGetProgramLogSize") &&
      library.load(getLog_, "nvrtcGetProgramLog") && library.load(getErrorString_, "nvrtcGetErrorString");
  if (!complete || version_(&major_, &minor_) != 0) { return false; }
  int count = 0;
  if (getNumSupportedArchs_(&count) != 0 || count <= 0) { return false; }
  architectures_.resize(static_cast<std::size_t>(count));
  if (getSupportedArchs_(architectures_.data()) != 0) { return false; }
  library_ = std::move(library);
  path_ = path;
  // A toolkit update keeps the two version numbers, but changes the library's size.
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(library_.file(), unknown);
  build_ = unknown ? library_.file() : std::to_string(bytes);
  return true;
}

std::string Compiler::versionText() const { return fmt::format("{}.{}", major_, minor_); }

std::string Compiler::headerFolder() const {
  // Next to the library or, for Python packages, next to its package.
  const std::filesystem::path library = std::filesystem::path(path_).parent_path();
  std::vector<std::filesystem::path> places;
  if (!library.empty()) {
    places = {library.parent_path() / "include", library.parent_path().parent_path() / "cuda_runtime" / "include",
              library.parent_path().parent_path() / "include"};
  }
#ifdef HALOSCOPE_CUDA_LIBRARY_DIR
  places.push_back(std::filesystem::path(HALOSCOPE_CUDA_LIBRARY_DIR).parent_path() / "include");
#endif
  places.emplace_back("/usr/local/cuda/include");
  for (const std::filesystem::path& place : places) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(place / "cooperative_groups.h", ignored)) { return place.string(); }
  }
  return {};
}

std::string Compiler::architecture(int capability) const {
  int best = 0;
  for (const int arch : architectures_) {
    if (arch <= capability) { best = std::max(best, arch); }
  }
  if (best == 0) {
    throw Unavailable(trf("NVRTC {} no longer compiles for compute capability {}.{}: use an older toolkit",
                          versionText(), capability / 10, capability % 10));
  }
  // Machine code runs on later minor versions of the same major one; for others the driver translates PTX.
  return fmt::format("--gpu-architecture={}_{}", best / 10 == capability / 10 ? "sm" : "compute", best);
}

CompiledText Compiler::compile(const KernelText& text, const std::vector<std::string>& names, int capability) const {
  // -default-device: helper functions without an execution space are meant for the device.
  std::vector<std::string> options{architecture(capability), "--std=c++20", "-lineinfo", "-default-device"};
  if (const std::string folder = headerFolder(); !folder.empty()) {
    options.push_back("--include-path=" + folder);
    // Since CUDA 13 the standard library headers included by those are in a separate folder.
    options.push_back("--include-path=" + folder + "/cccl");
  }
  if (!text.contract) { options.emplace_back("--fmad=false"); }
  if (text.registerLimit > 0) { options.push_back(fmt::format("--maxrregcount={}", text.registerLimit)); }
  options.emplace_back("--ptxas-options=-v");
  // NVRTC 13 has its own cache, which returns code without the assembler's report.
  if (major_ >= 13) { options.emplace_back("--no-cache"); }
  const std::string source = withDefines(text);
  const std::string key = cacheKey(text, source, names, options);
  if (const auto kept = cache_.read(key)) {
    if (auto compiled = compiledTextIn(*kept)) { return *std::move(compiled); }
  }
  CompiledText compiled = translate(text, source, names, options);
  cache_.write(key, cacheEntry(compiled));
  return compiled;
}

std::string Compiler::cacheKey(const KernelText& text, const std::string& source, const std::vector<std::string>& names,
                               const std::vector<std::string>& options) const {
  const std::string version = versionText();
  std::vector<std::string_view> parts{kEntry, version, build_, text.file, source};
  const auto add = [&](const std::vector<std::string>& list, const std::string& size) {
    parts.push_back(size);  // separates the lists
    parts.insert(parts.end(), list.begin(), list.end());
  };
  const std::string nameCount = std::to_string(names.size());
  const std::string optionCount = std::to_string(options.size());
  add(names, nameCount);
  add(options, optionCount);
  for (const auto& [name, content] : text.headers) {
    parts.push_back(name);
    parts.push_back(content);
  }
  return fingerprint(parts);
}

CompiledText Compiler::translate(const KernelText& text, const std::string& source,
                                 const std::vector<std::string>& names, const std::vector<std::string>& options) const {
  const Compilation compilation(*this, text, source);
  if (compilation.get() == nullptr) { throw NvrtcError(text.file, {}, tr("NVRTC could not create a program"), {}); }
  for (const std::string& name : names) { addNameExpression_(compilation.get(), name.c_str()); }
  std::vector<const char*> words;
  words.reserve(options.size());
  for (const std::string& option : options) { words.push_back(option.c_str()); }
  const int result = compileProgram_(compilation.get(), static_cast<int>(words.size()), words.data());
  CompiledText compiled;
  compiled.log = compilation.log();
  if (result != 0) { throwNvrtcError(text, compiled.log, fmt::format("NVRTC: {}", getErrorString_(result))); }

  compiled.resources = takeAssemblerReport(compiled.log);
  const bool cubin = options.front().find("sm_") != std::string::npos;
  std::size_t size = 0;
  if ((cubin ? getCubinSize_ : getPtxSize_)(compilation.get(), &size) != 0 || size == 0) {
    throw NvrtcError(text.file, {}, tr("NVRTC produced no code"), compiled.log);
  }
  compiled.image.resize(size);
  (cubin ? getCubin_ : getPtx_)(compilation.get(), compiled.image.data());
  for (const std::string& name : names) {
    const char* lowered = nullptr;
    if (getLoweredName_(compilation.get(), name.c_str(), &lowered) == 0) { compiled.symbols[name] = lowered; }
  }
  return compiled;
}

}  // namespace haloscope::gpu
