#include "module/Message.h"

#include <map>
#include <string>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::handout {

using Json = nlohmann::json;

std::span<const std::byte> Message::take(std::size_t size) {
  if (size > bytes.size()) { throw InputError(tr("the data of this page are damaged")); }
  const auto taken = bytes.first(size);
  bytes = bytes.subspan(size);
  return taken;
}

Message opened(std::span<const std::byte> message) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4 && i < message.size(); ++i) {
    length |= static_cast<std::size_t>(message[i]) << (8 * i);
  }
  if (message.size() < 4 || message.size() - 4 < length) { throw InputError(tr("the data of this page are damaged")); }
  const auto* const text = reinterpret_cast<const char*>(message.data()) + 4;
  return {Json::parse(text, text + length), message.subspan(4 + length)};
}

std::vector<frontend::StoredVariant> programsOf(Message kernel) {
  std::vector<frontend::StoredVariant> variants;
  const auto file = kernel.facts.at("file").at("path").get<std::string>();
  for (const Json& variant : kernel.facts.at("programs")) {
    const auto program = kernel.take(variant.at("size").get<std::size_t>());
    variants.push_back(
        {file, variant.at("defines").get<std::map<std::string, std::string>>(), {program.begin(), program.end()}});
  }
  return variants;
}

}  // namespace haloscope::handout
