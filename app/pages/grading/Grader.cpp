#include "grading/Grader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

#include "files/FileText.h"
#include "language/Language.h"
#include "language/Text.h"
#include "opening/NamedKernel.h"
#include "process/ChildProcess.h"
#include "program/SourceLocation.h"
#include "text/Printable.h"

namespace haloscope::grading {

namespace fs = std::filesystem;

namespace {

/// Changes with what a record depends on beside the texts: the program as it is installed.
std::vector<std::string> programParts(const GradeRequest& request) {
  const fs::path program = request.executable.empty() ? process::thisProgram() : request.executable;
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(program, error);
  const auto changed = fs::last_write_time(program, error).time_since_epoch().count();
  return {fmt::format("haloscope {} {} {}", HALOSCOPE_VERSION, bytes, changed), languageCode(language()),
          fmt::format("{} s, {} bytes", request.limits.seconds.count(), request.limits.memoryBytes)};
}

/// The records of earlier gradings.
class Records {
 public:
  explicit Records(const fs::path& results) : folder_(results / "records") {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) {
      throw InputError(
          trf("{} could not be written: {}; --results DIR names another folder", folder_.string(), error.message()));
    }
  }
  [[nodiscard]] std::optional<Record> known(const std::string& key) const {
    const std::optional<std::string> text = readWhole(fileOf(key));
    return text ? recordOf(*text) : std::nullopt;
  }
  /// Unless the next grading may find otherwise.
  void keep(const std::string& key, const Record& record) const {
    if (dependsOnMachine(record.verdict)) { return; }
    if (const std::string problem = replaceWhole(fileOf(key), toJson(record)); !problem.empty()) {
      throw InputError(problem);
    }
  }

 private:
  [[nodiscard]] fs::path fileOf(const std::string& key) const { return folder_ / (key + ".json"); }

  fs::path folder_;
};

/// Names of files that every system and mail program takes, one for each hand-in. None can become that of another one
/// as hand-ins are added: a name that had to be changed, or is not the only one of its kind, gets its own hash.
class PageNames {
 public:
  explicit PageNames(const std::vector<HandIn>& handIns) {
    for (const HandIn& one : handIns) {
      ++count_[lowered(plainOf(one.name))];
      ++count_[lowered(withHash(one))];
    }
  }

  [[nodiscard]] std::string nameOf(const HandIn& handIn) const {
    const std::string plain = plainOf(handIn.name);
    const bool kept = handIn.name == plain || handIn.name == plain + ".cu";
    // Where capitals do not count, too.
    if (kept && count_.at(lowered(plain)) == 1) { return plain + ".html"; }
    return withHash(handIn) + ".html";
  }

 private:
  static std::string withHash(const HandIn& handIn) {
    constexpr std::size_t kDigits = 12;
    return fmt::format("{}-{}", plainOf(handIn.name),
                       keyOf({}, {}, {handIn.path.filename().string()}).substr(0, kDigits));
  }
  static std::string plainOf(const std::string& handIn) {
    constexpr std::size_t kLongest = 80;
    std::string plain;
    for (const char c : handIn) {
      const auto byte = static_cast<unsigned char>(c);
      plain += byte >= 0x80 || std::isalnum(byte) != 0 || c == '.' || c == '-' || c == '_' ? c : '_';
    }
    if (plain.ends_with(".cu")) { plain.resize(plain.size() - 3); }
    if (plain.size() > kLongest) {
      plain.resize(kLongest);
      while (!plain.empty() && (static_cast<unsigned char>(plain.back()) & 0xc0U) == 0x80) { plain.pop_back(); }
      if (!plain.empty() && static_cast<unsigned char>(plain.back()) >= 0xc0) { plain.pop_back(); }
    }
    if (plain.empty() || plain.front() == '.' || plain.front() == '-') { plain.insert(0, "_"); }
    return plain;
  }

