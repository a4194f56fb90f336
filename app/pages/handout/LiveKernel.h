#pragma once

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "experiment/Experiment.h"

/// What lets a page execute a block anew: its kernel with programs that were lowered for it, and the module.
namespace haloscope::handout {

/// A kernel for the module (app/pages/module), with the programs for the values that its macros can take.
struct LiveKernel {
  std::string bytes;         ///< a container(), see Columns.h
  std::string controls{};    ///< HTML: what can be chosen
  std::size_t programs = 0;  ///< that were stored
};

/// The kernel with the programs of these bindings, without those that cannot be lowered or launched.
[[nodiscard]] LiveKernel storedKernel(const KernelFile& file, const std::vector<Bindings>& bindings,
                                      const std::stop_token& stop = {});

/// Lowers the text for the values of its tunables and its types: all together where these are few, else one after
/// another beside those of the experiment, and for those of `also`. What cannot be lowered or launched is left
/// out.
[[nodiscard]] LiveKernel liveKernel(const experiment::Experiment& experiment, const std::vector<Bindings>& also = {},
                                    const std::stop_token& stop = {});

/// Of a page by itself; of the pages of a site, which has lessons as well.
inline constexpr const char* kPageModule = "haloscope.wasm";
inline constexpr const char* kSiteModule = "course.wasm";
/// The module of this name, as ./run.sh --pages has built it; empty: it was not built.
[[nodiscard]] std::filesystem::path modulePath(const std::filesystem::path& assets, const char* name = kPageModule);

}  // namespace haloscope::handout
