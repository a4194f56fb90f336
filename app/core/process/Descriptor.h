#pragma once

#include <utility>

namespace haloscope::process {

/// A file descriptor, closed with this object.
class Descriptor {
 public:
  Descriptor() = default;
  /// Takes it over; a negative number is none.
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  [[nodiscard]] bool isOpen() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }
  void close();

 private:
  int number_ = -1;
};

/// The two ends of a pipe. Child processes have neither unless they are given one.
struct Pipe {
  Descriptor reading, writing;

  /// Throws std::system_error.
  Pipe();
};

}  // namespace haloscope::process
