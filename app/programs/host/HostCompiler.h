#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "host/HostProgram.h"

/// The host half of CUDA files, compiled to machine code with Clang as a library.
namespace haloscope::host {

/// Where the headers of the C and C++ libraries are.
struct SystemHeaders {
  std::vector<std::filesystem::path> cpp;  ///< libstdc++'s, in the order in which they are searched
  std::filesystem::path compiler;          ///< Clang's own: stddef.h and the like
  std::vector<std::filesystem::path> c;    ///< the C library's

  /// Those of this machine. `compiler`: Clang's headers that ship with the program. Throws MissingError naming the
  /// package to install.
  [[nodiscard]] static SystemHeaders find(const std::filesystem::path& compiler);
  /// All of them.
  [[nodiscard]] std::vector<std::filesystem::path> folders() const;
};

/// Those of these names, as in `#include <…>`, that are headers of the CUDA toolkit, or of the C or C++ library.
[[nodiscard]] std::vector<std::string> providedAmong(std::vector<std::string> names, const SystemHeaders& headers);

/// What came of compiling one file of a program.
struct CompiledFile {
  std::vector<std::byte> object;         ///< an ELF relocatable object; empty if the file has errors
  std::vector<HostDiagnostic> problems;  ///< errors first
};

/// Calls `then` where Clang or LLVM cannot allocate memory: they would end the process with a signal that says nothing.
/// `then` does not return.
void whenCompilersLackMemory(void (*then)());

/// Compiles the host half of `program.files[file]`. Kernels and device functions are declared, their bodies skipped: a
/// launch calls the runtime with the kernel's name. `notesComparisons`: with ComparisonHooks. Never throws for a faulty
/// text.
[[nodiscard]] CompiledFile compileHost(const HostProgram& program, std::size_t file, const SystemHeaders& headers,
                                       bool notesComparisons = false);

}  // namespace haloscope::host
