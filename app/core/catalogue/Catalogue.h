#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"

namespace haloscope {

/// All variants below a folder. To add a variant, add a file: nothing else refers to it.
class Catalogue {
 public:
  Catalogue() = default;
  /// Reads every FOLDER/CHAPTER/NAME.cu. A file whose header cannot be read does not hide the others: see problems().
  static Catalogue read(const std::filesystem::path& folder);

  /// Replaces the kernel with the same id, or is appended.
  void put(KernelFile file);

  /// By chapter, then by `order`; added kernels come last.
  [[nodiscard]] const std::vector<KernelFile>& kernels() const { return kernels_; }
  [[nodiscard]] const KernelFile* find(const std::string& id) const;
  /// Throws InputError, which suggests the closest id.
  [[nodiscard]] const KernelFile& at(const std::string& id) const;
  /// The kernel that a misspelt id probably means; an id without a folder is compared with the names alone. Null if
  /// there is none.
  [[nodiscard]] const KernelFile* closest(const std::string& id) const;
  [[nodiscard]] std::vector<const KernelFile*> chapter(const std::string& name) const;
  /// The variants that can be compared with `file`: those of its chapter with as many grid axes and as many points in
  /// their shape, each at its defaults; if there is no other, those with as many axes. Includes `file` if it is in the
  /// catalogue.
  [[nodiscard]] std::vector<const KernelFile*> family(const KernelFile& file) const;
  [[nodiscard]] const std::vector<SourceError>& problems() const { return problems_; }

 private:
  std::vector<KernelFile> kernels_;
  std::vector<SourceError> problems_;
};

/// The variant that represents an opened file: "opened/NAME". Its text has not been read yet.
[[nodiscard]] KernelFile openedVariant(const Catalogue& catalogue, const std::filesystem::path& path);

/// The file's kernel of that name; empty if it has none.
[[nodiscard]] std::string kernelAmong(const std::vector<std::string>& kernels, const std::string& launched);

}  // namespace haloscope
