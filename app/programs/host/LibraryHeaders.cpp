#include "host/LibraryHeaders.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "host/BlasHeader.h"
#include "host/BlasRoutines.h"
#include "host/CubHeader.h"
#include "host/MpiHeader.h"
#include "host/NcclHeader.h"
#include "host/RandomHeader.h"
#include "host/StbHeader.h"
#include "program/CubBlocks.h"
#include "program/CudaStd.h"
#include "program/RandomStates.h"

namespace haloscope::host {

namespace {

namespace fs = std::filesystem;

struct Header {
  const char* name;
  const char* text;
  const char* macro = "";  ///< that makes the library's own header define its functions
};
/// A program has these beside itself, wherever it keeps such things.
constexpr std::array kCopiedHeaders{
    Header{"stb_image.h", kStbImageHeader, "STB_IMAGE_IMPLEMENTATION"},
    Header{"stb_image_write.h", kStbWriteHeader, "STB_IMAGE_WRITE_IMPLEMENTATION"},
    Header{"stb_image_resize.h", kStbResizeHeader, "STB_IMAGE_RESIZE_IMPLEMENTATION"},
    Header{"stb_image_resize2.h", kStbResizeHeader, "STB_IMAGE_RESIZE_IMPLEMENTATION"},
};

/// The names that a text includes in quotes.
std::vector<std::string> quotedIn(std::string_view text) {
  constexpr std::string_view kBlank = " \t";
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const auto skip = [&](std::string_view word) {
      line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
      const bool begins = line.starts_with(word);
      if (begins) { line.remove_prefix(word.size()); }
      return begins;
    };
    if (!skip("#") || !skip("include") || !skip("\"")) { continue; }
    if (const std::size_t quote = line.find('"'); quote != std::string_view::npos) {
      names.emplace_back(line.substr(0, quote));
    }
  }
  return names;
}

const Header* copiedHeader(const fs::path& path) {
  const auto known =
      std::ranges::find_if(kCopiedHeaders, [&](const Header& one) { return path.filename() == one.name; });
  return known == kCopiedHeaders.end() ? nullptr : &*known;
}

/// Whether a header of a program is the library's own.
bool isLibrarys(const std::string& name, const std::string& text) {
  const Header* const known = copiedHeader(name);
  return known != nullptr && text.find(known->macro) != std::string::npos;
}

bool isWord(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }

/// Whether a text has this name as a whole word.
bool hasWord(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !isWord(text[at - 1])) && (end == text.size() || !isWord(text[end]))) { return true; }
  }
  return false;
}

/// Whether the stand-ins have all that a text names of stb.
bool areEnoughFor(std::string_view text) {
  constexpr std::string_view kPrefix = "stbi";
  for (std::size_t at = text.find(kPrefix); at != std::string_view::npos; at = text.find(kPrefix, at + 1)) {
    if (at > 0 && isWord(text[at - 1])) { continue; }
    const auto* const end = std::find_if_not(text.begin() + at, text.end(), isWord);
    const std::string_view word(text.begin() + at, end);
    if (std::ranges::none_of(kCopiedHeaders, [&](const Header& one) { return hasWord(one.text, word); })) {
      return false;
    }
  }
  return true;
}

/// Whether they do for the whole program. The library's own headers take a second to be compiled, and make no picture.
bool areEnoughFor(const HostProgram& program) {
  return std::ranges::all_of(program.files, [](const HostProgram::File& file) { return areEnoughFor(file.text); }) &&
         std::ranges::all_of(program.headers, [](const auto& one) {
           return isLibrarys(one.first, one.second) || areEnoughFor(one.second);
         });
}

}  // namespace

std::vector<LibraryHeader> libraryHeaders() {
  std::vector<LibraryHeader> all{
      {"haloscope_memory.h", kLibraryMemoryHeader},
      {"cublas_v2.h", std::string(kBlasTypes) + kBlasRoutines},
      {"cublas_api.h", "#include <cublas_v2.h>\n"},
      {"curand.h", kRandomHeader},
      {"curand_kernel.h", std::string("#pragma once\n#include <curand.h>\n") + kRandomStates},
      {"curand_philox4x32_x.h", "#include <curand_kernel.h>\n"},
      {"mpi.h", kMpiHeader},
      {"nccl.h", kNcclHeader},
  };
  for (const char* name : {"atomic", "std/array", "std/span", "std/limits", "std/utility", "std/cstddef", "std/cstdint",
                           "std/atomic", "std/climits", "std/cfloat"}) {
    all.push_back({std::string("cuda/") + name, std::string(kThreadScopes) + kCudaStd});
  }
  for (const char* name : kCubHeaders) {
    all.push_back({std::string("cub/") + name, std::string(kCubBlocks) + kCubHeader});
  }
  for (const Header& one : kCopiedHeaders) {
    all.push_back({one.name, one.text});
    all.push_back({std::string("stb/") + one.name, one.text});
  }
  return all;
}

std::vector<LibraryHeader> headersInstead(const HostProgram& program, const std::string& folder) {
  std::vector<LibraryHeader> instead;
  const auto add = [&](const fs::path& path) {
    instead.push_back({path.string(), "#include \"" + folder + "/" + path.filename().string() + "\"\n"});
  };
  const bool enough = areEnoughFor(program);
  for (const auto& [name, text] : program.headers) {
    if (enough && isLibrarys(name, text)) { add(name); }
  }
  const auto look = [&](const std::string& includer, const std::string& text) {
    for (const std::string& name : quotedIn(text)) {
      const fs::path path = (fs::path(includer).parent_path() / name).lexically_normal();
      const bool isThere = program.headers.contains(path.string()) ||
                           std::ranges::any_of(instead, [&](const auto& one) { return one.name == path; });
      if (copiedHeader(path) == nullptr || isThere || path.is_absolute()) { continue; }
      add(path);
    }
  };
  for (const HostProgram::File& file : program.files) { look(file.name, file.text); }
  for (const auto& [name, text] : program.headers) { look(name, text); }
  return instead;
}

}  // namespace haloscope::host
