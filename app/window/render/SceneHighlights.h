#pragma once

#include "render/SceneBuilder.h"
#include "render/SceneLayout.h"
#include "render/SceneModel.h"

namespace haloscope::render {

/// Adds what the current step does as lines: the selected thread's reads and writes, its filter window, and the
/// arrows of a rotation.
void addHighlights(SceneModel& model, const SceneSubject& subject, const SceneLayout& layout);

}  // namespace haloscope::render
