#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "grading/GoalTables.h"
#include "grading/Html.h"
#include "grading/NextStep.h"
#include "grading/Pages.h"
#include "grading/Tally.h"
#include "language/Text.h"
#include "text/Html.h"

namespace haloscope::grading {

namespace {

constexpr int kLinesAround = 3;

/// Sorts by the column whose heading is pressed; filters by verdict and name. Without it the page is complete.
constexpr const char* kScript = R"js(
const table=document.querySelector('#rows');
const bodies=()=>[...table.tBodies];
for(const button of table.tHead.querySelectorAll('button'))button.addEventListener('click',()=>{
  const th=button.closest('th'),key=button.dataset.key,number=key!=='name';
  const up=th.getAttribute('aria-sort')!=='ascending';
  for(const other of table.tHead.querySelectorAll('th'))other.removeAttribute('aria-sort');
  th.setAttribute('aria-sort',up?'ascending':'descending');
  const value=body=>number?Number(body.dataset[key]):body.dataset.name;
  const sorted=bodies().sort((a,b)=>{
    const x=value(a),y=value(b);
    const order=number?x-y:x.localeCompare(y,undefined,{numeric:true});
    return (up?order:-order)||Number(a.dataset.order)-Number(b.dataset.order);});
  for(const body of sorted)table.append(body);
});
const word=document.querySelector('#word'),kind=document.querySelector('#kind'),left=document.querySelector('#left');
const filter=()=>{
  let shown=0;
  for(const body of bodies()){
    const on=(kind.value===''||body.dataset.verdict===kind.value)&&body.dataset.name.toLowerCase().includes(word.value.toLowerCase());
    body.hidden=!on;if(on)++shown;
  }
  left.textContent=shown===bodies().length?'':shown+' / '+bodies().length;
};
word.addEventListener('input',filter);kind.addEventListener('change',filter);
document.querySelector('#tools').hidden=false;
for(const row of document.querySelectorAll('[data-only]'))row.addEventListener('click',()=>{
  kind.value=kind.value===row.dataset.only?'':row.dataset.only;filter();});
)js";

constexpr const char* kReportStyle = R"css(
<style>.tiles{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0}
.tile{background:var(--panel);border:1px solid var(--border);border-radius:10px;padding:.5rem .9rem;text-align:left;color:inherit;font:inherit;cursor:pointer}
.tile b{display:block;font-size:1.5rem;line-height:1.2;font-variant-numeric:tabular-nums}
.bar{display:flex;height:.8rem;border-radius:.4rem;overflow:hidden;background:var(--border)}
.bar span{min-width:3px}.bar .good{background:var(--good)}.bar .mid{background:var(--halo)}.bar .bad{background:var(--fault)}.bar .other{background:var(--ghost)}
#tools{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin:1rem 0 .4rem}#tools[hidden]{display:none}
input,select{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--border);border-radius:8px;padding:.35rem .6rem}
#rows{background:var(--panel);border:1px solid var(--border);border-radius:10px;border-spacing:0;border-collapse:separate}
#rows tbody tr:not(:last-child) td{border-bottom:0}#rows th{white-space:nowrap}
#rows .shot svg{width:15rem}#rows tbody:has(details[open]) .shot svg{width:auto}#rows .shot{width:15.5rem}
#rows tbody:not(:has(details[open])) .shot text{display:none}#rows tr:first-child td:first-child{min-width:13rem}#rows td{overflow-wrap:anywhere}#rows tr.more td{padding-top:0}
th button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer}
th button::after{content:" ↕";opacity:.5}th[aria-sort=ascending] button::after{content:" ↑";opacity:1}th[aria-sort=descending] button::after{content:" ↓";opacity:1}
summary{cursor:pointer;color:var(--accent)}
.legend dl{display:grid;grid-template-columns:max-content 1fr;gap:.5rem .9rem;margin:.8rem 0 0}.legend dd{margin:0}
.kinds summary{display:grid;grid-template-columns:minmax(9rem,20rem) 5.5rem 1fr;gap:.2rem .8rem;align-items:center;padding:.15rem 0;color:var(--text)}
.kinds summary::marker{content:""}.kinds .kind::before{content:"▸ ";color:var(--accent)}.kinds details[open] .kind::before{content:"▾ "}.kinds .of{text-align:right;font-variant-numeric:tabular-nums;color:var(--dim)}
.kinds .strip{height:.7rem;border-radius:.35rem;background:var(--border);overflow:hidden}.kinds .strip span{display:block;height:100%;background:var(--fault)}
.kinds summary:hover .kind{text-decoration:underline}.kinds ul{columns:14rem;margin:.3rem 0 .8rem;padding-left:1.2rem}
@media (max-width:42rem){#rows thead{display:none}#rows tr,#rows td{display:block;border:0;padding:.15rem .7rem}
#rows tbody{display:block;border-bottom:1px solid var(--border);padding:.5rem 0}#rows tbody[hidden]{display:none}#rows td.num{text-align:left}
#rows td.num::before{content:attr(data-name)}
.legend dl{grid-template-columns:1fr}.kinds summary{grid-template-columns:1fr auto}.kinds .strip{grid-column:1/3}}
</style>
)css";

