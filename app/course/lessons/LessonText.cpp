#include "lessons/LessonText.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <string_view>
#include <vector>

#include "language/LineBreaks.h"
#include "language/Text.h"
#include "lessons/Formula.h"
#include "lessons/LessonMarks.h"
#include "program/SourceLocation.h"

namespace haloscope::lessons {

namespace {

std::string formulaText(const std::string& tex, const ComputedValue& values) {
  const std::string text = withValues(tex, [&](std::size_t n) { return textOf(values(n)); });
  try {
    return plainFormula(parseFormula(text));
  } catch (const InputError&) { return text; }
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) { lines.push_back(std::move(line)); }
  return lines;
}

/// Columns beside each other, as wide as they need or narrowed, and a line below the head.
std::string tableText(const Block& table, const ComputedValue& values) {
  constexpr std::size_t kIndent = 2, kGap = 2;
  const std::size_t columns = table.rows.empty() ? 0 : table.rows.front().size();
  std::vector<float> needs(columns, 1);
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < std::min(columns, row.size()); ++i) {
      needs[i] = std::max(needs[i], static_cast<float>(terminalColumns(plainText(row[i], values))));
    }
  }
  const std::size_t around = kIndent + kGap * (columns > 0 ? columns - 1 : 0);
  const std::vector<float> widths = fittedColumns(needs, static_cast<float>(kColumns - std::min(kColumns, around)));
  std::string text;
  for (const auto& row : table.rows) {
    std::vector<std::vector<std::string>> cells(columns);
    std::size_t height = 0;
    for (std::size_t i = 0; i < std::min(columns, row.size()); ++i) {
      cells[i] = linesOf(wrapped(plainText(row[i], values), "", "", static_cast<std::size_t>(widths[i])));
      height = std::max(height, cells[i].size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      std::string out(kIndent, ' ');
      std::size_t used = 0, column = 0;  // of the terminal
      for (std::size_t i = 0; i < columns; ++i) {
        const std::string part = line < cells[i].size() ? cells[i][line] : std::string();
        if (!part.empty()) {
          out += std::string(column - std::min(column, used), ' ') + part;
          used = column + terminalColumns(part);
        }
        column += static_cast<std::size_t>(widths[i]) + kGap;
      }
      text += out + '\n';
    }
    if (&row == &table.rows.front()) {
      std::size_t rule = around - kIndent;
      for (const float width : widths) { rule += static_cast<std::size_t>(width); }
      text += std::string(kIndent, ' ') + std::string(rule, '-') + '\n';
    }
  }
  return text;
}

std::string indented(const std::string& text) {
  std::string result = "    ";
  for (const char c : text) {
    result += c;
    if (c == '\n') { result += "    "; }
  }
  while (!result.empty() && (result.back() == ' ' || result.back() == '\n')) { result.pop_back(); }
  return result + '\n';
}

}  // namespace

std::vector<float> fittedColumns(const std::vector<float>& needs, float room) {
  std::vector<float> widths(needs);
  std::vector<std::size_t> order(needs.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return needs[i]; });
  for (std::size_t done = 0; done < order.size(); ++done) {
    float& width = widths[order[done]];
    width = std::min(width, std::floor(room / static_cast<float>(order.size() - done)));
    room -= width;
  }
  return widths;
}

std::string wrapped(const std::string& text, const std::string& indent, const std::string& first, std::size_t most) {
  std::string result;
  std::size_t begin = 0;
  for (std::size_t end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    std::string line = begin == 0 ? first : indent;
    std::size_t used = terminalColumns(line);
    bool empty = true;
    for (const LinePiece& piece : linePieces(std::string_view(text).substr(begin, end - begin))) {
      const std::size_t columns = terminalColumns(piece.text);
      if (!empty && used + columns + (piece.spaced ? 1 : 0) > most) {
        result += line + '\n';
        line = indent;
        used = terminalColumns(indent);
        empty = true;
      }
      if (piece.spaced && !empty) {
        line += ' ';
        ++used;
      }
      line += piece.text;
      used += columns;
      empty = false;
    }
    result += line + '\n';
  }
  return result;
}

std::string textOf(const ShownValue* value) { return value == nullptr ? "…" : value->text; }

std::string roomFor(const Value& value) {
  if (value.format == "%") { return "00 %"; }
  if (value.format.size() < 2) { return "00"; }
  const auto digits = static_cast<std::size_t>(std::clamp(value.format[1] - '0', 0, 9));
  return "00." + std::string(digits, '0');
}