  static std::string lowered(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
  }
  std::map<std::string, std::size_t> count_;
};

/// The reference, read and tried: it must have a kernel that can be executed.
Snapshot usableReference(const GradeRequest& request, const Records& records, const std::stop_token& stop,
                         Grading& grading) {
  const opening::NamedKernel name = opening::namedKernel(request.reference);
  const std::string option = trf("--reference {}", request.reference);
  const std::vector<fs::path> shared = sharedBeside(name.file);
  std::variant<Snapshot, Record> taken =
      takeSnapshot({name.file.filename().string(), name.file}, shared, standInsAmong(shared, request.compilerHeaders));
  if (auto* problem = std::get_if<Record>(&taken)) { throw InputError(option + ": " + problem->sentence); }
  Snapshot reference = std::move(std::get<Snapshot>(taken));
  std::vector<std::string> arguments = request.arguments;
  if (const auto kernel = std::ranges::find(arguments, "--kernel"); kernel != arguments.end()) {
    arguments.erase(kernel, kernel + 2);  // of the hand-ins
  }
  if (!name.kernel.empty()) { arguments.insert(arguments.begin(), {"--kernel", name.kernel}); }
  std::vector<std::string> rest = programParts(request);
  std::ranges::copy(arguments, std::back_inserter(rest));
  std::ranges::copy(request.alsoInKey, std::back_inserter(rest));
  const std::string key = keyOf(reference, {}, rest);
  std::optional<Record> record = records.known(key);
  if (!record) {
    std::variant<Record, Interrupted> judged = judgeInProcess(
        {.handIn = &reference, .arguments = arguments, .executable = request.executable}, request.limits, stop);
    if (std::holds_alternative<Interrupted>(judged)) {
      grading.interrupted = true;
      return reference;
    }
    record = std::move(std::get<Record>(judged));
    records.keep(key, *record);
  }
  if (!isGood(record->verdict) && record->verdict != Verdict::Findings && record->verdict != Verdict::WrongResult) {
    throw InputError(option + ": " + record->sentence);
  }
  if (!isGood(record->verdict)) {
    grading.remarks.push_back(trf("The reference itself has findings: {}", record->sentence));
  }
  if (!name.kernel.empty()) { reference.target += ":" + name.kernel; }
  return reference;
}

/// Grades rows one after the other, as one of several threads.
class GradeWorker {
 public:
  GradeWorker(const GradeRequest& request, const Records& records, const HandInFolder& folder,
              const std::set<std::string>& standIns, const Snapshot& reference, const std::stop_token& stop)
      : request_(request),
        records_(records),
        folder_(folder),
        standIns_(standIns),
        reference_(reference),
        stop_(stop),
        rest_(programParts(request)) {
    std::ranges::copy(request.arguments, std::back_inserter(rest_));
    std::ranges::copy(request.alsoInKey, std::back_inserter(rest_));
  }

  /// The rows of those that were graded; none for others.
  std::vector<std::optional<GradedHandIn>> all() {
    rows_.resize(folder_.handIns.size());
    takeOverRows();
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t jobs = std::min<std::size_t>(request_.jobs == 0 ? cores : request_.jobs, toJudge_.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < jobs; ++i) {
        threads.emplace_back([this] { work(); });
      }
    }
    if (failed_) { std::rethrow_exception(failed_); }
    return std::move(rows_);
  }

 private:
  /// Those that need no process: what is known from earlier, and what cannot be judged. First of all, so that the time
  /// that is left can be estimated from what the others take.
  void takeOverRows() {
    for (std::size_t at = 0; at < rows_.size() && !stop_.stop_requested(); ++at) {
      GradedHandIn row{.handIn = folder_.handIns[at]};
      std::variant<Snapshot, Record> taken = takeSnapshot(row.handIn, folder_.shared, standIns_);
      if (auto* problem = std::get_if<Record>(&taken)) {
        row.record = std::move(*problem);
      } else if (std::optional<Record> known = records_.known(keyOf(std::get<Snapshot>(taken), reference_, rest_))) {
        row.record = std::move(*known);
        row.takenOver = true;
      } else {
        toJudge_.push_back(at);
        continue;
      }
      rows_[at] = std::move(row);
    }
    report();
  }

  void report() const {
    if (request_.progress) { request_.progress({judged_, toJudge_.size(), rows_.size()}); }
  }

  void work() {
    while (!stop_.stop_requested()) {
      const std::size_t next = next_++;
      if (next >= toJudge_.size()) { return; }
      const std::size_t at = toJudge_[next];
      try {
        rows_[at] = judged(folder_.handIns[at]);
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        if (!failed_) { failed_ = std::current_exception(); }
        next_ = toJudge_.size();
      }
      if (!rows_[at]) { continue; }
      const std::scoped_lock lock(mutex_);
      ++judged_;
      report();
    }
  }

  /// None if it was interrupted.
  [[nodiscard]] std::optional<GradedHandIn> judged(const HandIn& handIn) {
    GradedHandIn row{.handIn = handIn};
    std::variant<Snapshot, Record> taken = takeSnapshot(handIn, folder_.shared, standIns_);
    if (auto* problem = std::get_if<Record>(&taken)) {
      row.record = std::move(*problem);
      return row;
    }
    const Snapshot& snapshot = std::get<Snapshot>(taken);
    const std::string key = keyOf(snapshot, reference_, rest_);
    if (std::optional<Record> twins = records_.known(key)) {  // of this grading
      row.record = std::move(*twins);
      return row;
    }
    const HandInTask task{.handIn = &snapshot,
                          .reference = request_.reference.empty() ? nullptr : &reference_,
                          .arguments = request_.arguments,
                          .executable = request_.executable};
    std::variant<Record, Interrupted> answer = judgeInProcess(task, request_.limits, stop_);
    if (std::holds_alternative<Interrupted>(answer)) { return std::nullopt; }
    row.record = std::move(std::get<Record>(answer));
    // Not told by the process itself: the texts are shown with it.
    if (row.record.sources.empty()) { row.record.sources = ownTexts(snapshot); }
    records_.keep(key, row.record);
    return row;
  }

