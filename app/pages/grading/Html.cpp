#include "grading/Html.h"

#include <fmt/format.h>

#include "language/Language.h"
#include "language/Text.h"
#include "text/Html.h"

namespace haloscope::grading {

namespace {

/// The colours are those of the window, darker where the page is light.
constexpr const char* kStyle = R"css(
:root{--bg:#f6f8fa;--card:#fff;--text:#17202b;--dim:#566373;--line:#d5dce4;--good:#00704f;--goodbg:#dcf3ea;--mid:#7a5a00;
--midbg:#fff1cc;--bad:#b03a00;--badbg:#fde5da;--other:#4b5968;--otherbg:#e6ebf0;--mark:#fff3b8;--link:#0b62a8;--cell:#e9eef3;
color-scheme:light}
@media (prefers-color-scheme:dark){:root{--bg:#0e131a;--card:#151c26;--text:#d7dee8;--dim:#95a3b3;--line:#2b3644;--good:#4fd0a5;
--goodbg:#0f3327;--mid:#f0c35a;--midbg:#3a2f10;--bad:#ff9a66;--badbg:#47210f;--other:#aab6c3;--otherbg:#27313d;--mark:#4a3f12;
--link:#7cc0f0;--cell:#222c38;color-scheme:dark}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.5 Inter,"Noto Sans","Noto Sans SC","WenQuanYi Micro Hei",system-ui,sans-serif}
main{max-width:76rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.6rem;line-height:1.25;margin:.2rem 0 .6rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2rem 0 .6rem}
p{margin:.4rem 0}a{color:var(--link)}
.dim{color:var(--dim)}.small{font-size:.88rem}.any{overflow-wrap:anywhere}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.1rem;margin:.8rem 0}
.badge{display:inline-block;padding:.1rem .6rem;border-radius:1rem;font-weight:600;font-size:.86rem;white-space:nowrap}
.good{color:var(--good);background:var(--goodbg)}.mid{color:var(--mid);background:var(--midbg)}
.bad{color:var(--bad);background:var(--badbg)}.other{color:var(--other);background:var(--otherbg)}
code,pre,.mono{font-variant-ligatures:none;font-family:"JetBrains Mono","DejaVu Sans Mono",ui-monospace,Menlo,Consolas,"WenQuanYi Micro Hei Mono",monospace}
code,.mono{font-size:.9em}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-weight:600;color:var(--dim);font-size:.86rem}
th,td{padding:.45rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
.scroll{overflow-x:auto}
.num{text-align:right;font-variant-numeric:tabular-nums}
figure{margin:.8rem 0}figcaption{font-size:.92rem;margin-top:.4rem;overflow-wrap:anywhere}
svg{max-width:100%;height:auto;display:block}
svg text{font:12px Inter,"Noto Sans","WenQuanYi Micro Hei",system-ui,sans-serif;fill:var(--dim)}
svg .cell{fill:var(--cell)}svg .grid{fill:none;stroke:var(--card);stroke-width:1}
svg .wrong{fill:var(--bad);fill-opacity:.45;stroke:var(--card);stroke-width:1}
svg .hit{fill:var(--bad);stroke:var(--text);stroke-width:2}
svg .one{fill:#56b4e9;stroke:var(--text);stroke-width:1.5}
svg .two{fill:#e69f00;stroke:var(--text);stroke-width:1.5}
svg .way{fill:none;stroke:var(--dim);stroke-width:2}svg .first{stroke:#2f8fc4}svg .second{stroke:#c98500}
svg .name{fill:var(--text);font-weight:600;font-size:13px}
.src{border:1px solid var(--line);border-radius:10px;background:var(--card);overflow-x:auto;padding:.5rem 0;font-size:.88rem;line-height:1.45}
.src pre{margin:0;min-width:max-content;tab-size:4}
.src .l{display:block;padding-right:1rem}.src .l:target{outline:2px solid var(--link)}
.src .n{display:inline-block;width:3.6rem;padding-right:.8rem;text-align:right;color:var(--dim);user-select:none}
.src .at{background:var(--mark)}
.src mark{background:none;color:inherit;text-decoration:underline wavy var(--bad) 1.5px;text-underline-offset:3px}
.src .say{display:block;position:sticky;left:0;width:max-content;max-width:min(60rem,calc(100vw - 6rem));margin:.15rem 0 .35rem 3.6rem;padding:.3rem .7rem;border-left:4px solid var(--bad);
background:var(--badbg);font:.95rem/1.4 Inter,"Noto Sans","WenQuanYi Micro Hei",system-ui,sans-serif;white-space:normal;overflow-wrap:anywhere}
.src .skip{display:block;color:var(--dim);padding-left:4.4rem}
@media print{body{background:#fff}.noprint{display:none}}
)css";

}  // namespace

std::string page(const std::string& title, const std::string& body, const std::string& script) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'{}\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n{}\n</main>\n",
      languageCode(language()), script.empty() ? "" : "; script-src 'unsafe-inline'", escaped(title), kStyle, body);
  if (!script.empty()) { html += "<script>" + script + "</script>\n"; }
  return html + "</body>\n</html>\n";
}

std::string badge(Verdict verdict) {
  const char* kind = verdict == Verdict::Passed        ? "good"
                     : verdict == Verdict::NotCompared ? "mid"
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
