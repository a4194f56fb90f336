#include "reports/HandInCheck.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "grading/HandInProcess.h"
#include "grading/Judgement.h"
#include "grading/Snapshot.h"
#include "language/Text.h"
#include "making/MadeKernel.h"
#include "opening/OpenedFolder.h"
#include "options/KernelArguments.h"
#include "program/ResourceFolder.h"
#include "reports/FileChecker.h"

namespace haloscope {

namespace fs = std::filesystem;

struct HandInCheck {
  FileCheckOptions options;
  std::string folder, target;
  std::string task;                      ///< the file of the one that it solves; empty: none
  std::vector<std::string> sharedFiles;  ///< common to all hand-ins
  std::vector<std::string> leftOut;      ///< as well, but missing
  std::int64_t seconds = 0;
  std::size_t bytes = 0;
};

namespace {

/// The texts of the hand-in in the current folder, and those beside it.
struct HandInTexts {
  std::vector<grading::SourceText> inWork;          ///< names as in messages
  std::vector<grading::SourceText> handIn, shared;  ///< names as in the snapshot: the student's, those common to all
};

HandInTexts readTexts(const fs::path& folder, const std::vector<std::string>& shared) {
  HandInTexts texts;
  // These files were written by the program that started this one: there are neither links nor many of them.
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder.parent_path())) {
    const std::string name = entry.path().lexically_relative(folder.parent_path()).string();
    if (!entry.is_regular_file()) { continue; }
    grading::SourceText text{name, opening::readOpenedText(entry.path())};
    if (name.starts_with(std::string(grading::kWork) + "/")) {
      texts.inWork.push_back({entry.path().lexically_relative(folder).string(), text.text});
    }
    const bool common = std::ranges::find(shared, name) != shared.end();
    (common ? texts.shared : texts.handIn).push_back(std::move(text));
  }
  for (auto* list : {&texts.inWork, &texts.handIn, &texts.shared}) {
    std::ranges::sort(*list, {}, &grading::SourceText::name);
  }
  return texts;
}

grading::Record outside(std::vector<grading::Mark> marks, const HandInTexts& texts) {
  const std::string work = std::string(grading::kWork) + "/";
  grading::Record record{.verdict = grading::Verdict::Outside};
  for (grading::Mark& mark : marks) {
    if (mark.file.starts_with(work)) { mark.file.erase(0, work.size()); }
    for (const grading::SourceText& text : texts.inWork) {
      const bool known =
          std::ranges::find(record.sources, text.name, &grading::SourceText::name) != record.sources.end();
      if (text.name == mark.file && !known) { record.sources.push_back(text); }
    }
  }
  record.sentence = trf("line {}: {}", marks.front().where.line, marks.front().message);
  record.program = std::move(marks);
  return record;
}

/// A header of the teacher's names a file that no copy of a hand-in has. That is not the student's fault.
grading::Record sharedOutside(const grading::Mark& mark) {
  const std::string name = fs::path(mark.file).filename().string();
  return grading::refused(
      grading::Verdict::NotJudged,
      trf("the header {}, which is common to all hand-ins, is at fault, not this hand-in. Line {}: {}", name,
          mark.where.line, mark.message));
}

/// "tile.h" of "work/tile.h", or of "include/tile.h", where programs of several files have it, too.
std::string plainNameOf(std::string name) {
  const std::string work = std::string(grading::kWork) + "/";
  return name.starts_with(work) ? name.substr(work.size()) : name;
}

/// As a solution of a task, which is one file.
grading::Record judgedAsSolution(const HandInCheck& check, const HandInTexts& texts) {
  const std::vector<fs::path> files = opening::kernelFilesIn(check.target);
  if (files.size() != 1) {
    return grading::refused(grading::Verdict::NotJudged,
                            trf("a solution of a task is one .cu file, and this hand-in has {}", files.size()));
  }
  const std::string name = files.front().lexically_normal().string();
  const auto text = std::ranges::find(texts.inWork, name, &grading::SourceText::name);
  const grading::SourceText solution = text == texts.inWork.end() ? grading::SourceText{.name = name} : *text;
  const making::MakeTask task = making::readMakeTask(check.task);
  const Catalogue catalogue = Catalogue::read(resourceFolder("kernels", HALOSCOPE_SOURCE_DIR));
  return grading::recordOf(making::judge(task, solution.text, catalogue), solution);
}

