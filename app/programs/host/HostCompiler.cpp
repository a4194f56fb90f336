#include "host/HostCompiler.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManagerInternals.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/LexDiagnostic.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <fmt/format.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "host/ComparisonHooks.h"
#include "host/DebugPragmas.h"
#include "host/DeviceParts.h"
#include "host/FunctionHooks.h"
#include "host/GraphHeader.h"
#include "host/LibraryHeaders.h"
#include "host/RuntimePrelude.h"
#include "host/RuntimeTypes.h"
#include "host/StandInHeaders.h"
#include "host/TensorMapHeader.h"
#include "host/TexturePrelude.h"
#include "host/ThrustAlgorithms.h"
#include "host/ThrustHeader.h"
#include "host/VariableArrays.h"
#include "language/Text.h"
#include "program/CudaStd.h"
#include "program/NotebookLines.h"
#include "program/NvccMacros.h"
#include "program/SourceLocation.h"
#include "program/TextureTable.h"
#include "program/VectorTypes.h"

namespace haloscope::host {

namespace {

namespace fs = std::filesystem;

/// The compiler's file system: the program below kProgramFolder, the prelude and CUDA's headers below kRuntimeFolder.
constexpr const char* kRuntimeFolder = "/haloscope";
constexpr const char* kPreludePath = "/haloscope/runtime.h";
constexpr const char* kDefinesPath = "/haloscope/defines.h";
constexpr const char* kNvccPath = "/haloscope/nvcc.h";
constexpr const char* kNvccPrefix = "haloscope_nvcc_";
constexpr const char* kFatBinaryPath = "/haloscope/empty.fatbin";

/// Headers of the toolkit that the prelude stands for. Each exists, and is empty.
constexpr const char* kToolkitHeaders[] = {
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "device_launch_parameters.h",
    "device_functions.h",
    "device_atomic_functions.h",
    "driver_types.h",
    "vector_types.h",
    "vector_functions.h",
    "math_constants.h",
    "math_functions.h",
    "builtin_types.h",
    "channel_descriptor.h",
    "texture_types.h",
    "surface_types.h",
    "cuda_device_runtime_api.h",
    "cuda_profiler_api.h",
    "cuda_occupancy.h",
    "host_defines.h",
    "sm_20_intrinsics.h",
    "sm_30_intrinsics.h",
    "sm_35_intrinsics.h",
    "crt/host_defines.h",
    "cuda_pipeline.h",
    "cuda_pipeline_primitives.h",
    "cooperative_groups/memcpy_async.h",
    "cooperative_groups/reduce.h",
};

/// A text cannot say with #line that it is another file, or another line: places are where it stands.
class TruePlaces : public clang::PPCallbacks {
 public:
  explicit TruePlaces(clang::SourceManager& sources) : sources_(sources) {}

  void FileChanged(clang::SourceLocation at, FileChangeReason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    const clang::FileID file = sources_.getFileID(at);
    for (auto& [of, entries] : sources_.getLineTable()) {
      if (of != file || entries.empty()) { continue; }
      clang::LineEntry& last = entries.back();
      last.LineNo = sources_.getLineNumber(file, last.FileOffset) + 1;  // of the next line
      last.FilenameID = -1;
    }
  }

