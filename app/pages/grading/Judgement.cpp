#include "grading/Judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "analysis/ElementName.h"
#include "checking/WrongResult.h"
#include "experiment/InputData.h"
#include "faults/Finding.h"
#include "language/Text.h"
#include "program/Launch.h"
#include "running/EndSentence.h"
#include "running/HostFinding.h"

namespace haloscope::grading {

namespace {

using judging::CheckedKernel;

constexpr const char* kProgram = "program";
constexpr std::size_t kMaxMarks = 50;  ///< of a kernel
constexpr std::size_t kMaxThreads = 8, kMaxAlso = 24, kMaxCells = 8, kMaxNotes = 20, kMaxErrors = 20;
constexpr std::size_t kMaxNameBytes = 120, kMaxSentenceBytes = 1200;
constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;  ///< of all texts that are kept

/// The name of a text as it is kept: "./src/main.cu" is "src/main.cu".
std::string plainPath(const std::string& path) { return std::filesystem::path(path).lexically_normal().string(); }

Picture::Index indexOf(const Dim3& at) { return {at.x, at.y, at.z}; }

std::string spaceText(MemorySpace space) {
  switch (space) {
    case MemorySpace::Global:
      return tr("global memory");
    case MemorySpace::Shared:
      return tr("shared memory");
    case MemorySpace::Constant:
      return tr("constant memory");
    case MemorySpace::Local:
      return tr("a thread's own array");
  }
  return {};
}

Mark markOf(const CheckedKernel& row, const faults::Finding& finding) {
  const faults::FindingRow& kind = faults::rowOf(finding.kind);
  Mark mark{.kind = kind.name,
            .title = tr(kind.title),
            .file = plainPath(row.file),
            .where = finding.where,
            .message = finding.text(),
            .occurrences = finding.occurrences,
            .outputs = row.report->outputNames(finding),
            .outputCount = finding.outputCount};
  for (const faults::ThreadPlace& one : finding.threads) {
    if (mark.threads.size() == kMaxThreads) { break; }
    mark.threads.push_back(trf("thread {} of block {}", text(one.thread), text(one.block)));
  }
  std::set<int> lines;
  if (finding.other.valid()) { lines.insert(finding.other.line); }
  for (const faults::AlsoAt& also : finding.also) {
    if (lines.size() < kMaxAlso) { lines.insert(faults::placeOf(finding, also).line); }
  }
  lines.erase(finding.where.line);
  mark.alsoAt.assign(lines.begin(), lines.end());
  return mark;
}

Mark markOf(const SourceError& error) {
  return {.kind = faults::rowOf(faults::FindingKind::Unsupported).name,
          .title = tr("cannot be read"),
          .file = error.where().valid() ? plainPath(error.file()) : "",
          .where = error.where(),
          .message = error.message()};
}

Mark markOf(const verdict::Remark& remark) {
  Mark mark{.kind = kProgram, .title = tr("program"), .message = remark.message, .occurrences = remark.times};
  if (remark.isFinding) {
    mark.kind = remark.kind;
    mark.title = remark.title;
  }
  if (remark.place.range.valid()) {
    const int line = remark.place.range.line;
    mark.file = plainPath(remark.place.file);
    mark.where = {.line = line, .column = 1, .endLine = line, .endColumn = 1};
  }
  return mark;
}

/// The launch of a checked kernel, without the values of its arrays; none where it cannot be made again.
std::optional<Launch> shapeOf(const CheckedKernel& row) {
  if (!row.text) { return std::nullopt; }
  try {
    return experiment::makeLaunch(*row.text, row.bindings, *row.report->program, experiment::InputKind::Shape);
  } catch (const UserError&) { return std::nullopt; }
}

std::optional<Picture> pictureOf(const CheckedKernel& row, const faults::Finding& finding) {
  const std::optional<Launch> launch = shapeOf(row);
  const Program& program = *row.report->program;
  if (!launch || (finding.object >= program.objects.size() && finding.threads.empty())) { return std::nullopt; }
  Picture picture{.grid = indexOf(launch->configuration.grid),
                  .block = indexOf(launch->configuration.block),
                  .caption = finding.text()};
  for (const faults::ThreadPlace& one : finding.threads) {
    if (picture.threads.size() < kMaxThreads) { picture.threads.push_back({indexOf(one.block), indexOf(one.thread)}); }
  }
  if (finding.object >= program.objects.size()) { return picture; }
  const MemoryObject& object = program.objects[finding.object];
  Picture::Array array{
      .name = object.name, .space = spaceText(object.space), .extents = object.extents, .index = finding.index};
  if (array.extents.empty() && finding.object < launch->arrays.size()) {
    array.extents = launch->arrays[finding.object].extents;
  }
  if (array.extents.empty()) { array.extents = {object.elementCount()}; }
  if (checking::isWrongResult(finding)) {
    for (const experiment::WrongPoint& point : row.report->wrongPoints) {
      if (point.array == object.name) { array.marked.push_back(point.element); }
    }
  }
  picture.array = std::move(array);
  return picture;
}

void addWrongCells(const CheckedKernel& row, Record& record) {
  const Program& program = *row.report->program;
  if (row.report->wrongPoints.empty()) { return; }
  record.wrongIn = row.kernel;
  record.expectedBy = row.report->expectedBy;
  for (const experiment::WrongPoint& point : row.report->wrongPoints) {
    if (record.wrongCells.size() == kMaxCells) { return; }
    const ObjectId object = program.findObject(point.array);
    record.wrongCells.push_back({object == kNone ? fmt::format("{}[{}]", point.array, point.element)
                                                 : analysis::elementName(program, object, point.element),
                                 point.expected, point.computed});
  }
}

/// The texts of a hand-in that are worth showing: those with kernels or findings, then the others, as far as they fit.
std::vector<SourceText> shownTexts(const std::vector<SourceText>& texts, const Record& record) {
  std::set<std::string> wanted;
  for (const KernelRecord& kernel : record.kernels) { wanted.insert(kernel.file); }
  for (const Mark* mark : record.marks()) { wanted.insert(mark->file); }
  std::vector<SourceText> shown;
  std::size_t bytes = 0;
  for (const SourceText& text : texts) {
    if (!wanted.contains(text.name) || bytes + text.text.size() > kMaxTextBytes) { continue; }
    bytes += text.text.size();
    shown.push_back(text);
  }
  return shown;
}

std::string summary(const Mark& mark) {
  return mark.where.valid() ? trf("{}, line {}: {}", mark.title, mark.where.line, mark.message)
                            : fmt::format("{}: {}", mark.title, mark.message);
}

/// "agrees with heat.cu:heat, at nx = 64 (62 points)": with what it was compared, and on what that rests.
std::string resultTextOf(const CheckedKernel& row) {
  const verdict::Verdict verdict = verdictOf(row);
  const std::string result = verdict::resultText(verdict);
  const verdict::Evidence* const reference = verdict.evidence.of(verdict::Basis::Reference);
  return reference != nullptr && !reference->at.empty() ? trf("{}, at {}", result, verdict::sizesText(reference->at))
                                                        : result;
}

bool agreesWithReference(const CheckedKernel& row) {
  return row.report->evidence.has(verdict::Basis::Reference, verdict::Outcome::Agrees);
}

/// A row about the reference, not about a kernel of the hand-in.
bool isAboutReference(const CheckedKernel& row) { return row.kernel.empty() && row.readable && !row.checked(); }

/// The row of a text that ended its compiler, of which nothing can be said: the first one.
const CheckedKernel* endedRow(const Judged& judged) {
  const auto found =
      std::ranges::find_if(judged.kernels, [](const CheckedKernel& row) { return row.compilerEnd.has_value(); });
  return found == judged.kernels.end() ? nullptr : &*found;
}

Verdict verdictOf(const Judged& judged, const Record& record) {
  if (const CheckedKernel* ended = endedRow(judged)) {
    switch (*ended->compilerEnd) {
      case checking::CompilerEnd::TooMuchMemory:
        return Verdict::TooMuchMemory;
      case checking::CompilerEnd::TooMuchTime:
        return Verdict::TooLong;
      case checking::CompilerEnd::Crash:
        return Verdict::NotRead;
    }
  }
  bool fault = !record.program.empty();
  bool wrong = false;
  bool right = false;
  bool allJudged = true;
  bool checked = false;
  bool unread = false;
  bool beyond = false;
  for (const CheckedKernel& row : judged.kernels) {
    beyond = beyond || row.beyondLimit;
    if (!row.checked()) {
      unread = unread || (!isAboutReference(row) && !row.beyondLimit);
      continue;
    }
    checked = true;
    // What the hand-in itself says of its result, as in a header, does not stand for the teacher's reference.
    const bool isRight = verdictOf(row).kind == verdict::Kind::Right;
    right = right || (judged.withReference ? agreesWithReference(row) : isRight);
    allJudged = allJudged && isRight;
    for (const faults::Finding& finding : row.report->findings) {
      (checking::isWrongResult(finding) ? wrong : fault) = true;
    }
    wrong = wrong || row.report->evidence.matches() == false;
  }
  if (judged.rejected || (!checked && unread)) { return Verdict::NotRead; }
  if (fault) { return Verdict::Findings; }
  if (unread) { return Verdict::NotRead; }
  if (wrong) { return Verdict::WrongResult; }
  if (!judged.tooLong.empty()) { return Verdict::TooLong; }
  if (!checked) { return Verdict::NoKernel; }
  return right && !beyond && (allJudged || !judged.withReference) ? Verdict::Passed : Verdict::NotCompared;
}

std::string sentenceOf(const Judged& judged, const Record& record) {
  const std::vector<const Mark*> marks = record.marks();
  if (const CheckedKernel* ended = endedRow(judged)) {
    if (!ended->errors.empty()) { return ended->errors.front().message(); }
    if (ended->report && !ended->report->findings.empty()) { return ended->report->findings.front().text(); }
  }
  switch (record.verdict) {
    case Verdict::Passed:
    case Verdict::NotCompared: {
      for (const CheckedKernel& row : judged.kernels) {
        if (isAboutReference(row)) { return row.errors.front().message(); }
      }
      std::string text;
      constexpr std::size_t kNamed = 4;
      std::size_t named = 0;
      std::size_t more = 0;
      for (const CheckedKernel& row : judged.kernels) {
        if (!row.checked()) { continue; }
        if (++named > kNamed) {
          ++more;
          continue;
        }
        const verdict::Verdict verdict = verdictOf(row);
        const bool isRight = verdict.kind == verdict::Kind::Right;
        std::string result = isRight ? resultTextOf(row) : trf("no fault found; {}", verdict::clause(verdict));
        if (judged.withReference && isRight && !agreesWithReference(row)) {
          result = trf("{}, but it was not compared with the reference", result);
        }
        text +=
            fmt::format("{}{}: {}", text.empty() ? "" : "; ", running::shortened(row.kernel, kMaxNameBytes), result);
      }
      for (const CheckedKernel& row : judged.kernels) {
        if (row.beyondLimit) { text += "; " + row.errors.front().message(); }
      }
      if (more > 0) { text += trn("; and {} more kernel", "; and {} more kernels", more, more); }
      return text;
    }
    case Verdict::NoKernel:
      return judged.kernels.empty() ? tr("it contains no .cu file") : judged.kernels.front().errors.front().message();
    case Verdict::TooLong:
      return judged.tooLong.front();
    case Verdict::NotRead:
      for (const Mark* mark : marks) {
        if (mark->kind == faults::rowOf(faults::FindingKind::Unsupported).name || mark->kind == kProgram) {
          return summary(*mark);
        }
      }
      [[fallthrough]];
    default:
      return marks.empty() ? std::string() : summary(*marks.front());
  }
}

/// "No kernel in it can be read" and the like: the file has none.
bool hasNoKernel(const Judged& judged) {
  return std::ranges::all_of(judged.kernels, [](const CheckedKernel& row) {
    return !row.checked() && !row.compilerEnd && row.kernel.empty() &&
           std::ranges::none_of(row.errors, [](const SourceError& error) { return error.where().valid(); });
  });
}

/// What a hand-in can make as long as it likes: names, and messages with its own words.
void shorten(Record& record) {
  const auto name = [](std::string& one) { one = running::shortened(std::move(one), kMaxNameBytes); };
  const auto sentence = [](std::string& one) { one = running::shortened(std::move(one), kMaxSentenceBytes); };
  const auto mark = [&](Mark& one) {
    sentence(one.message);
    std::ranges::for_each(one.outputs, name);
  };
  sentence(record.sentence);
  for (KernelRecord& kernel : record.kernels) {
    name(kernel.kernel);
    sentence(kernel.result);
    std::ranges::for_each(kernel.marks, mark);
    std::ranges::for_each(kernel.assumptions, sentence);
  }
  std::ranges::for_each(record.program, mark);
  std::ranges::for_each(record.notes, sentence);
  name(record.wrongIn);
  name(record.expectedBy);
  for (WrongCell& cell : record.wrongCells) { name(cell.name); }
  if (!record.picture) { return; }
  sentence(record.picture->caption);
  if (record.picture->array) { name(record.picture->array->name); }
}

}  // namespace

Record recordOf(const Judged& judged) {
  Record record;
  const CheckedKernel* shownRow = nullptr;
  const faults::Finding* shownFinding = nullptr;
  for (const CheckedKernel& row : judged.kernels) {
    for (const verdict::Remark& remark : row.remarks) {
      // That a hand-in's own text does not compile is its verdict; an argument that it lacks is not its fault.
      const bool counts =
          remark.weight == verdict::Weight::Fault || (remark.weight == verdict::Weight::Refusal && judged.rejected);
      if (counts && record.program.size() < kMaxMarks) { record.program.push_back(markOf(remark)); }
      if (!counts && record.notes.size() < kMaxNotes) { record.notes.push_back(verdict::textOf(remark)); }
    }
    if (isAboutReference(row)) {
      if (record.notes.size() < kMaxNotes) { record.notes.push_back(row.errors.front().message()); }
      continue;
    }
    KernelRecord& kernel = record.kernels.emplace_back(
        KernelRecord{.file = plainPath(row.file), .kernel = row.kernel, .result = resultTextOf(row)});
    kernel.assumptions = row.assumptions;
    kernel.assumptions.resize(std::min(kernel.assumptions.size(), kMaxNotes));
    for (const SourceError& error : row.errors) {
      if (kernel.marks.size() < kMaxErrors) { kernel.marks.push_back(markOf(error)); }
    }
    if (!row.checked()) { continue; }
    for (const faults::Finding& finding : row.report->findings) {
      if (kernel.marks.size() == kMaxMarks) { break; }
      kernel.marks.push_back(markOf(row, finding));
      if (shownFinding == nullptr) {
        shownRow = &row;
        shownFinding = &finding;
      }
    }
    if (record.wrongCells.empty()) { addWrongCells(row, record); }
  }
  record.verdict = judged.kernels.empty() || hasNoKernel(judged) ? Verdict::NoKernel : verdictOf(judged, record);
  if (record.verdict == Verdict::NoKernel) {  // nothing that was found in one
    for (KernelRecord& kernel : record.kernels) { kernel.marks.clear(); }
  }
  if (shownFinding != nullptr) { record.picture = pictureOf(*shownRow, *shownFinding); }
  record.sentence = sentenceOf(judged, record);
  record.sources = shownTexts(judged.texts, record);
  shorten(record);
  return record;
}

Record recordOf(const making::MadeKernel& made, const SourceText& text) {
  Record record = recordOf(Judged{.kernels = {made.asChecked(text.name)}, .texts = {text}});
  switch (made.outcome) {
    case making::Outcome::NothingWritten:
      record.verdict = Verdict::NoKernel;
      for (KernelRecord& kernel : record.kernels) { kernel.marks.clear(); }  // the sentence says it all
      break;
    case making::Outcome::NotRead:
      if (!made.report.compilerEnd) { record.verdict = Verdict::NotRead; }
      break;
    case making::Outcome::GoalsMissed:
      record.verdict = Verdict::GoalsMissed;
      break;
    case making::Outcome::Solved:
      record.verdict = Verdict::Passed;
      break;
    case making::Outcome::DoesNotEnd:
    case making::Outcome::Faults:
    case making::Outcome::Wrong:
    case making::Outcome::OnlyTheseData:
    case making::Outcome::OnlyThisSize:
      if (record.marks().empty()) { record.verdict = Verdict::WrongResult; }
      break;
  }
  record.sentence = made.sentence;
  if (const std::string same = made.sameAsText(); !same.empty()) { record.sentence += " " + same; }
  for (const making::ReachedGoal& one : made.goals) {
    record.goals.push_back({fmt::format("{} {} {}", one.goal.what, one.goal.relation, one.goal.bound),
                            tr(one.goal.says), one.text(), one.reached});
  }
  shorten(record);
  return record;
}

}  // namespace haloscope::grading
