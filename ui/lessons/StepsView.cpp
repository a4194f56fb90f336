#include "ui/lessons/StepsView.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "actions/LessonFollowing.h"
#include "catalogue/Catalogue.h"
#include "language/Text.h"
#include "lessons/LessonFacts.h"
#include "lessons/Setting.h"
#include "ui/lessons/Card.h"
#include "ui/scene/SceneView.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kScene = 176, kStrip = 128;  // heights at scale 1
constexpr float kButton = 26, kTrack = 16;   // likewise

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) { return {}; }
  return line.substr(first, line.find_last_not_of(" \t") - first + 1);
}

std::string_view lineOf(std::string_view text, int line) {
  for (int i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) { return {}; }
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

/// A kernel's input as its header declares it is a row: its scene is a strip.
bool isStrip(const KernelFile* file) {
  if (file == nullptr || !file->computes) { return false; }
  const auto input = std::ranges::find(file->arrays, file->computes->input, &ArrayDeclaration::name);
  return input != file->arrays.end() && input->shape.size() <= 1;
}

/// Keeps the place of an animation that is not there yet.
void drawPending(const Theme& theme, bool strip) {
  const float top = ImGui::GetCursorScreenPos().y;
  label(theme, theme.colours().textDim, tr("executing the kernel …"));
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  const float height = theme.px(strip ? kStrip : kScene) + legendHeight(theme, 1) + ImGui::GetFontSize() +
                       theme.px(kButton) + 2 * spacing;
  ImGui::Dummy({0, top + height - ImGui::GetCursorScreenPos().y});
}

class Animation {
 public:
  Animation(AppState& state, const Theme& theme, StepsPlayer& player, float width)
      : state_(state), theme_(theme), player_(player), width_(width) {}

  void draw(render::SceneRenderer& renderer) {
    drawScene(renderer);
    drawStatement();
    drawControls();
  }

 private:
  void drawScene(render::SceneRenderer& renderer) {
    const experiment::Experiment& experiment = *player_.experiment;
    SceneStage stage{{experiment, player_.cursor, player_.view}, player_.thread};
    stage.axes = false;
    stage.inText = true;
    stage.ground = Card::ground(theme_);
    stage.playback = &player_.playback;
    SceneView scene(state_, theme_, renderer, stage);
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const float height = theme_.px(experiment.footprint.inputExtents.size() <= 1 ? kStrip : kScene);
    scene.update({width_, height});
    scene.draw("scene", min, {min.x + width_, min.y + height});
    ImGui::SetCursorScreenPos({min.x, min.y + height});
    std::vector<LegendEntry> entries = sceneLegend(theme_, scene.model().legend);
    while (entries.size() > 1 && legendRows(theme_, entries, width_) > 1) { entries.pop_back(); }
    const ImVec2 below = ImGui::GetCursorScreenPos();
    legend(theme_, entries);
    ImGui::SetCursorScreenPos({below.x, below.y + legendHeight(theme_, 1)});
  }

  /// The source line that has just been executed.
  void drawStatement() {
    const recording::Step* step = player_.cursor.current();
    std::string words = tr("before the first statement");
    if (step != nullptr) {
      const int line = player_.cursor.recording().program->statements[step->statement].range.line;
      words = fmt::format("{:>3}  {}", line, trimmed(lineOf(player_.experiment->file.text, line)));
    }
    const Palette& colours = theme_.colours();
    const FontScope font(theme_, step != nullptr ? Face::Mono : Face::Sans, TextSize::Small);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    clippedTextAt(ImGui::GetWindowDrawList(), at, width_, step != nullptr ? colours.activeText : colours.textDim,
                  words);
    ImGui::Dummy({width_, ImGui::GetFontSize()});
  }

  bool button(const char* id, const char* tip, bool enabled) {
    const float edge = theme_.px(kButton);
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::Button(id, {edge, edge});
    ImGui::EndDisabled();
    ImGui::SetItemTooltip("%s", tip);
    return pressed;
  }

  void drawPlay() {
    const Playback& playback = player_.playback;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (button("###play", playback.playing ? tr("Pause") : tr("Play these steps"), true)) { player_.playOrPause(); }
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float edge = theme_.px(kButton);
    const ImVec2 centre(at.x + edge / 2, at.y + edge / 2);
    const ImU32 ink = theme_.colours().activeText;
    if (!playback.playing) { return arrowAt(list, {centre.x + theme_.px(1), centre.y}, theme_.px(6), 1, ink); }
    for (const float side : {-1.0F, 1.0F}) {
      const float x = centre.x + side * theme_.px(3.5F);
      list->AddRectFilled({x - theme_.px(1.5F), centre.y - theme_.px(6)},
                          {x + theme_.px(1.5F), centre.y + theme_.px(6)}, ink);
    }
  }

  void drawStep(const char* id, int direction, const char* tip) {
    const std::size_t at = player_.cursor.position();
    const bool enabled = direction < 0 ? at > player_.from : at < player_.to;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    if (button(id, tip, enabled)) {
      player_.playback.playing = false;
      player_.goTo(direction < 0 ? at - 1 : at + 1);
    }
    const float edge = theme_.px(kButton);
    arrowAt(ImGui::GetWindowDrawList(), {corner.x + edge / 2, corner.y + edge / 2}, theme_.px(4), direction,
            theme_.faded(theme_.colours().text, enabled ? 1.0F : 0.35F));
  }

  /// Where it is among its steps; a click goes there.
  void drawTrack(float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = theme_.px(kButton), middle = at.y + height / 2, bar = theme_.px(3);
    ImGui::InvisibleButton("track", {width, height});
    const auto steps = static_cast<float>(player_.to - player_.from);
    if (ImGui::IsItemActive()) {
      const float share = std::clamp((ImGui::GetIO().MousePos.x - at.x) / width, 0.0F, 1.0F);
      player_.playback.playing = false;
      player_.goTo(player_.from + static_cast<std::size_t>(share * steps + 0.5F));
    }
    const float share = static_cast<float>(player_.cursor.position() - player_.from) / steps;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Palette& colours = theme_.colours();
    list->AddRectFilled({at.x, middle - bar / 2}, {at.x + width, middle + bar / 2}, colours.border, bar / 2);
    list->AddRectFilled({at.x, middle - bar / 2}, {at.x + share * width, middle + bar / 2}, colours.active, bar / 2);
    list->AddCircleFilled({at.x + share * width, middle}, theme_.px(5), colours.active);
  }

  void drawControls() {
    const FontScope font(theme_, Face::Sans, TextSize::Small);
    const float gap = theme_.px(6), left = ImGui::GetCursorScreenPos().x;
    drawPlay();
    ImGui::SameLine(0, gap);
    drawStep("###back", -1, tr("One step back"));
    ImGui::SameLine(0, gap);
    drawStep("###forward", 1, tr("One step on"));
    ImGui::SameLine(0, 2 * gap);
    const std::string count =
        fmt::format("{} / {}", player_.cursor.position() - player_.from, player_.to - player_.from);
    const char* show = tr("Show in the window");
    const float right = textWidth(show) + 2 * ImGui::GetStyle().FramePadding.x;
    const float room = left + width_ - ImGui::GetCursorScreenPos().x - right - textWidth("00 / 00") - 4 * gap;
    drawTrack(std::max(room, theme_.px(20)));
    ImGui::SameLine(0, 2 * gap);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    textAt(ImGui::GetWindowDrawList(), {at.x, at.y + (theme_.px(kButton) - ImGui::GetFontSize()) / 2},
           theme_.colours().textDim, count);
    ImGui::SetCursorScreenPos({left + width_ - right, at.y});
    shown_ = ImGui::Button((std::string(show) + "###show").c_str(), {right, theme_.px(kButton)});
    ImGui::SetItemTooltip("%s", tr("The right half goes to this kernel and this step"));
  }

 public:
  [[nodiscard]] bool shown() const { return shown_; }

 private:
  AppState& state_;
  const Theme& theme_;
  StepsPlayer& player_;
  float width_;
  bool shown_ = false;
};

}  // namespace