 private:
  clang::SourceManager& sources_;
};

/// While the program's own files are read, they see the macros of nvcc; the machine's headers see those of Clang.
class NvccView : public clang::PPCallbacks {
 public:
  explicit NvccView(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {
    const auto add = [&](const std::string& name) { macros_.push_back({preprocessor.getIdentifierInfo(name)}); };
    for (const std::string& name : macrosOfClang()) { add(name); }
    for (const NvccMacro& one : kMacrosOfNvcc) { add(one.name); }
  }

  void FileChanged(clang::SourceLocation where, FileChangeReason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    const clang::SourceManager& sources = preprocessor_.getSourceManager();
    const auto file = sources.getFileEntryRefForID(sources.getFileID(where));
    const bool own = file && file->getName().starts_with(kProgramFolder);
    // The first time it begins, nothing is defined yet.
    if (own == own_ || preprocessor_.getPredefinesFileID().isInvalid()) { return; }
    own_ = own;
    if (own && !began_) { begin(where); }
    for (Seen& one : macros_) {
      clang::MacroInfo* const now = preprocessor_.getMacroInfo(one.name);
      clang::MacroInfo* const next = own ? one.own : one.others;
      (own ? one.others : one.own) = now;
      if (next == nullptr && now != nullptr) { undefine(one.name, where); }
      if (next != nullptr && next != now) { preprocessor_.appendDefMacroDirective(one.name, next, where); }
    }
  }

 private:
  struct Seen {
    clang::IdentifierInfo* name;
    clang::MacroInfo *own = nullptr, *others = nullptr;  ///< null: not defined
  };

  void undefine(clang::IdentifierInfo* name, clang::SourceLocation where) {
    auto* undefined = new (preprocessor_.getPreprocessorAllocator()) clang::UndefMacroDirective(where);
    preprocessor_.appendMacroDirective(name, undefined);
  }

  /// What nvcc defines is read under other names before the program.
  void begin(clang::SourceLocation where) {
    for (const NvccMacro& one : kMacrosOfNvcc) {
      clang::IdentifierInfo* const hidden = preprocessor_.getIdentifierInfo(kNvccPrefix + std::string(one.name));
      const auto to = std::ranges::find(macros_, preprocessor_.getIdentifierInfo(one.name), &Seen::name);
      to->own = preprocessor_.getMacroInfo(hidden);
      if (to->own != nullptr) { undefine(hidden, where); }
    }
    began_ = true;
  }

  clang::Preprocessor& preprocessor_;
  std::vector<Seen> macros_;
  bool own_ = false, began_ = false;
};

class HostObjectAction : public clang::EmitObjAction {
 public:
  HostObjectAction(WatchedFunctions& watched, bool functors) : watched_(watched), functors_(functors) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef input) override {
    ignoreDebugPragmas(compiler.getPreprocessor());
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<TruePlaces>(compiler.getSourceManager()));
    std::unique_ptr<clang::ASTConsumer> emitting = EmitObjAction::CreateASTConsumer(compiler, input);
    if (!emitting) { return nullptr; }
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<NvccView>(compiler.getPreprocessor()));
    std::vector<std::unique_ptr<clang::ASTConsumer>> all;
    all.push_back(withoutDeviceCode(*emitting, functors_));
    all.push_back(std::make_unique<FunctionCollector>(watched_));
    all.push_back(std::move(emitting));
    return std::make_unique<clang::MultiplexConsumer>(std::move(all));
  }

 private:
  WatchedFunctions& watched_;
  const bool functors_;
};

