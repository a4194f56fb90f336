#include "ui/scene/Banners.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "actions/Barriers.h"
#include "actions/Choices.h"
#include "actions/Findings.h"
#include "actions/Fixes.h"
#include "actions/ViewActions.h"
#include "checking/TextFixes.h"
#include "language/Text.h"
#include "program/Launch.h"
#include "recording/BlockView.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kCardPad = 7, kAside = 26, kCardGap = 8, kNamePad = 4, kNameBelow = 10;  // at scale 1

/// What a thread does to the element, as a card with an arrow.
struct Card {
  std::string title, text;
  ImU32 colour;
  bool store;
  bool done;  ///< it has happened
};

Card cardOf(const AppState& state, const Theme& theme, const analysis::RaceAccess& access, int number) {
  const recording::Recording& recording = state.cursor.recording();
  const int line = recording.program->code[access.instruction].range.line;
  Card card{trf("thread {}", haloscope::text(unlinear(access.thread, recording.configuration.block))),
            number > 0
                ? access.store ? trf("{}. writes, line {}", number, line) : trf("{}. reads, line {}", number, line)
            : access.store ? trf("writes, line {}", line)
                           : trf("reads, line {}", line),
            access.store ? theme.colours().fault : theme.colours().activeText, access.store,
            state.cursor.position() > access.step};
  return card;
}

ImVec2 sizeOf(const Theme& theme, const Card& card) {
  float width = 0;
  for (const auto& [face, text] : {std::pair(Face::SansStrong, &card.title), std::pair(Face::Sans, &card.text)}) {
    const FontScope font(theme, face, TextSize::Small);
    width = std::max(width, textWidth(*text));
  }
  const float pad = theme.px(kCardPad);
  return {width + 2 * pad, 2 * theme.textPixels(TextSize::Small) + 2 * pad};
}

/// The arrow of a card at a place: from its edge to the cell, in a bend.
struct Arrow {
  ImVec2 edge, bend, cell;

  Arrow(const Theme& theme, ImVec2 low, ImVec2 high, ImVec2 to) : cell(to) {
    const bool above = high.y < cell.y;
    const bool below = low.y > cell.y;
    edge = above || below ? ImVec2((low.x + high.x) / 2, above ? high.y : low.y)
                          : ImVec2(high.x < cell.x ? high.x : low.x, (low.y + high.y) / 2);
    bend = {above || below ? edge.x : (edge.x + cell.x) / 2, cell.y - theme.px(8)};
  }

  /// Whether it runs over a rectangle.
  [[nodiscard]] bool crosses(ImVec2 low, ImVec2 high) const {
    constexpr int kSamples = 32;
    for (int i = 0; i <= kSamples; ++i) {
      const float t = static_cast<float>(i) / kSamples, a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
      const ImVec2 at{a * edge.x + b * bend.x + c * cell.x, a * edge.y + b * bend.y + c * cell.y};
      if (at.x > low.x && at.x < high.x && at.y > low.y && at.y < high.y) { return true; }
    }
    return false;
  }
};

void drawCard(const Theme& theme, const Card& card, ImVec2 at, ImVec2 cell) {
  const Palette& colours = theme.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float pad = theme.px(kCardPad), line = theme.textPixels(TextSize::Small);
  const ImVec2 size = sizeOf(theme, card), max{at.x + size.x, at.y + size.y};
  const float alpha = card.done ? 1.0F : 0.45F;
  // From the card to the cell, or back: the way that the value takes.
  const auto [edge, bend, to] = Arrow(theme, at, max, cell);
  const ImU32 colour = theme.faded(card.colour, alpha);
  list->AddBezierQuadratic(edge, bend, to, colour, theme.px(2.5F));
  const ImVec2 head = card.store ? to : edge;
  const ImVec2 from = bend;
  const float length = std::max(1.0F, std::hypot(head.x - from.x, head.y - from.y));
  const ImVec2 along{(head.x - from.x) / length * theme.px(9), (head.y - from.y) / length * theme.px(9)};
  list->AddTriangleFilled(head, {head.x - along.x - along.y / 2, head.y - along.y + along.x / 2},
                          {head.x - along.x + along.y / 2, head.y - along.y - along.x / 2}, colour);
  list->AddRectFilled(at, max, theme.faded(colours.panel, 0.94F), theme.px(5));
  list->AddRect(at, max, colour, theme.px(5), theme.px(1.5F));
  {
    const FontScope strong(theme, Face::SansStrong, TextSize::Small);
    textAt(list, {at.x + pad, at.y + pad}, theme.faded(colours.text, alpha), card.title);
  }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  textAt(list, {at.x + pad, at.y + pad + line}, colour, card.text);
}

