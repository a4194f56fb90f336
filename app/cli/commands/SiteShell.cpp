#include "commands/SiteShell.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "files/FileText.h"
#include "handout/Handout.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "text/Html.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

/// The way from a page to the folder of its language: "../".
std::string upFrom(const std::string& path) {
  std::string up;
  for (auto slashes = std::ranges::count(path, '/'); slashes > 0; --slashes) { up += "../"; }
  return up;
}

}  // namespace

void SiteShell::put(const fs::path& path, const std::string& text) const {
  const fs::path whole = out_ / path;
  fs::create_directories(whole.parent_path());
  if (const std::string problem = replaceWhole(whole, text); !problem.empty()) { throw InputError(problem); }
}

std::string SiteShell::copied(const fs::path& from) const {
  const fs::path to = fs::path("images") / from.filename();
  fs::create_directories(out_ / "images");
  fs::copy_file(from, out_ / to, fs::copy_options::overwrite_existing);
  return "../" + to.generic_string();
}

std::string SiteShell::navigation(const std::string& path) const {
  const std::string other = language_ == "en" ? "zh" : "en", up = upFrom(path);
  return fmt::format(
      "<nav class=\"site\"><a href=\"{0}index.html\">Haloscope</a> <a href=\"{0}variants/index.html\">{1}</a> "
      "<a href=\"{0}../{2}/{3}\" lang=\"{4}\">{5}</a></nav>\n",
      up, escaped(tr("Variants")), other, path, other == "zh" ? "zh-Hans" : "en", other == "zh" ? "中文" : "English");
}

void SiteShell::write(const SitePage& page) const {
  const std::string up = upFrom(page.path);
  std::string scripts;
  if (!page.script.empty()) {
    scripts =
        fmt::format("<script type=\"application/json\" id=\"words\">{}</script>\n<script src=\"{}../{}\"></script>\n",
                    escapedJson(page.words), up, page.script);
  }
  const std::string policy =
      page.script.empty() ? "default-src 'none'; style-src 'self'" : handout::policyOfSite(page.executes);
  put(fs::path(language_) / page.path,
      fmt::format("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"{}; img-src 'self'\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n"
                  "<link rel=\"stylesheet\" href=\"{}../site.css\">\n</head>\n<body>\n"
                  "<header>\n{}</header>\n<main{}>\n<h1>{}</h1>\n{}</main>\n<footer>{}</footer>\n{}</body>\n</html>\n",
                  language_ == "zh" ? "zh-Hans" : "en", policy, escaped(page.title), up, navigation(page.path),
                  page.data.empty() ? "" : " " + page.data, escaped(page.title), page.body, page.footer, scripts));
}

std::string neighbourLinks(const lessons::Course& of, const lessons::Lesson& lesson) {
  std::string html = "<nav>";
  for (const int by : {-1, 1}) {
    if (const lessons::Lesson* const one = of.neighbour(lesson.id, by)) {
      html +=
          fmt::format("<a rel=\"{}\" href=\"{}.html\">{}</a> ", by < 0 ? "prev" : "next", one->id, escaped(one->title));
    }
  }
  return html + "</nav>";
}

}  // namespace haloscope
