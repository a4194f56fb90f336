#include "experiment/StudentFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "experiment/Experiment.h"
#include "experiment/HostCode.h"
#include "experiment/LaunchProposal.h"
#include "experiment/MissingNames.h"

namespace haloscope::experiment {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxTextBytes = std::size_t{256} << 10;
constexpr std::size_t kMaxHeaders = 64;
constexpr std::size_t kMaxKernels = 64;
/// Each kernel is a reading of the whole text: so many bytes are read in all, of eight kernels at least.
constexpr std::size_t kMaxReadBytes = std::size_t{2} << 20;
constexpr int kMaxRounds = 12;
constexpr int kMaxIncludeDepth = 4;

constexpr auto kIncludeFolders =
    std::to_array<const char*>({"", "include", "inc", "common", "../include", "../common"});

std::string readText(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) { throw InputError(path.string() + " is not a file that can be read"); }
  if (fs::file_size(path, error) > kMaxTextBytes) {
    throw InputError(path.string() + " is larger than 256 KiB: that is no kernel file");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) { throw InputError(path.string() + " cannot be opened for reading"); }
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Names in `#include "…"` lines.
std::vector<std::string> includesIn(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find("#include"); at != std::string::npos; at = text.find("#include", at + 1)) {
    const std::size_t line = std::min(text.find('\n', at), text.size());
    const std::size_t begin = text.find('"', at);
    const std::size_t end = begin < line ? text.find('"', begin + 1) : std::string::npos;
    if (end < line) { names.push_back(text.substr(begin + 1, end - begin - 1)); }
  }
  return names;
}

/// Headers that the text includes and that lie beside it, or in the project's include folders; and those that they
/// include. What is not there is passed over: the host's headers are not needed.
void readHeaders(const fs::path& folder, const fs::path& inside, const std::string& text,
                 const std::map<fs::path, std::string>& edited, std::map<std::string, std::string>& headers) {
  for (const std::string& name : includesIn(text)) {
    const std::string key = (inside / name).lexically_normal().string();
    if (headers.size() >= kMaxHeaders || headers.contains(key) || key.starts_with("/")) { continue; }
    for (const char* below : kIncludeFolders) {
      std::error_code error;
      const fs::path path = folder / below / inside / name;
      if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMaxTextBytes) { continue; }
      const auto typed = edited.find(path.lexically_normal());
      headers[key] = typed == edited.end() ? readText(path) : typed->second;
      const std::string content = headers[key];
      readHeaders(folder, (inside / name).lexically_normal().parent_path(), content, edited, headers);
      break;
    }
  }
}

/// The text up to the line that includes a header.
std::string textBefore(const std::string& text, const std::string& header) {
  for (std::size_t at = text.find("#include"); at != std::string::npos; at = text.find("#include", at + 1)) {
    const std::size_t line = std::min(text.find('\n', at), text.size());
    if (text.substr(at, line - at).find('"' + header + '"') != std::string::npos) { return text.substr(0, at); }
  }
  return {};
}

/// A header in a folder of its own names its neighbours without that folder.
std::map<std::string, std::string> seenFrom(const fs::path& header, const std::map<std::string, std::string>& headers) {
  std::map<std::string, std::string> seen = headers;
  const std::string folder = header.parent_path().string();
  for (const auto& [name, content] : headers) {
    if (!folder.empty() && name.starts_with(folder + "/")) {
      seen.try_emplace(name.substr(folder.size() + 1), content);
    }
  }
  seen.erase(header.filename().string());  // it is the text itself
  return seen;
}

/// Of a header that is opened as a text of its own: what the program that includes it has before it.
struct Surroundings {
  fs::path program;
  std::string before;  ///< the text up to the header
  std::string host;    ///< all of the program, for its launches
  std::map<std::string, std::string> headers;
  int depth = 0;
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
      : overrides_(overrides), around_(std::move(around)), code_(text), missing_(code_, file_.text) {
    file_.path = std::move(path);
    file_.text = std::move(text);
  }