struct NamePlace {
  ImVec2 low, high;
};

/// Of the element's name: below its cell, inside the picture.
NamePlace placeOfName(const Theme& theme, const std::string& name, ImVec2 cell, ImVec2 min, ImVec2 max) {
  const FontScope font(theme, Face::Mono, TextSize::Small);
  const ImVec2 size{textWidth(name) + 2 * theme.px(kNamePad), ImGui::GetTextLineHeight()};
  const ImVec2 low{std::max(min.x, std::min(cell.x - size.x / 2, max.x - size.x)),
                   std::max(min.y, std::min(cell.y + theme.px(kNameBelow), max.y - size.y))};
  return {low, {low.x + size.x, low.y + size.y}};
}

bool shown(const AppState& state) {
  const GpuStepping& stepping = state.gpuStepping;
  return stepping.recorded != nullptr && state.experiment == stepping.recorded->experiment;
}

constexpr std::size_t kMostChanged = 4;  ///< lines of a mending that are shown
constexpr float kPlatePad = 8;           ///< at scale 1
constexpr float kWidePlate = 620;        ///< from this width on, at scale 1, the buttons are on the heading's line

/// A plate behind what is drawn between construction and destruction.
class Plate {
 public:
  Plate(const Theme& theme, float width, ImU32 colour)
      : theme_(theme),
        list_(ImGui::GetWindowDrawList()),
        at_(ImGui::GetCursorScreenPos()),
        width_(width),
        colour_(colour) {
    list_->ChannelsSplit(2);
    list_->ChannelsSetCurrent(1);
    const float pad = theme.px(kPlatePad);
    ImGui::SetCursorScreenPos({at_.x + pad, at_.y + pad / 2});
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width - 2 * pad);
  }
  ~Plate() {
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
    const float bottom = ImGui::GetItemRectMax().y + theme_.px(kPlatePad) / 2;
    list_->ChannelsSetCurrent(0);
    list_->AddRectFilled(at_, {at_.x + width_, bottom}, Theme::mixed(theme_.colours().panel, colour_, 0.16F),
                         theme_.px(6));
    list_->AddRectFilled(at_, {at_.x + theme_.px(3), bottom}, colour_, theme_.px(2));
    list_->ChannelsMerge();
    ImGui::SetCursorScreenPos({at_.x, bottom + theme_.px(4)});
    ImGui::Dummy({0, 0});
  }
  Plate(const Plate&) = delete;
  Plate& operator=(const Plate&) = delete;

 private:
  const Theme& theme_;
  ImDrawList* list_;
  ImVec2 at_;
  float width_;
  ImU32 colour_;
};

void drawChange(const Theme& theme, const checking::ChangedLines& lines) {
  const auto draw = [&](ImU32 colour, char sign, const std::vector<std::string>& changed) {
    for (std::size_t i = 0; i < changed.size(); ++i) {
      const std::size_t blank = std::min(changed[i].find_first_not_of(" \t"), changed[i].size());
      label(theme, colour, fmt::format("{:>4} {} {}", lines.first + i + 1, sign, changed[i].substr(blank)), Face::Mono);
    }
  };
  draw(theme.colours().fault, '-', lines.before);
  draw(theme.colours().good, '+', lines.after);
}

void drawTried(AppState& state, const Theme& theme, float width) {
  const Plate plate(theme, width, theme.colours().good);
  label(theme, theme.colours().text, tr("The fix is in the text on screen; its file is unchanged until it is saved."));
  if (ImGui::SmallButton((trf("Take it back ({})", keyText(undoChoice)) + "###take back").c_str())) {
    takeBackFix(state);
  }
}

void drawButtons(AppState& state, const Theme& theme, const faults::Finding& finding, std::size_t index) {
  // The key goes to the next one, which is the first one while none is chosen.
  const bool chosen = state.selection.finding.has_value();
  const std::string go = chosen ? tr("Go there") : trf("Go there ({})", keyText(chooseNextFinding));
  if (ImGui::SmallButton((go + "###go").c_str())) { chooseFinding(state, index); }
  ImGui::SameLine();
  if (ImGui::SmallButton((std::string(tr("All findings")) + "###all").c_str())) {
    state.view.tabs.bringToFront(Tab::Findings);
  }
  if (!canTryFix(state, finding)) { return; }
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Button, Theme::mixed(theme.colours().panel, theme.colours().good, 0.35F));
  if (ImGui::SmallButton((std::string(tr("Try this fix")) + "###fix").c_str())) { tryFix(state, finding); }
  ImGui::PopStyleColor();
  ImGui::SetItemTooltip(
      "%s", trf("changes the text on screen and executes it at once; {} takes it back", keyText(undoChoice)).c_str());
}

}  // namespace

