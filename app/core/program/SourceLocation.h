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
  /// Whether `other` begins in this range. False if either is nowhere.
  [[nodiscard]] bool holdsBeginOf(const SourceRange& other) const {
    const std::pair at(other.line, other.column);
    return valid() && other.valid() && std::pair(line, column) <= at && at <= std::pair(endLine, endColumn);
  }
  bool operator==(const SourceRange&) const = default;
};

[[nodiscard]] inline bool isWithin(const SourceRange& inner, const SourceRange& outer) {
  return std::pair(outer.line, outer.column) <= std::pair(inner.line, inner.column) &&
         std::pair(inner.endLine, inner.endColumn) <= std::pair(outer.endLine, outer.endColumn);
}

/// What the user gave cannot be used: a kernel's text, or a request.
class UserError : public std::runtime_error {
 public:
  /// In the kernel's text; invalid where the error has no place there.
  [[nodiscard]] const SourceRange& where() const { return where_; }
  /// The message alone, without the place.
  [[nodiscard]] const std::string& message() const { return message_; }

 protected:
  UserError(const std::string& what, SourceRange where, std::string message)
      : std::runtime_error(what), where_(where), message_(std::move(message)) {}

 private:
  SourceRange where_;
  std::string message_;
};

/// Something in a kernel file that cannot be read, lowered or launched. what() is one line, "file:line:column:
/// message".
class SourceError : public UserError {
 public:
  SourceError(std::string file, SourceRange where, const std::string& message)
      : UserError(format(file, where, message), where, message), file_(std::move(file)) {}

  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  static std::string format(const std::string& file, const SourceRange& where, const std::string& message) {
    std::string place = file;
    if (where.valid()) { place += ":" + std::to_string(where.line) + ":" + std::to_string(where.column); }
    return place + ": " + message;
  }

  std::string file_;
};

/// A request that makes no sense: an unknown id, a tunable out of range, a block of more than 1024 threads.
class InputError : public UserError {
 public:
  explicit InputError(const std::string& message) : UserError(message, {}, message) {}
};

/// Something this machine lacks: the message says what, and how to get it.
class MissingError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace haloscope