std::string plainText(const Spans& spans, const ComputedValue& values) {
  std::string text;
  for (const Span& span : spans) {
    switch (span.kind) {
      case Span::Kind::Text:
        text += span.text;
        break;
      case Span::Kind::Code:
        text += "`" + span.text + "`";
        break;
      case Span::Kind::Value:
        text += textOf(values(span.value));
        break;
      case Span::Kind::Formula:
      case Span::Kind::Display:
        text += formulaText(span.text, values);
        break;
      case Span::Kind::Break:
        text += '\n';
        break;
    }
  }
  return text;
}

namespace {

std::string titleText(const Lesson& lesson) {
  return fmt::format("{}\n{}\n", lesson.title, std::string(terminalColumns(lesson.title), '='));
}

std::string blocksText(const Lesson& lesson, const ComputedValue& values,
                       const std::function<std::string(std::size_t question)>& question) {
  std::string text;
  for (const Block& block : lesson.blocks) {
    const std::string indent(static_cast<std::size_t>(2 * block.level), ' ');
    switch (block.kind) {
      case Block::Kind::Heading:
        text += fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(block.level), '#'),
                            plainText(block.spans, values));
        break;
      case Block::Kind::Paragraph: {
        const std::string mark = block.quoted ? "> " : "";
        const std::string first =
            block.marker.empty() || block.quoted ? indent + mark : indent.substr(2) + block.marker + " ";
        text += wrapped(plainText(block.spans, values), indent + mark, first) + '\n';
        break;
      }
      case Block::Kind::Code:
        text += indented(block.text) + '\n';
        break;
      case Block::Kind::Formula:
        text += indented(formulaText(block.text, values)) + '\n';
        break;
      case Block::Kind::Table:
        text += tableText(block, values) + '\n';
        break;
      case Block::Kind::Picture:
        break;
      case Block::Kind::Steps:
        text += wrapped(plainText(lesson.steps[block.index].caption, values), "  ", "▸ ") + '\n';
        break;
      case Block::Kind::Question:
        text += question(block.index) + '\n';
        break;
      case Block::Kind::Problem:
        text += "! " + block.text + "\n\n";
        break;
    }
  }
  return text;
}

}  // namespace

std::string plainText(const Lesson& lesson, const Course& course, const ComputedValue& values,
                      const std::function<std::string(std::size_t question)>& question) {
  std::string text = titleText(lesson);
  text += lesson.section == "beyond" ? tr("beyond the book") : trf("PMPP 4e, section {}", lesson.section);
  if (!lesson.restsOn.empty()) {
    std::vector<std::string> titles;
    for (const std::string& id : lesson.restsOn) {
      const Lesson* other = course.find(id);
      titles.push_back(other != nullptr ? other->title : id);
    }
    text += " · " + trf("rests on: {}", fmt::join(titles, tr(", ")));
  }
  text += "\n";
  if (!lesson.setting.kernel.empty()) {
    text += trf("The kernel is kernels/{0}.cu:\n    haloscope --kernel {0}\n", lesson.setting.kernel);
  }
  text += "\n" + blocksText(lesson, values, question);
  std::vector<std::string> exercises;
  for (const Link& link : lesson.links) {
    if (link.kind == Link::Kind::Exercise && std::ranges::find(exercises, link.target) == exercises.end()) {
      exercises.push_back(link.target);
    }
  }
  if (!exercises.empty()) {
    text += tr("With your own numbers:\n");
    for (const std::string& exercise : exercises) { text += fmt::format("    haloscope exercise {}\n", exercise); }
    text += '\n';
  }
  if (const Lesson* next = course.neighbour(lesson.id, 1)) {
    text += trf("Next: {} ({})", next->title, next->id) + '\n';
  }
  return text;
}

std::string plainPage(const Lesson& page) {
  std::string text = titleText(page) + '\n' + blocksText(page, {}, {});
  std::vector<std::string> others;
  for (const Link& link : page.links) {
    if (std::ranges::find(others, link.target) == others.end()) { others.push_back(link.target); }
  }
  if (!others.empty()) { text += wrapped(trf("More: haloscope help {}", fmt::join(others, tr(", "))), "  ", ""); }
  return text;
}

}  // namespace haloscope::lessons
