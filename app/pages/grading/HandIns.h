#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace haloscope::grading {

/// One hand-in.
struct HandIn {
  std::string name;            ///< of its file or folder, printable
  std::filesystem::path path;  ///< a `.cu` file, or a folder that is one program
};

/// The hand-ins of a folder.
struct HandInFolder {
  std::vector<HandIn> handIns;                ///< in the order of their names
  std::vector<std::filesystem::path> shared;  ///< headers, and folders of headers alone: common to all hand-ins
  std::size_t others = 0;                     ///< files that are neither; hidden ones are not counted
};

/// Each `.cu` file directly in the folder is one, and each subfolder, unless it is hidden or has nothing but headers.
/// Whatever can be listed under such a name is one, also a link or a pipe. Throws InputError if the folder cannot be
/// listed or has none.
[[nodiscard]] HandInFolder findHandIns(const std::filesystem::path& folder);

/// Of the files that are common to all hand-ins, those that hand-ins would find by the name of a header of the toolkit,
/// or of the C or C++ library: by their paths, "cuda_runtime.h" or "inc/math.h". `compilerHeaders`: see
/// host::SystemHeaders.
[[nodiscard]] std::set<std::string> standInsAmong(const std::vector<std::filesystem::path>& shared,
                                                  const std::filesystem::path& compilerHeaders);

/// Headers, and folders of headers alone, beside a file.
[[nodiscard]] std::vector<std::filesystem::path> sharedBeside(const std::filesystem::path& file);

}  // namespace haloscope::grading
