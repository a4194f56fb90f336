#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "questions/CellSets.h"
#include "questions/Origin.h"
#include "recording/BlockView.h"

/// What a question asks of a kernel, and its answer, found by executing the kernel at that moment.
namespace haloscope::questions {

class Execution;

/// What an answer consists of.
enum class AnswerKind : std::uint8_t { Number, Cells, Lines };

struct Answer {
  AnswerKind kind = AnswerKind::Number;
  double number = 0;       ///< of a comparison: 1 or 0
  CellSet cells;           ///< of AnswerKind::Cells
  std::vector<int> lines;  ///< of AnswerKind::Lines: each is right; ascending
  Origins origins;         ///< of all that the query names
};

/// The kind of answer that a query has. Nothing is executed and no name is looked up.
[[nodiscard]] AnswerKind kindOf(const std::string& query);

/// The numbers that the query names and nothing executes, by what it writes: "gpu(NVIDIA H200 …)". Throws as
/// recordedNumber().
[[nodiscard]] std::map<std::string, double> recordsIn(const std::string& query);

/// Executes what the query asks for. A query is one of
///  - an expression over quantities() and the kernel's sizes and tunables, in which value(ARRAY, i[, j[, k]]) is an
///    element after the launch (indices as in the text, slowest axis first; a single one counts all elements),
///    elements(ARRAY), extent(ARRAY, axis) and bytes(ARRAY) its size, count(SET) the number of cells of a set, and
///    times(TEXT) how often thread 0 of the chosen block executes the first line that contains the text;
///    recorded(CLASS, VARIANT, FIELD) and gpu(NAME, FIELD) are numbers of Records.h, which nothing executes;
///    `variables` are further names, such as the i of value(out, i);
///  - the name of a set of cells, with its arguments (namedSets());
///  - the name of source lines (namedLines()).
/// Throws InputError for an unknown name, with its place and the nearest one; SourceError and MissingError as the
/// execution does.
[[nodiscard]] Answer answer(const std::string& query, Execution& execution,
                            const std::map<std::string, double>& variables = {});

/// Whether a typed prediction is right: within `tolerance` of the answer or, without one, exactly for a whole number
/// and else to the digits that were typed, which must be enough for 1 %. Throws InputError as predictionOf().
[[nodiscard]] bool agrees(double answer, const std::string& typed, std::optional<double> tolerance = std::nullopt);
/// A typed prediction: a number or a calculation with numbers, "8 * 8 - 36"; "12 %" is 0.12. Throws InputError.
[[nodiscard]] double predictionOf(const std::string& typed);

/// A number as text: up to 6 significant digits, whole numbers in full.
[[nodiscard]] std::string numberText(double number);
/// "in[3][0]", "thread (2,1,0)", "lane 5".
[[nodiscard]] std::string cellText(const CellSet& set, const recording::GridPoint& cell);

}  // namespace haloscope::questions
