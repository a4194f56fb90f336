#include "checking/ShippedVariants.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/SHA256.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "ShippedVariantHashes.h"

namespace haloscope::checking {

bool isShippedVariant(const KernelFile& file) {
  if (file.isOpened()) { return false; }
  llvm::SHA256 hash;
  hash.update(llvm::StringRef(file.text));
  std::string text;
  for (const std::uint8_t byte : hash.final()) { text += fmt::format("{:02x}", byte); }
  return std::ranges::find(kShippedVariantHashes, std::string_view(text)) != std::end(kShippedVariantHashes);
}

}  // namespace haloscope::checking
