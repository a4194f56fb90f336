#include "opening/OpenedFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <iterator>

#include "experiment/Experiment.h"
#include "language/Text.h"
#include "opening/LaunchLimits.h"
#include "opening/LaunchProposal.h"
#include "opening/LocalHeaders.h"
#include "opening/MissingNames.h"
#include "opening/TextNames.h"
#include "opening/WrittenLaunch.h"
#include "preludes/ToolkitHeaders.h"
#include "program/Misspelling.h"

namespace haloscope::opening {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxKernels = 64;
/// Each kernel means reading the whole text again: a limit on the bytes read in all, if there are more than eight.
constexpr std::size_t kMaxReadBytes = std::size_t{2} << 20;
constexpr std::chrono::seconds kLongestReading{20};
constexpr int kMaxRounds = 12;
constexpr int kMaxIncludeDepth = 4;

/// For a header that is opened as a separate text: its context in the program that includes it.
struct Surroundings {
  fs::path program;
  std::string before;  ///< the text up to the header
  std::string host;    ///< the whole program, for its launches
  std::map<std::string, std::string> headers;
  int depth = 0;
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::now() + kLongestReading;
};

void add(std::vector<frontend::Diagnostic>& to, const std::vector<frontend::Diagnostic>& from) {
  for (const frontend::Diagnostic& placed : from) {
    const frontend::Diagnostic one = frontend::seenFromText(placed);
    const bool known = std::ranges::any_of(to, [&](const frontend::Diagnostic& other) {
      return other.where == one.where && other.message == one.message;
    });
    if (!known) { to.push_back(one); }
  }
}

class Opener {
 public:
  Opener(fs::path path, std::string text, const LaunchOverrides& overrides, Surroundings around = {})
      : overrides_(overrides), around_(std::move(around)), names_(text), missing_(names_, file_.text) {
    file_.path = std::move(path);
    file_.text = std::move(text);
  }

  OpenedFile open() {
    base_.path = file_.path;
    base_.text = file_.text;
    base_.markOpened();
    base_.macros = overrides_.defines;
    base_.prologue = around_.before;
    base_.headers = around_.headers;
    base_.includedBy = around_.program;
    base_.headers = localHeaders(file_.path.parent_path(), file_.text, overrides_.headerTexts, std::move(base_.headers),
                                 around_.depth == 0 ? file_.path.parent_path() : around_.program.parent_path());
    std::string everything = around_.host + "\n" + file_.text;
    for (const auto& [unused, header] : base_.headers) { everything += "\n" + header; }
    names_ = TextNames(everything);
    if (overrides_.executed.empty()) { base_.instances = names_.instances(); }
    for (const ExecutedLaunch& one : overrides_.executed) {
      const bool known = std::ranges::find(base_.instances, one.instance) != base_.instances.end();
      if (one.instance.ends_with('>') && !known) { base_.instances.push_back(one.instance); }
    }
    if (KernelFile::hasHeader(file_.text)) { withHeader(); }
    const frontend::TextSummary summary = supplyMissing();
    const std::size_t mostKernels =
        std::clamp(kMaxReadBytes / std::max<std::size_t>(1, file_.text.size()), std::size_t{8}, kMaxKernels);
    for (const frontend::KernelSummary& kernel : summary.kernels) {
      const bool late = std::chrono::steady_clock::now() > around_.until;
      if (file_.kernels.size() >= mostKernels || late) {
        // One row for all of them: what is not opened is not judged, and says so.
        refuse(kernel.name,
               {{frontend::Diagnostic::Severity::Error, kernel.where,
                 late ? trf("only the first {} kernels of this text are opened: to read them took more than {} s",
                            file_.kernels.size(), kLongestReading.count())
                      : trf("only the first {} kernels of this text are opened", mostKernels)}});
        file_.unread.back().beyondLimit = true;
        break;
      }
      const bool known =
          std::ranges::any_of(file_.kernels, [&](const ProposedKernel& one) { return one.file.kernel == kernel.name; });
      if (!known) { propose(summary, kernel); }
    }
    refuseMisspeltKernels(summary);
    noteHelpers(summary.helperErrors);
    noteMissingHeaders();
    openHeaders();
    if (summary.kernels.empty() && file_.kernels.empty()) {
      add(file_.diagnostics, summary.diagnostics);
      const bool unknown = std::ranges::any_of(
          summary.diagnostics, [](const frontend::Diagnostic& one) { return endedTheCompiler(one.kind); });
      if (!unknown) {
        add(file_.diagnostics,
            {{frontend::Diagnostic::Severity::Error, {}, tr("no kernel: no __global__ function with a body")}});
      }
    }
    if (around_.depth == 0) {
      expectKnownBindings();
      findUnusedDefines();
    }
    return std::move(file_);
  }

