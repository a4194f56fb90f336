#include "driver/SharedLibrary.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <utility>

#include "language/Text.h"

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

// RTLD_NODELETE: the driver and NVRTC have threads and thread-local destructors whose code must stay loaded.
SharedLibrary::SharedLibrary(const std::string& file)
    : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
  if (handle_ == nullptr) {
    const char* words = dlerror();
    error_ = words == nullptr ? file + tr(" cannot be opened") : words;
  }
}

SharedLibrary::SharedLibrary(SharedLibrary&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), error_(std::move(other.error_)) {}

SharedLibrary& SharedLibrary::operator=(SharedLibrary&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(error_, other.error_);
  return *this;
}

SharedLibrary::~SharedLibrary() {
  if (handle_ != nullptr) { dlclose(handle_); }
}

std::string SharedLibrary::file() const {
  link_map* map = nullptr;
  if (handle_ == nullptr || dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0 || map->l_name == nullptr) { return {}; }
  return map->l_name;
}

void* SharedLibrary::symbol(const char* name) const { return handle_ == nullptr ? nullptr : dlsym(handle_, name); }

}  // namespace haloscope::gpu
