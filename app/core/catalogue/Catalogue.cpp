#include "catalogue/Catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string_view>
#include <tuple>

#include "catalogue/BookSection.h"
#include "catalogue/Climb.h"
#include "language/Text.h"
#include "program/Misspelling.h"

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

/// Axes of the grid and points of the shape; 0 if the header does not give them.
struct Shape {
  std::size_t axes = 0, points = 0;
  bool operator==(const Shape&) const = default;
};

Shape shapeOf(const KernelFile& file) {
  if (!file.computes) { return {}; }
  const auto input = std::ranges::find(file.arrays, file.computes->input, &ArrayDeclaration::name);
  Shape shape{input == file.arrays.end() ? 0 : input->shape.size(), 0};
  try {
    shape.points = file.taps(file.defaults()).size();
  } catch (const InputError&) { shape.points = 0; }
  return shape;
}

/// "sweep<8>" of "heat::sweep<8>".
std::string_view withoutScope(std::string_view name) {
  const std::size_t scope = name.substr(0, name.find('<')).rfind("::");
  return scope == std::string_view::npos ? name : name.substr(scope + 2);
}

std::string_view withoutArguments(std::string_view name) { return name.substr(0, name.find('<')); }

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

void Catalogue::put(KernelFile file) {
  const auto it = std::ranges::find(kernels_, file.id, &KernelFile::id);
  if (it != kernels_.end()) {
    *it = std::move(file);
  } else {
    kernels_.push_back(std::move(file));
  }
}

const KernelFile* Catalogue::find(const std::string& id) const {
  const auto it = std::find_if(kernels_.begin(), kernels_.end(), [&](const KernelFile& k) { return k.id == id; });
  return it == kernels_.end() ? nullptr : &*it;
}

const KernelFile& Catalogue::at(const std::string& id) const {
  if (const KernelFile* kernel = find(id)) { return *kernel; }
  for (const SourceError& problem : problems_) {
    fs::path path = problem.file();
    if (path.replace_extension().generic_string().ends_with("/" + id)) { throw problem; }
  }
  const KernelFile* meant = closest(id);
  throw InputError(trf("there is no kernel \"{}\"; {}\"haloscope list\" names all {}", id,
                       meant == nullptr ? "" : trf("did you mean {}? ", meant->id), kernels_.size()));
}

const KernelFile* Catalogue::closest(const std::string& id) const {
  const KernelFile* best = nullptr;
  int distance = 0;
  const bool folder = id.find('/') != std::string::npos;
  for (const KernelFile& kernel : kernels_) {
    // Without a folder only the names are compared.
    const std::string name = folder ? kernel.id : kernel.id.substr(kernel.id.rfind('/') + 1);
    if (name != id && !isMisspelling(id, name)) { continue; }
    const int apart = editDistance(id, name);
    if (best == nullptr || apart < distance) {
      best = &kernel;
      distance = apart;
    }
  }
  return best;
}

std::vector<const KernelFile*> Catalogue::family(const KernelFile& file) const {
  const Shape wanted = shapeOf(file);
  std::vector<const KernelFile*> sameAxes;
  std::vector<const KernelFile*> sameShape;
  for (const KernelFile* other : chapter(file.chapter)) {
    const Shape shape = shapeOf(*other);
    if (shape.axes == wanted.axes) { sameAxes.push_back(other); }
    if (shape == wanted) { sameShape.push_back(other); }
  }
  return sameShape.size() > 1 ? sameShape : sameAxes;
}

std::vector<const KernelFile*> Catalogue::chapter(const std::string& name) const {
  std::vector<const KernelFile*> found;
  for (const KernelFile& kernel : kernels_) {
    if (kernel.chapter == name) { found.push_back(&kernel); }
  }
  return found;
}

KernelFile openedVariant(const Catalogue& catalogue, const std::filesystem::path& path) {
  KernelFile file;
  file.path = path;
  file.markOpened();
  file.title = path.filename().string();
  const std::string base = "opened/" + path.stem().string();
  file.id = base;
  for (int i = 2; catalogue.find(file.id) != nullptr && catalogue.find(file.id)->path != path; ++i) {
    file.id = fmt::format("{} {}", base, i);
  }
  return file;
}

std::string kernelAmong(const std::vector<std::string>& kernels, const std::string& launched) {
  const std::string_view name = withoutScope(launched);
  std::string found;
  for (const std::string& one : kernels) {
    if (withoutScope(one) == name) { return one; }
    if (withoutArguments(withoutScope(one)) == withoutArguments(name)) { found = one; }
  }
  return found;
}

}  // namespace haloscope
