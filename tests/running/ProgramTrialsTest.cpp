#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "faults/FindingKinds.h"
#include "judging/KernelVerdicts.h"
#include "running/KernelChecks.h"
#include "running/OfferedSizes.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"

// Whole programs, executed: each file of tests/programs is one, each folder one of several files. They say what comes
// of them. At the beginning, in lines of their own:
//
//   // runs: WORD …                        arguments of main()
//   // runs with: NAME TEXT                it can open a file of this name, which holds this text (\\n: a new line)
//   // runs defining: NAME TEXT            a macro is given, as by -D NAME=TEXT
//   // runs within: N s|N instructions     a budget other than the usual one
//   // expects: exited N                   how the program ends; or: rejected, no-main, crashed, uncaught, unsupported,
//                                          lacks-input, too-long
//   // expects: launches N
//   // expects: prints TEXT                a part of what it prints
//   // expects: says TEXT                  a part of the sentence on how it ended
//   // expects: explains TEXT              a part of the sentence of a finding in a launch
//   // expects: accepts TEXT              exactly these lines show that its own comparison accepts a result; or:
//   nothing
//   // expects: rejects TEXT              a part of the sentence on the program's own comparison that fails and that
//                                          nothing explains
//   // expects: asks TEXT                  a part of the sentence on a file that it opened and did not get
//   // expects: sizes TEXT                 a part of the sentences on sizes that are others here
//   // expects: problem TEXT               a part of a compiler's or linker's error
//
// And behind the code of a line:
//
//   // finds: KIND …                       exactly these findings, of the host's code or of a kernel, have this place
//   // matches: FUNCTION                   the kernel that is declared here computes what this function of the program
//                                          does, whatever the data; "FUNCTION on its own data": compared on those alone
//   // fails: TEXT                         a launch here is not executed, or not to its end; a part of the reason
//   // allocates: NAME …                 the memory that is allocated here has these names, in this order
//   // ends here
//
// All launches without "fails" are executed, a line without "finds" has no findings, and a kernel without "matches"
// matches no function of its program.

