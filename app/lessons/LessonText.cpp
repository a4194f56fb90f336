#include "lessons/LessonText.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "language/Text.h"
#include "lessons/Formula.h"
#include "program/SourceLocation.h"

namespace haloscope::lessons {

namespace {

constexpr std::size_t kColumns = 80;

/// A piece of a line: a word, or one wide character.
struct Word {
  std::string text;
  std::size_t columns = 0;
  bool spaced = false;  ///< a space stands before it
};

std::vector<Word> wordsOf(const std::string& text) {
  std::vector<Word> words;
  bool spaced = false, open = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == ' ') {
      spaced = true;
      open = false;
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) { ++end; }
    const bool wide = static_cast<unsigned char>(text[i]) >= 0xE3 && end - i >= 3;
    if (wide || !open) { words.push_back({{}, 0, spaced}); }
    words.back().text += text.substr(i, end - i);
    words.back().columns += wide ? 2 : 1;
    open = !wide;
    spaced = false;
    i = end;
  }
  return words;
}

std::string formulaText(const Lesson& lesson, const std::string& tex, const ComputedValue& values) {
  std::string text = tex;
  for (std::size_t n = 0; n < lesson.values.size(); ++n) {
    const std::string mark = valueMark(n);
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
      text.replace(at, mark.size(), fmt::format("\\text{{{}}}", values(n).value_or("…")));
    }
  }
  try {
    return plainFormula(parseFormula(text));
  } catch (const InputError&) { return text; }
}

std::string tableText(const Lesson& lesson, const Block& table, const ComputedValue& values) {
  std::string text;
  for (const auto& row : table.rows) {
    std::string line;
    for (const Spans& cell : row) {
      if (&cell != &row.front()) { line += " | "; }
      line += plainText(lesson, cell, values);
    }
    text += "  " + line + '\n';
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

std::string wrapped(const std::string& text, const std::string& indent, const std::string& first) {
  std::string result;
  std::size_t begin = 0;
  for (std::size_t end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    const std::string& lead = begin == 0 ? first : indent;
    std::string line = lead;
    std::size_t used = wordsOf(lead).size();
    used = std::max(used, lead.size() > 40 ? 0 : lead.size());
    bool empty = true;
    for (const Word& word : wordsOf(text.substr(begin, end - begin))) {
      if (!empty && used + word.columns + (word.spaced ? 1 : 0) > kColumns) {
        result += line + '\n';
        line = indent;
        used = indent.size();
        empty = true;
      }
      if (word.spaced && !empty) {
        line += ' ';
        ++used;
      }
      line += word.text;
      used += word.columns;
      empty = false;
    }
    result += line + '\n';
  }
  return result;
}

std::string plainText(const Lesson& lesson, const Spans& spans, const ComputedValue& values) {
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
        text += values(span.value).value_or("…");
        break;
      case Span::Kind::Formula:
      case Span::Kind::Display:
        text += formulaText(lesson, span.text, values);
        break;
      case Span::Kind::Break:
        text += '\n';
        break;
    }
  }
  return text;
}

std::string plainText(const Lesson& lesson, const Course& course, const ComputedValue& values,
                      const std::function<std::string(std::size_t question)>& question) {
  std::string text = fmt::format("{}\n{}\n", lesson.title, std::string(lesson.title.size(), '='));
  text += lesson.section == "beyond" ? std::string(tr("Beyond the book")) : trf("Section {}", lesson.section);
  for (const std::string& id : lesson.restsOn) {
    const Lesson* other = course.find(id);
    text += fmt::format("{}{}",
                        id == lesson.restsOn.front() ? std::string(" · ") + tr("Rests on:") + " " : std::string(", "),
                        other != nullptr ? other->title : id);
  }
  text += "\n\n";
  for (const Block& block : lesson.blocks) {
    const std::string indent(static_cast<std::size_t>(2 * block.level), ' ');
    switch (block.kind) {
      case Block::Kind::Heading:
        text += fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(block.level), '#'),
                            plainText(lesson, block.spans, values));
        break;
      case Block::Kind::Paragraph: {
        const std::string first = block.marker.empty() ? indent : indent.substr(2) + block.marker + " ";
        text += wrapped(plainText(lesson, block.spans, values), block.quoted ? indent + "> " : indent,
                        block.quoted ? indent + "> " : first);
        text += '\n';
        break;
      }
      case Block::Kind::Code:
        text += indented(block.text) + '\n';
        break;
      case Block::Kind::Formula:
        text += indented(formulaText(lesson, block.text, values)) + '\n';
        break;
      case Block::Kind::Table:
        text += tableText(lesson, block, values) + '\n';
        break;
      case Block::Kind::Steps:
        text += wrapped(plainText(lesson, lesson.steps[block.index].caption, values), "  ", "▸ ") + '\n';
        break;
      case Block::Kind::Question:
        text += question(block.index) + '\n';
        break;
      case Block::Kind::Problem:
        text += "! " + block.text + "\n\n";
        break;
    }
  }
  if (const Lesson* next = course.neighbour(lesson.id, 1)) {
    text += fmt::format("{}: {} ({})\n", tr("Next"), next->title, next->id);
  }
  return text;
}

}  // namespace haloscope::lessons
