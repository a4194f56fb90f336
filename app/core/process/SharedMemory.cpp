#include "process/SharedMemory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace haloscope::process {

namespace {

[[noreturn]] void throwMemoryError(int error) {
  throw std::system_error(error, std::generic_category(), "memory shared with a child process");
}

int newMemoryFile(std::size_t bytes) {
  const int file = memfd_create("haloscope", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) { throwMemoryError(errno); }
  // Sealed, because reading memory whose file the other process has truncated would end this one with SIGBUS.
  if (ftruncate(file, static_cast<off_t>(bytes)) != 0 ||
      fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    const int error = errno;
    close(file);
    throwMemoryError(error);
  }
  return file;
}

}  // namespace

SharedMemory::SharedMemory(std::size_t bytes) : SharedMemory(newMemoryFile(bytes), bytes, true) {}

SharedMemory SharedMemory::of(int file) {
  struct stat facts{};
  if (fstat(file, &facts) != 0) { throwMemoryError(errno); }
  return {file, static_cast<std::size_t>(facts.st_size), false};
}

SharedMemory::SharedMemory(int file, std::size_t bytes, bool owned) : file_(file), owned_(owned), size_(bytes) {
  void* const data = bytes == 0 ? nullptr : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) {
    const int error = errno;
    if (owned) { close(file); }
    throwMemoryError(error);
  }
  data_ = static_cast<std::byte*>(data);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      owned_(other.owned_),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) { munmap(data_, size_); }
  if (owned_ && file_ >= 0) { close(file_); }
}

}  // namespace haloscope::process
