#include "ui/window/StartPage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "actions/Choices.h"
#include "actions/LessonFollowing.h"
#include "actions/StartPageActions.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "program/Launch.h"
#include "render/SceneRenderers.h"
#include "state/StartPage.h"
#include "ui/scene/SceneView.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kPagePadding = 40, kCardGap = 10, kRecentHeight = 30;  // at scale 1
constexpr float kLeastCard = 64, kLargestCard = 112, kLargeCard = 84;  // height; from the last on with larger letters
constexpr float kFootHeight = 34;
constexpr float kLeastPicture = 360;  // width from which there is room for the picture

void learn(AppState& state) {
  const auto& course = state.lesson.course;
  leaveStartPage(state);
  state.view.tabs.enter(Workspace::Learn);
  if (course == nullptr || course->lessons.empty()) { return; }
  const bool known = course->find(state.lesson.last) != nullptr;
  openLesson(state, known ? state.lesson.last : course->lessons.front().id);
}

struct StartCard {
  char key;
  const char* title;
  std::string text;
  void (*act)(AppState& state);
};

std::string lessonText(const AppState& state) {
  const auto& course = state.lesson.course;
  if (course == nullptr) { return {}; }
  const lessons::Lesson* last = course->find(state.lesson.last);
  return last != nullptr ? trf("Go on with: {}", last->title)
                         : trf("{} lessons, and {} kernels to write; every picture shows an execution",
                               course->lessons.size(), state.make.tasks.size());
}

std::vector<StartCard> startCards(const AppState& state) {
  std::size_t solved = 0;
  for (const auto& [id, progress] : state.labProgress) { solved += progress.solved ? 1 : 0; }
  return {
      {'1', tr("Learn the two chapters"), lessonText(state), learn},
      {'2', tr("Walk through a kernel"), tr("Step by step: source, block, memory, time"), startWalking},
      {'O', tr("Open your own file"), tr("Any .cu file; it is executed in a confined process"), startOpening},
      {'U', tr("Find the bug"), trf("{} of {} kernels fixed", solved, state.bugLab.tasks().size()), startBugLab},
      {'Q', tr("Play"), tr("Heat, waves, patterns, life and pictures: kernels that solve something, live"),
       startPlaying},
  };
}

std::string recentTitle(const AppState& state, const RecentItem& item) {
  if (item.kernel.empty()) { return item.file.filename().string(); }
  return shownName(state.catalogue, item.kernel);
}

std::string recentText(const AppState& state, const RecentItem& item) {
  std::vector<std::string> parts = {tr(layoutOf(item.workspace).name)};
  const lessons::Course* const course = state.lesson.course.get();
  const lessons::Lesson* const lesson = course != nullptr ? course->find(item.lesson) : nullptr;
  if (lesson != nullptr) { parts.push_back(lesson->title); }
  if (item.kernel.empty()) { parts.push_back(item.file.parent_path().string()); }
  for (const auto& [name, value] : item.bindings) { parts.push_back(fmt::format("{} = {}", name, value)); }
  if (item.block) { parts.push_back(trf("block {}", haloscope::text(*item.block))); }
  if (item.step > 0) { parts.push_back(trf("step {}", item.step)); }
  return fmt::format("{}", fmt::join(parts, " · "));
}

/// The keys are the page's: no dialog is open over it.
bool keysAreOwn() { return !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel); }

bool typedOnPage(char key) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput || io.KeyCtrl || io.KeyAlt || !keysAreOwn()) { return false; }
  const auto lower = [](ImWchar c) { return c >= 'A' && c <= 'Z' ? static_cast<ImWchar>(c - 'A' + 'a') : c; };
  return std::ranges::any_of(io.InputQueueCharacters,
                             [&](ImWchar c) { return lower(c) == lower(static_cast<ImWchar>(key)); });
}

