#include <llvm/Passes/PassPlugin.h>

// Debian's Clang names the Polly optimiser among its extensions; its archives, which nothing here needs, are left out.
llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "", [](llvm::PassBuilder&) {}};
}