/// Collects Clang's errors, each at its place in the program's files.
class Problems : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < clang::DiagnosticsEngine::Error) { return; }
    llvm::SmallString<128> message;
    info.FormatDiagnostic(message);
    HostDiagnostic one;
    one.message = message.str().str();
    if (info.getID() == clang::diag::err_pp_file_not_found && info.getNumArgs() > 0) {
      one.message +=
          libraryOf(info.getArgKind(0) == clang::DiagnosticsEngine::ak_std_string ? info.getArgStdStr(0)
                                                                                  : std::string(info.getArgCStr(0)));
    }
    if (one.message.starts_with("use of undeclared identifier 'cu")) {
      one.message += tr(": if nvcc knows it, Haloscope does not have it; --no-host checks the kernels alone");
    }
    if (info.hasSourceManager() && info.getLocation().isValid()) { place(one, info); }
    if (info.getID() == clang::diag::err_variable_object_no_init) {
      variableArrays[one.where.file].push_back({one.where.line, one.column});
    }
    found.push_back(std::move(one));
  }

  std::vector<HostDiagnostic> found;
  std::map<std::string, std::vector<TextPosition>> variableArrays;  ///< with initialisers, by file

 private:
  static std::string libraryOf(const std::string& header) {
    const auto known = std::ranges::find_if(kMissingLibraries,
                                            [&](const MissingLibrary& one) { return header.starts_with(one.header); });
    return known == std::ranges::end(kMissingLibraries)
               ? std::string(tr(": put it beside the program; --no-host checks the kernels alone"))
               : trf(": Haloscope does not have {}; it executes the CUDA runtime, the C++ library and your "
                     "own kernels",
                     known->name);
  }

  static void place(HostDiagnostic& one, const clang::Diagnostic& info) {
    const clang::SourceManager& sources = info.getSourceManager();
    clang::SourceLocation at = sources.getExpansionLoc(info.getLocation());
    // An error in a library's header is reported where the program includes it.
    for (clang::PresumedLoc place = sources.getPresumedLoc(at); place.isValid();
         place = sources.getPresumedLoc(place.getIncludeLoc())) {
      const llvm::StringRef path(place.getFilename());
      if (!path.starts_with(kProgramFolder)) { continue; }
      one.where = {.file = path.drop_front(std::strlen(kProgramFolder)).str(),
                   .line = static_cast<int>(place.getLine())};
      one.column = static_cast<int>(place.getColumn());
      return;
    }
  }
};

std::string inFolder(const std::string& name) { return (fs::path(kProgramFolder) / name).lexically_normal().string(); }

/// Whether a file or header of the program has these words.
bool mentions(const HostProgram& program, std::string_view words) {
  const auto has = [words](const std::string& text) { return text.find(words) != std::string::npos; };
  return std::ranges::any_of(program.files, [&](const HostProgram::File& file) { return has(file.text); }) ||
         std::ranges::any_of(program.headers, [&](const auto& header) { return has(header.second); });
}

/// Whether the host calls its functors and lambdas: by thrust's algorithms, or by CUB's.
bool callsFunctors(const HostProgram& program) { return mentions(program, "<thrust/") || mentions(program, "cub/"); }

/// `[=] __device__ (int i)` without `__device__`: a lambda of both halves. Columns stay where they are.
std::string withHostLambdas(std::string text) {
  constexpr std::string_view kWord = "__device__", kBlank = " \t\n";
  for (std::size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord, at + 1)) {
    const std::size_t before = at == 0 ? std::string::npos : text.find_last_not_of(kBlank, at - 1);
    const std::size_t after = text.find_first_not_of(kBlank, at + kWord.size());
    if (before == std::string::npos || after == std::string::npos || text[before] != ']') { continue; }
    if (text[after] == '(' || text[after] == '{') {
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), kWord.size(), ' ');
    }
  }
  return text;
}

/// The machine's files in some folders and below them. There are no others, whatever a program includes or embeds: also
/// where the process could open them.
class FilesBelow : public llvm::vfs::ProxyFileSystem {
 public:
  explicit FilesBelow(std::vector<fs::path> folders)
      : ProxyFileSystem(llvm::vfs::getRealFileSystem()), folders_(std::move(folders)) {
    for (fs::path& folder : folders_) { folder = folder.lexically_normal(); }
  }

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    if (!has(path)) { return missing(); }
    return ProxyFileSystem::status(path);
  }
  bool exists(const llvm::Twine& path) override { return has(path) && ProxyFileSystem::exists(path); }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    if (!has(path)) { return missing(); }
    return ProxyFileSystem::openFileForRead(path);
  }

 private:
  static std::error_code missing() { return std::make_error_code(std::errc::no_such_file_or_directory); }
  [[nodiscard]] bool has(const llvm::Twine& path) const {
    const fs::path plain = fs::path(path.str()).lexically_normal();
    return std::ranges::any_of(
        folders_, [&](const fs::path& folder) { return std::ranges::mismatch(folder, plain).in1 == folder.end(); });
  }

  std::vector<fs::path> folders_;
};

