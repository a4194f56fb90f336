#pragma once

#include "render/SceneBuilder.h"
#include "render/SceneLayout.h"
#include "render/SceneModel.h"

/// What buildScene() adds to the boxes of the planes.
namespace haloscope::render {

/// Adds what the current step does as lines: the selected thread's reads and writes, its filter window, and the
/// arrows of a rotation.
void addHighlights(SceneModel& model, const SceneSubject& subject, const SceneLayout& layout);

/// Adds an arrow for every operand of the traced output: from its element of global memory, through the shared
/// elements and registers that carried it, to the output's cell. Its colour is the operand's role.
void addArrows(SceneModel& model, const SceneSubject& subject, const SceneLayout& layout);

/// Adds the words of a scene whose boxes and lines are there: labels of its planes, the legend of its colours, and the
/// title that says where the block keeps its input.
void addWords(SceneModel& model, const SceneSubject& subject, const SceneLayout& layout);

/// What the step does apart from what its cells show: threads come to a barrier, loads are counted. Also finds out
/// whether anything moves, so it comes last.
void addEvents(SceneModel& model, const SceneSubject& subject);

}  // namespace haloscope::render
