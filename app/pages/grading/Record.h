#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grading/Verdict.h"
#include "program/SourceLocation.h"

namespace haloscope::grading {

/// Something found in a hand-in, at a place of one of its texts.
struct Mark {
  std::string kind;    ///< "race-shared", "unsupported", "program"
  std::string title;   ///< in the language of the grading
  std::string file{};  ///< as in Record::sources; empty: no place is known
  SourceRange where{};
  std::string message{};
  std::vector<std::string> threads{};  ///< "thread (3,0,0) of block (0,0,0)"
  std::uint64_t occurrences = 1;
  std::vector<std::string> outputs{};  ///< names of the first output cells it reaches
  std::uint64_t outputCount = 0;
  std::vector<int> alsoAt{};  ///< further lines of the same mistake

  bool operator==(const Mark&) const = default;
};

/// A kernel of a hand-in.
struct KernelRecord {
  std::string file, kernel;
  std::string result;  ///< what its result was compared with, and how that ended
  std::vector<Mark> marks{};
  std::vector<std::string> assumptions{};

  bool operator==(const KernelRecord&) const = default;
};

/// A cell of the output that is wrong.
struct WrongCell {
  std::string name;  ///< "out[1057]"
  double expected = 0, computed = 0;

  bool operator==(const WrongCell&) const = default;
};

/// What the picture of a finding shows: the threads of a block, and the cells of an array around a place.
struct Picture {
  using Index = std::array<std::uint32_t, 3>;  ///< x, y, z
  struct Thread {
    Index block{}, thread{};
    bool operator==(const Thread&) const = default;
  };
  struct Array {
    std::string name, space;             ///< "in_s", "shared"
    std::vector<std::int64_t> extents;   ///< slowest first
    std::int64_t index = 0;              ///< the element in question, which may be outside
    std::vector<std::int64_t> marked{};  ///< elements that are wrong, ascending
    bool operator==(const Array&) const = default;
  };
  Index grid{1, 1, 1}, block{1, 1, 1};  ///< extents
  std::vector<Thread> threads{};
  std::optional<Array> array{};
  std::string caption;

  bool operator==(const Picture&) const = default;
};

/// A goal of the task that the hand-in was written for.
struct GoalRecord {
  std::string goal;  ///< "block.loads_per_output <= 2.4"
  std::string says;  ///< what is counted
  std::string text;  ///< "2.37037 ≤ 2.4"
  bool reached = false;

  bool operator==(const GoalRecord&) const = default;
};

struct SourceText {
  std::string name, text{};

  bool operator==(const SourceText&) const = default;
};

/// What was found out about one hand-in. It says nothing about whose it is, nor about the machine.
struct Record {
  Verdict verdict = Verdict::NotJudged;
  std::string sentence{};  ///< the most important thing, in one sentence
  std::vector<KernelRecord> kernels{};
  std::vector<Mark> program{};  ///< what the host half of a program shows
  std::vector<std::string> notes{};
  std::vector<std::string> commonHeaders{};  ///< that it includes, of those that are common to all hand-ins
  std::string wrongIn{};                     ///< the kernel of which `wrongCells` are
  std::string expectedBy{};  ///< the kernel that computes what they should be; empty: it is known otherwise
  std::vector<WrongCell> wrongCells{};
  std::optional<Picture> picture{};
  std::vector<GoalRecord> goals{};  ///< of a right solution of a task, in the task's order
  std::vector<SourceText> sources{};

  /// Those of the kernels, then those of the program.
  [[nodiscard]] std::vector<const Mark*> marks() const;

  bool operator==(const Record&) const = default;
};

/// As one JSON document. Texts that are not UTF-8 come out with replacement characters.
[[nodiscard]] std::string toJson(const Record& record);
/// None if it is not one of toJson().
[[nodiscard]] std::optional<Record> recordOf(const std::string& json);

/// A record of a hand-in that was not executed.
[[nodiscard]] Record refused(Verdict verdict, std::string sentence);

}  // namespace haloscope::grading
