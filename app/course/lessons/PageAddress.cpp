#include "lessons/PageAddress.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "catalogue/Precision.h"
#include "inputs/ChosenData.h"
#include "simt/WarpOrderNames.h"

namespace haloscope::lessons {

namespace {

/// The text as decodedLink() reads it: what has a meaning in an address, a blank or a letter of no keyboard is written
/// as %28.
std::string encodedLink(const std::string& text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = std::string_view("%&#\"<> ").find(c) == std::string_view::npos && c > ' ' && c <= '~';
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return encoded;
}

}  // namespace

std::string pageAddress(const KernelFile& file, const experiment::Choice& choice, std::size_t step) {
  std::vector<std::string> parts;
  const Bindings defaults = file.defaults();
  for (const auto& [name, value] : choice.bindings) {
    const auto known = defaults.find(name);
    if (known != defaults.end() && known->second == value) { continue; }
    parts.push_back(fmt::format("{}={}", name, file.isPrecision(name) ? realTypeName(value) : std::to_string(value)));
  }
  for (const std::string& text : inputs::texts(choice.data)) { parts.push_back(encodedLink(text)); }
  if (choice.block) {
    parts.push_back(fmt::format("block={},{},{}", choice.block->x, choice.block->y, choice.block->z));
  }
  for (const auto& [name, order] : simt::kWarpOrders) {
    if (choice.order == order && order != experiment::Choice{}.order) {
      parts.push_back(fmt::format("order={}", name));
    }
  }
  if (!choice.withoutBarriers.empty()) {
    parts.push_back(fmt::format("without={}", fmt::join(choice.withoutBarriers, ",")));
  }
  if (step > 0) { parts.push_back(fmt::format("step={}", step)); }
  return fmt::format("variants/{}.html{}{}", file.id, parts.empty() ? "" : "#", fmt::join(parts, "&"));
}

}  // namespace haloscope::lessons
