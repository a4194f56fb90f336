#pragma once

#include <clang/AST/ASTConsumer.h>
#include <llvm/IR/PassManager.h>

#include <map>
#include <memory>
#include <string>

/// Lets the runtime see the calls of a program's own functions, see HostFunction.h.
namespace haloscope::host {

/// Descriptions of the functions that are watched, by their names in the object code.
using WatchedFunctions = std::map<std::string, std::string>;

/// Collects the program's functions that take arrays and write one.
class FunctionCollector : public clang::ASTConsumer {
 public:
  explicit FunctionCollector(WatchedFunctions& found) : found_(found) {}
  void HandleTranslationUnit(clang::ASTContext& context) override;

 private:
  WatchedFunctions& found_;
};

/// Lets each of these functions tell the runtime when it begins and when it returns:
/// `haloscope_enter(description, arguments, again)`, where `again(arguments)` calls it with other arguments, and
/// `haloscope_leave(arguments)`.
class FunctionHooks : public llvm::PassInfoMixin<FunctionHooks> {
 public:
  explicit FunctionHooks(const WatchedFunctions& watched) : watched_(&watched) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);

 private:
  const WatchedFunctions* watched_;
};

}  // namespace haloscope::host
