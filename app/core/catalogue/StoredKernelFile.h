#pragma once

#include <nlohmann/json_fwd.hpp>

#include "catalogue/KernelFile.h"

namespace haloscope {

/// A kernel file whose header is read and whose launch is proposed: what a page keeps beside the stored programs of its
/// text (program/StoredProgram.h). What only a compiler reads besides the text, such as the prologue, is left out.
[[nodiscard]] nlohmann::json storedFile(const KernelFile& file);

/// The file that was stored. Throws InputError for anything else.
[[nodiscard]] KernelFile readStoredFile(const nlohmann::json& stored);

}  // namespace haloscope
