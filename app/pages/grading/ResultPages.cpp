#include "grading/ResultPages.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "files/FileText.h"
#include "language/Text.h"
#include "program/Sha256.h"
#include "program/SourceLocation.h"

namespace haloscope::grading {

namespace fs = std::filesystem;

namespace {

/// No page is larger: a record may have 16 MiB, of which a page shows parts.
constexpr std::uintmax_t kLargestPage = std::uintmax_t{64} << 20;

std::string hashOf(const std::string& name, std::string_view text) {
  Sha256 hash;
  hash.add({name.data(), name.size() + 1});  // with the zero at its end
  hash.add(text);
  return hash.digits();
}

std::string markOf(const std::string& name, std::string_view page) {
  return fmt::format("<!-- haloscope grade {} -->\n", hashOf(name, page));
}

/// The page, without its mark, if it is as this program wrote it, under the name that it had.
std::optional<std::string> asWritten(const fs::path& path) {
  std::error_code error;
  if (fs::symlink_status(path, error).type() != fs::file_type::regular || fs::file_size(path, error) > kLargestPage) {
    return std::nullopt;
  }
  std::optional<std::string> text = readWhole(path);
  const std::string name = path.filename().string();
  const std::size_t length = markOf(name, "").size();
  if (!text || text->size() < length) { return std::nullopt; }
  const std::string_view page = std::string_view(*text).substr(0, text->size() - length);
  if (text->substr(page.size()) != markOf(name, page)) { return std::nullopt; }
  text->resize(page.size());
  return text;
}

fs::path placeOf(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  return error ? fs::absolute(path).lexically_normal() : whole;
}

}  // namespace

ResultPages::ResultPages(fs::path folder, const fs::path& handIns)
    : folder_(std::move(folder)),
      students_(folder_ / "students"),
      ofHandIns_(fmt::format("<!-- of {} -->\n", hashOf("", placeOf(handIns).string()))) {
  std::error_code error;
  fs::create_directories(students_, error);
  if (error) { throw InputError(trf("{} could not be written: {}", students_.string(), error.message())); }
}

void ResultPages::write(const fs::path& path, const std::string& page) {
  const std::string whole = page + ofHandIns_;
  const std::string text = whole + markOf(path.filename().string(), whole);
  if (readWhole(path) != text) {
    if (const std::string problem = replaceWhole(path, text); !problem.empty()) { throw InputError(problem); }
  }
  written_.insert(placeOf(path));
}

ResultPages::Others ResultPages::removeOthers() const {
  std::vector<fs::path> candidates;
  std::error_code error;
  if (fs::exists(report(), error)) { candidates.push_back(report()); }
  fs::directory_iterator at(students_, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    if (at->path().extension() == ".html") { candidates.push_back(at->path()); }
  }
  Others others;
  for (const fs::path& path : candidates) {
    if (written_.contains(placeOf(path))) { continue; }
    const std::optional<std::string> page = asWritten(path);
    if (page && !page->ends_with(ofHandIns_)) { continue; }  // of another class
    const bool removed = page && fs::remove(path, error);
    (removed ? others.removed : others.leftAlone).push_back(path.filename().string());
  }
  std::ranges::sort(others.removed);
  std::ranges::sort(others.leftAlone);
  return others;
}

}  // namespace haloscope::grading