 private:
  /// Opens the kernels in headers that the text includes: each header is a separate text.
  void openHeaders() {
    if (around_.depth >= kMaxIncludeDepth) { return; }
    for (const std::string& name : includesIn(file_.text)) {
      const auto header = base_.headers.find(fs::path(name).lexically_normal().string());
      if (header == base_.headers.end() || header->second.find("__global__") == std::string::npos) { continue; }
      if (std::chrono::steady_clock::now() > around_.until) {
        addNote(trf("{} is not searched for kernels: to read the text and the headers before it took more than {} s",
                    name, kLongestReading.count()));
        break;
      }
      Surroundings around{.program = around_.depth == 0 ? file_.path : around_.program,
                          .before = base_.prologue + textBefore(file_.text, name),
                          .host = around_.host + "\n" + file_.text,
                          .headers = headersSeenFrom(header->first, base_.headers),
                          .depth = around_.depth + 1,
                          .until = around_.until};
      OpenedFile opened =
          Opener(pathOfHeader(file_.path.parent_path(), header->first), header->second, overrides_, std::move(around))
              .open();
      for (ProposedKernel& kernel : opened.kernels) {
        const bool known = std::ranges::any_of(
            file_.kernels, [&](const ProposedKernel& one) { return one.file.kernel == kernel.file.kernel; });
        if (!known && file_.kernels.size() < kMaxKernels) { file_.kernels.push_back(std::move(kernel)); }
      }
      for (UnreadKernel& kernel : opened.unread) {
        kernel.before = file_.kernels.size();
        if (!isUnread(kernel.kernel)) { file_.unread.push_back(std::move(kernel)); }
      }
      for (std::string& note : opened.notes) { addNote(std::move(note)); }
      // Their places are in the header, which only the message can name.
      for (frontend::Diagnostic& one : opened.diagnostics) {
        if (one.where.valid()) { one.message = fmt::format("{}:{}: {}", name, one.where.line, one.message); }
        one.where = {};
      }
      add(file_.diagnostics, opened.diagnostics);
    }
  }

  [[nodiscard]] bool isUnread(const std::string& kernel) const {
    return std::ranges::find(file_.unread, kernel, &UnreadKernel::kernel) != file_.unread.end();
  }

  void addNote(std::string note) {
    if (std::ranges::find(file_.notes, note) == file_.notes.end()) { file_.notes.push_back(std::move(note)); }
  }

  [[nodiscard]] SourceError inItsFile(const frontend::Diagnostic& one) const {
    return {(one.header.empty() ? file_.path : pathOfHeader(file_.path.parent_path(), one.header)).string(), one.where,
            one.message};
  }

  /// Explains an undeclared name that is a variable of another function, such as main().
  [[nodiscard]] frontend::Diagnostic explained(frontend::Diagnostic one) const {
    const bool undeclared = one.kind == frontend::Diagnostic::Kind::UndeclaredIdentifier && one.suggestion.empty();
    if (undeclared && names_.assigns(one.name)) {
      one.message += trf(": the variable {} of another function is not visible here; pass it as a parameter", one.name);
    }
    return one;
  }

  /// "__gloabl__ void sweep(…)": a kernel that Clang does not recognise.
  void refuseMisspeltKernels(const frontend::TextSummary& summary) {
    for (const frontend::Diagnostic& one : summary.diagnostics) {
      const bool unknown = one.kind == frontend::Diagnostic::Kind::UnknownType && one.name.starts_with("__");
      if (!unknown || !isMisspelling(one.name, "__global__")) { continue; }
      frontend::Diagnostic misspelt = one;
      misspelt.suggestion = "__global__";
      misspelt.message = trf("unknown type name '{}'; did you mean '__global__'?", one.name);
      refuse({}, {misspelt});
    }
  }

