#pragma once

#include "render/SceneBuilder.h"
#include "render/SceneModel.h"

namespace haloscope::render {

/// What the step does apart from what its cells show: threads come to a barrier, loads are counted. Also finds out
/// whether anything moves, so it comes last.
void addEvents(SceneModel& model, const SceneSubject& subject);

}  // namespace haloscope::render
