#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "language/Text.h"

namespace haloscope::grading {

/// VERDICT(name, word, title, meaning): `word` is what JSON and CSV have, `title` what a table shows, `meaning`
/// explains it in the report. In the order of a report's summary.
#define HALOSCOPE_VERDICTS(VERDICT)                                                                               \
  VERDICT(Passed, "passed", trMark("passed"), trMark("no fault found, and the result is right"))                  \
  VERDICT(GoalsMissed, "goals-missed", trMark("goals missed"),                                                    \
          trMark("the result is right, but a goal of the task is missed"))                                        \
  VERDICT(NotCompared, "not-compared", trMark("not compared"),                                                    \
          trMark("no fault found, but nothing says whether the result is right"))                                 \
  VERDICT(WrongResult, "wrong-result", trMark("wrong result"), trMark("no fault found, but the result is wrong")) \
  VERDICT(Findings, "findings", trMark("findings"), trMark("faults were found"))                                  \
  VERDICT(NotRead, "does-not-compile", trMark("does not compile"),                                                \
          trMark("the text does not compile, or uses what cannot be executed here"))                              \
  VERDICT(NoKernel, "no-kernel", trMark("no kernel"), trMark("it has no kernel"))                                 \
  VERDICT(TooLong, "too-long", trMark("took too long"), trMark("it did not end within the time limit"))           \
  VERDICT(TooMuchMemory, "too-much-memory", trMark("too much memory"), trMark("it exceeded the memory limit"))    \
  VERDICT(TooLarge, "too-large", trMark("too large"), trMark("a file is too large, or there are too many"))       \
  VERDICT(NotText, "not-a-text", trMark("not a text"), trMark("the file is not a text"))                          \
  VERDICT(NotFile, "not-a-file", trMark("not a file"),                                                            \
          trMark("a link, a device or a pipe, or a file that cannot be read"))                                    \
  VERDICT(Outside, "outside", trMark("reaches outside"), trMark("it includes a file outside of the hand-in"))     \
  VERDICT(NotJudged, "not-judged", trMark("not judged"), trMark("it could not be judged; the sentence says why"))

/// What a hand-in's row says, in a word.
enum class Verdict : std::uint8_t {
#define HALOSCOPE_VERDICT(name, ...) name,
  HALOSCOPE_VERDICTS(HALOSCOPE_VERDICT)
#undef HALOSCOPE_VERDICT
};

struct VerdictRow {
  Verdict verdict;
  const char* word;
  const char* title;
  const char* meaning;
};

/// In the order of Verdict.
inline constexpr std::array kVerdictRows = {
#define HALOSCOPE_VERDICT_ROW(name, word, title, meaning) VerdictRow{Verdict::name, word, title, meaning},
    HALOSCOPE_VERDICTS(HALOSCOPE_VERDICT_ROW)
#undef HALOSCOPE_VERDICT_ROW
};

[[nodiscard]] constexpr const VerdictRow& rowOf(Verdict verdict) {
  return kVerdictRows[static_cast<std::size_t>(verdict)];
}
[[nodiscard]] constexpr std::optional<Verdict> verdictWithWord(std::string_view word) {
  for (const VerdictRow& row : kVerdictRows) {
    if (row.word == word) { return row.verdict; }
  }
  return std::nullopt;
}
/// Whether nothing is wrong with it, as far as could be checked.
[[nodiscard]] constexpr bool isGood(Verdict verdict) {
  return verdict == Verdict::Passed || verdict == Verdict::NotCompared;
}
/// Whether it may be the machine's doing, which was busy or had no memory left: the next grading may find otherwise.
[[nodiscard]] constexpr bool dependsOnMachine(Verdict verdict) {
  return verdict == Verdict::TooLong || verdict == Verdict::TooMuchMemory || verdict == Verdict::NotJudged;
}

}  // namespace haloscope::grading
