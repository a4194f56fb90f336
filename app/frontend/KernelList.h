#pragma once

#include <string>
#include <vector>

#include "frontend/ClangSession.h"

namespace clang {
class FunctionDecl;
}

namespace haloscope::frontend {

/// A __global__ function of the text. A template without an instance has no definition.
struct Kernel {
  std::string name;          ///< `sweep`; `sweep<8>` where a template has several instances
  std::string functionName;  ///< without template arguments
  const clang::FunctionDecl* definition = nullptr;
  SourceRange where;
};

/// All kernels with a body, in the order of the text. Templates count by their explicit instantiations, or by the one
/// that default arguments give.
[[nodiscard]] std::vector<Kernel> listKernels(const ClangSession& session);

}  // namespace haloscope::frontend