  StudentFile open() {
    base_.path = file_.path;
    base_.text = file_.text;
    base_.chapter = "opened";
    base_.macros = overrides_.defines;
    base_.prologue = around_.before;
    base_.headers = around_.headers;
    base_.includedBy = around_.program;
    readHeaders(file_.path.parent_path(), {}, file_.text, overrides_.headerTexts, base_.headers);
    std::string everything = around_.host + "\n" + file_.text;
    for (const auto& [unused, header] : base_.headers) { everything += "\n" + header; }
    code_ = HostCode(everything);
    for (const HostCode::LaunchCall& one : code_.launches()) {
      const bool known = std::ranges::find(base_.instances, one.instance) != base_.instances.end();
      if (one.instance != one.kernel && !known && base_.instances.size() < 16) {
        base_.instances.push_back(one.instance);
      }
    }
    if (file_.text.find("/* haloscope") != std::string::npos) { withHeader(); }
    const frontend::TextSummary summary = supplyMissing();
    const std::size_t mostKernels =
        std::clamp(kMaxReadBytes / std::max<std::size_t>(1, file_.text.size()), std::size_t{8}, kMaxKernels);
    for (const frontend::TextSummary::Kernel& kernel : summary.kernels) {
      if (file_.kernels.size() >= mostKernels) {
        add(file_.diagnostics, {{frontend::Diagnostic::Severity::Warning, kernel.where,
                                 fmt::format("only the first {} kernels of this text are opened", mostKernels)}});
        break;
      }
      const bool known =
          std::ranges::any_of(file_.kernels, [&](const ProposedKernel& one) { return one.file.kernel == kernel.name; });
      if (!known) { propose(kernel); }
    }
    noteHelpers(summary.helperErrors);
    noteMissingHeaders();
    openHeaders();
    if (summary.kernels.empty() && file_.kernels.empty()) {
      add(file_.diagnostics, summary.diagnostics);
      add(file_.diagnostics,
          {{frontend::Diagnostic::Severity::Error, {}, "no kernel: no __global__ function with a body"}});
    }
    if (around_.depth == 0) { expectKnownBindings(); }
    return std::move(file_);
  }

