#include "codegen/MachineCode.h"

#include <memory>
#include <stdexcept>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <unistd.h>

#include "codegen/Groups.h"
#include "codegen/KernelBuilder.h"

namespace haloscope::codegen {
namespace {

/// As in simt::LaneLoop: what the emulator's own functions are compiled for.
const char* processorOf(simt::InstructionSet set) {
  switch (set) {
    case simt::InstructionSet::Avx512:
      return "x86-64-v4";
    case simt::InstructionSet::Avx2:
      return "x86-64-v3";
    default:
      return "x86-64";
  }
}

std::unique_ptr<llvm::TargetMachine> targetOf(simt::InstructionSet set) {
  const std::string triple = llvm::sys::getDefaultTargetTriple();
  std::string problem;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (target == nullptr) { throw std::runtime_error(problem); }
  const bool isX86 = llvm::Triple(triple).isX86();
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, isX86 ? processorOf(set) : "generic",
                                  isX86 && set == simt::InstructionSet::Avx512 ? "-prefer-256-bit" : "", options,
                                  llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
}

struct Built {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  unsigned warps = 1;
  std::size_t frameBytes = 0, localBytes = 0;
};

void simplify(llvm::Function& function, llvm::TargetMachine& target) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&target);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.run(function, functions);
}

void buildKernel(Built& built, const Program& program, const machine::KernelShape& launch, simt::InstructionSet set,
                 llvm::TargetMachine& target) {
  built.module = std::make_unique<llvm::Module>("kernel", built.context);
  built.module->setTargetTriple(target.getTargetTriple().str());
  built.module->setDataLayout(target.createDataLayout());
  const bool isX86 = target.getTargetTriple().isX86();
  // With 32 wide registers. With fewer the values of two warps do not fit, and it is slower.
  built.warps = set == simt::InstructionSet::Avx512 ? warpsTogether(program, launch) : 1;
  const Processor processor{.fma = !isX86 || set != simt::InstructionSet::Baseline};
  KernelBuilder builder(program, launch, built.warps, processor, *built.module);
  builder.build();
  built.frameBytes = builder.frameBytes();
  built.localBytes = builder.localBytes();
  llvm::Function& function = *built.module->getFunction("kernel");
  if (isX86 && set == simt::InstructionSet::Avx512) {
    function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr("min-legal-vector-width", "512");
  }
  std::string problem;
  llvm::raw_string_ostream out(problem);
  if (llvm::verifyFunction(function, &out)) { throw std::logic_error("the code of a kernel is malformed: " + problem); }
}

/// A linked object and its pages.
class LinkedObject {
 public:
  LinkedObject(std::unique_ptr<llvm::orc::ExecutorProcessControl> control, llvm::StringRef object)
      : session_(std::move(control)),
        mapper_(static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))),
        layer_(session_, mapper_),
        library_(session_.createBareJITDylib("kernel")) {
    session_.setErrorReporter([](llvm::Error error) { llvm::consumeError(std::move(error)); });
    added_ = layer_.add(library_, llvm::MemoryBuffer::getMemBufferCopy(object, "kernel"));
  }
  LinkedObject(const LinkedObject&) = delete;
  LinkedObject& operator=(const LinkedObject&) = delete;
  ~LinkedObject() { llvm::consumeError(session_.endSession()); }

  llvm::Expected<GroupFunction> kernel() {
    if (added_) { return std::move(added_); }
    auto found = session_.lookup({&library_}, "kernel");
    if (!found) { return found.takeError(); }
    return found->getAddress().toPtr<GroupFunction>();
  }

 private:
  llvm::orc::ExecutionSession session_;
  llvm::jitlink::InProcessMemoryManager mapper_;
  llvm::orc::ObjectLinkingLayer layer_;
  llvm::orc::JITDylib& library_;
  llvm::Error added_ = llvm::Error::success();
};

}  // namespace

void prepareCodegen() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
}

KernelCode compileKernel(const Program& program, const machine::KernelShape& launch, simt::InstructionSet set) {
  prepareCodegen();
  const std::unique_ptr<llvm::TargetMachine> target = targetOf(set);
  Built built;
  buildKernel(built, program, launch, set, *target);
  simplify(*built.module->getFunction("kernel"), *target);
  llvm::SmallVector<char, 0> object;
  {
    llvm::raw_svector_ostream stream(object);
    llvm::legacy::PassManager emit;
    if (target->addPassesToEmitFile(emit, stream, nullptr, llvm::CodeGenFileType::ObjectFile, true)) {
      throw std::runtime_error("no machine code can be written for this processor");
    }
    emit.run(*built.module);
  }
  const auto check = [](llvm::Error error) {
    if (error) { throw std::runtime_error(llvm::toString(std::move(error))); }
  };
  auto control = llvm::orc::SelfExecutorProcessControl::Create();
  check(control.takeError());
  auto linked = std::make_shared<LinkedObject>(std::move(*control), llvm::StringRef(object.data(), object.size()));
  auto kernel = linked->kernel();
  check(kernel.takeError());
  return {.group = *kernel,
          .pages = std::move(linked),
          .warps = built.warps,
          .frameBytes = built.frameBytes,
          .localBytes = built.localBytes};
}

std::string printKernel(const Program& program, const machine::KernelShape& launch, simt::InstructionSet set) {
  prepareCodegen();
  const std::unique_ptr<llvm::TargetMachine> target = targetOf(set);
  Built built;
  buildKernel(built, program, launch, set, *target);
  std::string text;
  llvm::raw_string_ostream out(text);
  built.module->print(out, nullptr);
  simplify(*built.module->getFunction("kernel"), *target);
  built.module->print(out, nullptr);
  llvm::SmallVector<char, 0> assembly;
  llvm::raw_svector_ostream stream(assembly);
  llvm::legacy::PassManager emit;
  target->addPassesToEmitFile(emit, stream, nullptr, llvm::CodeGenFileType::AssemblyFile, true);
  emit.run(*built.module);
  return text + std::string(assembly.data(), assembly.size());
}

}  // namespace haloscope::codegen