/// A button with its key, a title and a line below it. True if it was chosen.
bool startButton(const Theme& theme, const std::string& key, const std::string& title, const std::string& text,
                 ImVec2 size, bool oneLine) {
  const Palette& colours = theme.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushStyleColor(ImGuiCol_Button, oneLine ? 0 : colours.panel);
  ImGui::PushStyleColor(ImGuiCol_Border, oneLine ? 0 : colours.border);
  const bool pressed = ImGui::Button(("###" + key).c_str(), size);
  ImGui::PopStyleColor(2);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float pad = theme.px(oneLine ? 8 : 16);
  const float edge = theme.px(oneLine ? 20 : 28);
  const ImVec2 box = {at.x + pad, at.y + (size.y - edge) / 2};
  float right = box.x + edge;
  {
    const FontScope font(theme, Face::Mono, oneLine ? TextSize::Small : TextSize::Body);
    right = std::max(right, box.x + textWidth(key) + theme.px(10));
    list->AddRectFilled(box, {right, box.y + edge}, colours.panelRaised, theme.px(5));
    list->AddRect(box, {right, box.y + edge}, colours.border, theme.px(5));
    textAt(list, {(box.x + right - textWidth(key)) / 2, box.y + (edge - ImGui::GetFontSize()) / 2}, colours.accent,
           key);
  }
  const float left = right + pad;
  const float room = at.x + size.x - left - pad;
  if (oneLine) {
    const FontScope font(theme, Face::Mono, TextSize::Small);
    const float middle = at.y + (size.y - ImGui::GetFontSize()) / 2;
    clippedTextAt(list, {left, middle}, room, colours.text, title);
    const float used = textWidth(title) + pad;
    if (used < room) {
      const FontScope words(theme, Face::Sans, TextSize::Small);
      clippedTextAt(list, {left + used, middle}, room - used, colours.textDim, text);
    }
    return pressed;
  }
  const TextSize small = size.y < theme.px(kLargeCard) ? TextSize::Small : TextSize::Body;
  const float lines = theme.textPixels(TextSize::Heading) + theme.textPixels(small) + theme.px(4);
  float y = at.y + (size.y - lines) / 2;
  {
    const FontScope font(theme, Face::SansStrong, TextSize::Heading);
    clippedTextAt(list, {left, y}, room, colours.text, title);
    y += ImGui::GetFontSize() + theme.px(4);
  }
  const FontScope font(theme, Face::Sans, small);
  clippedTextAt(list, {left, y}, room, colours.textDim, text);
  return pressed;
}

void drawTitle(const Theme& theme) {
  {
    const FontScope font(theme, Face::SansStrong, TextSize::Heading);
    ImGui::PushFont(nullptr, 2 * theme.textPixels(TextSize::Heading));
    ImGui::TextUnformatted("Haloscope");
    ImGui::PopFont();
  }
  ImGui::PushTextWrapPos(0);
  label(theme, theme.colours().textDim, tr("A microscope for GPU stencil and convolution kernels"), Face::Sans,
        TextSize::Body);
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, theme.px(12)});
}

// What there is to choose. The act is carried out after the page is drawn.
void drawChoices(AppState& state, const Theme& theme, float width) {
  void (*act)(AppState&) = nullptr;
  std::optional<std::size_t> recent;
  const std::vector<StartCard> cards = startCards(state);
  const auto& items = state.start.recent;
  const float recents =
      items.empty() ? 0 : theme.px(28) + static_cast<float>(items.size()) * theme.px(kRecentHeight + 2);
  const float room = ImGui::GetContentRegionAvail().y - recents - theme.px(kFootHeight);
  const auto count = static_cast<float>(cards.size());
  const float height = std::clamp(room / count - theme.px(kCardGap), theme.px(kLeastCard), theme.px(kLargestCard));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme.px(8), theme.px(kCardGap)});
  for (const StartCard& card : cards) {
    const ImVec2 size = {width, height};
    if (startButton(theme, std::string(1, card.key), card.title, card.text, size, false) || typedOnPage(card.key)) {
      act = card.act;
    }
    if (&card == cards.data()) { ImGui::SetItemDefaultFocus(); }
  }
  ImGui::PopStyleVar();
  if (!items.empty()) {
    ImGui::Dummy({0, theme.px(4)});
    label(theme, theme.colours().textDim, tr("Recently"), Face::SansStrong);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme.px(8), theme.px(2)});
  for (std::size_t i = 0; i < items.size(); ++i) {
    // Digits alone are workspaces, here as elsewhere.
    const auto digit = static_cast<ImGuiKey>(ImGuiKey_1 + static_cast<int>(i));
    const ImVec2 size = {width, theme.px(kRecentHeight)};
    const std::string key = fmt::format("Alt + {}", i + 1);
    if (startButton(theme, key, recentTitle(state, items[i]), recentText(state, items[i]), size, true) ||
        (keysAreOwn() && ImGui::IsKeyChordPressed(ImGuiMod_Alt | digit))) {
      recent = i;
    }
  }
  ImGui::PopStyleVar();
  if (act != nullptr) { act(state); }
  if (recent) { startRecent(state, *recent); }
}

