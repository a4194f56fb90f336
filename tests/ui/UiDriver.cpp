#include "UiDriver.h"

#include <glad/gl.h>
#include <imgui_internal.h>

#include <cstdio>
#include <string>
#include <utility>

#include "language/Language.h"
#include "tests/kernels/KernelCatalogue.h"
#include "ui/window/WorkspaceDock.h"

namespace haloscope::test {

namespace {

AppOptions options(const std::function<void(AppOptions&)>& change) {
  const std::filesystem::path source = HALOSCOPE_SOURCE_DIR;
  setLanguageFolder(std::filesystem::path(HALOSCOPE_BINARY).parent_path() / "assets" / "languages");
  setLanguage(Language::English);
  AppOptions result;
  result.state.catalogue = catalogue();
  result.state.bugLab = BugLab::read(source / "assets" / "buglab");
  result.shaders = source / "shaders";
  result.state.choice.kernel = "stencil/tiled";
  result.state.playback.playing = false;
  if (change) { change(result); }
  return result;
}

render::OffscreenOptions offscreen() {
  render::OffscreenOptions result;
  result.width = 1280;
  result.height = 720;
  result.software = true;
  return result;
}

}  // namespace

ImGuiWindow* windowOf(const AppState& state, Tab tab) {
  return ImGui::FindWindowByName(ui::windowName(state.view.tabs.workspace(), tab).c_str());
}

std::string pathOf(const AppState& state, Tab tab) {
  const std::string name = ui::windowName(state.view.tabs.workspace(), tab);
  return "//" + name.substr(name.find("###"));
}

ImVec2 firstCell(ImGuiTestContext* user, const AppState& state, const char* scene, float from, float to) {
  const ImRect room = user->ItemInfo(scene).RectFull;
  constexpr int kProbes = 120;
  ImVec2 at{};
  for (int i = 0; i <= kProbes; ++i) {
    const float share = from + (to - from) * static_cast<float>(i) / kProbes;
    at = {room.Min.x + room.GetWidth() * share, room.Min.y + room.GetHeight() * 0.53F};
    user->MouseMoveToPos(at);
    user->Yield(2);
    if (state.selection.hoveredPoint && state.selection.hoveredThread) { break; }
  }
  IM_CHECK_RETV(state.selection.hoveredPoint.has_value(), at);
  // A little further, off the edge.
  at.x += to > from ? 3.0F : -3.0F;
  user->MouseMoveToPos(at);
  user->Yield(2);
  return at;
}

UiDriver::UiDriver(const std::function<void(AppOptions&)>& change)
    : app_(std::make_unique<App>(options(change), render::Context::offscreen(offscreen()))),
      engine_(ImGuiTestEngine_CreateContext()) {
  glEnable(GL_RASTERIZER_DISCARD);
  ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine_);
  io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Error;
  io.ConfigRunSpeed = ImGuiTestRunSpeed_Fast;
  io.ConfigCaptureEnabled = false;
  io.ConfigSavedSettings = false;
  ImGuiTestEngine_Start(engine_, ImGui::GetCurrentContext());
  settle();
}

UiDriver::~UiDriver() {
  // The engine listens to ImGui's context until that is gone.
  ImGuiTestEngine_Stop(engine_);
  app_.reset();
  ImGuiTestEngine_DestroyContext(engine_);
}

render::Image UiDriver::picture() {
  glDisable(GL_RASTERIZER_DISCARD);
  render::Image image = app_->picture({});
  glEnable(GL_RASTERIZER_DISCARD);
  return image;
}

bool UiDriver::act(const User& user) {
  const std::string name = "act " + std::to_string(++acts_);
  ImGuiTest* test = ImGuiTestEngine_RegisterTest(engine_, "ui", name.c_str(), __FILE__, __LINE__);
  test->SetOwnedName(name.c_str());
  test->TestFunc = [user](ImGuiTestContext* context) { user(context); };
  ImGuiTestEngine_QueueTest(engine_, test, ImGuiTestRunFlags_RunFromCommandLine);
  while (!ImGuiTestEngine_IsTestQueueEmpty(engine_)) {
    app_->frame(1.0 / 60);
    ImGuiTestEngine_PostSwap(engine_);
  }
  const bool good = test->Output.Status == ImGuiTestStatus_Success;
  if (!good) {
    ImGuiTextBuffer log;
    test->Output.Log.ExtractLinesForVerboseLevels(ImGuiTestVerboseLevel_Error, ImGuiTestVerboseLevel_Trace, &log);
    std::fprintf(stderr, "%s\n", log.c_str());
  }
  return good;
}

}  // namespace haloscope::test
