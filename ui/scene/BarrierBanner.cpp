#include "ui/scene/BarrierBanner.h"

#include <fmt/format.h>
#include <imgui.h>

#include "actions/Barriers.h"
#include "language/Text.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

void drawBarrierBanner(AppState& state, const Theme& theme, float width) {
  if (state.experiment == nullptr || !state.experiment->barrierEffect) { return; }
  const experiment::BarrierEffect* effect = &*state.experiment->barrierEffect;
  const Palette& colours = theme.colours();
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const bool wrong = !effect->differences.empty();
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  label(theme, wrong ? colours.fault : effect->revealing ? colours.halo : colours.text, barrierSentence(state));
  ImGui::PopTextWrapPos();
  if (!effect->revealing) { return; }
  const std::string order = orderText(effect->revealing->order, effect->revealing->seed);
  if (ImGui::SmallButton((trf("Run {} ({})", order, keyText(chooseRevealingOrder)) + "###revealing").c_str())) {
    chooseRevealingOrder(state);
  }
}

}  // namespace haloscope::ui
