#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace haloscope {

/// A range of a kernel file. Lines and columns count from 1; the end is exclusive (one past the last character).
/// A default-constructed range (line 0) means "nowhere in the text".
struct SourceRange {
  int line = 0;
  int column = 0;
  int endLine = 0;
  int endColumn = 0;

  [[nodiscard]] bool valid() const { return line > 0; }
  bool operator==(const SourceRange&) const = default;
};

/// Something in a kernel file that cannot be read, lowered or launched. what() is one line, "file:line:column:
/// message".
class SourceError : public std::runtime_error {
 public:
  SourceError(std::string file, SourceRange where, std::string message)
      : std::runtime_error(format(file, where, message)),
        file_(std::move(file)),
        where_(where),
        message_(std::move(message)) {}

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const SourceRange& where() const { return where_; }
  /// The message alone, without the place.
  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  static std::string format(const std::string& file, const SourceRange& where, const std::string& message) {
    std::string place = file;
    if (where.valid()) { place += ":" + std::to_string(where.line) + ":" + std::to_string(where.column); }
    return place + ": " + message;
  }

  std::string file_;
  SourceRange where_;
  std::string message_;
};

/// A request that makes no sense: an unknown id, a tunable out of range, a block of more than 1024 threads.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace haloscope
