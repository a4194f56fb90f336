#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontend/Frontend.h"
#include "host/HostProgram.h"
#include "program/Program.h"

namespace haloscope::running {

/// A kernel that the program launches, lowered.
struct LaunchedKernel {
  std::string symbol;                      ///< as the host's object code names it
  std::string name;                        ///< "heat::sweep<8>"
  std::string file;                        ///< the file or header whose text has it
  std::uint32_t fileIndex = 0;             ///< index into HostProgram::files: the one that it was compiled in
  std::shared_ptr<const Program> program;  ///< null if it cannot be lowered
  std::string problem;                     ///< why: "file:line:column: message"
  const std::string* text = nullptr;       ///< that of `file`
  frontend::CompileOptions options{};      ///< with which it was lowered
};

/// Kernels in place of a program's own, by symbol: with the same parameters, and the same memory.
using ChangedKernels = std::map<std::string, std::shared_ptr<const Program>>;

/// The kernels of a program, by the names under which its host half launches them.
class KernelTexts {
 public:
  explicit KernelTexts(const host::HostProgram& program, ChangedKernels changed = {})
      : program_(program), changed_(std::move(changed)) {}

  /// Lowers a kernel the first time; the reference stays valid. `file`: the index of the one that it was compiled in.
  const LaunchedKernel& find(const std::string& symbol, std::uint32_t file);
  /// The first error of each kernel that was not asked for.
  [[nodiscard]] std::vector<host::HostDiagnostic> errorsOfOthers() const;

 private:
  const host::HostProgram& program_;
  const ChangedKernels changed_;
  std::map<std::pair<std::string, std::uint32_t>, LaunchedKernel> known_;
};

/// "heat::sweep<8>" of a mangled function; the symbol itself if it is no C++ name.
[[nodiscard]] std::string qualifiedName(const std::string& symbol);
/// "sweep" of "heat::sweep<8>".
[[nodiscard]] std::string baseName(std::string name);

}  // namespace haloscope::running
