#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "frontend/Frontend.h"
#include "opening/ExecutedLaunch.h"

/// A program opened as it is: its kernels, and how to launch them. What the text does not determine is proposed; each
/// proposal is described in a sentence and can be overridden.
namespace haloscope::opening {

/// The user's launch settings, which override the text.
struct LaunchOverrides {
  std::optional<Dim3> grid, block;
  std::optional<std::int64_t> dynamicSharedBytes;
  /// By parameter or size: an integer ("1024"), an expression ("N * N") or the shape of an array ("[N, N]").
  std::map<std::string, std::string> bindings;
  std::map<std::string, std::string> defines;  ///< macros, as by -D
  /// By path, headers whose text in the editor differs from their file.
  std::map<std::filesystem::path, std::string> headerTexts;
  /// The first launch of each kernel when the program was executed; empty: it was not.
  std::vector<ExecutedLaunch> executed;

  /// Whether no setting is given.
  [[nodiscard]] bool empty() const {
    return !grid && !block && !dynamicSharedBytes && bindings.empty() && defines.empty();
  }
  /// Whether the settings are the same; texts of headers and what was executed are none.
  [[nodiscard]] bool sameSettings(const LaunchOverrides& other) const {
    return grid == other.grid && block == other.block && dynamicSharedBytes == other.dynamicSharedBytes &&
           bindings == other.bindings && defines == other.defines;
  }
  void takeSettings(const LaunchOverrides& from) {
    grid = from.grid;
    block = from.block;
    dynamicSharedBytes = from.dynamicSharedBytes;
    bindings = from.bindings;
    defines = from.defines;
  }
};

/// An undeclared name, and the value supplied for it.
struct MissingValue {
  std::string name;
  std::string type;   ///< "int" (a macro), "float", "float[7]" (a __constant__ array)
  std::string value;  ///< the proposed one, as C++ text
};

/// A kernel of the file with everything that the header of a catalogue kernel provides.
struct ProposedKernel {
  KernelFile file;
  std::vector<std::string> assumptions;  ///< one sentence for each property that the text does not determine
  std::vector<MissingValue> missing;
  bool dynamicShared = false;                ///< it has an `extern __shared__` array
  std::optional<ExecutedLaunch> executed{};  ///< the program's own launch, from which it was proposed
  bool blockIsWritten = false;               ///< its block is that of a launch in the text, which was not executed
  std::string symbol{};                      ///< its mangled name, if it is known
};

/// A kernel of the file that cannot be compiled or lowered, or whose launch is impossible.
struct UnreadKernel {
  std::string kernel;
  std::filesystem::path path;         ///< of the text that contains it: the file, or a header
  std::size_t before = 0;             ///< how many of the file's `kernels` come before it
  std::vector<SourceError> errors{};  ///< why; at least one
  std::string symbol{};               ///< its mangled name, if it is known
  bool beyondLimit = false;           ///< it and those after it are not opened because they are too many
};

struct OpenedFile {
  std::filesystem::path path;
  std::string text;
  std::vector<ProposedKernel> kernels;  ///< in the order of the text
  std::vector<UnreadKernel> unread;     ///< in the order of the text
  std::vector<frontend::Diagnostic> diagnostics;
  std::vector<std::string> notes;          ///< problems of the file that belong to none of its kernels, in sentences
  std::vector<std::string> unusedDefines;  ///< names of the overrides' `defines` that no text mentions
};

/// Opens a file with the kernels in the headers that it includes, each with its header as its text. Throws InputError
/// if the file cannot be read. A kernel that cannot be lowered is among `unread`; for a file without kernels,
/// `diagnostics` has the reason.
OpenedFile openFile(const std::filesystem::path& path, const LaunchOverrides& overrides = {});

/// The largest text that is opened.
inline constexpr std::size_t kMaxTextBytes = std::size_t{256} << 10;

/// The error message for a text that is too large; empty if it is not.
[[nodiscard]] std::string tooLargeText(const std::filesystem::path& path, std::uintmax_t bytes);

/// The text of a file. Throws InputError if it cannot be read.
std::string readOpenedText(const std::filesystem::path& path);

/// As openFile(), with a text from the editor instead of the file's.
OpenedFile openText(const std::filesystem::path& path, std::string text, const LaunchOverrides& overrides = {});

}  // namespace haloscope::opening