  static std::vector<SourceText> ownTexts(const Snapshot& snapshot) {
    std::vector<SourceText> texts;
    const std::string own = std::string(kWork) + "/";
    for (const SourceText& file : snapshot.files) {
      const std::string name = file.name.starts_with(own) ? file.name.substr(own.size()) : file.name;
      if (name == snapshot.target || (snapshot.target == "." && name.ends_with(".cu"))) {
        texts.push_back({name, file.text});
      }
    }
    return texts;
  }

  const GradeRequest& request_;
  const Records& records_;
  const HandInFolder& folder_;
  const std::set<std::string>& standIns_;
  const Snapshot& reference_;
  std::stop_token stop_;
  std::vector<std::string> rest_;
  std::vector<std::optional<GradedHandIn>> rows_;
  std::vector<std::size_t> toJudge_;  ///< rows that need a process
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::size_t judged_ = 0;  ///< of those
  std::exception_ptr failed_;
};

}  // namespace

double secondsLeft(const GradeStage& stage, double secondsSoFar) {
  if (stage.judged == 0) { return 0; }
  return secondsSoFar * static_cast<double>(stage.toJudge - stage.judged) / static_cast<double>(stage.judged);
}

fs::path resultsBeside(const fs::path& folder) {
  fs::path whole = fs::absolute(folder).lexically_normal();
  if (!whole.has_filename()) { whole = whole.parent_path(); }
  return whole.parent_path() / (whole.filename().string() + ".graded");
}

Grading grade(const GradeRequest& request, const std::stop_token& stop) {
  const HandInFolder folder = findHandIns(request.folder);
  std::error_code error;
  const fs::path inside =
      fs::weakly_canonical(request.results, error).lexically_relative(fs::weakly_canonical(request.folder, error));
  if (!inside.empty() && *inside.begin() != "..") {
    throw InputError(trf("{}: the results would lie among the hand-ins; --results DIR names another folder",
                         request.results.string()));
  }
  const Records records(request.results);
  Grading grading;
  Snapshot reference;
  if (!request.reference.empty()) {
    const opening::NamedKernel name = opening::namedKernel(request.reference);
    grading.reference = printable(name.file.filename().string() + (name.kernel.empty() ? "" : ":" + name.kernel));
    reference = usableReference(request, records, stop, grading);
    if (grading.interrupted) { return grading; }
  }
  if (folder.others > 0) {
    grading.remarks.push_back(trn("{} file in the folder is neither a .cu file nor a folder, and was left out.",
                                  "{} files in the folder are neither .cu files nor folders, and were left out.",
                                  folder.others, folder.others));
  }
  for (const std::string& problem : problemsOfShared(folder.shared)) {
    grading.remarks.push_back(trf("Of what is common to all hand-ins, something was left out: {}", problem));
  }
  const std::set<std::string> standIns = standInsAmong(folder.shared, request.compilerHeaders);
  if (!standIns.empty()) {
    grading.remarks.push_back(
        trf("Of what is common to all hand-ins, {} was left out: programs would find it in place of a header of the "
            "CUDA toolkit, or of the C or C++ library.",
            printable(fmt::format("{}", fmt::join(standIns, ", ")))));
  }
  const PageNames pages(folder.handIns);
  for (std::optional<GradedHandIn>& row : GradeWorker(request, records, folder, standIns, reference, stop).all()) {
    if (!row) {
      grading.interrupted = true;
      continue;
    }
    row->page = pages.nameOf(row->handIn);
    grading.takenOver += row->takenOver ? 1 : 0;
    grading.rows.push_back(std::move(*row));
  }
  const bool anyOpen = std::ranges::any_of(
      grading.rows, [](const GradedHandIn& row) { return row.record.verdict == Verdict::NotCompared; });
  if (anyOpen && request.reference.empty()) {
    grading.remarks.emplace_back(tr(
        "No reference was given: of some hand-ins nothing says whether the result is right. --reference FILE.cu names "
        "a kernel that is."));
  }
  return grading;
}

}  // namespace haloscope::grading