  void refuse(const std::string& kernel, const std::vector<frontend::Diagnostic>& why, const std::string& symbol = {}) {
    add(file_.diagnostics, why);
    UnreadKernel unread{.kernel = kernel, .path = file_.path, .before = file_.kernels.size(), .symbol = symbol};
    for (const frontend::Diagnostic& one : why) {
      if (one.severity != frontend::Diagnostic::Severity::Error) { continue; }
      SourceError error = inItsFile(explained(one));  // for a name that is used repeatedly, the first use
      const auto same = [&](const SourceError& other) { return other.message() == error.message(); };
      if (std::ranges::none_of(unread.errors, same)) { unread.errors.push_back(std::move(error)); }
    }
    if (unread.errors.empty()) {
      unread.errors.emplace_back(file_.path.string(), SourceRange{}, tr("cannot be compiled"));
    }
    if (!isUnread(kernel)) { file_.unread.push_back(std::move(unread)); }
  }

  /// A device function that cannot be compiled makes only the kernels fail that call it.
  void noteHelpers(const std::vector<frontend::Diagnostic>& errors) {
    for (const frontend::Diagnostic& one : errors) {
      const SourceError error = inItsFile(one);
      const bool reported = std::ranges::any_of(file_.unread, [&](const UnreadKernel& kernel) {
        return std::ranges::any_of(kernel.errors, [&](const SourceError& e) { return e.where() == error.where(); });
      });
      if (reported) { continue; }
      addNote(trf("{} (in a device function that no opened kernel calls)", error.what()));
    }
  }

  /// A header that was not found may declare the names that a kernel misses.
  void noteMissingHeaders() {
    if (file_.unread.empty()) { return; }
    for (const std::string& name : includesIn(file_.text)) {
      if (preludes::isToolkitHeader(name) || base_.headers.contains(fs::path(name).lexically_normal().string())) {
        continue;
      }
      addNote(
          isLinked(file_.path.parent_path(), name)
              ? trf("{} is not read, because it is behind a symbolic link, or more than two folders above {}: its "
                    "declarations are unknown",
                    name, file_.path.filename().string())
              : trf("{} was not found next to {}: its declarations are unknown", name, file_.path.filename().string()));
    }
  }

  /// Parses the text repeatedly, until no name that can be supplied is missing.
  frontend::TextSummary supplyMissing() {
    frontend::TextSummary summary;
    for (int round = 0; round < kMaxRounds; ++round) {
      ProposedKernel trial{base_, {}, {}};
      missing_.addTo(trial);
      summary = frontend::summarize(file_.text, frontend::optionsOf(trial.file, trial.file.defaults()));
      if (!missing_.supply(summary)) { break; }
    }
    return summary;
  }

  void withHeader() {
    try {
      ProposedKernel kernel;
      kernel.file = KernelFile::parse("opened/" + file_.path.stem().string(), file_.path, file_.text);
      kernel.file.headers = base_.headers;
      kernel.file.macros = base_.macros;
      kernel.file.instances = base_.instances;
      const frontend::CompileResult result =
          frontend::compile(file_.path.string(), file_.text, frontend::optionsOf(kernel.file, kernel.file.defaults()));
      kernel.file.kernel = result.program.kernel;
      kernel.file.id = file_.path.filename().string() + ":" + kernel.file.kernel;
      kernel.file.markOpened();
      applyOverrides(kernel.file);
      file_.kernels.push_back(std::move(kernel));
    } catch (const frontend::CompileError& error) {
      add(file_.diagnostics, error.diagnostics());
    } catch (const SourceError& error) {
      add(file_.diagnostics, {{frontend::Diagnostic::Severity::Error, error.where(), error.message()}});
      addNote(trf("{} (so the launch that the text describes is not used)", error.what()));
    }
  }