namespace haloscope::running {
namespace {

namespace fs = std::filesystem;

struct Place {
  std::string file;
  int line = 0;
  auto operator<=>(const Place&) const = default;
};
void PrintTo(const Place& place, std::ostream* out) { *out << place.file << ":" << place.line; }

struct Trial {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> defines;
  std::vector<NamedFile> files;
  RunBudget budget{};
  std::string end;
  int launches = -1;
  std::vector<std::string> prints, says, explains, accepts, rejects, asks, sizes, problems;
  std::set<std::tuple<std::string, int, std::string>> findings;  ///< file, line, kind
  std::set<std::tuple<std::string, int, std::string>> matches;   ///< file, line, function
  std::vector<std::pair<Place, std::string>> fails;
  std::map<Place, std::vector<std::string>> allocates;
  Place ends;
};

fs::path folder() { return fs::path(HALOSCOPE_SOURCE_DIR) / "tests" / "programs"; }

#ifdef HALOSCOPE_ADDRESS_SANITIZER
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// Without memory, with an array beyond the stack's memory, or where the runtime is to copy from or to an address that
/// is none, AddressSanitizer is there before the process's own handlers.
bool isEndedBySanitizer(const std::string& name) {
  static const std::set<std::string> kNames{"allocates_without_end.cu", "array_too_large_for_the_stack.cu",
                                            "copy_to_a_wild_pointer.cu", "host_array_too_short.cu"};
  return kSanitized && kNames.contains(name);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(folder())) { all.push_back(entry.path().filename().string()); }
  std::ranges::sort(all);
  return all;
}

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

void readBudget(const std::string& words, Trial& trial) {
  std::istringstream in(words);
  std::uint64_t number = 0;
  std::string unit;
  in >> number >> unit;
  if (unit == "s") {
    trial.budget.hostTime = trial.budget.kernelTime = std::chrono::seconds(number);
  } else {
    trial.budget.warpInstructions = number;
  }
}

void readNamedFile(const std::string& words, Trial& trial) {
  const std::size_t blank = words.find(' ');
  std::string text = blank == std::string::npos ? "" : words.substr(blank + 1);
  for (std::size_t at = 0; (at = text.find("\\n", at)) != std::string::npos;) { text.replace(at, 2, "\n"); }
  NamedFile file{.name = words.substr(0, blank), .bytes = {}};
  for (const char one : text) { file.bytes.push_back(static_cast<std::byte>(one)); }
  trial.files.push_back(std::move(file));
}

void readExpectation(const std::string& words, Trial& trial) {
  const std::size_t blank = words.find(' ');
  const std::string kind = words.substr(0, blank);
  const std::string rest = blank == std::string::npos ? "" : words.substr(blank + 1);
  if (kind == "launches") {
    trial.launches = std::stoi(rest);
  } else if (kind == "prints") {
    trial.prints.push_back(rest);
  } else if (kind == "says") {
    trial.says.push_back(rest);
  } else if (kind == "explains") {
    trial.explains.push_back(rest);
  } else if (kind == "accepts") {
    trial.accepts.push_back(rest);
  } else if (kind == "rejects") {
    trial.rejects.push_back(rest);
  } else if (kind == "asks") {
    trial.asks.push_back(rest);
  } else if (kind == "sizes") {
    trial.sizes.push_back(rest);
  } else if (kind == "problem") {
    trial.problems.push_back(rest);
  } else {
    trial.end = words;
  }
}

/// The comment that begins with `opening`, up to the next one.
std::string commentIn(const std::string& line, const std::string& opening) {
  const std::size_t at = line.find("// " + opening);
  if (at == std::string::npos) { return {}; }
  const std::size_t begin = at + 3 + opening.size();
  return trimmed(line.substr(begin, line.find("// ", begin) - begin));
}

void readMarks(const std::string& line, const Place& place, Trial& trial) {
  std::istringstream kinds(commentIn(line, "finds:"));
  for (std::string kind; kinds >> kind;) { trial.findings.emplace(place.file, place.line, kind); }
  std::istringstream arrays(commentIn(line, "allocates:"));
  for (std::string name; arrays >> name;) { trial.allocates[place].push_back(name); }
  if (const std::string function = commentIn(line, "matches:"); !function.empty()) {
    trial.matches.emplace(place.file, place.line, function);
  }
  if (const std::string reason = commentIn(line, "fails:"); !reason.empty()) {
    trial.fails.emplace_back(place, reason);
  }
  if (line.find("// ends here") != std::string::npos) { trial.ends = place; }
}

void readLine(const std::string& line, const Place& place, Trial& trial) {
  const auto after = [&](const std::string& opening) {
    return line.starts_with(opening) ? line.substr(opening.size()) : std::string();
  };
  if (const std::string words = after("// runs: "); !words.empty()) {
    std::istringstream in(words);
    trial.arguments.assign(std::istream_iterator<std::string>(in), std::istream_iterator<std::string>());
  } else if (const std::string file = after("// runs with: "); !file.empty()) {
    readNamedFile(file, trial);
  } else if (const std::string macro = after("// runs defining: "); !macro.empty()) {
    const std::size_t blank = macro.find(' ');
    trial.defines[macro.substr(0, blank)] = macro.substr(blank + 1);
  } else if (const std::string budget = after("// runs within: "); !budget.empty()) {
    readBudget(budget, trial);
  } else if (const std::string expected = after("// expects: "); !expected.empty()) {
    readExpectation(expected, trial);
  } else {
    readMarks(line, place, trial);
  }
}

Trial readTrial(const fs::path& path) {
  Trial trial;
  const auto readFile = [&](const fs::path& file, const std::string& name) {
    std::ifstream in(file);
    int number = 0;
    for (std::string line; std::getline(in, line);) { readLine(line, {name, ++number}, trial); }
  };
  if (!fs::is_directory(path)) {
    readFile(path, path.filename().string());
    return trial;
  }
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) { readFile(entry.path(), entry.path().lexically_relative(path).string()); }
  }
  return trial;
}

