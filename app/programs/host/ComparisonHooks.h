#pragma once

#include <llvm/IR/PassManager.h>

namespace haloscope::host {

/// Lets the runtime see each comparison or difference of two values one of which has just been loaded, and decide what
/// the loaded one counts as: `haloscope_compared`, see ComparedValues.h.
class ComparisonHooks : public llvm::PassInfoMixin<ComparisonHooks> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace haloscope::host