// Each language is named in itself. The keys are those of the rest of the window.
void drawFoot(AppState& state, const Theme& theme) {
  static constexpr std::array kLanguages = {"English", "中文"};
  static constexpr std::array kThemes = {trMark("dark"), trMark("light")};
  const float below = ImGui::GetContentRegionAvail().y - theme.px(kFootHeight) / 2;
  if (below > 0) { ImGui::SetCursorPosY(ImGui::GetCursorPosY() + below); }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const int language = haloscope::language() == Language::Chinese ? 1 : 0;
  if (choiceRow(theme, "language", kLanguages, language) != language) { toggleLanguage(state); }
  ImGui::SameLine(0, theme.px(6));
  label(theme, theme.colours().textDim, keyText(toggleLanguage), Face::Mono);
  ImGui::SameLine(0, theme.px(24));
  const int light = state.view.light ? 1 : 0;
  if (choiceRow(theme, "theme", kThemes, light) != light) { toggleTheme(state); }
  ImGui::SameLine(0, theme.px(6));
  label(theme, theme.colours().textDim, keyText(toggleTheme), Face::Mono);
  ImGui::SameLine(0, theme.px(24));
  label(theme, theme.colours().textDim, trf("{}: the manual", keyText(toggleHelp)));
}

// A block of a real execution.
void drawPicture(AppState& state, const Theme& theme, render::SceneRenderers& scenes, ImVec2 min, ImVec2 max) {
  scenes.keep(1);
  if (state.cursor.empty() || state.experiment == nullptr || state.experiment->recording != state.cursor.shared()) {
    return;
  }
  if (state.view.reducedMotion) { state.playback.playing = false; }
  const std::string caption =
      trf("{}, block {}, as it was executed", shownName(state.catalogue, state.experiment->file.id),
          blockText(state.experiment->block));
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const float pad = theme.px(12);
  const float width = max.x - min.x;
  const ImVec2 below = {min.x, min.y + ImGui::GetTextLineHeight() + pad};
  SceneStage stage{shownBlock(state), state.selection.thread, {}, {}};
  stage.axes = false;
  SceneView scene(state, theme, scenes.at(0), stage);
  scene.update({width, max.y - below.y});
  scene.draw("start scene", below, max);
  clippedTextAt(ImGui::GetWindowDrawList(), min, width, theme.colours().textDim, caption);
}

void drawPage(AppState& state, const Theme& theme, render::SceneRenderers& scenes, float padding) {
  const FontScope font(theme, Face::Sans, TextSize::Body);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool picture = room.x > 2 * theme.px(kLeastPicture);
  const float width = std::min(picture ? room.x * 0.46F : room.x, theme.px(620));
  if (picture) {
    const float left = start.x + width + padding;
    drawPicture(state, theme, scenes, {left, start.y}, {start.x + room.x, start.y + room.y});
    ImGui::SetCursorScreenPos(start);
  }
  if (ImGui::BeginChild("choices", {width, 0}, ImGuiChildFlags_NavFlattened)) {
    drawTitle(theme);
    drawChoices(state, theme, ImGui::GetContentRegionAvail().x);
    drawFoot(state, theme);
  }
  ImGui::EndChild();
}

}  // namespace

void drawStartPage(AppState& state, const Theme& theme, render::SceneRenderers& scenes, float top, float bottom) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos({viewport->Pos.x, top});
  ImGui::SetNextWindowSize({viewport->Size.x, std::max(1.0F, bottom - top)});
  const float padding = theme.px(kPagePadding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("###start page", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar(3);
  drawPage(state, theme, scenes, padding);
  ImGui::End();
}

}  // namespace haloscope::ui
