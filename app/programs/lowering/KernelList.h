#pragma once

#include <string>
#include <vector>

#include "lowering/ClangSession.h"

namespace clang {
class FunctionDecl;
}

namespace haloscope::lowering {

/// A __global__ function of the text. A template without instances has no definition.
struct ListedKernel {
  std::string name;          ///< `sweep`; `sweep<8>` if a template has several instances
  std::string functionName;  ///< without template arguments
  const clang::FunctionDecl* definition = nullptr;
  SourceRange where;
  std::string symbol{};  ///< its mangled name; empty without a definition
};

/// All kernels with a body, in the order of the text. A template is listed with its explicit instantiations, or the one
/// from its default arguments.
[[nodiscard]] std::vector<ListedKernel> listKernels(const ClangSession& session);

}  // namespace haloscope::lowering