void drawRaceCallout(const AppState& state, const Theme& theme, const SceneView& scene, LabelPlacer placer, ImVec2 min,
                     ImVec2 max) {
  const auto race = raceOnStage(state);
  if (!race) { return; }
  const auto cell = scene.cellOf(race->object, race->element);
  if (!cell) { return; }
  const recording::Recording& recording = state.cursor.recording();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(min, max, true);
  // In one step, nothing says which came first.
  const bool known = !race->together();
  const std::array cards = {cardOf(state, theme, race->first, known ? 1 : 0),
                            cardOf(state, theme, race->second, known ? 2 : 0)};
  const std::string name = recording::formatElement(recording.program->objects[race->object].name,
                                                    recording.extents[race->object], race->element);
  const NamePlace place = placeOfName(theme, name, *cell, min, max);
  scene.blockCells(placer);
  placer.block(place.low, place.high);
  float top = min.y;  // where nothing is free: one below the other at the edge, over the planes that are read from
  std::optional<NamePlace> other;  // the card before it
  for (const Card& card : cards) {
    const ImVec2 size = sizeOf(theme, card);
    // Neither card lies on the other's arrow.
    const auto apart = [&](ImVec2 low) {
      const ImVec2 high{low.x + size.x, low.y + size.y};
      return !other || (!Arrow(theme, low, high, *cell).crosses(other->low, other->high) &&
                        !Arrow(theme, other->low, other->high, *cell).crosses(low, high));
    };
    auto at = placer.tryPlace(*cell, size, theme.px(kAside), apart);
    if (!at) { at = placer.tryAnywhere(*cell, size, theme.px(kCardGap), apart); }
    if (!at) { at = placer.tryAnywhere(*cell, size, theme.px(kCardGap)); }
    if (!at) {
      at = ImVec2(min.x, std::max(min.y, std::min(top, max.y - size.y)));
      top = at->y + size.y + theme.px(kCardGap);
    }
    other = {*at, {at->x + size.x, at->y + size.y}};
    drawCard(theme, card, *at, *cell);
  }
  list->AddCircleFilled(*cell, theme.px(5), theme.colours().fault);
  list->AddCircle(*cell, theme.px(8), theme.colours().fault, 0, theme.px(2));
  const FontScope font(theme, Face::Mono, TextSize::Small);
  list->AddRectFilled(place.low, place.high, theme.faded(theme.colours().panel, 0.85F), theme.px(3));
  textAt(list, {place.low.x + theme.px(kNamePad), place.low.y}, theme.colours().text, name);
  list->PopClipRect();
}

std::string gpuSteppingSentence(const AppState& state) {
  const GpuStepping& stepping = state.gpuStepping;
  if (!stepping.wanted) { return {}; }
  if (!stepping.problem.empty()) { return stepping.problem; }
  if (!shown(state)) { return tr("The GPU is running the block…"); }
  if (!stepping.agreement) { return trf("As {} ran it; the comparison with the emulator is running.", stepping.gpu); }
  const recording::RecordingAgreement& agreement = *stepping.agreement;
  if (!agreement.same()) {
    return trf("As {} ran it, which differs from the emulator: {} values differ, {} are missing; first {}.",
               stepping.gpu, grouped(agreement.different), grouped(agreement.missing),
               agreement.first ? agreement.first->sentence : "");
  }
  return trf("As {} ran it: {} accesses and {} assignments, {} the emulator's.", stepping.gpu,
             grouped(agreement.accesses), grouped(agreement.assignments),
             agreement.uncertain == 0 ? tr("bitwise equal to") : tr("equal, except for atomics, to"));
}

