#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "worksheet/Sections.h"

namespace haloscope::worksheet {

namespace {

constexpr double kTraceSize = 7.2, kPad = 3.5, kWritten = 17;
// Step, line, statement, what is read, what comes out; the last takes what is left.
constexpr std::array<double, 4> kColumns = {27, 25, 168, 118};

double columnAt(std::size_t column) {
  double at = 0;
  for (std::size_t i = 0; i < column; ++i) { at += kColumns[i]; }
  return at;
}

/// Texts and gaps in one line.
class ResultLine {
 public:
  void add(const SheetWriter& writer, const std::string& text) {
    parts_.emplace_back(Text(writer.fonts(), text, {Face::Mono, kTraceSize}));
  }
  void addGap(const SheetWriter& writer, const std::string& answer) {
    parts_.emplace_back(Gap(writer, answer, kTraceSize));
    hasGap_ = true;
  }
  [[nodiscard]] bool hasGap() const { return hasGap_; }
  [[nodiscard]] double height() const { return hasGap_ ? kWritten : kTraceSize * 1.4; }
  [[nodiscard]] double width() const {
    double width = 0;
    for (const Part& part : parts_) { width += part.width(); }
    return width;
  }
  void draw(const Pen& pen, double x, double y) const {
    const double baseline = y + height() - (hasGap_ ? 4.5 : kTraceSize * 0.38);
    for (const Part& part : parts_) {
      if (part.gap) {
        part.gap->draw(pen, x, baseline);
      } else {
        pen.text(*part.text, x, baseline - part.text->baseline());
      }
      x += part.width();
    }
  }

