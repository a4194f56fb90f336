#include "UiHost.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace haloscope {

namespace {

// GLFW reports no text typed with Ctrl held down. Where plus and minus are on the keyboard only the typed sign tells.
void typeWithCtrl(GLFWwindow*, unsigned int sign, int mods) {
  ImGuiIO& io = ImGui::GetIO();
  const bool ctrlAlone = (mods & GLFW_MOD_CONTROL) != 0 && (mods & GLFW_MOD_ALT) == 0;
  if (ctrlAlone && !io.WantTextInput && (sign == '+' || sign == '-')) { io.AddInputCharacter(sign); }
}

}  // namespace

UiHost::UiHost(render::Context& context, std::string settings) : context_(context), settings_(std::move(settings)) {
  IMGUI_CHECKVERSION();
  imgui_ = ImGui::CreateContext();
  implot_ = ImPlot::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.IniFilename = settings_.empty() ? nullptr : settings_.c_str();
  io.LogFilename = nullptr;
  if (GLFWwindow* window = context_.glfwWindow()) {
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    glfwSetCharModsCallback(window, typeWithCtrl);
  }
  ImGui_ImplOpenGL3_Init("#version 430 core");
}

UiHost::~UiHost() {
  ImGui_ImplOpenGL3_Shutdown();
  if (context_.glfwWindow() != nullptr) { ImGui_ImplGlfw_Shutdown(); }
  ImPlot::DestroyContext(implot_);
  ImGui::DestroyContext(imgui_);
}

void UiHost::beginFrame(double seconds) {
  ImGuiIO& io = ImGui::GetIO();
  ImGui_ImplOpenGL3_NewFrame();
  if (context_.glfwWindow() != nullptr) {
    ImGui_ImplGlfw_NewFrame();
  } else {
    io.DisplaySize = {static_cast<float>(context_.width()), static_cast<float>(context_.height())};
    io.DeltaTime = static_cast<float>(std::max(seconds, 1e-4));
  }
  ImGui::NewFrame();
}

void UiHost::endFrame() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool UiHost::inputWaits() const { return imgui_->InputEventsQueue.Size > 0; }

float typeScale(int width, int height, float contentScale) {
  // Judged by the smaller of both directions: a tall, narrow window has no room for large type.
  const float lines = std::min(static_cast<float>(height), static_cast<float>(width) * 9 / 16);
  const float fit = 1 + (lines - 720) / 1440;
  // A display that asks for large type gets it; one that does not ask leaves the window to decide.
  const float scale = contentScale > 1 ? std::max(fit, contentScale) : fit;
  // In eighths: while a window is resized, each new size renders all glyphs again.
  return std::clamp(std::round(scale * 8) / 8, 0.75F, 4.0F);
}

}  // namespace haloscope
