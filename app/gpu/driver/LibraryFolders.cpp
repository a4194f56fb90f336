#include "driver/LibraryFolders.h"

#include <filesystem>

namespace haloscope::gpu {

std::vector<std::string> libraryFolders() {
  std::vector<std::string> all;
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  if (!ignored) {
    all.push_back(self.parent_path().string());
    all.push_back((self.parent_path() / "lib").string());
    all.push_back((self.parent_path().parent_path() / "lib").string());
    all.push_back((self.parent_path().parent_path() / "lib" / "haloscope").string());
  }
#ifdef HALOSCOPE_CUDA_LIBRARY_DIR
  all.emplace_back(HALOSCOPE_CUDA_LIBRARY_DIR);
#endif
  all.emplace_back();
  all.emplace_back("/usr/local/cuda/lib64");
  return all;
}

}  // namespace haloscope::gpu
