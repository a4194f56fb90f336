#include "NotesWindow.h"

#include <GLFW/glfw3.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <implot.h>

#include <utility>

#include "UiHost.h"
#include "language/Text.h"
#include "ui/window/Hall.h"
#include "ui/window/Keyboard.h"

namespace haloscope {

namespace {

constexpr int kWidth = 900, kHeight = 560;

/// A monitor other than the one that the presentation fills; null: there is none.
GLFWmonitor* otherMonitor(GLFWwindow* main) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor* const taken = glfwGetWindowMonitor(main);
  for (int i = 0; taken != nullptr && i < count; ++i) {
    if (monitors[i] != taken) { return monitors[i]; }
  }
  return nullptr;
}

/// Everything between its making and its end is drawn into the other window.
class OtherContext {
 public:
  OtherContext(render::Context& main, GLFWwindow* window, ImGuiContext* imgui, ImPlotContext* implot)
      : main_(main), imgui_(ImGui::GetCurrentContext()), implot_(ImPlot::GetCurrentContext()) {
    glfwMakeContextCurrent(window);
    ImGui::SetCurrentContext(imgui);
    ImPlot::SetCurrentContext(implot);
  }
  ~OtherContext() {
    main_.makeCurrent();
    ImGui::SetCurrentContext(imgui_);
    ImPlot::SetCurrentContext(implot_);
  }
  OtherContext(const OtherContext&) = delete;
  OtherContext& operator=(const OtherContext&) = delete;

 private:
  render::Context& main_;
  ImGuiContext* imgui_;
  ImPlotContext* implot_;
};

}  // namespace

NotesWindow::NotesWindow(render::Context& main, std::vector<std::filesystem::path> fonts)
    : main_(main), theme_(std::move(fonts)) {
  if (main.glfwWindow() == nullptr) { return; }
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);  // a clicker's keys go on to the presentation
  window_ = glfwCreateWindow(kWidth, kHeight, tr("Haloscope: notes"), nullptr, main.glfwWindow());
  if (window_ == nullptr) { return; }
  if (GLFWmonitor* monitor = otherMonitor(main.glfwWindow())) {
    int x = 0;
    int y = 0;
    glfwGetMonitorPos(monitor, &x, &y);
    const GLFWvidmode* mode = glfwGetVideoMode(monitor);
    glfwSetWindowPos(window_, x, y);
    if (mode != nullptr) { glfwSetWindowSize(window_, mode->width, mode->height); }
  }
  imgui_ = ImGui::CreateContext();  // the main window's stays the current one
  ImPlotContext* const mainPlots = ImPlot::GetCurrentContext();
  implot_ = ImPlot::CreateContext();
  ImPlot::SetCurrentContext(mainPlots);
  const OtherContext here(main_, window_, imgui_, implot_);
  glfwSwapInterval(0);  // the presentation waits for its display, once a frame is enough
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 430 core");
  glfwShowWindow(window_);
}

NotesWindow::~NotesWindow() {
  if (window_ == nullptr) { return; }
  {
    const OtherContext here(main_, window_, imgui_, implot_);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
  }
  ImPlot::DestroyContext(implot_);
  ImGui::DestroyContext(imgui_);
  glfwDestroyWindow(window_);
  main_.makeCurrent();
}

bool NotesWindow::shown() const { return window_ != nullptr && glfwWindowShouldClose(window_) == GLFW_FALSE; }

void NotesWindow::draw(AppState& state, std::uint32_t live, int width, int height) {
  if (!shown()) { return; }
  int pixelsWide = 0;
  int pixelsHigh = 0;
  glfwGetFramebufferSize(window_, &pixelsWide, &pixelsHigh);
  if (pixelsWide == 0 || pixelsHigh == 0) { return; }
  const OtherContext here(main_, window_, imgui_, implot_);
  float content = 1;
  glfwGetWindowContentScale(window_, &content, nullptr);
  const float scale = typeScale(pixelsWide, pixelsHigh, content) * state.view.scale * 1.2F;
  if (scale_ != scale || theme_.light() != state.view.light) {
    theme_.apply(state.view.light, scale);
    scale_ = scale;
  }
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  ui::handleKeyboard(state);
  ui::drawNotesPage(state, theme_, live, width, height);
  ImGui::Render();
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, pixelsWide, pixelsHigh);
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(theme_.colours().background);
  glClearColor(colour.x, colour.y, colour.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(window_);
}

}  // namespace haloscope