  void applyOverrides(KernelFile& file) const {
    const auto set = [](std::array<Expression, 3>& to, const Dim3& from) {
      to = {Expression(std::to_string(from.x)), Expression(std::to_string(from.y)), Expression(std::to_string(from.z))};
    };
    if (overrides_.grid) { set(file.grid, *overrides_.grid); }
    if (overrides_.block) { set(file.block, *overrides_.block); }
    if (overrides_.dynamicSharedBytes) {
      file.dynamicSharedBytes = Expression(std::to_string(*overrides_.dynamicSharedBytes));
    }
    for (SizeParameter& size : file.sizes) {
      const auto given = overrides_.bindings.find(size.name);
      if (given == overrides_.bindings.end()) { continue; }
      size.defaultValue = Expression(given->second).evaluateInteger({});
      size.maximum = std::max(size.maximum, size.defaultValue);
    }
  }

  /// The program's own launch of a kernel, if it was executed.
  [[nodiscard]] const ExecutedLaunch* executedLaunch(const frontend::KernelSummary& kernel) const {
    const auto one = std::ranges::find(overrides_.executed, kernel.symbol, &ExecutedLaunch::symbol);
    return one == overrides_.executed.end() ? nullptr : &*one;
  }

  void propose(const frontend::TextSummary& summary, const frontend::KernelSummary& kernel) {
    ProposedKernel proposed{base_, {}, {}};
    proposed.symbol = kernel.symbol;
    KernelFile& file = proposed.file;
    file.kernel = kernel.name;
    file.id = file_.path.filename().string() + ":" + kernel.name;
    file.title = kernel.name;
    missing_.addTo(proposed);
    const ExecutedLaunch* const executed = executedLaunch(kernel);
    if (executed != nullptr) { file.integers = executed->integers; }
    try {
      const frontend::CompileResult result =
          frontend::compile(file_.path.string(), file_.text, frontend::optionsOf(file, file.defaults()));
      LaunchOverrides overrides = overrides_;
      const bool guessed = executed == nullptr && !overrides.block && !overrides.grid;
      std::optional<Dim3> block;
      const WrittenLaunch written =
          guessed ? writtenLaunch(file_.text, kernel.functionName, summary.constants) : WrittenLaunch{};
      if (written.block && written.block->count() <= kMaxThreadsPerBlock && written.block->z <= kMaxBlockZ) {
        block = written.block;
        if (written.oneBlock) { overrides.grid = Dim3{1, 1, 1}; }
        proposed.blockIsWritten = true;
        proposed.assumptions.push_back(
            trf("No launch of it was executed: blocks of {}×{}×{} threads are those of the launch in the text.",
                written.block->x, written.block->y, written.block->z));
      }
      const ProposedKernel before = proposed;
      const auto propose = [&] {
        proposeLaunch(
            proposed, result.program,
            {names_, summary.constants, overrides, kernel.functionName, missing_.starCoefficients(), executed, block});
      };
      propose();
      if (guessed && !block && hasTooManyThreads(file)) {  // what was guessed is no fault of the text
        proposed = before;
        block = Dim3{16, 16, 1};
        propose();
      }
      const SourceRange launched =
          overrides_.block || overrides_.grid ? SourceRange{} : launchIn(file_.text, kernel.functionName);
      requireValidLaunch(file, result.program, launched.valid() ? launched : kernel.where);
      proposeDynamicShared(proposed, result.program, executed);
      if (executed != nullptr) { proposed.executed = *executed; }
      add(file_.diagnostics, result.warnings);
      file_.kernels.push_back(std::move(proposed));
    } catch (const frontend::CompileError& error) {
      refuse(kernel.name, error.diagnostics(), kernel.symbol);
    } catch (const SourceError& error) {
      refuse(kernel.name, {{frontend::Diagnostic::Severity::Error, error.where(), error.message()}}, kernel.symbol);
    } catch (const InputError& error) {
      const SourceRange launched = launchIn(file_.text, kernel.functionName);
      const bool impossible = !launchProblem(file).empty() && launched.valid();
      refuse(kernel.name,
             {{frontend::Diagnostic::Severity::Error, impossible ? launched : kernel.where,
               impossible ? launchProblem(file) : error.what()}},
             kernel.symbol);
    }
  }

