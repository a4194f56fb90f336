#include "ui/window/HelpWindow.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "actions/ViewActions.h"
#include "language/Glossary.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "lessons/LessonText.h"
#include "program/SourceLocation.h"
#include "render/Image.h"
#include "ui/lessons/PageBlocks.h"
#include "ui/lessons/PageText.h"
#include "ui/widgets/Widgets.h"
#include "ui/window/PanelList.h"

namespace haloscope::ui {

namespace {

constexpr float kContents = 200, kPageColumn = 800;  // widths at scale 1
constexpr const char* kKeysPage = "keyboard";        // its tables are drawn from the shortcuts themselves

// Keys and pointer actions that ImGui handles itself.
constexpr std::array kPointer = {
    GlossaryTerm{trMark("Tab, Enter"), trMark("reach and use any widget")},
    GlossaryTerm{trMark("number, Enter"), trMark("set a size or a tile in its box")},
    GlossaryTerm{trMark("drag"), trMark("turn the block; move a panel by its heading")},
    GlossaryTerm{trMark("wheel"), trMark("zoom the block and the plots")},
    GlossaryTerm{trMark("Alt + 1 … 6"), trMark("on the start page: what was used recently")},
    GlossaryTerm{trMark("↑ ↓, Enter"), trMark("in the findings: select the previous or next, go to it")},
    GlossaryTerm{trMark("hover"), trMark("exact value, index, thread and role of a cell")},
};

void heading(const Theme& theme, const char* text) {
  ImGui::Dummy({0, theme.px(4)});
  label(theme, theme.colours().accent, text, Face::SansStrong, TextSize::Body);
}

void row(const Theme& theme, Face face, TextSize size, std::string_view term, const char* meaning) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  label(theme, theme.colours().text, term, face, size);
  ImGui::TableNextColumn();
  ImGui::PushTextWrapPos(0);
  label(theme, theme.colours().textDim, meaning, Face::Sans, size);
  ImGui::PopTextWrapPos();
}

bool beginRows(const Theme& theme, const char* id, float termWidth) {
  if (!ImGui::BeginTable(id, 2)) { return false; }
  ImGui::TableSetupColumn("term", ImGuiTableColumnFlags_WidthFixed, theme.px(termWidth));
  ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
  return true;
}

// At most `count` groups of shortcuts, from index `first`.
void drawKeys(const Theme& theme, int first, int count) {
  std::optional<KeyGroup> group;
  bool open = false;
  for (const Shortcut& shortcut : shortcuts()) {
    if (group != shortcut.group) {
      if (std::exchange(open, false)) { ImGui::EndTable(); }
      group = shortcut.group;
      const int index = static_cast<int>(*group);
      if (index >= first && index < first + count) {
        heading(theme, name(*group));
        open = beginRows(theme, name(*group), 134);
      }
    }
    if (open) { row(theme, Face::Mono, TextSize::Body, keyText(shortcut), tr(shortcut.text)); }
  }
  if (open) { ImGui::EndTable(); }
}

// In Chinese the book's English term follows.
std::string termText(const GlossaryTerm& term, Face face) {
  const std::string_view word = tr(term.word);
  return face != Face::SansStrong || word == term.word ? std::string(word) : fmt::format("{} {}", word, term.word);
}

/// `found` is marked, and brought into view if `scroll`.
void drawTerms(const Theme& theme, const char* id, std::span<const GlossaryTerm> terms, Face face,
               const GlossaryTerm* found = nullptr, bool scroll = false) {
  float width = 0;
  {
    const FontScope font(theme, face, TextSize::Small);
    for (const GlossaryTerm& term : terms) { width = std::max(width, textWidth(termText(term, face))); }
  }
  if (!beginRows(theme, id, width / theme.scale())) { return; }
  for (const GlossaryTerm& term : terms) {
    row(theme, face, TextSize::Small, termText(term, face), tr(term.meaning));
    if (&term != found) { continue; }
    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, theme.faded(theme.colours().accent, 0.3F));
    if (scroll) { ImGui::SetScrollHereY(); }
  }
  ImGui::EndTable();
}

