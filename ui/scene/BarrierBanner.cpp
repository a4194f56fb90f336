#include "ui/scene/BarrierBanner.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "state/Choices.h"
#include "state/Findings.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/Keyboard.h"

namespace haloscope::ui {

namespace {

using experiment::BarrierEffect;

/// Of the barriers that are out on screen; null where there are none, or nothing is known of them.
const BarrierEffect* effectOf(const AppState& state) {
  const bool known = state.experiment != nullptr && state.experiment->barrierEffect.has_value();
  return known ? &*state.experiment->barrierEffect : nullptr;
}

std::string barriers(const std::set<int>& lines) {
  std::string text = lines.size() == 1 ? "the barrier of line " : "the barriers of lines ";
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    text += fmt::format("{}{}", line == lines.begin() ? "" : std::next(line) == lines.end() ? " and " : ", ", *line);
  }
  return text;
}

std::string orderText(simt::WarpOrder order, std::uint64_t seed) {
  return order == simt::WarpOrder::Random ? fmt::format("{} (seed {})", orderName(order), seed) : orderName(order);
}

bool raceFound(const AppState& state) {
  return std::ranges::any_of(findings(state), [](const analysis::Finding& finding) {
    return finding.kind == analysis::FindingKind::RaceShared || finding.kind == analysis::FindingKind::RaceGlobal;
  });
}

}  // namespace

std::string barrierSentence(const AppState& state) {
  const BarrierEffect* effect = effectOf(state);
  if (effect == nullptr) { return {}; }
  const experiment::Choice& choice = state.experiment->choice;
  const std::string without = "With " + barriers(choice.withoutBarriers) + " out";
  const std::size_t outputs = state.experiment->footprint.outputs.size();
  const std::string order = orderText(choice.order, choice.orderSeed);
  if (!effect->differences.empty()) {
    const std::size_t wrong = effect->differences.size();
    return fmt::format("{} and the warps {}, {} of {} outputs of this block {} wrong.", without, order, grouped(wrong),
                       grouped(outputs), wrong == 1 ? "is" : "are");
  }
  if (effect->telling) {
    return fmt::format("{}, no output of this block is wrong while the warps run {}; {}, {} of {} are.", without, order,
                       orderText(effect->telling->order, effect->telling->seed), grouped(effect->telling->differences),
                       grouped(outputs));
  }
  const char* race = raceFound(state) ? "; the race is there all the same: another block or machine may show it" : "";
  return fmt::format("{}, no output of this block is wrong in any of {} orders of the warps{}.", without,
                     effect->ordersTried, race);
}

void chooseRevealingOrder(AppState& state) {
  const BarrierEffect* effect = effectOf(state);
  if (effect == nullptr || !effect->telling) { return; }
  state.choice.order = effect->telling->order;
  state.choice.orderSeed = effect->telling->seed;
}

void drawBarrierBanner(AppState& state, const Theme& theme) {
  const BarrierEffect* effect = effectOf(state);
  if (effect == nullptr) { return; }
  const Palette& colours = theme.colours();
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const bool wrong = !effect->differences.empty();
  ImGui::PushTextWrapPos(0);
  label(theme, wrong ? colours.fault : effect->telling ? colours.halo : colours.text, barrierSentence(state));
  ImGui::PopTextWrapPos();
  if (!effect->telling) { return; }
  const std::string order = orderText(effect->telling->order, effect->telling->seed);
  if (ImGui::SmallButton(
          fmt::format("Run the warps {} ({})###telling", order, keyText(Action::RevealingOrder)).c_str())) {
    chooseRevealingOrder(state);
  }
}

}  // namespace haloscope::ui
