#pragma once

#include <cstdint>
#include <optional>

#include "actions/ShownBlock.h"
#include "render/SceneFacts.h"
#include "render/SceneModel.h"
#include "state/AppState.h"
#include "ui/widgets/Theme.h"

/// What the block scene says about the cell under the pointer.
namespace haloscope::ui {

/// The thread that a cell belongs to: the one that wrote it, or will; a register's owner; an input's first reader.
[[nodiscard]] std::optional<std::uint32_t> threadOf(const recording::BlockView& view, const render::SceneFacts& facts,
                                                    const render::SceneSource& source);
/// The grid point that a cell represents.
[[nodiscard]] std::optional<recording::GridPoint> pointOf(const recording::BlockView& view,
                                                          const render::SceneSource& source);

/// The exact value, the array element, the role, and which thread wrote it when.
void drawSceneTooltip(const AppState& state, const Theme& theme, const ShownBlock& block,
                      const render::SceneFacts& facts, const render::SceneSource& source);

}  // namespace haloscope::ui
