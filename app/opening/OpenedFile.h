#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/Frontend.h"
#include "program/KernelFile.h"

/// A program somebody else wrote, opened as it is: its kernels, and how to launch them. What the text does not say is
/// proposed, and each proposal is a sentence that can be shown and overridden.
namespace haloscope::opening {

/// What a person says about the launch; it counts more than what the text says.
struct LaunchOverrides {
  std::optional<Dim3> grid, block;
  std::optional<std::int64_t> dynamicSharedBytes;
  /// By parameter or size: a whole number ("1024"), an expression ("N * N") or the shape of an array ("[N, N]").
  std::map<std::string, std::string> bindings;
  std::map<std::string, std::string> defines;  ///< macros, as by -D
  /// Headers whose text is not, or not yet, that of their file: an editor's.
  std::map<std::filesystem::path, std::string> headerTexts;

  /// Nothing is said of the launch.
  [[nodiscard]] bool silent() const {
    return !grid && !block && !dynamicSharedBytes && bindings.empty() && defines.empty();
  }
};

/// An undeclared name that is offered as a value.
struct MissingValue {
  std::string name;
  std::string type;   ///< "int" (a macro), "float", "float[7]" (a __constant__ array)
  std::string value;  ///< the proposed one, as C++ text
};

/// A kernel of the file with everything that a catalogue kernel has from its header.
struct ProposedKernel {
  KernelFile file;
  std::vector<std::string> assumptions;  ///< one sentence for each thing that the text does not say
  std::vector<MissingValue> missing;
  bool dynamicShared = false;  ///< it has an `extern __shared__` array
};

/// A kernel of the file that cannot be compiled or lowered, or whose launch is impossible.
struct UnreadKernel {
  std::string kernel;
  std::filesystem::path path;       ///< of the text that it stands in: the file, or a header
  std::size_t before = 0;           ///< so many of the file's `kernels` come before it
  std::vector<SourceError> errors;  ///< why; at least one
};

struct OpenedFile {
  std::filesystem::path path;
  std::string text;
  std::vector<ProposedKernel> kernels;  ///< in the order of the text
  std::vector<UnreadKernel> unread;     ///< in the order of the text
  std::vector<frontend::Diagnostic> diagnostics;
  std::vector<std::string> notes;          ///< sentences on what is wrong with the file, but with none of its kernels
  std::vector<std::string> unusedDefines;  ///< names of the overrides' `defines` that no text mentions
};

/// Kernels in headers that the file includes are among them: the text of each is its header's.
/// Throws InputError if the file cannot be read; a kernel that cannot be lowered is among `unread`, and a file without
/// any kernel says why in `diagnostics`.
OpenedFile openFile(const std::filesystem::path& path, const LaunchOverrides& overrides = {});

/// The largest text that is opened.
inline constexpr std::size_t kMaxTextBytes = std::size_t{256} << 10;

/// What is wrong with a text of this size; empty: nothing.
[[nodiscard]] std::string tooLargeText(const std::filesystem::path& path, std::uintmax_t bytes);

/// The text of a file. Throws InputError if it cannot be read.
std::string readOpenedText(const std::filesystem::path& path);

/// The same of a text that is not, or not yet, in the file: an editor's.
OpenedFile openText(const std::filesystem::path& path, std::string text, const LaunchOverrides& overrides = {});

}  // namespace haloscope::opening