/// The program, the prelude and CUDA's headers in memory, before the machine's headers.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> filesOf(const HostProgram& program, const SystemHeaders& headers) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const auto add = [&](const std::string& path, const std::string& text) {
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  };
  const bool functors = callsFunctors(program);
  const auto read = [&](const std::string& text) { return (functors ? withHostLambdas(text) : text) + "\n"; };
  for (const HostProgram::File& file : program.files) {
    add(inFolder(file.name), read(withoutNotebookLines(file.text)));
  }
  // What is added first is there.
  for (const LibraryHeader& one : headersInstead(program, kRuntimeFolder)) { add(inFolder(one.name), one.text); }
  for (const auto& [name, text] : program.headers) { add(inFolder(name), read(text)); }
  // CUDA 12 removed texture references; programs that use them get an error that says so.
  const char* const references = mentions(program, "cudaBindTexture") ? kTextureReferences : "";
  const char* const graphs = mentions(program, "cudaGraph") || mentions(program, "Capture") ? kGraphPrelude : "";
  add(kPreludePath, std::string(kVectorTypes) + kRuntimeTypes + kRuntimeFunctions + kTextureTable + kTexturePrelude +
                        references + graphs);
  const auto addHeader = [&](const std::string& name, const std::string& text) {
    add(fmt::format("{}/{}", kRuntimeFolder, name), text);
  };
  for (const char* name : kToolkitHeaders) { addHeader(name, ""); }
  addHeader("cooperative_groups.h", kCooperativeGroupsHeader);
  for (const char* name : {"cuda/barrier", "cuda/pipeline", "cuda/ptx"}) {
    addHeader(name, std::string(kThreadScopes) + kAsyncCopyHeader);
  }
  addHeader("cuda_fp16.h", kHalfHeader);
  addHeader("cuda_fp16.hpp", "");
  addHeader("helper_cuda.h", kHelperHeader);
  addHeader("helper_functions.h", kHelperHeader);
  addHeader("helper_timer.h", kHelperHeader);
  addHeader("helper_string.h", kHelperHeader);
  addHeader("cuda.h", std::string(kDriverHeader) + kTensorMapHeader);
  addHeader("cudaTypedefs.h", "#include <cuda.h>\n");
  addHeader("omp.h", kOpenMpHeader);
  for (const char* name : kThrustHeaders) {
    addHeader(fmt::format("thrust/{}", name), std::string(kThrustArrays) + kThrustAlgorithms);
  }
  const auto isMentioned = [&](const char* words) { return mentions(program, words); };
  if (std::ranges::none_of(kSpecialFunctions, isMentioned)) { addHeader("bits/specfun.h", kNoSpecialFunctions); }
  addHeader("nvToolsExt.h", kNvtxHeader);
  addHeader("nvtx3/nvToolsExt.h", kNvtxHeader);
  for (const LibraryHeader& one : libraryHeaders()) { addHeader(one.name, one.text); }
  std::string defines;
  for (const auto& [name, value] : program.defines) { defines += fmt::format("#define {} {}\n", name, value); }
  add(kDefinesPath, defines);
  std::string nvcc;
  for (const NvccMacro& one : kMacrosOfNvcc) {
    if (one.value != nullptr) { nvcc += fmt::format("#define {}{} {}\n", kNvccPrefix, one.name, one.value); }
  }
  add(kNvccPath, nvcc);
  add(kFatBinaryPath, std::string(64, '\0'));
  auto both =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::makeIntrusiveRefCnt<FilesBelow>(headers.folders()));
  both->pushOverlay(memory);
  return both;
}

/// A file of C alone: C++ would refuse some of it, such as `int* p = malloc(n)`.
bool isPlainC(const HostProgram::File& file) {
  return file.name.ends_with(".c") && file.text.find("cuda") == std::string::npos;
}