/// Where the scene's values came from. Only floats are drawn from the shared buffer; see render::RecordedValues.
std::string pathSentence(const AppState& state) {
  if (!state.gpuStepping.copyReason.empty()) {
    return trf("The values were copied through the host: {}.", state.gpuStepping.copyReason);
  }
  const experiment::Experiment& experiment = *state.experiment;
  const ObjectId output = experiment.footprint.output;
  const ValueType type = output == kNone ? ValueType::F32 : experiment.program->objects[output].element;
  if (type != ValueType::F32) {
    return trf(
        "The scene's values, of type {}, are copied through the host; floats would be drawn from the buffer "
        "that CUDA and OpenGL share.",
        realTypeName(type));
  }
  return tr("The scene's values are drawn from what the threads logged, in a buffer that CUDA and OpenGL share.");
}

void drawGpuSteppingBanner(AppState& state, const Theme& theme, float width) {
  const std::string sentence = gpuSteppingSentence(state);
  if (sentence.empty()) { return; }
  const GpuStepping& stepping = state.gpuStepping;
  const Palette& colours = theme.colours();
  const bool wrong = !stepping.problem.empty() || (shown(state) && stepping.agreement && !stepping.agreement->same());
  const FontScope font(theme, Face::Sans, TextSize::Small);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  label(theme, wrong ? colours.halo : colours.text, sentence);
  ImGui::PopTextWrapPos();
  if (shown(state)) {
    const measuring::GpuRecording& run = stepping.recorded->run;
    const std::string path = pathSentence(state);
    ImGui::SetItemTooltip(
        "%s", trf("rewriting and compiling {:.0f} ms, the instrumented launch {:.2f} ms (events), reading its "
                  "words {:.0f} ms, from key press to picture {:.0f} ms\ncompiled so that products and sums are "
                  "rounded separately\n{} uninitialised values, and {} that depend on the order of atomic "
                  "operations, are not compared\n{}",
                  run.compileSeconds * 1e3, run.runMilliseconds, run.readSeconds * 1e3,
                  stepping.recorded->seconds * 1e3, stepping.agreement ? stepping.agreement->indeterminate : 0,
                  stepping.agreement ? stepping.agreement->uncertain : 0, path)
                  .c_str());
  }
  if (wrong && shown(state) && stepping.agreement && stepping.agreement->first) {
    if (ImGui::SmallButton(tr("Go to the first difference"))) {
      state.cursor.goTo(stepping.agreement->first->step + 1);
      state.playback.playing = false;
    }
    ImGui::SameLine();
  }
  if (shown(state)) {
    if (ImGui::SmallButton(stepping.byClock ? tr("Warps side by side") : tr("In clock order"))) {
      state.gpuStepping.byClock = !stepping.byClock;
    }
    ImGui::SetItemTooltip("%s", stepping.byClock
                                    ? tr("a step is a statement, executed by all the warps that have reached it")
                                    : tr("a step is a statement of one warp, in the order of the "
                                         "multiprocessor's clock"));
    ImGui::SameLine();
  }
  if (ImGui::SmallButton((trf("Back to the emulator ({})", keyText(toggleGpuStepping)) + "###emulator").c_str())) {
    state.gpuStepping.wanted = false;
  }
}

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

void drawFindingBanner(AppState& state, const Theme& theme, float width) {
  const std::span<const faults::Finding> all = findings(state);
  const FontScope font(theme, Face::Sans, TextSize::Small);
  if (hasTriedFix(state)) { drawTried(state, theme, width); }
  // Where the panel is on screen, it says the same.
  if (all.empty() || state.view.tabs.inFront(Tab::Findings)) { return; }
  const std::size_t shown = std::min(state.selection.finding.value_or(0), all.size() - 1);
  const faults::Finding& finding = all[shown];
  const Plate plate(theme, width, theme.colours().fault);
  std::string heading = tr(faults::rowOf(finding.kind).title);
  if (finding.where.valid()) { heading += trf(", line {}", finding.where.line); }
  if (all.size() > 1) { heading += trf(" ({} of {})", shown + 1, all.size()); }
  label(theme, Theme::mixed(theme.colours().fault, theme.colours().text, 0.3F), heading, Face::SansStrong);
  if (width > theme.px(kWidePlate)) { ImGui::SameLine(0, theme.px(12)); }
  drawButtons(state, theme, finding, shown);
  label(theme, theme.colours().text, finding.text());
  if (!canTryFix(state, finding)) { return; }
  const checking::ChangedLines lines = checking::changedLines(state.experiment->file.text, finding.fix);
  if (std::max(lines.before.size(), lines.after.size()) <= kMostChanged) { drawChange(theme, lines); }
}

}  // namespace haloscope::ui
