#pragma once

#include "render/SceneBuilder.h"
#include "render/SceneLayout.h"
#include "render/SceneModel.h"

namespace haloscope::render {

/// Adds the words of a scene whose boxes and lines are there: labels of its planes, the legend of its colours, and the
/// title that says where the block keeps its input.
void addWords(SceneModel& model, const SceneSubject& subject, const SceneLayout& layout);

}  // namespace haloscope::render