/// The options of C++ with CUDA's host half.
std::vector<std::string> cudaArguments() {
  return {"-aux-triple",
          "nvptx64-nvidia-cuda",
          "-target-sdk-version=12.5",
          "-fcuda-allow-variadic-functions",
          "-fcuda-include-gpubinary",
          kFatBinaryPath,
          "-include",
          kPreludePath,
          "-std=c++20",
          "-fdeprecated-macro",
          "-fcxx-exceptions",
          "-fexceptions",
          "-ftemplate-depth=256",
          "-x",
          "cuda"};
}

/// Arguments of the compiler proper (-cc1), which optimises as `-O2` does.
std::vector<std::string> argumentsFor(const HostProgram& program, const HostProgram::File& file,
                                      const SystemHeaders& headers) {
  const bool plainC = isPlainC(file);
  std::vector<std::string> all{"-triple",
                               llvm::sys::getProcessTriple(),
                               "-emit-obj",
                               "-main-file-name",
                               file.name,
                               "-mrelocation-model",
                               "pic",
                               "-pic-level",
                               "2",
                               "-pic-is-pie",
                               "-mframe-pointer=none",
                               "-tune-cpu",
                               "generic",
                               "-ffp-contract=off",
                               "-funwind-tables=2",
                               "-mconstructor-aliases",
                               "-femulated-tls",
                               "-debug-info-kind=line-tables-only",
                               "-dwarf-version=5",
                               "-resource-dir",
                               headers.compiler.parent_path().string(),
                               "-internal-isystem",
                               kRuntimeFolder,
                               "-O2",
                               "-vectorize-loops",
                               "-vectorize-slp",
                               "-ferror-limit",
                               "50",
                               "-fgnuc-version=4.2.1",
                               "-w",
                               "-Wno-return-mismatch",
                               "-fbracket-depth",
                               "128",
                               "-fmacro-prefix-map=" + std::string(kProgramFolder) + "=",
                               "-include",
                               kNvccPath};
  std::ranges::move(plainC ? std::vector<std::string>{"-std=gnu17", "-x", "c"} : cudaArguments(),
                    std::back_inserter(all));
  const auto search = [&](const char* option, const fs::path& folder) {
    all.emplace_back(option);
    all.push_back(folder.string());
  };
  if (!plainC) {
    for (const fs::path& folder : headers.cpp) { search("-internal-isystem", folder); }
  }
  search("-internal-isystem", headers.compiler);
  for (const fs::path& folder : headers.c) { search("-internal-externc-isystem", folder); }
  // As for nvcc, `#include <cuda_runtime.h>` is the toolkit's whatever the program has beside it.
  for (const char* folder : {"", "include", "inc", "src", "common"}) {
    search("-iquote", inFolder(folder));
    search("-idirafter", inFolder(folder));
  }
  // After the prelude, which they must not change.
  if (!program.defines.empty()) {
    all.emplace_back("-include");
    all.emplace_back(kDefinesPath);
  }
  all.push_back(inFolder(file.name));
  return all;
}

std::vector<fs::path> existing(std::vector<fs::path> folders) {
  std::erase_if(folders, [](const fs::path& folder) {
    std::error_code error;
    return !fs::is_directory(folder, error);
  });
  return folders;
}

}  // namespace

SystemHeaders SystemHeaders::find(const fs::path& compiler) {
  const std::string triple =
      fmt::format("{}-linux-gnu", llvm::Triple(llvm::sys::getProcessTriple()).getArchName().str());
  const fs::path base = "/usr/include/c++";
  // The newest libstdc++ that has its headers for this architecture, too.
  int newest = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(base, error)) {
    const int version = std::atoi(entry.path().filename().c_str());
    if (version > newest &&
        fs::is_directory(fs::path("/usr/include") / triple / "c++" / entry.path().filename(), error)) {
      newest = version;
    }
  }
  if (newest == 0) {
    throw MissingError(tr("the headers of the C++ library were not found (Debian, Ubuntu: apt install g++)"));
  }
  const std::string version = std::to_string(newest);
  return {.cpp = existing(
              {base / version, fs::path("/usr/include") / triple / "c++" / version, base / version / "backward"}),
          .compiler = compiler,
          .c = existing({fs::path("/usr/include") / triple, "/usr/include"})};
}

