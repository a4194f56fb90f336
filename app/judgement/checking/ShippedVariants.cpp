#include "checking/ShippedVariants.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "ShippedVariantHashes.h"
#include "program/Sha256.h"

namespace haloscope::checking {

bool isShippedVariant(const KernelFile& file) {
  if (file.isOpened()) { return false; }
  Sha256 hash;
  hash.add(file.text);
  return std::ranges::find(kShippedVariantHashes, std::string_view(hash.digits())) != std::end(kShippedVariantHashes);
}

}  // namespace haloscope::checking
