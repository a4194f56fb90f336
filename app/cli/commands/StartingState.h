#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "catalogue/Catalogue.h"
#include "opening/OpenedFile.h"
#include "options/ProgramOptions.h"
#include "state/AppState.h"

namespace haloscope {

/// The kernel whose block is at work on the start page.
inline constexpr const char* kStartPicture = "stencil/coarsened";
/// Of its picture as a file: where a plane is on its way.
inline constexpr std::int64_t kStartStep = 51;

/// Adds what the program ships with to a state: the catalogue, the bug lab's tasks and the GPUs of assets/gpus.json.
/// Throws InputError where the GPUs cannot be read.
void addResources(AppState& state, const Catalogue& catalogue);

/// Whether and how the state's program is executed. Throws InputError.
void addProgram(AppState& state, const ProgramOptions& options);

/// The file's text with what the command line says about its launch. Throws InputError if it cannot be read.
[[nodiscard]] OpenedText openedText(const std::filesystem::path& path, const std::string& kernel,
                                    opening::LaunchOverrides overrides);

}  // namespace haloscope
