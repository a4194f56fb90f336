#include "inputs/NumberTable.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::inputs {

NumberTable readNumbers(const std::filesystem::path& path) {
  throw InputError(trf("a page does not read {}: drop the file on the picture", path.string()));
}

}  // namespace haloscope::inputs
