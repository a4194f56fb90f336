#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace haloscope::handout {

/// What pages and their module exchange: the length of a JSON text (four bytes, the lowest first), the text, the bytes
/// that it is about.
[[nodiscard]] std::string container(const std::string& text, const std::string& bytes);

/// Columns of 32-bit numbers for the script of a page: assets/handout/recording.js reads them.
class Columns {
 public:
  /// `neighbours`: a number is close to the one before it, so that their difference is stored.
  void add(const char* name, const std::vector<std::uint32_t>& numbers, bool neighbours = false);
  /// Places and elements: close to the ones before them, and hardly ever outside of 32 bits. If one is, the upper
  /// halves are a column of the same name after it.
  void add(const char* name, const std::vector<std::int64_t>& numbers);

  /// A container() of `facts`, with the columns' names and lengths, and the columns.
  [[nodiscard]] std::string bytes(nlohmann::ordered_json facts) const;

 private:
  enum class Kind : std::uint8_t { Numbers, Neighbours, UpperHalves };
  void add(const char* name, const std::vector<std::uint32_t>& numbers, Kind kind);

  nlohmann::ordered_json list_ = nlohmann::ordered_json::array();
  std::string bytes_;
};

}  // namespace haloscope::handout
