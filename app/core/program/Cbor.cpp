#include "program/Cbor.h"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

using nlohmann::json;

/// The parser recurses over nested values, so that a few kilobytes of opening brackets would overflow the stack.
constexpr std::size_t kMaxDepth = 16;
/// Each becomes up to a hundred times as large as in the message.
constexpr std::size_t kMaxValues = 1 << 18;

/// What is wrong with the form of a message, found without recursion and without memory for what it names: one value,
/// whose strings, arrays and maps have lengths and lie within the bytes. All that is then left for the parser is to
/// build it.
class Form {
 public:
  explicit Form(std::span<const std::byte> bytes) : left_(bytes) {}

  /// A sentence's end; null: nothing is wrong.
  const char* problem() {
    std::array<std::uint64_t, kMaxDepth> open{};  // values that each array and map still lacks
    std::size_t depth = 0, values = 0;
    do {
      if (++values > kMaxValues) { return tr("it has too many values"); }
      if (depth > 0) { --open[depth - 1]; }
      if (left_.empty()) { return tr("it is cut off"); }
      const auto initial = static_cast<unsigned>(left_.front());
      left_ = left_.subspan(1);
      const unsigned type = initial >> 5, info = initial & 0x1f;
      if (info == kIndefinite && type != kSimple) { return tr("a value of it has no length"); }
      if (info > kEightBytes || type == kTag) { return tr("a value of it is of no known type"); }
      std::uint64_t argument = info;
      if (info >= kOneByte && !read(std::size_t{1} << (info - kOneByte), argument)) { return tr("it is cut off"); }
      if (type == kSimple || type == kUnsigned || type == kNegative) {
        const bool known = info == kFalse || info == kTrue || info == kNull || info > kOneByte;
        if (type == kSimple && !known) { return tr("a value of it is of no known type"); }
      } else if (type == kBytes || type == kText) {
        if (argument > left_.size()) { return tr("it is cut off"); }
        left_ = left_.subspan(static_cast<std::size_t>(argument));
      } else if (argument > 0) {
        // Every value takes a byte at least.
        if (argument > left_.size()) { return tr("it is cut off"); }
        if (depth == open.size()) { return tr("it is nested too deeply"); }
        open[depth++] = type == kMap ? 2 * argument : argument;
      }
      while (depth > 0 && open[depth - 1] == 0) { --depth; }
    } while (depth > 0);
    return left_.empty() ? nullptr : tr("more bytes follow it");
  }

 private:
  // Major types, and additional information (RFC 8949, section 3).
  static constexpr unsigned kUnsigned = 0, kNegative = 1, kBytes = 2, kText = 3, kMap = 5, kTag = 6, kSimple = 7;
  static constexpr unsigned kFalse = 20, kTrue = 21, kNull = 22, kOneByte = 24, kEightBytes = 27, kIndefinite = 31;

  bool read(std::size_t bytes, std::uint64_t& value) {
    if (bytes > left_.size()) { return false; }
    value = 0;
    for (const std::byte one : left_.first(bytes)) { value = value << 8 | static_cast<std::uint64_t>(one); }
    left_ = left_.subspan(bytes);
    return true;
  }

  std::span<const std::byte> left_;
};

}  // namespace

std::vector<std::byte> toCbor(const json& value) {
  const std::vector<std::uint8_t> bytes = json::to_cbor(value);
  const std::span<const std::byte> view = std::as_bytes(std::span(bytes));
  return {view.begin(), view.end()};
}

json fromCbor(std::span<const std::byte> bytes, const std::string& what) {
  if (const char* const problem = Form(bytes).problem()) {
    throw InputError(trf("{} cannot be read: {}", what, problem));
  }
  const auto* begin = reinterpret_cast<const char*>(bytes.data());
  try {
    return json::from_cbor(begin, begin + bytes.size());
  } catch (const json::exception& error) { throw InputError(trf("{} cannot be read: {}", what, error.what())); }
}

}  // namespace haloscope
