#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "program/KernelFile.h"

namespace haloscope {

/// All variants below a folder. Adding a variant is adding a file: nothing else names it.
class Catalogue {
 public:
  Catalogue() = default;
  /// Reads every FOLDER/CHAPTER/NAME.cu. A file whose header cannot be read does not hide the others: see problems().
  static Catalogue read(const std::filesystem::path& folder);

  /// Takes the place of the kernel with the same id, or comes last.
  void put(KernelFile file);

  /// By chapter, then by place on the ladder; what was put in comes last.
  [[nodiscard]] const std::vector<KernelFile>& kernels() const { return kernels_; }
  [[nodiscard]] const KernelFile* find(const std::string& id) const;
  /// Throws InputError that names the closest one.
  [[nodiscard]] const KernelFile& at(const std::string& id) const;
  /// The kernel that a misspelt id probably means; an id without its folder means the name alone. Null if there is
  /// none.
  [[nodiscard]] const KernelFile* closest(const std::string& id) const;
  [[nodiscard]] std::vector<const KernelFile*> chapter(const std::string& name) const;
  /// What is fair to set beside `file`: the variants of its chapter whose grid has as many axes and whose shape as many
  /// points, each at its defaults; where there is no other, those with as many axes. `file` is among them if it is in
  /// the catalogue.
  [[nodiscard]] std::vector<const KernelFile*> family(const KernelFile& file) const;
  [[nodiscard]] const std::vector<SourceError>& problems() const { return problems_; }

 private:
  std::vector<KernelFile> kernels_;
  std::vector<SourceError> problems_;
};

}  // namespace haloscope