  /// Proposes the size of dynamic shared memory if the launch does not give it.
  void proposeDynamicShared(ProposedKernel& proposed, const Program& program, const ExecutedLaunch* executed) const {
    const auto dynamic = std::ranges::find_if(program.objects, [](const MemoryObject& object) {
      return object.space == MemorySpace::Shared && object.extentsAtLaunch;
    });
    proposed.dynamicShared = dynamic != program.objects.end();
    KernelFile& file = proposed.file;
    if (!proposed.dynamicShared || overrides_.dynamicSharedBytes) { return; }
    if (executed != nullptr) {
      if (file.dynamicSharedBytes) { return; }
      proposed.assumptions.push_back(
          trf("The launch of {} gives no dynamic shared memory, as <<<…>>> has no third value: {} has no "
              "elements. Use --shared BYTES to give it some.",
              file.kernel, dynamic->name));
      return;
    }
    if (!file.dynamicSharedBytes) {
      const std::int64_t threads = file.configuration(file.defaults()).threadsPerBlock();
      file.dynamicSharedBytes =
          Expression(std::to_string(std::min(kMaxSharedBytesPerBlock - program.sharedBytes(), 16 * threads + 4096)));
    }
    const std::int64_t bytes = file.dynamicSharedBytes->evaluateInteger(file.defaults());
    proposed.assumptions.push_back(
        trf("The text does not say how many bytes of dynamic shared memory a block gets: taken as {}, which is "
            "{} elements of {}. Use --shared BYTES for another number.",
            bytes, bytes / sizeInMemory(dynamic->element), dynamic->name));
  }

  void findUnusedDefines() {
    for (const auto& [name, unused] : overrides_.defines) {
      const bool known =
          names_.mentions(name) || std::ranges::any_of(file_.kernels, [&, wanted = name](const auto& one) {
            return one.file.findTunable(wanted) != nullptr;
          });
      if (!known) { file_.unusedDefines.push_back(name); }
    }
  }

  void expectKnownBindings() const {
    for (const auto& [name, unused] : overrides_.bindings) {
      const bool known = std::ranges::any_of(file_.kernels, [&, wanted = name](const ProposedKernel& kernel) {
        return kernel.file.findSize(wanted) != nullptr || kernel.file.arguments.contains(wanted) ||
               std::ranges::any_of(kernel.file.arrays, [&](const ArrayDeclaration& a) { return a.name == wanted; });
      });
      if (!known && !file_.kernels.empty()) {
        throw InputError(trf("no kernel of {} has a parameter \"{}\"", file_.path.string(), name));
      }
    }
  }

  const LaunchOverrides& overrides_;
  Surroundings around_;
  OpenedFile file_;
  TextNames names_;
  MissingNames missing_;
  KernelFile base_;  ///< what all kernels of the text have in common
};

}  // namespace

std::string tooLargeText(const fs::path& path, std::uintmax_t bytes) {
  if (bytes <= kMaxTextBytes) { return {}; }
  return trf("{} is larger than {} KiB and cannot be a kernel file", path.string(), kMaxTextBytes >> 10);
}

std::string readOpenedText(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) { throw InputError(trf("{} is not a file that can be read", path.string())); }
  if (const std::string problem = tooLargeText(path, fs::file_size(path, error)); !problem.empty()) {
    throw InputError(problem);
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) { throw InputError(trf("{} cannot be opened for reading", path.string())); }
  return {std::istreambuf_iterator<char>(in), {}};
}

OpenedFile openFile(const fs::path& path, const LaunchOverrides& overrides) {
  return openText(path, readOpenedText(path), overrides);
}

OpenedFile openText(const fs::path& path, std::string text, const LaunchOverrides& overrides) {
  if (const std::string problem = tooLargeText(path, text.size()); !problem.empty()) { throw InputError(problem); }
  if (text.find('\0') != std::string::npos) { throw InputError(trf("{} is not a text file", path.string())); }
  return Opener(path, std::move(text), overrides).open();
}

}  // namespace haloscope::opening
