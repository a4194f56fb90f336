#include "ui/widgets/FontFile.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <utility>

namespace haloscope::ui {

FontFile::FontFile(const std::filesystem::path& path, int face) : face_(face) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) { return; }
  struct ::stat about{};
  if (::fstat(file, &about) == 0 && about.st_size > 0) {
    const auto size = static_cast<std::size_t>(about.st_size);
    const void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data != MAP_FAILED) { bytes_ = {static_cast<const char*>(data), size}; }
  }
  ::close(file);
}

FontFile::FontFile(FontFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})), face_(other.face_) {}

FontFile& FontFile::operator=(FontFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(face_, other.face_);
  return *this;
}

FontFile::~FontFile() {
  if (!bytes_.empty()) { ::munmap(const_cast<char*>(bytes_.data()), bytes_.size()); }  // NOLINT: only unmapped
}

}  // namespace haloscope::ui
