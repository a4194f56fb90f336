#pragma once

#include <clang/AST/ASTConsumer.h>
#include <llvm/IR/PassManager.h>

#include <memory>

namespace haloscope::host {

/// Takes the device's code out of a program's host half, before `emitting` makes the object of what is left.
/// `functors`: the host calls the device's function objects.
[[nodiscard]] std::unique_ptr<clang::ASTConsumer> withoutDeviceCode(clang::ASTConsumer& emitting, bool functors);

/// Gives each variable of the device the values that withoutDeviceCode() has kept for it, so that the runtime finds
/// them there when the variable is registered, and registers managed variables as such.
class InitialValues : public llvm::PassInfoMixin<InitialValues> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace haloscope::host