 private:
  struct Part {
    explicit Part(Text words) : text(std::make_shared<Text>(std::move(words))) {}
    explicit Part(Gap place) : gap(std::make_shared<Gap>(std::move(place))) {}
    [[nodiscard]] double width() const { return gap ? gap->width() + 3 : text->width(); }
    std::shared_ptr<const Text> text;
    std::shared_ptr<const Gap> gap;
  };
  std::vector<Part> parts_;
  bool hasGap_ = false;
};

std::shared_ptr<const Piece> headOf(const SheetWriter& writer) {
  const std::array<const char*, 5> names = {tr("step"), tr("line"), tr("statement"), tr("reads"), tr("result")};
  std::vector<Text> texts;
  for (const char* name : names) { texts.emplace_back(writer.fonts(), name, Style{Face::Strong, kSmall}); }
  const double width = writer.width();
  Piece head;
  head.height = texts.front().height() + 6;
  head.draw = [texts, width, height = head.height](const Pen& pen, double x, double y) {
    pen.fill(x, y, width, height, grey(0.92));
    for (std::size_t i = 0; i < texts.size(); ++i) { pen.text(texts[i], x + columnAt(i) + kPad, y + 3); }
    pen.line(x, y + height, x + width, y + height, 0.7, kInk);
  };
  return std::make_shared<const Piece>(std::move(head));
}

std::vector<ResultLine> resultLines(const SheetWriter& writer, const TraceRow& row) {
  std::vector<ResultLine> lines;
  if (row.barrier) { lines.emplace_back().add(writer, tr("waits for all threads of the block")); }
  if (row.condition) {
    ResultLine& line = lines.emplace_back();
    if (row.conditionBlank) {
      line.addGap(writer, *row.condition ? "true" : "false");
    } else {
      line.add(writer, *row.condition ? "true" : "false");
    }
  }
  for (const TraceResult& result : row.results) {
    ResultLine& line = lines.emplace_back();
    if (!result.blank) {
      line.add(writer, fmt::format("{}{} = {}", result.name, result.place, result.value));
      continue;
    }
    line.add(writer, result.name + " ");
    if (!result.place.empty()) { line.addGap(writer, result.place); }
    line.add(writer, "= ");
    line.addGap(writer, result.value);
  }
  return lines;
}

Piece rowPiece(const SheetWriter& writer, const TraceRow& row) {
  const Text step(writer.fonts(), std::to_string(row.step), {Face::Mono, kTraceSize, kDim});
  const Text line(writer.fonts(), std::to_string(row.line), {Face::Mono, kTraceSize});
  const Text statement(writer.fonts(), row.statement, {Face::Mono, kTraceSize}, kColumns[2] - 2 * kPad);
  const Text reads(writer.fonts(), fmt::format("{}", fmt::join(row.reads, "\n")), {Face::Mono, kTraceSize},
                   kColumns[3] - 2 * kPad);
  const std::vector<ResultLine> results = resultLines(writer, row);
  double result = 0;
  for (const ResultLine& one : results) { result += one.height(); }
  // On the line that is written on.
  const double down = !results.empty() && results.front().hasGap() ? kWritten - 4.5 - statement.baseline() : 0;
  const double height = std::max({statement.height() + down, reads.height() + down, result}) + 2 * 2.2;
  const double width = writer.width();
  Piece piece;
  piece.height = height;
  piece.draw = [=](const Pen& pen, double x, double y) {
    const double top = y + 2.2 + down;
    pen.text(step, x + columnAt(1) - kPad - step.width(), top);
    pen.text(line, x + columnAt(2) - kPad - line.width(), top);
    pen.text(statement, x + columnAt(2) + kPad, top);
    pen.text(reads, x + columnAt(3) + kPad, top);
    double at = y + 2.2;
    for (const ResultLine& one : results) {
      one.draw(pen, x + columnAt(4) + kPad, at);
      at += one.height();
    }
    for (std::size_t i = 1; i < 5; ++i) { pen.line(x + columnAt(i), y, x + columnAt(i), y + height, 0.3, kFaint); }
    pen.line(x, y + height, x + width, y + height, 0.3, kRule);
  };
  return piece;
}

Piece remarkPiece(const SheetWriter& writer, const std::string& sentence) {
  const Text text(writer.fonts(), sentence, {Face::Italic, kSmall, kDim}, writer.width() - 2 * kPad);
  Piece piece;
  piece.height = text.height() + 6;
  piece.draw = [text, width = writer.width(), height = piece.height](const Pen& pen, double x, double y) {
    pen.text(text, x + kPad, y + 3);
    pen.line(x, y + height, x + width, y + height, 0.3, kRule);
  };
  return piece;
}

/// "N = 32, radius = 2": the scalar arguments.
std::string argumentsText(const experiment::Experiment& experiment) {
  const Program& program = *experiment.program;
  std::vector<std::string> texts;
  for (VariableId id = 0; id < program.variables.size(); ++id) {
    const Variable& variable = program.variables[id];
    const ValueType type = program.registers[variable.reg].type;
    if (!variable.parameter || type == ValueType::Pointer) { continue; }
    texts.push_back(fmt::format("{} = {}", variable.name,
                                recording::formatValue(type, experiment.recording->initialVariables[id])));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

void addTrace(SheetWriter& writer, const ChapterSheet& sheet) {
  const ThreadTrace& trace = sheet.trace;
  const experiment::Experiment& experiment = *sheet.chapter.experiment;
  if (trace.rows.empty()) { return; }
  const LaunchConfiguration& launch = experiment.configuration;
  const std::string thread = text(unlinear(sheet.picture.thread, launch.block));
  writer.heading(trf("Thread {}, statement by statement", thread));
  const auto dim = [](const Dim3& size) { return fmt::format("({},{},{})", size.x, size.y, size.z); };
  std::string given = fmt::format("threadIdx = {}, blockIdx = {}, blockDim = {}, gridDim = {}", thread,
                                  text(experiment.block), dim(launch.block), dim(launch.grid));
  const std::string arguments = argumentsText(experiment);
  if (!arguments.empty()) { given += ", " + arguments; }
  writer.paragraph({{tr("Given: "), {Face::Strong, kBody}},
                    {given + " ", {Face::Mono, kCode}},
                    {tr("Indices are (x,y,z). Fill in what is missing."), {}}},
                   4, true);

  const std::shared_ptr<const Piece> head = headOf(writer);
  Piece first = *head;
  first.before = 6;
  first.keepWithNext = true;
  writer.add(std::move(first));
  const auto add = [&](Piece piece) {
    piece.again = head;
    writer.add(std::move(piece));
  };
  for (const TraceRow& row : trace.rows) {
    if (row.given) {
      add(remarkPiece(writer, trf("{} steps are left out. Before the next one: {}", trace.leftOut, *row.given)));
    }
    Piece piece = rowPiece(writer, row);
    piece.keepWithNext = &row == &trace.rows.back() && trace.leftOutAtEnd > 0;
    add(std::move(piece));
  }
  if (trace.leftOutAtEnd > 0) {
    add(remarkPiece(writer, trf("The thread executes {} more steps.", trace.leftOutAtEnd)));
  }
}

}  // namespace haloscope::worksheet
