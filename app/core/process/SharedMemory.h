#pragma once

#include <cstddef>
#include <span>

namespace haloscope::process {

/// Memory that two processes share. Its size is fixed, but the other process may change its bytes at any moment.
class SharedMemory {
 public:
  /// Allocates new memory. Throws std::system_error.
  explicit SharedMemory(std::size_t bytes);
  /// Maps memory of another process, given as an open file, which stays open. Throws std::system_error.
  static SharedMemory of(int file);
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  [[nodiscard]] int file() const { return file_; }
  [[nodiscard]] std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  SharedMemory(int file, std::size_t bytes, bool owned);

  int file_ = -1;
  bool owned_ = true;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace haloscope::process
