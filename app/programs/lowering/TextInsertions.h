#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace haloscope::lowering {

/// Insertions into a text, each where a range of it begins or ends; ranges nest.
class TextInsertions {
 public:
  /// Before the range from `from` to `to`, in characters. With `to` std::string::npos: before all that begin there.
  void begin(std::size_t from, std::size_t to, std::string text);
  /// After that range.
  void end(std::size_t from, std::size_t to, std::string text);
  [[nodiscard]] std::string apply(const std::string& text) const;

 private:
  struct Insertion {
    std::size_t at = 0;
    bool ends = false;      ///< it ends a range, or begins one
    std::size_t other = 0;  ///< where that range begins, or ends
    std::size_t order = 0;
    std::string text;
  };
  std::vector<Insertion> insertions_;
};

}  // namespace haloscope::lowering
