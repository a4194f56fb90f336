#include "process/Descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace haloscope::process {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    number_ = std::exchange(other.number_, -1);
  }
  return *this;
}

void Descriptor::close() {
  if (number_ >= 0) { ::close(std::exchange(number_, -1)); }
}

Pipe::Pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) { throw std::system_error(errno, std::generic_category(), "pipe"); }
  reading = Descriptor(ends[0]);
  writing = Descriptor(ends[1]);
}

}  // namespace haloscope::process
