#include "catalogue/Catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "language/Text.h"
#include "program/Misspelling.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

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