std::vector<fs::path> SystemHeaders::folders() const {
  std::vector<fs::path> all = cpp;
  all.push_back(compiler);
  all.insert(all.end(), c.begin(), c.end());
  return all;
}

void whenCompilersLackMemory(void (*then)()) {
  static void (*chosen)() = nullptr;
  chosen = then;
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { chosen(); });
}

std::vector<std::string> providedAmong(std::vector<std::string> names, const SystemHeaders& headers) {
  const auto files = filesOf({}, headers);
  std::vector<fs::path> folders = headers.folders();
  folders.emplace_back(kRuntimeFolder);
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::none_of(
        folders, [&](const fs::path& folder) { return files->exists((folder / name).lexically_normal().string()); });
  });
  return names;
}

namespace {

/// `variableArrays`: see Problems.
CompiledFile compileOnce(const HostProgram& program, std::size_t file, const SystemHeaders& headers,
                         bool notesComparisons, std::map<std::string, std::vector<TextPosition>>& variableArrays) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  const std::vector<std::string> texts = argumentsFor(program, program.files.at(file), headers);
  std::vector<const char*> arguments;
  for (const std::string& text : texts) { arguments.push_back(text.c_str()); }

  Problems problems;
  clang::CompilerInstance compiler;
  const auto files = filesOf(program, headers);
  compiler.createDiagnostics(&problems, /*ShouldOwnClient=*/false);
  if (!clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), arguments, compiler.getDiagnostics())) {
    return {.object = {}, .problems = std::move(problems.found)};
  }
  // The word is an error in Clang, not in nvcc. An option would come too late: the engine was created before.
  compiler.getDiagnostics().setSeverityForGroup(clang::diag::Flavor::WarningOrError, "register",
                                                clang::diag::Severity::Ignored);
  compiler.getFrontendOpts().SkipFunctionBodies = true;
  WatchedFunctions watched;
  compiler.getCodeGenOpts().PassBuilderCallbacks.emplace_back([&](llvm::PassBuilder& builder) {
    builder.registerPipelineStartEPCallback([&watched](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
      passes.addPass(InitialValues());
      passes.addPass(FunctionHooks(watched));
    });
    if (!notesComparisons) { return; }
    builder.registerOptimizerEarlyEPCallback(
        [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { passes.addPass(ComparisonHooks()); });
  });
  compiler.getDiagnosticOpts().ShowCarets = false;  // and no count of errors on standard error
  compiler.createFileManager(files);
  llvm::SmallVector<char, 0> object;
  compiler.setOutputStream(std::make_unique<llvm::raw_svector_ostream>(object));
  HostObjectAction action(watched, callsFunctors(program));
  CompiledFile result;
  const bool good = compiler.ExecuteAction(action);
  result.problems = std::move(problems.found);
  variableArrays = std::move(problems.variableArrays);
  if (good && result.problems.empty()) {
    result.object.resize(object.size());
    std::memcpy(result.object.data(), object.data(), object.size());
  }
  return result;
}

}  // namespace

CompiledFile compileHost(const HostProgram& program, std::size_t file, const SystemHeaders& headers,
                         bool notesComparisons) {
  std::map<std::string, std::vector<TextPosition>> variableArrays;
  CompiledFile result = compileOnce(program, file, headers, notesComparisons, variableArrays);
  if (variableArrays.empty()) { return result; }
  HostProgram assigned = program;
  for (const auto& [name, positions] : variableArrays) {
    for (HostProgram::File& one : assigned.files) {
      if (one.name == name) { one.text = withAssignedArrays(std::move(one.text), positions); }
    }
    const auto header = assigned.headers.find(name);
    if (header != assigned.headers.end()) { header->second = withAssignedArrays(std::move(header->second), positions); }
  }
  CompiledFile again = compileOnce(assigned, file, headers, notesComparisons, variableArrays);
  return again.problems.empty() ? std::move(again) : std::move(result);
}

}  // namespace haloscope::host