 private:
  /// Kernels in headers that the text includes: each header is a text of its own.
  void openHeaders() {
    if (around_.depth >= kMaxIncludeDepth) { return; }
    for (const std::string& name : includesIn(file_.text)) {
      const auto header = base_.headers.find(fs::path(name).lexically_normal().string());
      if (header == base_.headers.end() || header->second.find("__global__") == std::string::npos) { continue; }
      Surroundings around{.program = around_.depth == 0 ? file_.path : around_.program,
                          .before = base_.prologue + textBefore(file_.text, name),
                          .host = around_.host + "\n" + file_.text,
                          .headers = seenFrom(header->first, base_.headers),
                          .depth = around_.depth + 1};
      StudentFile opened = Opener(headerPath(header->first), header->second, overrides_, std::move(around)).open();
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
      // Their places are in the header: where nothing else says so, the message does.
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
    return {(one.header.empty() ? file_.path : headerPath(one.header)).string(), one.where, one.message};
  }

  void refuse(const std::string& kernel, const std::vector<frontend::Diagnostic>& why) {
    add(file_.diagnostics, why);
    UnreadKernel unread{kernel, file_.path, file_.kernels.size(), {}};
    for (const frontend::Diagnostic& one : why) {
      if (one.severity == frontend::Diagnostic::Severity::Error) { unread.errors.push_back(inItsFile(one)); }
    }
    if (unread.errors.empty()) { unread.errors.emplace_back(file_.path.string(), SourceRange{}, "cannot be compiled"); }
    if (!isUnread(kernel)) { file_.unread.push_back(std::move(unread)); }
  }

  /// A device function that cannot be compiled is a fault of the kernels that call it, and of no other.
  void noteHelpers(const std::vector<frontend::Diagnostic>& errors) {
    for (const frontend::Diagnostic& one : errors) {
      const SourceError error = inItsFile(one);
      const bool told = std::ranges::any_of(file_.unread, [&](const UnreadKernel& kernel) {
        return std::ranges::any_of(kernel.errors, [&](const SourceError& e) { return e.where() == error.where(); });
      });
      if (told) { continue; }
      addNote(fmt::format("{} (a device function that no kernel read here calls)", error.what()));
    }
  }

  /// A name that a kernel does not find may well be declared there.
  void noteMissingHeaders() {
    if (file_.unread.empty()) { return; }
    for (const std::string& name : includesIn(file_.text)) {
      const bool toolkit = name.starts_with("cuda") || name.starts_with("device_") || name.starts_with("helper_");
      if (toolkit || base_.headers.contains(fs::path(name).lexically_normal().string())) { continue; }
      addNote(fmt::format("{} is not beside {}: what it declares is not known", name, file_.path.filename().string()));
    }
  }

  /// Where readHeaders() found it.
  [[nodiscard]] fs::path headerPath(const std::string& name) const {
    const fs::path folder = file_.path.parent_path();
    for (const char* below : kIncludeFolders) {
      std::error_code error;
      if (fs::is_regular_file(folder / below / name, error)) { return (folder / below / name).lexically_normal(); }
    }
    return folder / name;
  }

  [[nodiscard]] frontend::CompileOptions options(const KernelFile& file) const {
    return {.defines = file.defines(file.defaults()),
            .kernel = file.kernel,
            .prologue = file.prologue,
            .headers = file.headers,
            .instances = file.instances};
  }

  /// Reads the text again and again, until no name that can be supplied is missing.
  frontend::TextSummary supplyMissing() {
    frontend::TextSummary summary;
    for (int round = 0; round < kMaxRounds; ++round) {
      ProposedKernel trial{base_, {}, {}};
      missing_.addTo(trial);
      summary = frontend::summarize(file_.text, options(trial.file));
      if (!missing_.supply(summary.diagnostics)) { break; }
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
      const frontend::CompileResult result = frontend::compile(file_.path.string(), file_.text, options(kernel.file));
      kernel.file.kernel = result.program.kernel;
      kernel.file.id = file_.path.filename().string() + ":" + kernel.file.kernel;
      kernel.file.chapter = "opened";
      applyOverrides(kernel.file);
      file_.kernels.push_back(std::move(kernel));
    } catch (const frontend::CompileError& error) {
      add(file_.diagnostics, error.diagnostics());
    } catch (const SourceError& error) {
      add(file_.diagnostics, {{frontend::Diagnostic::Severity::Error, error.where(), error.message()}});
      addNote(fmt::format("{} (so the launch that the text describes is not used)", error.what()));
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

  void propose(const frontend::TextSummary::Kernel& kernel) {
    ProposedKernel proposed{base_, {}, {}};
    KernelFile& file = proposed.file;
    file.kernel = kernel.name;
    file.id = file_.path.filename().string() + ":" + kernel.name;
    file.title = kernel.name;
    missing_.addTo(proposed);
    try {
      const frontend::CompileResult result = frontend::compile(file_.path.string(), file_.text, options(file));
      proposeLaunch(proposed, result.program, {code_, overrides_, kernel.functionName, missing_.starCoefficients()});
      static_cast<void>(file.configuration(file.defaults()));
      add(file_.diagnostics, result.warnings);
      file_.kernels.push_back(std::move(proposed));
    } catch (const frontend::CompileError& error) {
      refuse(kernel.name, error.diagnostics());
    } catch (const SourceError& error) {
      refuse(kernel.name, {{frontend::Diagnostic::Severity::Error, error.where(), error.message()}});
    } catch (const InputError& error) {
      refuse(kernel.name, {{frontend::Diagnostic::Severity::Error, kernel.where, error.what()}});
    }
  }

  void expectKnownBindings() const {
    for (const auto& [name, unused] : overrides_.bindings) {
      const bool known = std::ranges::any_of(file_.kernels, [&, wanted = name](const ProposedKernel& kernel) {
        return kernel.file.findSize(wanted) != nullptr || kernel.file.arguments.contains(wanted) ||
               std::ranges::any_of(kernel.file.arrays, [&](const ArrayDeclaration& a) { return a.name == wanted; });
      });
      if (!known && !file_.kernels.empty()) {
        throw InputError(fmt::format("no kernel of {} has a parameter \"{}\"", file_.path.string(), name));
      }
    }
  }

  const LaunchOverrides& overrides_;
  Surroundings around_;
  StudentFile file_;
  HostCode code_;
  MissingNames missing_;
  KernelFile base_;  ///< what all kernels of the text have in common
};

}  // namespace

StudentFile openStudentFile(const fs::path& path, const LaunchOverrides& overrides) {
  return openStudentText(path, readText(path), overrides);
}

StudentFile openStudentText(const fs::path& path, std::string text, const LaunchOverrides& overrides) {
  if (text.size() > kMaxTextBytes) {
    throw InputError(path.string() + " is larger than 256 KiB: that is no kernel file");
  }
  if (text.find('\0') != std::string::npos) { throw InputError(path.string() + " is not a text file"); }
  return Opener(path, std::move(text), overrides).open();
}

std::vector<fs::path> studentFilesIn(const fs::path& fileOrFolder) {
  std::error_code error;
  if (!fs::is_directory(fileOrFolder, error)) { return {fileOrFolder}; }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(fileOrFolder, error)) {
    if (entry.path().extension() == ".cu" && entry.is_regular_file(error)) { files.push_back(entry.path()); }
  }
  if (files.empty()) { throw InputError(fileOrFolder.string() + " holds no .cu file"); }
  std::ranges::sort(files);
  return files;
}

}  // namespace haloscope::experiment
