#include "ui/window/ViewSettings.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cstdio>

#include "state/ViewActions.h"

namespace haloscope::ui {

namespace {

void* openEntry(ImGuiContext*, ImGuiSettingsHandler* handler, const char*) { return handler->UserData; }

void readLine(ImGuiContext*, ImGuiSettingsHandler*, void* entry, const char* line) {
  View& view = *static_cast<View*>(entry);
  int light = 0;
  float scale = 1;
  if (std::sscanf(line, "Light=%d", &light) == 1) {
    view.light = light != 0;
  } else if (std::sscanf(line, "TextScale=%f", &scale) == 1) {
    view.scale = std::clamp(scale, kSmallestTextScale, kLargestTextScale);
  }
}

void writeAll(ImGuiContext*, ImGuiSettingsHandler* handler, ImGuiTextBuffer* text) {
  const View& view = *static_cast<const View*>(handler->UserData);
  text->appendf("[%s][View]\nLight=%d\nTextScale=%.1f\n\n", handler->TypeName, view.light ? 1 : 0,
                static_cast<double>(view.scale));
}

}  // namespace

void rememberView(View& view) {
  ImGuiSettingsHandler handler;
  handler.TypeName = "Haloscope";
  handler.TypeHash = ImHashStr(handler.TypeName);
  handler.ReadOpenFn = openEntry;
  handler.ReadLineFn = readLine;
  handler.WriteAllFn = writeAll;
  handler.UserData = &view;
  ImGui::AddSettingsHandler(&handler);
}

void viewChanged() { ImGui::MarkIniSettingsDirty(); }

}  // namespace haloscope::ui