void drawRoles(const Theme& theme) {
  const Palette& c = theme.colours();
  heading(theme, tr("Colours, the same everywhere"));
  const std::array entries = {LegendEntry{c.interior, tr("interior, current plane")},
                              LegendEntry{c.halo, tr("halo")},
                              LegendEntry{c.output, tr("output / next plane")},
                              LegendEntry{c.previous, tr("previous plane")},
                              LegendEntry{c.active, tr("active now")},
                              LegendEntry{c.ghost, tr("ghost")},
                              LegendEntry{c.fault, tr("fault")}};
  legend(theme, entries);
}

void centreNextWindow(const Theme& theme, float width, float height) {
  const ImVec2 area = ImGui::GetMainViewport()->Size;
  const ImVec2 centre = ImGui::GetMainViewport()->GetCenter();
  ImGui::SetNextWindowPos(centre, ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(theme.px(width), area.x * 0.94F), std::min(theme.px(height), area.y * 0.9F)},
                           ImGuiCond_Appearing);
}

constexpr ImGuiWindowFlags kDialog =
    ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings;

void drawAllKeys(const Theme& theme) {
  if (!ImGui::BeginTable("columns", 3, ImGuiTableFlags_SizingStretchProp)) { return; }
  ImGui::TableSetupColumn("walk", 0, 0.30F);
  ImGui::TableSetupColumn("choose", 0, 0.29F);
  ImGui::TableSetupColumn("pointer", 0, 0.41F);
  ImGui::TableNextColumn();
  drawKeys(theme, 0, 3);
  ImGui::TableNextColumn();
  drawKeys(theme, 3, 3);
  ImGui::TableNextColumn();
  drawKeys(theme, 6, 1);
  heading(theme, tr("Pointer and widgets"));
  drawTerms(theme, "pointer", kPointer, Face::Mono);
  drawRoles(theme);
  ImGui::EndTable();
}

void drawGlossary(AppState& state, const Theme& theme) {
  if (!ImGui::BeginTable("columns", 2, ImGuiTableFlags_SizingStretchSame)) { return; }
  const std::span<const GlossaryTerm> all = glossary();
  const std::size_t half = (all.size() + 1) / 2;
  const GlossaryTerm* const found = findTerm(state.view.term);
  const bool scroll = std::exchange(state.view.findTerm, false);
  ImGui::TableNextColumn();
  drawTerms(theme, "first", all.first(half), Face::SansStrong, found, scroll);
  ImGui::TableNextColumn();
  drawTerms(theme, "second", all.subspan(half), Face::SansStrong, found, scroll);
  ImGui::EndTable();
}

/// Of the list of pages; `find` brings it into view.
bool entry(const Theme& theme, const std::string& id, const std::string& title, bool open, bool find) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const bool clicked = ImGui::Selectable((title + "###" + id).c_str(), open);
  if (open && find) { ImGui::ScrollToItem(ImGuiScrollFlags_KeepVisibleEdgeY); }
  return clicked;
}

/// The page that is open: none of the words, or of a manual that is missing.
const lessons::Lesson* openPage(const AppState& state) {
  const lessons::Course* const manual = state.lesson.manual.get();
  if (manual == nullptr || manual->lessons.empty() || state.view.page == kGlossaryPage) { return nullptr; }
  const lessons::Lesson* const page = manual->find(state.view.page);
  return page != nullptr ? page : &manual->lessons.front();
}

void drawContents(AppState& state, const Theme& theme, const lessons::Lesson* open, bool find) {
  std::string section;
  for (const lessons::Lesson& page : state.lesson.manual->lessons) {
    if (page.section != section) {
      section = page.section;
      ImGui::Dummy({0, theme.px(2)});
      label(theme, theme.colours().textDim, section, Face::SansStrong, TextSize::Small);
    }
    if (entry(theme, page.id, page.title, &page == open, find)) { state.view.page = page.id; }
  }
  if (entry(theme, kGlossaryPage, tr("Words"), open == nullptr, find)) { state.view.page = kGlossaryPage; }
}

