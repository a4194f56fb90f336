#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cells/CodeHtml.h"
#include "frontend/CodeText.h"
#include "language/Text.h"
#include "site/QuestionHtml.h"
#include "text/Html.h"

namespace haloscope::site {

namespace {

using lessons::AskedQuestion;
using lessons::Question;

std::string choicesHtml(const std::string& name, const QuestionParts& parts) {
  std::string html;
  for (std::size_t i = 0; i < parts.options.size(); ++i) {
    html +=
        fmt::format("<label class=\"option\"><input type=\"radio\" name=\"{}\" value=\"{}\"> <span>{}</span></label>\n",
                    name, i, parts.options[i]);
  }
  return html;
}

/// The kernel's text, a line of which is the answer.
std::string linesHtml(const std::string& name, const AskedQuestion& asked) {
  const std::vector<CodeLine> lines = readCode(asked.text);
  std::string html = "<ol class=\"code lines\">";
  for (auto line = static_cast<std::size_t>(std::max(asked.firstLine, 1)) - 1; line < lines.size(); ++line) {
    html += fmt::format(
        "<li value=\"{0}\"><label><input type=\"radio\" name=\"{1}\" value=\"{0}\" aria-label=\"{2}: {3}\"> "
        "<code>{4}</code></label></li>\n",
        line + 1, name, escaped(trf("line {}", line + 1)), escaped(lines[line].text), codeHtml(lines[line]));
  }
  return html + "</ol>";
}

std::string fieldsHtml(const Question& question, const std::string& name, const AskedQuestion& asked,
                       const QuestionParts& parts) {
  const auto group = [&](const std::string& inside) {
    return fmt::format("<fieldset class=\"fields\"><legend>{}</legend>{}</fieldset>\n", escaped(tr("Your answer")),
                       inside);
  };
  switch (question.kind) {
    case Question::Kind::Number:
      return fmt::format(
          "<p class=\"fields\"><label>{} <input type=\"text\" name=\"{}\" autocomplete=\"off\" autocapitalize=\"off\" "
          "spellcheck=\"false\" size=\"12\"></label> {}</p>\n",
          escaped(tr("Your answer")), name, escaped(question.unit));
    case Question::Kind::Choice:
      return group(choicesHtml(name, parts));
    case Question::Kind::Cells:
      return group("<div class=\"board\">" + parts.board + "</div>");
    case Question::Kind::Line:
      return group(linesHtml(name, asked));
  }
  return {};
}

std::string kindName(Question::Kind kind) {
  using enum Question::Kind;
  return kind == Number ? "number" : kind == Choice ? "choice" : kind == Cells ? "cells" : "line";
}

}  // namespace

std::string questionHtml(const lessons::Lesson& lesson, std::size_t index, const AskedQuestion& asked,
                         const Surroundings& around, bool executes) {
  const Question& question = lesson.questions[index];
  const QuestionParts parts = questionParts(lesson, index, asked, around);
  const std::string name = "question-" + question.id;
  std::string html = fmt::format(
      "<section class=\"question\" id=\"{}\" data-question=\"{}\" data-id=\"{}\" data-kind=\"{}\">\n<h3>{} <span "
      "class=\"done\" hidden>✓ {}</span></h3>\n"
      "<p class=\"ask\" tabindex=\"-1\">{}</p>\n",
      escaped(name), index, escaped(question.id), kindName(question.kind), escaped(trf("Question {}", index + 1)),
      escaped(tr("answered")), parts.ask);
  if (executes) {
    html += fmt::format("<form hidden>\n{}<p class=\"buttons\"><button class=\"check\">{}</button>",
                        fieldsHtml(question, escaped(name), asked, parts), escaped(tr("Check")));
    if (!question.again.empty()) {
      html +=
          fmt::format(" <button type=\"button\" class=\"again\">{}</button>", escaped(tr("Again with other numbers")));
    }
    html += "</p>\n<div class=\"verdict\" role=\"status\"></div>\n</form>\n";
  }
  html += "<div class=\"written\">\n";
  if (!parts.options.empty()) {
    html += "<ul>";
    for (const std::string& option : parts.options) { html += "<li>" + option + "</li>"; }
    html += "</ul>\n";
  }
  if (!asked.problem.empty()) {
    html += "<p class=\"small\">" + escaped(asked.problem) + "</p>";
  } else {
    html += fmt::format("<details><summary>{}</summary><p class=\"answer\">{}</p><p>{}</p></details>",
                        escaped(tr("Answer")), escaped(lessons::answerText(question, asked)),
                        spansHtml(question.because, lesson, around));
  }
  return html + "\n</div>\n</section>\n";
}

}  // namespace haloscope::site
