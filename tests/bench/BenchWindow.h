#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "App.h"
#include "checking/Check.h"
#include "driver/Device.h"
#include "measuring/GpuSpecs.h"
#include "program/ResourceFolder.h"
#include "render/Context.h"

/// The window without a display, as the measurements of frames open it.
namespace haloscope::bench {

/// A folder that ships with the program: in the source tree, and next to it on another machine. Not the other way
/// round: next to this program the build has a folder "kernels" of its own.
inline std::filesystem::path folder(const char* name) {
  const std::filesystem::path source = std::filesystem::path(HALOSCOPE_SOURCE_DIR) / name;
  return std::filesystem::is_directory(source) ? source : resourceFolder(name, {});
}

inline AppOptions windowOptions(std::string kernel) {
  AppOptions options;
  options.state.catalogue = Catalogue::read(folder("kernels"));
  options.shaders = folder("shaders");
  options.state.gpuSpecs = measuring::readGpuSpecs(folder("assets") / "gpus.json");
  options.fonts.insert(options.fonts.begin(), folder("assets") / "fonts");
  options.state.choice.kernel = std::move(kernel);
  options.checker = [](const experiment::Experiment& experiment, const std::stop_token& stop) {
    return checking::check(experiment, stop);
  };
  return options;
}

/// Drawn by the GPU where there is one.
inline render::OffscreenOptions offscreen(int width, int height) {
  render::OffscreenOptions options;
  options.width = width;
  options.height = height;
  if (gpu::findDevice().device != nullptr) { options.cudaDevice = 0; }
  return options;
}

}  // namespace haloscope::bench
