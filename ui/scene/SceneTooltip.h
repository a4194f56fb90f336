#pragma once

#include <cstdint>
#include <optional>

#include "render/SceneFacts.h"
#include "render/SceneModel.h"
#include "state/AppState.h"
#include "state/ShownBlock.h"
#include "ui/widgets/Theme.h"

/// What a cell of the block scene answers to the pointer.
namespace haloscope::ui {

/// The thread that a cell belongs to: who wrote it, or will; a register's owner; who reads an input point first.
[[nodiscard]] std::optional<std::uint32_t> threadOf(const recording::BlockView& view, const render::SceneFacts& facts,
                                                    const render::SceneSource& source);
/// The grid point that a cell stands for.
[[nodiscard]] std::optional<recording::GridPoint> pointOf(const recording::BlockView& view,
                                                          const render::SceneSource& source);

/// The exact value, the array element, the role, who wrote it and when.
void drawSceneTooltip(const AppState& state, const Theme& theme, const ShownBlock& block,
                      const render::SceneFacts& facts, const render::SceneSource& source);

}  // namespace haloscope::ui
