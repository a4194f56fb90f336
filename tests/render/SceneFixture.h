#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "experiment/Experiment.h"
#include "recording/BlockView.h"
#include "recording/Cursor.h"
#include "render/SceneBuilder.h"
#include "render/SceneFacts.h"
#include "render/SceneModel.h"
#include "render/ScenePalette.h"

namespace haloscope::test {

inline const std::filesystem::path kSourceFolder = HALOSCOPE_SOURCE_DIR;
inline const std::filesystem::path kShaderFolder = kSourceFolder / "shaders";
inline const std::filesystem::path kBaselineFolder = kSourceFolder / "tests/render/baselines";

/// A block of one of the repository's kernels, recorded by the emulator, with a cursor to look at it.
class RecordedBlock {
 public:
  explicit RecordedBlock(const std::string& kernel, const Bindings& bindings = {}, std::optional<Dim3> block = {},
                         const std::string& folder = "kernels");

  /// Right after the n-th time that a line of the kernel's text containing `text` was executed, counted from 1.
  RecordedBlock& after(const std::string& text, int occurrence = 1);
  RecordedBlock& atEnd();
  RecordedBlock& atStart();

  [[nodiscard]] render::SceneModel model(std::uint32_t thread = 0) const;
  [[nodiscard]] std::uint32_t threadAt(std::uint32_t x, std::uint32_t y, std::uint32_t z = 0) const;

  std::shared_ptr<const experiment::Experiment> experiment;
  recording::Cursor cursor;
  recording::BlockView view;
  render::SceneFacts facts;

 private:
  void refresh();
};

/// The colours of the dark theme, fixed here so that baselines do not follow the theme.
[[nodiscard]] render::ScenePalette testPalette();

}  // namespace haloscope::test