/// The name of a hand-in, with the link to its page.
std::string linked(const GradedHandIn& row, const std::string& pages) {
  const std::string name = escaped(row.handIn.name);
  return pages.empty() ? name : fmt::format("<a href=\"{}\">{}</a>", linkTo(pages + row.page), name);
}

/// With a capital, where the first letter has one in ASCII.
std::string capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') { text.front() -= 'a' - 'A'; }
  return text;
}

const char* colourOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::Passed:
      return "good";
    case Verdict::GoalsMissed:
    case Verdict::NotCompared:
      return "mid";
    case Verdict::WrongResult:
    case Verdict::Findings:
    case Verdict::NotRead:
    case Verdict::TooLong:
      return "bad";
    default:
      return "other";
  }
}

std::string summaryOf(const Grading& grading) {
  std::array<std::size_t, kVerdictRows.size()> counts{};
  for (const GradedHandIn& row : grading.rows) { ++counts.at(static_cast<std::size_t>(row.record.verdict)); }
  std::string bar = "<div class=\"bar\" aria-hidden=\"true\">";
  std::string tiles = "<div class=\"tiles\">";
  for (const VerdictRow& row : kVerdictRows) {
    const std::size_t count = counts.at(static_cast<std::size_t>(row.verdict));
    if (count == 0) { continue; }
    bar += fmt::format("<span class=\"{}\" style=\"flex:{}\"></span>", colourOf(row.verdict), count);
    tiles += fmt::format("<button type=\"button\" class=\"tile\" data-only=\"{}\" title=\"{}\"><b>{}</b>{}</button>",
                         row.word, escaped(tr(row.meaning)), count, badge(row.verdict));
  }
  return bar + "</div>" + tiles + "</div>\n";
}

/// What the verdicts that occur mean, and what the teacher does about them.
std::string legendOf(const Grading& grading) {
  std::string html = fmt::format("<details class=\"card legend\"><summary>{}</summary><dl>",
                                 escaped(tr("What the verdicts mean, and what to do")));
  for (const VerdictRow& row : kVerdictRows) {
    if (std::ranges::none_of(grading.rows, [&](const auto& one) { return one.record.verdict == row.verdict; })) {
      continue;
    }
    html += fmt::format("<dt>{}</dt><dd>{}<br><span class=\"dim\">{}</span></dd>", badge(row.verdict),
                        escaped(capitalised(tr(row.meaning))), escaped(nextStep(row.verdict)));
  }
  return html + "</dl></details>\n";
}

/// The kinds of findings over the class: how many hand-ins have each, and which.
std::string kindsOf(const Grading& grading, const std::string& pages) {
  const std::vector<KindTally> tallies = tallyOf(grading);
  if (tallies.empty()) { return {}; }
  std::string html =
      fmt::format("<h2>{}</h2>\n<div class=\"card kinds\">", escaped(tr("What was found, over the class")));
  for (const KindTally& tally : tallies) {
    std::string names;
    for (const std::size_t i : tally.rows) {
      const GradedHandIn& row = grading.rows[i];
      names += fmt::format("<li>{}</li>", linked(row, pages));
    }
    html += fmt::format(
        "<details><summary><span class=\"kind\">{}</span><span class=\"of\">{}</span><span class=\"strip\" "
        "aria-hidden=\"true\"><span style=\"width:{:.1f}%\"></span></span></summary><ul>{}</ul></details>",
        escaped(tally.title), escaped(trf("{} of {}", tally.rows.size(), grading.rows.size())),
        100.0 * static_cast<double>(tally.rows.size()) / static_cast<double>(grading.rows.size()), names);
  }
  return html + "</div>\n";
}