void drawAbout(AppState& state, const Theme& theme) {
  centreNextWindow(theme, 480, 300);
  if (ImGui::Begin(windowName(trMark("About Haloscope")).c_str(), &state.view.showAbout, kDialog)) {
    const Palette& c = theme.colours();
    ImGui::PushTextWrapPos(0);
    label(theme, c.text, tr("A microscope for CUDA stencil and convolution kernels."), Face::Sans, TextSize::Body);
    label(theme, c.textDim,
          tr("The picture is the execution: the source on screen is parsed, executed and recorded, and every colour, "
             "number and arrow comes from that recording."));
    ImGui::Dummy({0, theme.px(8)});
    const std::string gpu = state.gpuName.empty() ? trf("none: {}", state.gpuMissing) : state.gpuName;
    label(theme, c.text, "GPU: " + gpu);
    label(theme, c.text, "OpenGL: " + state.glRenderer);
    label(theme, c.text, std::string("Dear ImGui ") + ImGui::GetVersion());
    ImGui::PopTextWrapPos();
  }
  ImGui::End();
}

}  // namespace

void HelpWindow::drawPicture(const Theme& theme, const lessons::Block& picture, float width) {
  const Palette& colours = theme.colours();
  try {
    const render::PictureTexture& kept = kept_.try_emplace(picture.text, picture.text).first->second;
    const auto across = static_cast<float>(kept.width()), down = static_cast<float>(kept.height());
    const ImVec2 size(width, width * down / across), at = ImGui::GetCursorScreenPos();
    ImGui::Image(ImTextureRef(static_cast<ImTextureID>(kept.texture())), size);
    ImGui::GetWindowDrawList()->AddRect(at, {at.x + size.x, at.y + size.y}, colours.border);
  } catch (const render::ImageError&) {}  // packages come without pictures: what they show is said below
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  label(theme, colours.textDim, lessons::plainText(picture.spans, {}));
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, theme.px(8)});
}

void HelpWindow::drawPage(AppState& state, const Theme& theme, const lessons::Lesson& page) {
  const float width = std::min(ImGui::GetContentRegionAvail().x - theme.px(12), theme.px(kPageColumn));
  PageText text(theme, page, [](std::size_t) -> const lessons::ShownValue* { return nullptr; });
  const lessons::Spans title = {{.kind = lessons::Span::Kind::Text, .text = page.title}};
  text.draw(title, width, {.face = Face::SansStrong, .size = TextSize::Heading, .colour = theme.colours().text});
  ImGui::Dummy({0, theme.px(4)});
  for (const SourceError& problem : page.problems) { notice(theme, problem.what()); }
  if (page.id == kKeysPage) { return drawAllKeys(theme); }
  const auto link = drawBlocks(theme, page, text, width, [&](const lessons::Block& block, float room) {
    if (block.kind == lessons::Block::Kind::Picture) { drawPicture(theme, block, room); }
  });
  ImGui::Dummy({width, theme.px(24)});
  if (link && !page.links[*link].broken) { openManual(state, page.links[*link].target); }
}

void HelpWindow::drawManual(AppState& state, const Theme& theme) {
  centreNextWindow(theme, 1240, 660);
  if (ImGui::Begin(windowName(trMark("Manual")).c_str(), &state.view.showHelp, kDialog)) {
    const lessons::Lesson* const page = openPage(state);
    const std::string id = page != nullptr ? page->id : kGlossaryPage;
    const bool another = std::exchange(shown_, id) != id;
    if (another) { kept_.clear(); }
    if (state.lesson.manual == nullptr || state.lesson.manual->lessons.empty()) {
      label(theme, theme.colours().textDim, tr("The manual was not found: assets/manual is missing."));
    } else {
      if (ImGui::BeginChild("contents", {theme.px(kContents), 0})) { drawContents(state, theme, page, another); }
      ImGui::EndChild();
      ImGui::SameLine(0, theme.px(12));
    }
    if (ImGui::BeginChild(id.c_str(), {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_AlwaysVerticalScrollbar)) {
      ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {theme.px(4), theme.px(2)});
      if (page != nullptr) {
        drawPage(state, theme, *page);
      } else {
        drawGlossary(state, theme);
      }
      ImGui::PopStyleVar();
    }
    ImGui::EndChild();
  }
  ImGui::End();
}

void HelpWindow::draw(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Sans, TextSize::Body);
  if (state.view.showHelp) {
    drawManual(state, theme);
  } else {
    kept_.clear();
  }
  if (state.view.showAbout) { drawAbout(state, theme); }
}

}  // namespace haloscope::ui