std::optional<std::size_t> drawSteps(AppState& state, const Theme& theme, render::SceneRenderers& scenes,
                                     const lessons::Lesson& lesson, std::size_t steps, PageText& text, float width) {
  const lessons::StepsBlock& block = lesson.steps[steps];
  ImGui::PushID((lesson.id + " " + std::to_string(steps)).c_str());
  std::optional<std::size_t> clicked;
  bool show = false;
  {
    const Card card(theme, width);
    clicked = text.draw(block.caption, card.inside(), {.colour = theme.colours().text});
    ImGui::Dummy({0, theme.px(2)});
    const auto facts = state.lesson.facts.find(lesson.id);
    const bool known = facts != state.lesson.facts.end() && steps < facts->second->animations.size() &&
                       facts->second->animations[steps] != nullptr;
    if (StepsPlayer* player = playerOf(state, lesson, steps)) {
      Animation animation(state, theme, *player, card.inside());
      animation.draw(scenes.inText(steps));
      show = animation.shown();
    } else if (known) {
      notice(theme, facts->second->animations[steps]->problem);
    } else {
      drawPending(theme, isStrip(state.catalogue.find(within(lesson.setting, block.setting).kernel)));
    }
  }
  ImGui::PopID();
  if (show) { showInWindow(state, lesson, steps); }
  return clicked;
}

}  // namespace haloscope::ui
