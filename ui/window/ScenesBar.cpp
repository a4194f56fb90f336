#include "ui/window/ScenesBar.h"

#include <fmt/format.h>
#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "actions/Choices.h"
#include "actions/PresentingActions.h"
#include "actions/SessionActions.h"
#include "actions/ViewActions.h"
#include "language/Text.h"
#include "state/Session.h"
#include "ui/widgets/Shortcuts.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/PanelList.h"

namespace haloscope::ui {

namespace {

constexpr float kScenesWidth = 268, kScenePadding = 6, kNoteLines = 4.2F;  // at scale 1
constexpr const char* kDragged = "scene";

/// "tiled · barrier interval 1".
std::string whereText(const AppState& state, const Scene& scene) {
  const auto own = std::ranges::find_if(
      scene.texts, [&](const auto& text) { return text->kernel == scene.choice.kernel && !text->file.empty(); });
  std::string text = own != scene.texts.end() ? (*own)->file
                     : state.catalogue.find(scene.choice.kernel) != nullptr
                         ? shortName(shownName(state.catalogue, scene.choice.kernel))
                         : shortName(scene.choice.kernel);
  if (!scene.texts.empty() && own == scene.texts.end()) { text += std::string(" · ") + tr("edited"); }
  switch (scene.moment.kind) {
    case Moment::Kind::None:
      break;
    case Moment::Kind::Step:
      return text + " · " + trf("step {}", scene.moment.number);
    case Moment::Kind::Barrier:
      return text + " · " + trf("barrier interval {}", scene.moment.number);
    case Moment::Kind::Plane:
      return text + " · " + trf("plane {}", scene.moment.number);
    case Moment::Kind::At:
      return text + " · " + scene.moment.text;
    case Moment::Kind::End:
      return text + " · " + tr("end");
  }
  return text;
}

/// What the user did with the list, carried out after it is drawn.
struct AskedOfScenes {
  std::optional<std::size_t> show, remove;
  std::optional<std::pair<std::size_t, int>> move;
};

void moveByKeys(std::size_t index, AskedOfScenes& asked) {
  if (!ImGui::IsItemFocused()) { return; }
  // Announced in every frame, so that neither ImGui's own navigation nor a global shortcut takes them.
  const auto pressed = [&](ImGuiKeyChord keys) { return ImGui::Shortcut(keys, ImGuiInputFlags_RouteFocused); };
  if (pressed(ImGuiMod_Shift | ImGuiKey_UpArrow)) { asked.move = {index, -1}; }
  if (pressed(ImGuiMod_Shift | ImGuiKey_DownArrow)) { asked.move = {index, 1}; }
  if (pressed(ImGuiKey_Delete)) { asked.remove = index; }
}

void drawSceneRow(const AppState& state, const Theme& theme, std::size_t index, AskedOfScenes& asked) {
  const Palette& colours = theme.colours();
  const Scene& scene = state.session.scenes[index];
  const float pad = theme.px(kScenePadding);
  const float height = theme.textPixels(TextSize::Body) + theme.textPixels(TextSize::Small) + 2.6F * pad;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const bool current = index == state.session.current;
  if (ImGui::Selectable(fmt::format("###scene {}", index).c_str(), current, ImGuiSelectableFlags_None, {0, height})) {
    asked.show = index;
  }
  moveByKeys(index, asked);
  if (!scene.note.empty() && ImGui::BeginItemTooltip()) {
    ImGui::PushTextWrapPos(theme.px(360));
    ImGui::TextUnformatted(scene.note.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_None)) {
    ImGui::SetDragDropPayload(kDragged, &index, sizeof(index));
    ImGui::TextUnformatted(scene.title.c_str());
    ImGui::EndDragDropSource();
  }
  if (ImGui::BeginDragDropTarget()) {
    if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(kDragged)) {
      const auto from = *static_cast<const std::size_t*>(payload->Data);
      asked.move = {from, static_cast<int>(index) - static_cast<int>(from)};
    }
    ImGui::EndDragDropTarget();
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (current) { list->AddRectFilled(at, {at.x + theme.px(3), at.y + height}, colours.accent); }
  const float left = at.x + theme.px(36);
  const float room = at.x + width - left - pad;
  {
    const FontScope font(theme, Face::Mono, TextSize::Body);
    const std::string number = std::to_string(index + 1);
    textAt(list, {at.x + theme.px(28) - textWidth(number), at.y + pad}, current ? colours.accent : colours.textDim,
           number);
  }
  {
    const FontScope font(theme, current ? Face::SansStrong : Face::Sans, TextSize::Body);
    clippedTextAt(list, {left, at.y + pad}, room, colours.text, scene.title);
  }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  clippedTextAt(list, {left, at.y + 1.4F * pad + theme.textPixels(TextSize::Body)}, room, colours.textDim,
                whereText(state, scene));
}

void drawSceneList(AppState& state, const Theme& theme, AskedOfScenes& asked) {
  const auto& scenes = state.session.scenes;
  if (scenes.empty()) {
    ImGui::PushTextWrapPos(0);
    label(theme, theme.colours().textDim,
          trf("A scene is a stop of a lecture: what the window shows now, to be shown again with one key. {} records "
              "one while you walk.",
              keyText(recordScene)));
    ImGui::PopTextWrapPos();
  }
  for (std::size_t i = 0; i < scenes.size(); ++i) { drawSceneRow(state, theme, i, asked); }
}

void drawUndo(AppState& state) {
  ImGui::BeginDisabled(state.session.done.empty());
  if (ImGui::Button((std::string(tr("Undo")) + "###undo").c_str())) { undoSceneChange(state); }
  ImGui::EndDisabled();
}

/// The words of the current scene, taken over as they are typed: any key may leave the field.
void drawSceneWords(AppState& state, const Theme& theme, AskedOfScenes& asked) {
  const Session& session = state.session;
  if (session.shown() == nullptr) {
    const FontScope font(theme, Face::Sans, TextSize::Small);
    if (!session.done.empty()) { drawUndo(state); }
    return;
  }
  const std::size_t index = session.current;
  Scene words{
      .title = session.scenes[index].title, .note = session.scenes[index].note, .hall = session.scenes[index].hall};
  bool changed = false;
  ImGui::PushID(static_cast<int>(index));
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##title", tr("title"), &words.title);
  changed |= ImGui::IsItemEdited();
  ImGui::InputTextMultiline("##note", &words.note, {-1, kNoteLines * ImGui::GetTextLineHeight()},
                            ImGuiInputTextFlags_WordWrap);
  changed |= ImGui::IsItemEdited();
  ImGui::SetItemTooltip("%s", tr("The note is for you: the hall sees it only if you show it there"));
  changed |= chooseHall(words.hall, hallOf(state));
  ImGui::PopID();
  if (changed) { describeScene(state, index, words); }
  const FontScope font(theme, Face::Sans, TextSize::Small);
  if (ImGui::Button((std::string(tr("Record again")) + "###again").c_str())) { recordAgain(state); }
  ImGui::SetItemTooltip("%s", tr("This scene shows from now on what the window shows now"));
  ImGui::SameLine();
  if (ImGui::Button((std::string(tr("Delete")) + "###delete").c_str())) { asked.remove = index; }
  ImGui::SameLine();
  drawUndo(state);
}

void drawSceneButtons(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  if (ImGui::Button((std::string(tr("Record")) + "###record").c_str())) { recordScene(state); }
  ImGui::SetItemTooltip("%s (%s)", describe(recordScene), keyText(recordScene).c_str());
  ImGui::SameLine();
  ImGui::BeginDisabled(state.session.scenes.empty());
  if (ImGui::Button((std::string(tr("Save")) + "###save").c_str())) { saveSession(state); }
  ImGui::SetItemTooltip("%s", describe(saveSession));
  ImGui::SameLine();
  if (ImGui::Button((std::string(tr("Present")) + "###present").c_str())) { togglePresenting(state); }
  ImGui::SetItemTooltip("%s (%s)", describe(togglePresenting), keyText(togglePresenting).c_str());
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(state.session.scenes.empty() && state.session.path.empty());
  if (ImGui::Button((std::string(tr("New")) + "###new").c_str())) { newSession(state); }
  ImGui::SetItemTooltip("%s", tr("Close these scenes and begin new ones. What was not saved is kept."));
  ImGui::EndDisabled();
}

}  // namespace

bool chooseHall(std::vector<Tab>& hall, const std::vector<Tab>& otherwise) {
  const std::vector<Tab> before = hall;
  const auto combo = [&](const char* id, std::optional<Tab> shown, bool none) {
    std::optional<Tab> chosen = shown;
    if (!ImGui::BeginCombo(id, shown ? tr(panelOf(*shown).title) : tr("alone"))) { return chosen; }
    if (none && ImGui::Selectable(tr("alone"), !shown)) { chosen.reset(); }
    for (const Panel* panel : panels()) {
      if (ImGui::Selectable((std::string(tr(panel->title)) + "###" + panel->title).c_str(), shown == panel->tab)) {
        chosen = panel->tab;
      }
    }
    ImGui::EndCombo();
    return chosen;
  };
  const float width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  const std::vector<Tab>& now = hall.empty() ? otherwise : hall;
  const Tab first = now.front();
  const std::optional<Tab> second = now.size() > 1 ? std::optional(now[1]) : std::nullopt;
  ImGui::SetNextItemWidth(width);
  std::vector<Tab> chosen{combo("##hall", first, false).value_or(first)};
  ImGui::SetItemTooltip("%s", tr("The panel that fills the screen when this is presented"));
  ImGui::SameLine();
  ImGui::SetNextItemWidth(width);
  const std::optional<Tab> beside = combo("##beside", second, true);
  ImGui::SetItemTooltip("%s", tr("A second panel beside it"));
  if (beside && *beside != chosen.front()) { chosen.push_back(*beside); }
  if (std::ranges::equal(chosen, now | std::views::take(2))) { return false; }
  hall = std::move(chosen);
  return hall != before;
}

float scenesWidth(const AppState& state, const Theme& theme) {
  return state.session.listed && !state.start.shown ? theme.px(kScenesWidth) : 0;
}

void drawScenes(AppState& state, const Theme& theme, ImVec2 min, ImVec2 max) {
  const float margin = theme.px(8);
  ImGui::SetNextWindowPos({min.x + margin, min.y + margin});
  ImGui::SetNextWindowSize({max.x - min.x - margin, max.y - min.y - 2 * margin});
  const FontScope font(theme, Face::Sans, TextSize::Body);
  if (ImGui::Begin(windowName(trMark("Scenes")).c_str(), nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus)) {
    AskedOfScenes asked;
    const Session& session = state.session;
    panelHeading(theme, tr("Scenes"),
                 session.scenes.empty() ? std::string() : nameOf(session) + (session.changed() ? " *" : ""));
    drawSceneButtons(state, theme);
    const float line = ImGui::GetFrameHeightWithSpacing();
    const float words =
        session.shown() == nullptr ? 1.3F * line : 3.9F * line + kNoteLines * ImGui::GetTextLineHeight();
    if (ImGui::BeginChild("list", {0, std::max(line, ImGui::GetContentRegionAvail().y - words)},
                          ImGuiChildFlags_NavFlattened)) {
      drawSceneList(state, theme, asked);
    }
    ImGui::EndChild();
    drawSceneWords(state, theme, asked);
    if (!session.message.empty()) { clippedLabel(theme, theme.colours().good, session.message); }
    if (asked.show) { goToScene(state, *asked.show); }
    if (asked.move) { moveScene(state, asked.move->first, asked.move->second); }
    if (asked.remove) { deleteScene(state, *asked.remove); }
  }
  ImGui::End();
}

}  // namespace haloscope::ui
