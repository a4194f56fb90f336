#pragma once

#include "render/SceneBuilder.h"
#include "render/SceneLayout.h"
#include "render/SceneModel.h"

namespace haloscope::render {

/// Adds an arrow for every operand of the traced output: from its element of global memory, through the shared
/// elements and registers that carried it, to the output's cell. Its colour is the operand's role.
void addArrows(SceneModel& model, const SceneSubject& subject, const SceneLayout& layout);

}  // namespace haloscope::render
