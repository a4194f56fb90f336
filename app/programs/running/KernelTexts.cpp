#include "running/KernelTexts.h"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "language/Language.h"
#include "language/Text.h"
#include "opening/LocalHeaders.h"
#include "program/SourceLocation.h"

namespace haloscope::running {

namespace {

/// A text of the program in which a kernel may be, and how to read it.
struct Unit {
  std::string name;
  const std::string* text = nullptr;
  frontend::CompileOptions options;
};

/// The program's files, this one first, then its headers, each as if it were a file.
std::vector<Unit> unitsOf(const host::HostProgram& program, std::uint32_t first) {
  std::vector<Unit> units;
  for (const host::HostProgram::File& file : program.files) {
    Unit unit{.name = file.name, .text = &file.text, .options = {}};
    unit.options.defines = program.defines;
    unit.options.headers = program.headers;
    unit.options.executed = true;
    units.push_back(std::move(unit));
  }
  if (first < units.size()) { std::swap(units[0], units[first]); }
  for (const auto& [name, text] : program.headers) {
    Unit unit{.name = name, .text = &text, .options = {}};
    unit.options.defines = program.defines;
    unit.options.headers = opening::headersSeenFrom(name, program.headers);
    unit.options.executed = true;
    for (const host::HostProgram::File& file : program.files) {
      unit.options.prologue = opening::textBefore(file.text, name);
      if (!unit.options.prologue.empty()) { break; }
    }
    units.push_back(std::move(unit));
  }
  return units;
}

/// A kernel that cannot be read, with its first error.
struct KernelError {
  std::string kernel;
  SourceRange where;
  std::string message;
};

std::vector<KernelError> readErrors(const Unit& unit) {
  std::vector<KernelError> errors;
  const frontend::TextSummary summary = frontend::summarize(*unit.text, unit.options);
  for (const frontend::KernelSummary& kernel : summary.kernels) {
    const auto isIn = [&](const frontend::Diagnostic& one) {
      return one.severity == frontend::Diagnostic::Severity::Error && one.header.empty() &&
             one.where.line >= kernel.where.line && one.where.line <= kernel.where.endLine;
    };
    const auto first = std::ranges::find_if(summary.diagnostics, isIn);
    if (first != summary.diagnostics.end()) { errors.push_back({kernel.functionName, first->where, first->message}); }
  }
  return errors;
}

/// The errors of the texts that were asked for last, in the language in which they were: a program is executed again
/// and again, with most texts unchanged.
class KnownErrors {
 public:
  std::vector<KernelError> of(const Unit& unit) {
    {
      const std::scoped_lock lock(mutex_);
      const auto known = std::ranges::find_if(known_, [&](const Entry& one) {
        return one.language == language() && one.text == *unit.text && one.options == unit.options;
      });
      if (known != known_.end()) { return known->errors; }
    }
    const Language asked = language();
    Entry entry{asked, *unit.text, unit.options, readErrors(unit)};
    const std::scoped_lock lock(mutex_);
    if (known_.size() == kMost) { known_.pop_front(); }
    return known_.emplace_back(std::move(entry)).errors;
  }

 private:
  static constexpr std::size_t kMost = 32;
  struct Entry {
    Language language;
    std::string text;
    frontend::CompileOptions options;
    std::vector<KernelError> errors;
  };
  std::mutex mutex_;
  std::deque<Entry> known_;
};

/// The longest mangled name that is read: a longer one is forged, and the demangler recurses.
constexpr std::size_t kMaxSymbol = 2048;

/// Each takes some milliseconds to be read.
constexpr std::size_t kMostKernels = 1000;

}  // namespace

std::string baseName(std::string name) {
  name = name.substr(0, name.find('<'));
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

std::string qualifiedName(const std::string& symbol) {
  llvm::ItaniumPartialDemangler demangler;
  if (symbol.size() > kMaxSymbol) { return symbol.substr(0, kMaxSymbol); }
  // A name that is not mangled may look like a type's: "c" is char.
  if (!symbol.starts_with("_Z") || demangler.partialDemangle(symbol.c_str())) { return symbol; }
  char* const text =
      demangler.isFunction() ? demangler.getFunctionName(nullptr, nullptr) : demangler.finishDemangle(nullptr, nullptr);
  std::string name = text == nullptr ? symbol : text;
  std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): the demangler's
  return name;
}

std::vector<host::HostDiagnostic> KernelTexts::errorsOfOthers() const {
  std::set<std::string> launched;
  for (const auto& [symbol, kernel] : known_) { launched.insert(baseName(kernel.name)); }
  static KnownErrors known;
  std::vector<host::HostDiagnostic> errors;
  for (const Unit& unit : unitsOf(program_, 0)) {
    if (unit.text->find("__global__") == std::string::npos) { continue; }
    for (const KernelError& one : known.of(unit)) {
      if (launched.contains(one.kernel)) { continue; }
      errors.push_back({.where = {.file = unit.name, .line = one.where.line},
                        .column = one.where.column,
                        .message = trf("{} cannot be read: {}.", one.kernel, one.message)});
    }
  }
  return errors;
}

const LaunchedKernel& KernelTexts::find(const std::string& symbol, std::uint32_t file) {
  // Any other number is forged, and would have each kernel read again.
  file = std::min(file, static_cast<std::uint32_t>(program_.files.size()));
  if (known_.size() >= kMostKernels && !known_.contains({symbol, file})) {
    throw InputError(trf("the program launches more than {} different kernels", kMostKernels));
  }
  const auto [entry, isNew] = known_.try_emplace({symbol, file});
  LaunchedKernel& kernel = entry->second;
  if (!isNew) { return kernel; }
  kernel.symbol = symbol;
  kernel.name = qualifiedName(symbol);
  kernel.fileIndex = file;
  const std::string base = baseName(kernel.name);
  // By the mangled name; if no kernel has it (a type of its parameters may be named otherwise here), by its name alone.
  for (const std::string& wanted : {symbol, base}) {
    for (Unit& unit : unitsOf(program_, file)) {
      if (unit.text->find(base) == std::string::npos || unit.text->find("__global__") == std::string::npos) {
        continue;
      }
      if (kernel.name.ends_with('>')) { unit.options.instances = {kernel.name}; }
      unit.options.kernel = wanted;
      try {
        kernel.program =
            std::make_shared<const Program>(frontend::compile(unit.name, *unit.text, unit.options).program);
        kernel.file = unit.name;
        kernel.text = unit.text;
        kernel.options = unit.options;
        kernel.problem.clear();
        if (const auto other = changed_.find(symbol); other != changed_.end()) { kernel.program = other->second; }
        return kernel;
      } catch (const frontend::NoSuchKernel&) { continue; } catch (const SourceError& error) {
        kernel.problem = error.what();
        kernel.file = unit.name;
      }
    }
    if (!kernel.problem.empty()) { return kernel; }
  }
  kernel.problem = trf("the kernel {} is in no file of the program", kernel.name);
  return kernel;
}

}  // namespace haloscope::running
