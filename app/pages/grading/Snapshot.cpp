#include "grading/Snapshot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "frontend/SourceTokens.h"
#include "language/Text.h"
#include "opening/OpenedFile.h"
#include "process/Descriptor.h"
#include "program/Sha256.h"
#include "program/SourceLocation.h"
#include "text/Printable.h"

namespace haloscope::grading {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxFiles = 128;
constexpr std::size_t kMaxEntriesOfOne = 4096;
constexpr std::size_t kMaxBytes = std::size_t{4} << 20;  ///< of all texts of a hand-in
constexpr int kMaxDepth = 8;

bool isSourceFile(const fs::path& path) {
  static constexpr auto kExtensions = std::to_array<std::string_view>(
      {".cu", ".cuh", ".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".hh", ".hxx", ".inc", ".inl", ".ipp", ".tpp"});
  return std::ranges::find(kExtensions, path.extension().string()) != kExtensions.end();
}

std::string sizeText(std::uintmax_t bytes) {
  return bytes < (1U << 20U) ? fmt::format("{} KiB", bytes >> 10U) : fmt::format("{} MiB", bytes >> 20U);
}

/// The text of a regular file of at most kMaxTextBytes; a record otherwise, in which `name` stands for it.
std::variant<std::string, Record> readText(const fs::path& path, const std::string& name) {
  struct stat facts{};
  if (lstat(path.c_str(), &facts) != 0) {
    return refused(Verdict::NotFile, trf("{} cannot be read: {}", name, std::strerror(errno)));
  }
  if (S_ISLNK(facts.st_mode)) {
    return refused(Verdict::NotFile, trf("{} is a symbolic link; links are not followed: hand in the file", name));
  }
  if (!S_ISREG(facts.st_mode)) {
    return refused(Verdict::NotFile, trf("{} is not a file but a folder, a pipe or a device", name));
  }
  const process::Descriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!file.isOpen() || fstat(file.number(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return refused(Verdict::NotFile, trf("{} cannot be read: {}", name, std::strerror(errno)));
  }
  std::string text(opening::kMaxTextBytes + 1, '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t now = read(file.number(), text.data() + have, text.size() - have);
    if (now < 0 && errno == EINTR) { continue; }
    if (now < 0) { return refused(Verdict::NotFile, trf("{} cannot be read: {}", name, std::strerror(errno))); }
    if (now == 0) { break; }
    have += static_cast<std::size_t>(now);
  }
  text.resize(have);
  if (text.find('\0') != std::string::npos) {
    return refused(Verdict::NotText,
                   trf("{} is not a text: it contains zero bytes. Save it as UTF-8, not as UTF-16, and hand in the "
                       "source, not what a compiler made of it",
                       name));
  }
  if (have > opening::kMaxTextBytes) {
    return refused(Verdict::TooLarge,
                   trf("{} is too large: it has {}, and a text may have {}", name,
                       sizeText(static_cast<std::uintmax_t>(facts.st_size)), sizeText(opening::kMaxTextBytes)));
  }
  return text;
}

/// Whether a name can be that of a file in a snapshot, and in a message, as it is.
bool isPlainName(const std::string& name) {
  return !name.empty() && name.front() != '-' && name.size() <= 100 && printable(name) == name &&
         name.find_first_of("\\\"'<>&:;|`$*?") == std::string::npos;
}

/// `#include`, `#include_next`, `#import`, `#embed`.
bool readsFile(const frontend::SourceTokens::Directive& directive) {
  return directive.word.starts_with("include") || directive.word == "import" || directive.word == "embed";
}

/// The path of what a file includes, if it is named from where the file is.
std::string pathFrom(const SourceText& file, const std::string& name) {
  return (fs::path(file.name).parent_path() / name).lexically_normal().string();
}

/// Where a program looks for what a file of it includes, in the order in which it does: paths in a snapshot. See
/// host::compileHost() and opening::localHeaders().
std::vector<std::string> placesOf(const SourceText& file, const std::string& name) {
  std::vector<std::string> places{pathFrom(file, name)};
  const fs::path work(kWork);
  for (const char* folder : {"", "include", "inc", "src", "common", "../include", "../common"}) {
    places.push_back((work / folder / name).lexically_normal().string());
  }
  return places;
}

/// Reads files into a snapshot, up to limits of its own.
class FileReader {
 public:
  explicit FileReader(Snapshot& snapshot) : snapshot_(snapshot) {}

  /// `shown`: in messages. A record says why it cannot be taken.
  std::optional<Record> add(const fs::path& path, const std::string& shown, const std::string& as) {
    std::variant<std::string, Record> text = readText(path, printable(shown));
    if (auto* problem = std::get_if<Record>(&text)) { return std::move(*problem); }
    if (!isPlainName(as)) {
      return refused(Verdict::NotFile, trf("{}: rename this file to plain letters", printable(shown)));
    }
    bytes_ += std::get<std::string>(text).size();
    if (++files_ > kMaxFiles || bytes_ > kMaxBytes) {
      return refused(Verdict::TooLarge, trf("its texts are too many or too large: at most {} files, and {}", kMaxFiles,
                                            sizeText(kMaxBytes)));
    }
    snapshot_.files.push_back({as, std::move(std::get<std::string>(text))});
    return std::nullopt;
  }

 private:
  Snapshot& snapshot_;
  std::size_t files_ = 0, bytes_ = 0;
};

/// The sources below a folder. A record if it has too many entries, or cannot be listed.
std::variant<std::vector<fs::path>, Record> sourcesBelow(const fs::path& folder) {
  std::vector<fs::path> sources;
  std::size_t entries = 0;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const fs::path& path = at->path();
    const std::string name = path.filename().string();
    std::error_code unknown;
    const bool isFolder = at->symlink_status(unknown).type() == fs::file_type::directory;
    if (isFolder && (name.starts_with(".") || at.depth() >= kMaxDepth)) { at.disable_recursion_pending(); }
    if (++entries > kMaxEntriesOfOne) {
      return refused(Verdict::TooLarge, trf("it has more than {} files", kMaxEntriesOfOne));
    }
    if (!isFolder && !name.starts_with(".") && isSourceFile(path)) { sources.push_back(path); }
  }
  if (error) { return refused(Verdict::NotFile, trf("the folder cannot be read: {}", error.message())); }
  std::ranges::sort(sources);
  return sources;
}

/// What is common to all hand-ins: what they include of it, and what that includes, is read. Each hand-in has limits of
/// its own, and what one of them brings is none of the others' unless they name it.
class CommonFiles {
 public:
  CommonFiles(const std::vector<fs::path>& shared, const std::set<std::string>& standIns, bool isFolder) {
    // A program of several files finds them above its folder, where they are, and like those of ../include.
    const std::string into = isFolder ? "" : std::string(kWork) + "/";
    std::error_code error;
    for (const fs::path& path : shared) {  // before folders: "include/tile.h" is what lies beside the hand-ins
      const std::string name = path.filename().string();
      if (fs::is_directory(path, error) || standIns.contains(name)) { continue; }
      files_.try_emplace(into + name, Common{path, name});
      if (isFolder) { files_.try_emplace("include/" + name, Common{path, name}); }
    }
    for (const fs::path& path : shared) {
      const std::string name = path.filename().string();
      const bool taken = isFolder && name == kWork;
      if (taken || !fs::is_directory(path, error)) { continue; }
      const std::variant<std::vector<fs::path>, Record> sources = sourcesBelow(path);
      if (const auto* problem = std::get_if<Record>(&sources)) {
        unlisted_.push_back({into + name, printable(name) + ": " + problem->sentence});
        continue;
      }
      for (const fs::path& source : std::get<std::vector<fs::path>>(sources)) {
        const std::string shown = name + "/" + source.lexically_relative(path).string();
        if (!standIns.contains(shown)) { files_.try_emplace(into + shown, Common{source, shown}); }
      }
    }
  }

  void addIncluded(Snapshot& snapshot) const {
    FileReader reader(snapshot);
    for (std::size_t i = 0; i < snapshot.files.size(); ++i) {
      const SourceText file = snapshot.files[i];
      const frontend::SourceTokens tokens(file.text);
      for (const frontend::SourceTokens::Directive& one : tokens.directives()) {
        if (readsFile(one) && !one.name.empty()) { addOne(placesOf(file, one.name), reader, snapshot); }
      }
    }
  }

  /// A sentence for each that no hand-in can have.
  [[nodiscard]] std::set<std::string> problems() const {
    std::set<std::string> sentences;
    for (const LeftOut& one : unlisted_) { sentences.insert(one.why); }
    constexpr std::size_t kMostBytes = std::size_t{64} << 20;
    std::size_t bytes = 0;
    for (const auto& [as, one] : files_) {
      Snapshot alone;
      FileReader reader(alone);
      if (const std::optional<Record> problem = reader.add(one.path, one.shown, as)) {
        sentences.insert(problem->sentence);
      } else {
        bytes += alone.files.front().text.size();
      }
      if (sentences.size() >= kMaxFiles || bytes > kMostBytes) { break; }
    }
    return sentences;
  }

 private:
  struct Common {
    fs::path path;
    std::string shown;
  };

  void addOne(const std::vector<std::string>& places, FileReader& reader, Snapshot& snapshot) const {
    for (const std::string& place : places) {
      if (std::ranges::find(snapshot.files, place, &SourceText::name) != snapshot.files.end()) { return; }
      const auto isIn = [&](const LeftOut& folder) { return place.starts_with(folder.name + "/"); };
      const auto unlisted = std::ranges::find_if(unlisted_, isIn);
      const auto found = files_.find(place);
      if (found == files_.end() && unlisted == unlisted_.end()) { continue; }
      if (std::ranges::find(snapshot.leftOut, place, &LeftOut::name) != snapshot.leftOut.end()) { return; }
      const std::optional<Record> problem =
          found == files_.end() ? std::nullopt : reader.add(found->second.path, found->second.shown, place);
      if (found != files_.end() && !problem) {
        snapshot.shared.push_back(place);
      } else if (snapshot.leftOut.size() < kMaxFiles) {  // they are arguments of a process
        snapshot.leftOut.push_back({place, problem ? problem->sentence : unlisted->why});
      }
      return;
    }
  }

  std::map<std::string, Common> files_;  ///< by where they are in a snapshot
  std::vector<LeftOut> unlisted_;        ///< folders
};

/// Whether a path is one of these, or below it.
bool isAmong(const std::vector<LeftOut>& leftOut, const std::string& path) {
  return std::ranges::any_of(leftOut,
                             [&](const LeftOut& one) { return path == one.name || path.starts_with(one.name + "/"); });
}

}  // namespace

std::vector<std::string> problemsOfShared(const std::vector<fs::path>& shared) {
  std::set<std::string> sentences;
  for (const bool isFolder : {false, true}) { sentences.merge(CommonFiles(shared, {}, isFolder).problems()); }
  return {sentences.begin(), sentences.end()};
}

std::variant<Snapshot, Record> takeSnapshot(const HandIn& handIn, const std::vector<fs::path>& shared,
                                            const std::set<std::string>& standIns) {
  Snapshot snapshot;
  FileReader own(snapshot);
  std::error_code error;
  const bool isFolder = fs::symlink_status(handIn.path, error).type() == fs::file_type::directory;
  const std::string work = std::string(kWork) + "/";
  std::optional<Record> problem;
  if (isFolder) {
    snapshot.target = ".";
    const std::variant<std::vector<fs::path>, Record> sources = sourcesBelow(handIn.path);
    if (const auto* unfit = std::get_if<Record>(&sources)) { return *unfit; }
    for (const fs::path& path : std::get<std::vector<fs::path>>(sources)) {
      const std::string relative = path.lexically_relative(handIn.path).string();
      if (!problem) { problem = own.add(path, relative, work + relative); }
    }
    const auto isKernelFile = [](const SourceText& one) { return one.name.ends_with(".cu"); };
    if (!problem && std::ranges::none_of(snapshot.files, isKernelFile)) {
      problem = refused(Verdict::NoKernel, tr("it contains no .cu file"));
    }
  } else {
    const std::string name = handIn.path.filename().string();
    snapshot.target = isPlainName(name) ? name : "hand-in.cu";
    problem = own.add(handIn.path, name, work + snapshot.target);
  }
  if (problem) { return *problem; }
  CommonFiles(shared, standIns, isFolder).addIncluded(snapshot);
  std::ranges::sort(snapshot.files, {}, &SourceText::name);
  return snapshot;
}

std::string keyOf(const Snapshot& handIn, const Snapshot& reference, const std::vector<std::string>& rest) {
  Sha256 hash;
  const auto add = [&](const std::string& text) {
    hash.add(fmt::format("{}:", text.size()));  // so that no two lists of texts read the same
    hash.add(text);
  };
  for (const Snapshot* one : {&handIn, &reference}) {
    add(one->target);
    add(fmt::format("{}", one->files.size()));
    for (const SourceText& file : one->files) {
      add(file.name);
      add(file.text);
    }
    add(fmt::format("{}", one->leftOut.size()));
    for (const LeftOut& left : one->leftOut) { add(left.name); }
  }
  for (const std::string& one : rest) { add(one); }
  return hash.digits();
}

void unpack(const Snapshot& snapshot, const fs::path& folder) {
  for (const SourceText& file : snapshot.files) {
    const fs::path path = folder / file.name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream out(path, std::ios::binary);
    out << file.text;
    if (!out.flush()) { throw InputError(trf("{} could not be written: {}", path.string(), std::strerror(errno))); }
  }
}

namespace {

Mark markAt(const SourceText& file, const frontend::SourceTokens::Directive& one) {
  Mark mark{.kind = "outside", .title = tr("reaches outside"), .file = file.name};
  if (!one.tokens.empty()) {
    mark.where = {.line = one.tokens.front().line,
                  .column = one.tokens.front().column,
                  .endLine = one.tokens.back().line,
                  .endColumn = one.tokens.back().column + static_cast<int>(one.tokens.back().length)};
  }
  return mark;
}

}  // namespace

std::vector<Mark> outsideIncludes(const std::vector<SourceText>& texts, const std::vector<SourceText>& shared,
                                  const std::vector<LeftOut>& leftOut) {
  std::vector<Mark> marks;
  for (const SourceText& file : texts) {
    const frontend::SourceTokens tokens(file.text);
    for (const frontend::SourceTokens::Directive& one : tokens.directives()) {
      if (!readsFile(one)) { continue; }
      const std::string whole = pathFrom(file, one.name);
      const bool absolute = one.name.starts_with("/");
      const bool isShared =
          std::ranges::find(shared, whole, &SourceText::name) != shared.end() || isAmong(leftOut, whole);
      if (!absolute &&
          (whole.starts_with(std::string(kWork) + "/") || isShared || one.name.find("..") == std::string::npos)) {
        continue;
      }
      Mark mark = markAt(file, one);
      mark.message = trf("it includes {}, which is neither handed in nor common to all hand-ins", printable(one.name));
      marks.push_back(std::move(mark));
    }
  }
  return marks;
}

std::optional<Mark> leftOutInclude(const std::vector<SourceText>& texts, const std::vector<SourceText>& all,
                                   const std::vector<LeftOut>& leftOut) {
  if (leftOut.empty()) { return std::nullopt; }
  const auto isThere = [&](const std::string& path) {
    return std::ranges::find(all, path, &SourceText::name) != all.end();
  };
  for (const SourceText& file : texts) {
    const frontend::SourceTokens tokens(file.text);
    for (const frontend::SourceTokens::Directive& one : tokens.directives()) {
      if (!readsFile(one) || one.name.empty()) { continue; }
      const std::vector<std::string> places = placesOf(file, one.name);
      const auto place = std::ranges::find_if(
          places, [&](const std::string& path) { return isThere(path) || isAmong(leftOut, path); });
      if (place == places.end() || isThere(*place)) { continue; }
      Mark mark = markAt(file, one);
      mark.message = trf("it includes {}, which is common to all hand-ins and was left out", printable(one.name));
      return mark;
    }
  }
  return std::nullopt;
}

}  // namespace haloscope::grading
