#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "checking/NextStep.h"
#include "grading/GoalTables.h"
#include "grading/Html.h"
#include "grading/Pages.h"
#include "language/Text.h"
#include "text/Html.h"

namespace haloscope::grading {

namespace {

constexpr std::size_t kOutputsShown = 6;

/// The link to the line of a mark, where its text is on the page.
std::string placeLink(const Record& record, const Mark& mark) {
  const std::string place = placeText(mark, record.sources.size() > 1);
  const auto source = std::ranges::find(record.sources, mark.file, &SourceText::name);
  if (place.empty() || source == record.sources.end()) { return escaped(place); }
  return fmt::format("<a href=\"#s{}-{}\">{}</a>", source - record.sources.begin(), mark.where.line, escaped(place));
}

/// `explained`: kinds whose next step is on the page already.
std::string markCard(const Record& record, const Mark& mark, const std::string& kernel,
                     std::set<std::string>& explained) {
  std::string html = fmt::format("<div class=\"card\"><p><b>{}</b>", escaped(mark.title));
  if (const std::string place = placeLink(record, mark); !place.empty()) { html += " · " + place; }
  if (!kernel.empty()) { html += fmt::format(" · <code>{}</code>", escaped(kernel)); }
  html += fmt::format("</p><p class=\"any\">{}</p>", escaped(mark.message));
  std::string facts;
  if (!mark.threads.empty()) {
    facts += trn("{}; once in all. ", "{}; {} times in all. ", mark.occurrences, fmt::join(mark.threads, ", "),
                 mark.occurrences);
  }
  if (mark.outputCount > 0) {
    const std::size_t shown = std::min(mark.outputs.size(), kOutputsShown);
    const std::string cells = fmt::format(
        "{}", fmt::join(mark.outputs.begin(), mark.outputs.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    facts += trn("It reaches {} output cell: {}", "It reaches {} output cells: {}", mark.outputCount, mark.outputCount,
                 cells);
    facts += mark.outputCount > shown ? ", … " : ". ";
  }
  if (!mark.alsoAt.empty()) {
    facts += trn("See also line {}.", "See also lines {}.", mark.alsoAt.size(), fmt::join(mark.alsoAt, ", "));
  }
  if (!facts.empty()) { html += fmt::format("<p class=\"dim small any\">{}</p>", escaped(facts)); }
  if (const std::string next = checking::nextStep(mark.kind); !next.empty() && explained.insert(mark.kind).second) {
    html += fmt::format("<p class=\"next\"><b>{}</b> {}</p>", escaped(tr("What to look at next:")), escaped(next));
  }
  return html + "</div>\n";
}

std::string list(const std::string& heading, const std::vector<std::string>& sentences) {
  if (sentences.empty()) { return {}; }
  std::string html = fmt::format("<details class=\"card\"><summary>{}</summary><ul>", escaped(heading));
  for (const std::string& one : sentences) { html += fmt::format("<li class=\"any small\">{}</li>", escaped(one)); }
  return html + "</ul></details>\n";
}

}  // namespace

std::string studentPage(const GradedHandIn& row, const std::string& reference) {
  const Record& record = row.record;
  const std::vector<const Mark*> marks = record.marks();
  std::string body = fmt::format("<h1>{}</h1>\n<p>{} <span class=\"dim\">{}</span></p>\n", escaped(row.handIn.name),
                                 badge(record.verdict), escaped(tr(rowOf(record.verdict).meaning)));
  if (!reference.empty()) {
    body += fmt::format("<p class=\"small dim\">{}</p>\n", escaped(trf("Reference: {}", reference)));
  }
  if (marks.empty() && !record.sentence.empty()) {
    body += fmt::format("<p class=\"card any\">{}</p>\n", escaped(record.sentence));
  }
  body += goalsHtml(record);
  if (!marks.empty()) {
    body += fmt::format("<h2>{}</h2>\n", escaped(trn("{} finding", "{} findings", marks.size(), marks.size())));
    const bool several = record.kernels.size() > 1;
    std::set<std::string> explained;
    for (const KernelRecord& kernel : record.kernels) {
      for (const Mark& mark : kernel.marks) { body += markCard(record, mark, several ? kernel.kernel : "", explained); }
    }
    for (const Mark& mark : record.program) { body += markCard(record, mark, "", explained); }
  }
  if (record.picture) {
    body += fmt::format(
        "<h2>{}</h2>\n<figure class=\"card\"><div class=\"scroll\">{}</div><figcaption>{}</figcaption></figure>\n",
        escaped(tr("The first finding")), drawn(*record.picture), escaped(record.picture->caption));
  }
  if (!record.wrongCells.empty()) {
    body += fmt::format("<h2>{}</h2>\n<div class=\"card\">{}</div>\n", escaped(tr("The first wrong cells")),
                        wrongCells(record));
    if (std::ranges::any_of(record.wrongCells, [](const WrongCell& one) { return std::isnan(one.computed); })) {
      body += fmt::format("<p class=\"dim small\">{}</p>\n",
                          escaped(tr("nan is not a number: such a cell is computed from what was read before anything "
                                     "was written there, or from 0 / 0 and the like.")));
    }
  }
  std::vector<std::string> results;
  for (const KernelRecord& kernel : record.kernels) {
    if (!kernel.kernel.empty()) { results.push_back(fmt::format("{}: {}", kernel.kernel, kernel.result)); }
  }
  if (!marks.empty()) { body += list(tr("What each result was compared with"), results); }
  for (std::size_t i = 0; i < record.sources.size(); ++i) {
    body += fmt::format("<h2 class=\"mono any\">{}</h2>\n", escaped(record.sources[i].name));
    body += sourceWithMarks(record.sources[i], marks, fmt::format("s{}", i), -1);
  }
  body += list(tr("Common headers"), record.commonHeaders);
  body += list(tr("Notes"), record.notes);
  for (const KernelRecord& kernel : record.kernels) {
    body += list(trf("What was assumed of {}", kernel.kernel), kernel.assumptions);
  }
  return page(row.handIn.name, body);
}

}  // namespace haloscope::grading
