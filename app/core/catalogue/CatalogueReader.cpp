#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string_view>
#include <tuple>

#include "catalogue/BookSection.h"
#include "catalogue/Catalogue.h"
#include "catalogue/Climb.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

std::string readText(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) { throw SourceError(path.string(), {}, tr("cannot be opened for reading")); }
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// Chapters of the book first, in its order, then what is from elsewhere, then what goes beyond the book; at the end
/// the playground.
int placeInBook(const KernelFile& file) {
  constexpr int kElsewhere = 1000, kBeyond = 2000, kPlayground = 3000;
  constexpr std::string_view kSection = "section ";
  if (file.book.starts_with("beyond the book")) { return kBeyond; }
  if (file.problem) { return kPlayground; }
  const std::string section = sectionOf(file.book);
  int chapter = kElsewhere;
  if (section.starts_with(kSection)) {
    std::from_chars(section.data() + kSection.size(), section.data() + section.size(), chapter);
  }
  return chapter;
}

}  // namespace

Catalogue Catalogue::read(const fs::path& folder) {
  if (!fs::is_directory(folder)) { throw InputError(trf("no folder of kernels at {}", folder.string())); }
  Catalogue catalogue;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::follow_directory_symlink)) {
    if (entry.is_regular_file() && entry.path().extension() == ".cu") { files.push_back(entry.path()); }
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& path : files) {
    fs::path id = fs::relative(path, folder);
    id.replace_extension();
    try {
      catalogue.kernels_.push_back(KernelFile::parse(id.generic_string(), path, readText(path)));
    } catch (const SourceError& error) { catalogue.problems_.push_back(error); }
  }
  std::map<std::string, int> places;  // of the chapters
  for (const KernelFile& file : catalogue.kernels_) {
    const auto [place, isNew] = places.emplace(file.chapter, placeInBook(file));
    place->second = std::min(place->second, placeInBook(file));
  }
  std::ranges::stable_sort(catalogue.kernels_, [&](const KernelFile& a, const KernelFile& b) {
    return std::tie(places.at(a.chapter), a.chapter, a.order, a.id) <
           std::tie(places.at(b.chapter), b.chapter, b.order, b.id);
  });
  std::ranges::move(clearLooseRungs(catalogue.kernels_), std::back_inserter(catalogue.problems_));
  return catalogue;
}

}  // namespace haloscope
