#include "program/Cbor.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

using nlohmann::json;

/// The parser recurses over nested values, so that a few kilobytes of opening brackets would overflow the stack.
constexpr int kMaxDepth = 16;

/// Stops at the first value that nests too deep.
class DepthLimit : public nlohmann::json_sax<json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return ++depth_ <= kMaxDepth; }
  bool start_array(std::size_t) override { return ++depth_ <= kMaxDepth; }
  bool end_object() override { return --depth_ >= 0; }
  bool end_array() override { return --depth_ >= 0; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    problem_ = error.what();
    return false;
  }

  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  int depth_ = 0;
  std::string problem_ = tr("it is nested too deeply");
};

}  // namespace

std::vector<std::byte> toCbor(const json& value) {
  const std::vector<std::uint8_t> bytes = json::to_cbor(value);
  const std::span<const std::byte> view = std::as_bytes(std::span(bytes));
  return {view.begin(), view.end()};
}

json fromCbor(std::span<const std::byte> bytes, const std::string& what) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const auto* end = begin + bytes.size();
  DepthLimit limit;
  if (!json::sax_parse(begin, end, &limit, json::input_format_t::cbor)) {
    throw InputError(trf("{} cannot be read: {}", what, limit.problem()));
  }
  try {
    return json::from_cbor(begin, end);
  } catch (const json::exception& error) { throw InputError(trf("{} cannot be read: {}", what, error.what())); }
}

}  // namespace haloscope