std::string endOf(const ProgramRun& run) {
  switch (run.end) {
    case ProgramEnd::Rejected:
      return "rejected";
    case ProgramEnd::NoMain:
      return "no-main";
    case ProgramEnd::Exited:
      return "exited " + std::to_string(run.status);
    case ProgramEnd::Crashed:
      return "crashed";
    case ProgramEnd::Uncaught:
      return "uncaught";
    case ProgramEnd::Unsupported:
      return "unsupported";
    case ProgramEnd::LacksInput:
      return "lacks-input";
    case ProgramEnd::TooLong:
      return "too-long";
    case ProgramEnd::Stopped:
      return "stopped";
    case ProgramEnd::Failed:
      return "failed";
  }
  return "?";
}

std::set<std::tuple<std::string, int, std::string>> findingsOf(const ProgramRun& run) {
  std::set<std::tuple<std::string, int, std::string>> all;
  for (const HostFinding& one : run.findings) { all.emplace(one.at.file, one.at.line, rowOf(one.kind).name); }
  for (const ProgramLaunch& launch : run.launches) {
    for (const faults::Finding& one : launch.findings) {
      all.emplace(launch.file, one.where.line, faults::rowOf(one.kind).name);
    }
  }
  return all;
}

std::set<std::tuple<std::string, int, std::string>> matchesOf(const ProgramRun& run) {
  std::set<std::tuple<std::string, int, std::string>> all;
  for (const ProgramLaunch& launch : run.launches) {
    if (launch.ownFunction.empty()) { continue; }
    const bool ownData = launch.onOwnDataOnly;
    all.emplace(launch.file, launch.program->kernelRange.line,
                launch.ownFunction.substr(0, launch.ownFunction.find(" (line ")) + (ownData ? " on its own data" : ""));
  }
  return all;
}

void compareLaunches(const ProgramRun& run, const Trial& trial) {
  if (trial.launches >= 0) { EXPECT_EQ(run.launches.size(), static_cast<std::size_t>(trial.launches)); }
  std::vector<Place> failed;
  for (std::size_t i = 0; i < run.launches.size(); ++i) {
    const ProgramLaunch& launch = run.launches[i];
    if (run.end == ProgramEnd::TooLong && i + 1 == run.launches.size()) { continue; }  // it may have ended in this one
    const Place place{launch.at.file, launch.at.line};
    const auto expected = std::ranges::find(trial.fails, place, [](const auto& one) { return one.first; });
    if (expected == trial.fails.end()) {
      EXPECT_TRUE(launch.executed) << launch.kernel << " at line " << place.line;
      EXPECT_EQ(launch.problem, "") << launch.kernel << " at line " << place.line;
    } else {
      EXPECT_THAT(launch.problem, testing::HasSubstr(expected->second));
      failed.push_back(place);
    }
  }
  for (const auto& [place, reason] : trial.fails) { EXPECT_THAT(failed, testing::Contains(place)) << reason; }
}

void compareAllocations(const ProgramRun& run, const Trial& trial) {
  for (const auto& [place, expected] : trial.allocates) {
    std::vector<std::string> names;
    for (const Allocation& one : run.allocations) {
      if (Place{one.allocatedAt.file, one.allocatedAt.line} == place) { names.push_back(one.label); }
    }
    EXPECT_EQ(names, expected) << "at line " << place.line;
  }
}

class ProgramTrials : public testing::TestWithParam<std::string> {};