grading::Record judged(const HandInCheck& check) {
  const fs::path folder = check.folder;
  fs::current_path(folder);
  const HandInTexts texts = readTexts(folder, check.sharedFiles);
  std::vector<grading::LeftOut> leftOut;
  for (const std::string& name : check.leftOut) { leftOut.push_back({.name = name}); }
  if (auto marks = grading::outsideIncludes(texts.handIn, texts.shared, leftOut); !marks.empty()) {
    return outside(std::move(marks), texts);
  }
  if (const auto marks = grading::outsideIncludes(texts.shared, texts.shared, leftOut); !marks.empty()) {
    return sharedOutside(marks.front());
  }
  std::vector<grading::SourceText> all = texts.handIn;
  all.insert(all.end(), texts.shared.begin(), texts.shared.end());
  for (const std::vector<grading::SourceText>* including : {&texts.handIn, &texts.shared}) {
    if (const auto mark = grading::leftOutInclude(*including, all, leftOut)) {
      return grading::refused(grading::Verdict::NotJudged,
                              trf("not the fault of this hand-in: line {}: {}", mark->where.line, mark->message));
    }
  }
  if (!check.task.empty()) { return judgedAsSolution(check, texts); }
  grading::Judged result{.kernels = {}, .texts = texts.inWork, .withReference = !check.options.reference.empty()};
  // Without the program's own folder, no message names a place on this machine.
  FileChecker checker(check.options, {}, result.kernels);
  try {
    checker.checkFolder(check.target);
  } catch (const InputError& error) { return grading::refused(grading::Verdict::NotJudged, error.what()); }
  for (const judging::ExecutedProgram& program : checker.programs()) {
    if (program.run.end == running::ProgramEnd::TooLong) { result.tooLong.push_back(program.run.message); }
    result.rejected = result.rejected || program.run.end == running::ProgramEnd::Rejected;
  }
  grading::Record record = grading::recordOf(result);
  for (const grading::SourceText& one : texts.shared) { record.commonHeaders.push_back(plainNameOf(one.name)); }
  std::ranges::sort(record.commonHeaders);
  const auto [first, last] = std::ranges::unique(record.commonHeaders);
  record.commonHeaders.erase(first, last);
  return record;
}

void writeAnswer(const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t now = ::write(grading::kAnswerFile, text.data() + written, text.size() - written);
    if (now < 0 && errno == EINTR) { continue; }
    if (now <= 0) { return; }
    written += static_cast<std::size_t>(now);
  }
}

}  // namespace

std::shared_ptr<HandInCheck> addHandInCheck(CLI::App& command) {
  auto check = std::make_shared<HandInCheck>();
  command.add_option("--in", check->folder)->required();
  command.add_option("--target", check->target)->required();
  command.add_option("--shared-file", check->sharedFiles)->allow_extra_args(false);
  command.add_option("--left-out", check->leftOut)->allow_extra_args(false);
  command.add_option("--against", check->options.reference);
  command.add_option("--task", check->task);
  command.add_option("--seconds", check->seconds)->required();
  command.add_option("--bytes", check->bytes)->required();
  addKernel(command, check->options.kernel);
  addData(command, check->options.kernel.data);
  return check;
}

ExitCode checkHandIn(const HandInCheck& check) {
  grading::Record record;
  try {
    grading::limitThisProcess({.seconds = std::chrono::seconds(check.seconds), .memoryBytes = check.bytes});
    HandInCheck limited = check;
    // A program that runs long is looked at with smaller sizes, for which there must be time.
    running::RunBudget& budget = limited.options.kernel.program.budget;
    const std::chrono::milliseconds all = std::chrono::seconds(check.seconds);
    budget.hostTime = std::min(budget.hostTime, all / 2);
    budget.kernelTime = std::min(budget.kernelTime, all / 2);
    budget.patience = std::min(budget.patience, all / 5);
    record = judged(limited);
  } catch (const std::exception& error) { record = grading::refused(grading::Verdict::NotJudged, error.what()); }
  writeAnswer(grading::toJson(record));
  return ExitCode::Good;
}

}  // namespace haloscope