std::string toolsOf(const Grading& grading) {
  std::string options = fmt::format("<option value=\"\">{}</option>", escaped(tr("all verdicts")));
  for (const VerdictRow& row : kVerdictRows) {
    const bool any =
        std::ranges::any_of(grading.rows, [&](const GradedHandIn& one) { return one.record.verdict == row.verdict; });
    if (any) { options += fmt::format("<option value=\"{}\">{}</option>", row.word, escaped(tr(row.title))); }
  }
  return fmt::format(
      "<div id=\"tools\" class=\"noprint\" hidden><input id=\"word\" type=\"search\" placeholder=\"{0}\" "
      "aria-label=\"{0}\">"
      "<select id=\"kind\" aria-label=\"{1}\">{2}</select><span id=\"left\" class=\"dim small\" "
      "role=\"status\"></span></div>\n",
      escaped(tr("name")), escaped(tr("verdict")), options);
}

std::string detailsOf(const Record& record) {
  const std::vector<const Mark*> marks = record.marks();
  std::string html;
  if (!marks.empty()) {
    html += "<ul>";
    for (const Mark* mark : marks) {
      const std::string place = placeText(*mark, record.sources.size() > 1);
      html += fmt::format("<li><b>{}</b>{}{}: {}</li>", escaped(mark->title), place.empty() ? "" : ", ", escaped(place),
                          escaped(mark->message));
    }
    html += "</ul>\n";
  }
  html += wrongCells(record);
  const Mark* const first = marks.empty() ? nullptr : marks.front();
  const auto source =
      first == nullptr ? record.sources.end() : std::ranges::find(record.sources, first->file, &SourceText::name);
  if (source != record.sources.end() && first->where.valid()) {
    html += sourceWithMarks(*source, {first}, "", kLinesAround);
  }
  return html;
}

std::string headersHtml(const Record& record) {
  if (record.commonHeaders.empty()) { return {}; }
  return fmt::format(" <span class=\"dim\">{}</span>", escaped(trf("with {}", fmt::join(record.commonHeaders, ", "))));
}

std::string rowHtml(const GradedHandIn& row, std::size_t order, const std::string& pages) {
  const Record& record = row.record;
  const std::size_t count = record.marks().size();
  const std::string name = escaped(row.handIn.name);
  std::string html = fmt::format(
      "<tbody data-order=\"{0}\" data-name=\"{1}\" data-verdict=\"{2}\" data-rank=\"{3}\" "
      "data-count=\"{4}\"><tr><td>{5}</td>"
      "<td>{6}</td><td class=\"num\" data-name=\"{8} \">{4}</td><td>{7}</td><td class=\"shot\">{9}</td></tr>",
      order, name, rowOf(record.verdict).word, static_cast<int>(record.verdict), count, linked(row, pages),
      badge(record.verdict), escaped(record.sentence) + headersHtml(record), escaped(tr("findings:")),
      record.picture ? drawn(*record.picture) : std::string());
  if (const std::string details = detailsOf(record); !details.empty()) {
    html += fmt::format("<tr class=\"more\"><td colspan=\"5\"><details><summary>{}</summary>{}</details></td></tr>",
                        escaped(tr("places and values")), details);
  }
  return html + "</tbody>\n";
}

}  // namespace

std::string reportPage(const Grading& grading, const std::string& title, const std::string& pages) {
  std::string body = kReportStyle + fmt::format("<h1>{}</h1>\n", escaped(title));
  std::string facts = trn("{} hand-in", "{} hand-ins", grading.rows.size(), grading.rows.size());
  if (!grading.task.empty()) { facts += trf(", solutions of the task “{}”", grading.task); }
  if (!grading.reference.empty()) { facts += trf(", compared with the reference {}", grading.reference); }
  body += fmt::format("<p class=\"dim\">{}</p>\n", escaped(facts));
  for (const std::string& remark : grading.remarks) {
    body += fmt::format("<p class=\"card any\">{}</p>\n", escaped(remark));
  }
  body += summaryOf(grading) + legendOf(grading) + goalsHtml(grading) + kindsOf(grading, pages);
  body += fmt::format("<h2>{}</h2>\n", escaped(tr("The hand-ins"))) + toolsOf(grading);
  const auto heading = [](const char* key, const char* text) {
    return fmt::format("<th scope=\"col\"><button type=\"button\" data-key=\"{}\">{}</button></th>", key,
                       escaped(text));
  };
  body += "<table id=\"rows\"><thead><tr>" + heading("name", tr("hand-in")) + heading("rank", tr("verdict")) +
          heading("count", tr("findings")) +
          fmt::format("<th scope=\"col\">{}</th><th scope=\"col\">{}</th></tr></thead>\n", escaped(tr("in short")),
                      escaped(tr("picture")));
  for (std::size_t i = 0; i < grading.rows.size(); ++i) { body += rowHtml(grading.rows[i], i, pages); }
  return page(title, body + "</table>\n", kScript);
}

}  // namespace haloscope::grading