TEST_P(ProgramTrials, ComeToWhatTheirTextSays) {
  ASSERT_TRUE(fs::exists(HALOSCOPE_BINARY)) << "build haloscope: it executes the host's half";
  if (isEndedBySanitizer(GetParam())) { GTEST_SKIP() << "AddressSanitizer ends this program before it can say why"; }
  const fs::path path = folder() / GetParam();
  const Trial trial = readTrial(path);
  ASSERT_FALSE(trial.end.empty()) << "the program does not say how it ends";
  RunOptions options;
  options.arguments = trial.arguments;
  options.files = trial.files;
  options.budget = trial.budget;
  options.comparesOwnFunctions = true;
  options.executable = HALOSCOPE_BINARY;
  options.compilerHeaders = fs::path(HALOSCOPE_BINARY).parent_path() / "assets" / "clang" / "include";
  options.device.properties = {{"major", 9},
                               {"multiProcessorCount", 4},
                               {"totalGlobalMem", std::int64_t{1} << 34},
                               {"sharedMemPerBlock", 48 << 10},
                               {"sharedMemPerBlockOptin", 99 << 10},
                               {"sharedMemPerMultiprocessor", 100 << 10}};

  judging::ExecutedProgram executed{.files = readProgram(path), .run = {}};
  executed.files.program.defines = trial.defines;
  executed.run = running::run(executed.files.program, options);
  executed.texts = changedTexts(executed.files, withSizes(executed.files.program, executed.run.sizes));
  judging::judge(executed);
  const ProgramRun& run = executed.run;

  std::string problems;
  for (const host::HostDiagnostic& one : run.problems) { problems += one.message + "\n"; }
  EXPECT_EQ(endOf(run), trial.end) << run.message << "\n" << problems << run.output.substr(0, 1000);
  for (const std::string& text : trial.prints) { EXPECT_THAT(run.output, testing::HasSubstr(text)); }
  for (const std::string& text : trial.explains) {
    const auto explains = [&](const faults::Finding& one) { return one.text().find(text) != std::string::npos; };
    const auto says = [&](const HostFinding& one) { return one.message.find(text) != std::string::npos; };
    EXPECT_TRUE(
        std::ranges::any_of(run.findings, says) ||
        std::ranges::any_of(
            run.launches, [&](const ProgramLaunch& launch) { return std::ranges::any_of(launch.findings, explains); }))
        << text;
  }
  for (const std::string& text : trial.says) { EXPECT_THAT(run.message, testing::HasSubstr(text)); }
  std::vector<std::string> accepted;
  for (const OwnCheck& one : run.ownChecks) {
    if (one.passed) { accepted.push_back(textOf(one)); }
  }
  if (accepted.empty()) { accepted.emplace_back("nothing"); }
  if (!trial.accepts.empty()) { EXPECT_EQ(accepted, trial.accepts); }
  const std::string rejected = explainsOwnCheck(run) ? "" : rejection(run);
  for (const std::string& text : trial.rejects) { EXPECT_THAT(rejected, testing::HasSubstr(text)); }
  if (trial.rejects.empty()) { EXPECT_EQ(rejected, ""); }
  std::vector<std::string> asked;
  for (const RefusedFile& one : run.refusedFiles) {
    asked.push_back(fmt::format("{}: {}", one.at.line, sentence(one)));
  }
  std::vector<testing::Matcher<std::string>> expected;
  for (const std::string& text : trial.asks) { expected.emplace_back(testing::HasSubstr(text)); }
  EXPECT_THAT(asked, testing::ElementsAreArray(expected));
  for (const std::string& text : trial.sizes) { EXPECT_THAT(run.sizesText, testing::HasSubstr(text)); }
  // Which limit is reached first depends on the machine, and with it whether a size is to blame.
  if (trial.sizes.empty() && run.end != ProgramEnd::TooLong) { EXPECT_EQ(run.sizesText, ""); }
  for (const std::string& text : trial.problems) {
    EXPECT_THAT(run.problems,
                testing::Contains(testing::Field(&host::HostDiagnostic::message, testing::HasSubstr(text))));
  }
  if (trial.problems.empty()) { EXPECT_THAT(run.problems, testing::SizeIs(run.end == ProgramEnd::NoMain ? 1 : 0)); }
  if (trial.ends.line > 0) { EXPECT_EQ((Place{run.endedAt.file, run.endedAt.line}), trial.ends); }
  compareLaunches(run, trial);
  compareAllocations(run, trial);
  EXPECT_EQ(findingsOf(run), trial.findings);
  EXPECT_EQ(matchesOf(run), trial.matches);
}

INSTANTIATE_TEST_SUITE_P(All, ProgramTrials, testing::ValuesIn(names()), [](const auto& name) {
  std::string text = name.param.substr(0, name.param.find('.'));
  return text;
});

}  // namespace
}  // namespace haloscope::running
