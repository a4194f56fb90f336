#include "site/LessonHtml.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "lessons/Formula.h"
#include "lessons/LessonMarks.h"
#include "program/SourceLocation.h"
#include "text/Html.h"

namespace haloscope::site {

namespace {

using lessons::Block;
using lessons::FormulaNode;
using lessons::Lesson;
using lessons::Span;

bool isNumber(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

std::string mathOf(const FormulaNode& node);

/// Whether something in it is higher than a line of letters.
bool isHigh(const FormulaNode& node) {
  using enum FormulaNode::Kind;
  return std::ranges::any_of(node.parts, [](const FormulaNode& part) {
    return part.kind == Fraction || part.kind == Large || part.kind == Root || isHigh(part);
  });
}

std::string rowOf(const FormulaNode& node) {
  std::string html = "<mrow>";
  for (const FormulaNode& part : node.parts) { html += mathOf(part); }
  return html + "</mrow>";
}

std::string symbolOf(const FormulaNode& node) {
  using enum FormulaNode::Class;
  const std::string text = escaped(node.text);
  if (node.spacing == Operator || node.spacing == Relation || node.spacing == Punctuation) {
    return "<mo>" + text + "</mo>";
  }
  if (isNumber(node.text)) { return "<mn>" + text + "</mn>"; }
  return fmt::format("<mi{}>{}</mi>", node.italic ? "" : " mathvariant=\"normal\"", text);
}

std::string scriptsOf(const char* both, const char* upper, const char* lower, const std::string& base,
                      const FormulaNode& above, const FormulaNode& below) {
  if (above.parts.empty() && below.parts.empty()) { return base; }
  if (below.parts.empty()) { return fmt::format("<{0}>{1}{2}</{0}>", upper, base, mathOf(above)); }
  if (above.parts.empty()) { return fmt::format("<{0}>{1}{2}</{0}>", lower, base, mathOf(below)); }
  return fmt::format("<{0}>{1}{2}{3}</{0}>", both, base, mathOf(below), mathOf(above));
}

std::string mathOf(const FormulaNode& node) {
  using enum FormulaNode::Kind;
  const auto part = [&](std::size_t i) -> FormulaNode { return i < node.parts.size() ? node.parts[i] : FormulaNode{}; };
  switch (node.kind) {
    case Row:
      return rowOf(node);
    case Symbol:
      return symbolOf(node);
    case Fraction:
      return "<mfrac>" + mathOf(part(0)) + mathOf(part(1)) + "</mfrac>";
    case Scripts:
      return scriptsOf("msubsup", "msup", "msub", mathOf(part(0)), part(1), part(2));
    case Large:
      return scriptsOf("munderover", "mover", "munder", "<mo>" + node.text + "</mo>", part(0), part(1));
    case Root:
      return "<msqrt>" + mathOf(part(0)) + "</msqrt>";
    case Fenced: {
      // A browser also lets brackets grow with a minus.
      const char* const stretchy = isHigh(node) ? "" : " stretchy=\"false\"";
      return fmt::format("<mrow><mo{0}>{1}</mo>{2}<mo{0}>{3}</mo></mrow>", stretchy, escaped(node.text), rowOf(node),
                         escaped(node.closing));
    }
    case Space:
      return fmt::format("<mspace width=\"{}em\"></mspace>", node.width);
  }
  return {};
}

std::string tableHtml(const Block& block, const Lesson& lesson, const Surroundings& around) {
  std::string html = "<div class=\"wide\" tabindex=\"0\"><table>";
  for (const auto& row : block.rows) {
    const char* const cell = &row == &block.rows.front() ? "th" : "td";
    html += "<tr>";
    for (const lessons::Spans& spans : row) {
      html += fmt::format("<{0}>{1}</{0}>", cell, spansHtml(spans, lesson, around));
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

/// Lists that are open, from the outermost.
class Lists {
 public:
  explicit Lists(std::string& html) : html_(html) {}
  void enter(const Block& block) {
    const auto level = static_cast<std::size_t>(std::max(block.level, 0));
    const bool item = !block.marker.empty();
    while (open_.size() > level) { close(); }
    if (!item) { return; }
    const char* const list = block.marker == "•" ? "ul" : "ol";
    if (open_.size() == level && !open_.empty()) { html_ += "</li>\n<li>"; }
    while (open_.size() < level) {
      html_ += fmt::format("<{}><li>", list);
      open_.emplace_back(list);
    }
  }
  void closeAll() {
    while (!open_.empty()) { close(); }
  }

 private:
  void close() {
    html_ += "</li></" + open_.back() + ">\n";
    open_.pop_back();
  }
  std::string& html_;
  std::vector<std::string> open_;
};

}  // namespace

std::string formulaHtml(const std::string& tex, const lessons::ComputedValue& values, bool display) {
  const std::string text = lessons::withValues(tex, [&](std::size_t n) { return lessons::textOf(values(n)); });
  try {
    return fmt::format("<math{}>{}</math>", display ? " display=\"block\"" : "", mathOf(lessons::parseFormula(text)));
  } catch (const InputError&) { return "<code>" + escaped(text) + "</code>"; }
}

std::string spansHtml(const lessons::Spans& spans, const Lesson& lesson, const Surroundings& around) {
  std::string html;
  for (const Span& span : spans) {
    std::string text;
    switch (span.kind) {
      case Span::Kind::Text:
        text = escapedLines(span.text);
        break;
      case Span::Kind::Code:
        text = "<code>" + escaped(span.text) + "</code>";
        break;
      case Span::Kind::Value:
        text = "<data>" + escaped(lessons::textOf(around.values(span.value))) + "</data>";
        break;
      case Span::Kind::Formula:
        text = formulaHtml(span.text, around.values, false);
        break;
      case Span::Kind::Display:
        text = formulaHtml(span.text, around.values, true);
        break;
      case Span::Kind::Break:
        text = "<br>";
        break;
    }
    if (span.strong) { text = "<strong>" + text + "</strong>"; }
    if (span.emphasised) { text = "<em>" + text + "</em>"; }
    const std::string address = span.link ? around.address(lesson.links[*span.link]) : std::string();
    html += address.empty() ? text : fmt::format("<a href=\"{}\">{}</a>", escaped(address), text);
  }
  return html;
}

std::string lessonHtml(const Lesson& lesson, const Surroundings& around) {
  std::string html;
  Lists lists(html);
  for (const Block& block : lesson.blocks) {
    if (block.kind == Block::Kind::Paragraph || block.kind == Block::Kind::Heading) {
      lists.enter(block.kind == Block::Kind::Heading ? Block{} : block);
    }
    switch (block.kind) {
      case Block::Kind::Heading:
        html +=
            fmt::format("<h{0}>{1}</h{0}>\n", std::clamp(block.level, 2, 6), spansHtml(block.spans, lesson, around));
        break;
      case Block::Kind::Paragraph:
        html +=
            fmt::format("<{0}>{1}</{0}>\n", block.quoted ? "blockquote" : "p", spansHtml(block.spans, lesson, around));
        break;
      case Block::Kind::Code:
        html += "<pre tabindex=\"0\">" + escapedLines(block.text) + "</pre>\n";
        break;
      case Block::Kind::Formula:
        html += "<div class=\"wide\">" + formulaHtml(block.text, around.values, true) + "</div>\n";
        break;
      case Block::Kind::Table:
        html += tableHtml(block, lesson, around);
        break;
      case Block::Kind::Picture: {
        const std::string words = lessons::plainText(block.spans, around.values);
        html += fmt::format("<img loading=\"lazy\" src=\"{}\" alt=\"{}\">\n", escaped(around.picture(block)),
                            escaped(words));
        break;
      }
      case Block::Kind::Steps:
        lists.closeAll();
        html += "<p class=\"steps\">" + spansHtml(lesson.steps[block.index].caption, lesson, around) + "</p>\n";
        break;
      case Block::Kind::Question:
        lists.closeAll();
        html += around.question(block.index);
        break;
      case Block::Kind::Problem:
        break;  // `haloscope lesson --check` says it
    }
  }
  lists.closeAll();
  return html;
}

}  // namespace haloscope::site
