#pragma once

#include <imgui.h>

#include <cstdint>

#include "state/AppState.h"
#include "state/ProgramTimeline.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// From where to where a copy goes. The host is above all rows.
enum class CopyDirection : std::uint8_t { None, FromHost, ToHost, Within };
[[nodiscard]] CopyDirection copyDirection(const running::ProgramEvent& event);

/// The sign of a call of the host, drawn so that no font needs it.
void drawCallSign(ImDrawList* list, const Theme& theme, ProgramColumn::Kind kind, CopyDirection direction,
                  ImVec2 centre, float size, ImU32 colour);
/// The meaning of the colours and signs that occur in the executed program, which there must be.
void drawProgramLegend(const AppState& state, const Theme& theme);

}  // namespace haloscope::ui
