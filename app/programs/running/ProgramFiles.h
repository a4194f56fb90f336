#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/HostProgram.h"

namespace haloscope::running {

inline constexpr std::array<std::string_view, 5> kSourceExtensions = {".cu", ".cpp", ".cc", ".cxx", ".c"};

/// A program as it lies on disk.
struct ProgramFiles {
  std::filesystem::path folder;  ///< what the names are relative to
  host::HostProgram program;
  /// Sources without main() that may belong to it, too; of a single file those beside it are looked for when needed.
  std::vector<std::filesystem::path> others{};
};

/// The program of a file: it alone, with the headers of its folder that it includes. Of a folder: its `.cu`, `.cpp` and
/// `.c` files, linked as one program; of these exactly one defines main(). Throws InputError if a file cannot be read,
/// or if there are several main functions: the message lists their files. `edited`: by path, texts that differ from
/// their files.
[[nodiscard]] ProgramFiles readProgram(const std::filesystem::path& fileOrFolder,
                                       const std::map<std::filesystem::path, std::string>& edited = {});

/// The programs of a folder in which several files define main(), that of each linked with those files that define
/// none.
[[nodiscard]] std::vector<ProgramFiles> readPrograms(const std::filesystem::path& folder);

/// By path, the texts of a program that differ in `changed`, which has the same files.
[[nodiscard]] std::map<std::filesystem::path, std::string> changedTexts(const ProgramFiles& files,
                                                                        const host::HostProgram& changed);

/// Adds a file to a program, with the headers that it includes.
void addFile(const std::filesystem::path& path, const std::map<std::filesystem::path, std::string>& edited,
             ProgramFiles& files);

/// Whether a text defines main().
[[nodiscard]] bool definesMain(const std::string& text);
/// Whether one of a program's files does.
[[nodiscard]] bool definesMain(const host::HostProgram& program);

}  // namespace haloscope::running
