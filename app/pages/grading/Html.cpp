#include "grading/Html.h"

#include <fmt/format.h>

#include "cells/CodeHtml.h"
#include "cells/Palette.h"
#include "language/Language.h"
#include "language/Text.h"
#include "text/Html.h"

namespace haloscope::grading {

namespace {

/// Its variables are those of cells::cssVariables().
constexpr const char* kStyle = R"css(
*{box-sizing:border-box}
body{margin:0;background:var(--background);color:var(--text);font:16px/1.5 Inter,"Noto Sans","Noto Sans SC","WenQuanYi Micro Hei",system-ui,sans-serif}
main{max-width:76rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.6rem;line-height:1.25;margin:.2rem 0 .6rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2rem 0 .6rem}
p{margin:.4rem 0}a{color:var(--accent)}
.dim{color:var(--dim)}.small{font-size:.88rem}.any{overflow-wrap:anywhere}
.card{background:var(--panel);border:1px solid var(--border);border-radius:10px;padding:1rem 1.1rem;margin:.8rem 0}
.badge{display:inline-block;padding:.1rem .6rem;border-radius:1rem;font-weight:600;font-size:.86rem;white-space:nowrap}
.good{color:var(--good)}.mid{color:var(--halo)}.bad{color:var(--fault)}.other{color:var(--dim)}
.badge{background:color-mix(in srgb,currentcolor 14%,var(--panel))}
code,pre,.mono{font-variant-ligatures:none;font-family:"JetBrains Mono","DejaVu Sans Mono",ui-monospace,Menlo,Consolas,"WenQuanYi Micro Hei Mono",monospace}
code,.mono{font-size:.9em}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-weight:600;color:var(--dim);font-size:.86rem}
th,td{padding:.45rem .6rem;border-bottom:1px solid var(--border);vertical-align:top}
.scroll{overflow-x:auto}
.num{text-align:right;font-variant-numeric:tabular-nums}
figure{margin:.8rem 0}figcaption{font-size:.92rem;margin-top:.4rem;overflow-wrap:anywhere}
svg{max-width:100%;height:auto;display:block}
svg text{font:12px Inter,"Noto Sans","WenQuanYi Micro Hei",system-ui,sans-serif;fill:var(--dim)}
svg .cell{fill:var(--raised)}svg .grid{fill:none;stroke:var(--panel);stroke-width:1}
svg .wrong{fill:var(--fault);fill-opacity:.45;stroke:var(--panel);stroke-width:1}
svg .hit{fill:var(--fault);stroke:var(--text);stroke-width:2}
svg .one{fill:var(--interior);stroke:var(--text);stroke-width:1.5}
svg .two{fill:var(--halo);stroke:var(--text);stroke-width:1.5}
svg .way{fill:none;stroke:var(--dim);stroke-width:2}svg .first{stroke:var(--interior)}svg .second{stroke:var(--halo)}
svg .name{fill:var(--text);font-weight:600;font-size:13px}
.src{border:1px solid var(--border);border-radius:10px;background:var(--panel);overflow-x:auto;padding:.5rem 0;font-size:.88rem;line-height:1.45}
.src pre{margin:0;min-width:max-content;tab-size:4}
.src .l{display:block;padding-right:1rem}.src .l:target{outline:2px solid var(--accent)}
.src .n{display:inline-block;width:3.6rem;padding-right:.8rem;text-align:right;color:var(--dim);user-select:none}
.src .at{background:var(--now)}
.src mark{background:none;text-decoration:underline wavy var(--fault) 1.5px;text-underline-offset:3px}
.src .say{display:block;position:sticky;left:0;width:max-content;max-width:min(60rem,calc(100vw - 6rem));margin:.15rem 0 .35rem 3.6rem;padding:.3rem .7rem;border-left:4px solid var(--fault);
background:color-mix(in srgb,var(--fault) 10%,var(--panel));font:.95rem/1.4 Inter,"Noto Sans","WenQuanYi Micro Hei",system-ui,sans-serif;white-space:normal;overflow-wrap:anywhere}
.src .skip{display:block;color:var(--dim);padding-left:4.4rem}
@media print{body{background:#fff}.noprint{display:none}}
)css";

}  // namespace

std::string page(const std::string& title, const std::string& body, const std::string& script) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'{}\">\n"
      "<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n<main>\n{}\n</main>\n",
      languageCode(language()), script.empty() ? "" : "; script-src 'unsafe-inline'", escaped(title),
      cells::cssVariables() + codeStyle(), kStyle, body);
  if (!script.empty()) { html += "<script>" + script + "</script>\n"; }
  return html + "</body>\n</html>\n";
}

std::string badge(Verdict verdict) {
  const char* kind = verdict == Verdict::Passed                                           ? "good"
                     : verdict == Verdict::NotCompared || verdict == Verdict::GoalsMissed ? "mid"
                     : verdict == Verdict::Findings || verdict == Verdict::WrongResult || verdict == Verdict::NotRead ||
                             verdict == Verdict::TooLong
                         ? "bad"
                         : "other";
  return fmt::format("<span class=\"badge {}\">{}</span>", kind, escaped(tr(rowOf(verdict).title)));
}

std::string wrongCells(const Record& record) {
  if (record.wrongCells.empty()) { return {}; }
  std::string html = fmt::format(
      "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">{}</th><th scope=\"col\" class=\"num\">{}</th>"
      "<th scope=\"col\" class=\"num\">{}</th></tr></thead><tbody>",
      escaped(trf("cell ({})", record.wrongIn)),
      escaped(record.expectedBy.empty() ? std::string(tr("expected")) : trf("expected by {}", record.expectedBy)),
      escaped(tr("computed")));
  for (const WrongCell& cell : record.wrongCells) {
    html += fmt::format(
        "<tr><td class=\"mono\">{}</td><td class=\"num mono\">{:.9g}</td><td class=\"num mono\">{:.9g}</td></tr>",
        escaped(cell.name), cell.expected, cell.computed);
  }
  return html + "</tbody></table></div>\n";
}

std::string placeText(const Mark& mark, bool withFile) {
  if (!mark.where.valid()) { return {}; }
  return withFile ? trf("{}, line {}", mark.file, mark.where.line) : trf("line {}", mark.where.line);
}

}  // namespace haloscope::grading
