#include <glad/gl.h>

#include <GLFW/glfw3.h>

#include <cstdlib>
#include <utility>

#include "language/Text.h"
#include "render/Context.h"

namespace haloscope::render {

namespace {

/// GLFW's reason for the last failure, or `otherwise`.
std::string glfwReason(const std::string& otherwise) {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : otherwise;
}

bool isSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// Ends GLFW when the window that began it is gone, or was never made.
class GlfwSession {
 public:
  GlfwSession() {
#if defined(__linux__)
    // GLFW would only say that it failed; this says what to do about it.
    if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY")) {
      throw ContextError(
          tr("no display: DISPLAY is not set. To draw a picture without one: haloscope render ID -o FILE.png"));
    }
#endif
    if (glfwInit() != GLFW_TRUE) throw ContextError(trf("no display: {}", glfwReason(tr("GLFW does not start"))));
  }
  ~GlfwSession() { glfwTerminate(); }
  GlfwSession(const GlfwSession&) = delete;
  GlfwSession& operator=(const GlfwSession&) = delete;
};

class WindowContext final : public Context {
 public:
  explicit WindowContext(const WindowContextOptions& options) {
    // Newest first: 4.5 gives better error messages from drivers; 4.3 is all that is used.
    // One that says when the driver has given it up, where there is such a thing.
    struct Wanted {
      int minor;
      bool reportsReset;
    };
    for (const Wanted wanted : {Wanted{5, true}, Wanted{5, false}, Wanted{3, false}}) {
      glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, wanted.reportsReset ? GLFW_LOSE_CONTEXT_ON_RESET : GLFW_NO_ROBUSTNESS);
      glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
      glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, wanted.minor);
      glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
      glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
      glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
      glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
      window_ = glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
      if (window_ != nullptr) break;
    }
    if (window_ == nullptr) throw ContextError(trf("no window with OpenGL 4.3: {}", glfwReason("refused")));
    try {
      glfwMakeContextCurrent(window_);
      glfwSwapInterval(options.verticalSync ? 1 : 0);
      const std::string problem = adoptAndTry(glfwGetProcAddress);
      if (!problem.empty()) throw ContextError(problem);
      glfwSetWindowUserPointer(window_, this);
      glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
        auto* self = static_cast<WindowContext*>(glfwGetWindowUserPointer(window));
        for (int i = 0; i < count; ++i) { self->dropped_.emplace_back(paths[i]); }
      });
    } catch (...) {
      glfwDestroyWindow(window_);
      throw;
    }
  }
  ~WindowContext() override { glfwDestroyWindow(window_); }

  void makeCurrent() override { glfwMakeContextCurrent(window_); }
  void beginFrame() override {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width(), height());
  }
  void endFrame() override {}
  void swap() override { glfwSwapBuffers(window_); }
  void pollEvents() override { glfwPollEvents(); }
  void waitEvents(double seconds) override { glfwWaitEventsTimeout(seconds); }
  void wake() override { glfwPostEmptyEvent(); }
  [[nodiscard]] std::vector<std::filesystem::path> takeDropped() override { return std::exchange(dropped_, {}); }
  [[nodiscard]] bool shouldClose() const override { return glfwWindowShouldClose(window_) == GLFW_TRUE; }
  void requestClose() override { glfwSetWindowShouldClose(window_, GLFW_TRUE); }

  [[nodiscard]] int width() const override {
    int width = 0;
    glfwGetFramebufferSize(window_, &width, nullptr);
    return width;
  }
  [[nodiscard]] int height() const override {
    int height = 0;
    glfwGetFramebufferSize(window_, nullptr, &height);
    return height;
  }
  void resize(int width, int height) override { glfwSetWindowSize(window_, width, height); }
  [[nodiscard]] int monitors() const override {
    int count = 0;
    glfwGetMonitors(&count);
    return count;
  }
  void setFullscreen(bool full) override {
    if (!full) {
      if (glfwGetWindowMonitor(window_) == nullptr) { return; }
      glfwSetWindowMonitor(window_, nullptr, before_.x, before_.y, before_.width, before_.height, GLFW_DONT_CARE);
      return;
    }
    GLFWmonitor* monitor = hallMonitor();
    if (monitor == nullptr) { return; }
    const GLFWvidmode* mode = glfwGetVideoMode(monitor);
    if (mode == nullptr) { return; }
    // A click into the notes on another monitor must not hide it.
    glfwSetWindowAttrib(window_, GLFW_AUTO_ICONIFY, GLFW_FALSE);
    glfwGetWindowPos(window_, &before_.x, &before_.y);
    glfwGetWindowSize(window_, &before_.width, &before_.height);
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  }
  [[nodiscard]] float contentScale() const override {
    float scale = 1.0F;
    glfwGetWindowContentScale(window_, &scale, nullptr);
    return scale;
  }
  [[nodiscard]] std::uint32_t framebuffer() const override { return 0; }
  [[nodiscard]] GLFWwindow* glfwWindow() const override { return window_; }

 private:
  struct Frame {
    int x = 0, y = 0, width = 0, height = 0;
  };

  /// The monitor that has the window's middle; the first one if none has.
  [[nodiscard]] GLFWmonitor* monitorBelow() const {
    Frame window;
    glfwGetWindowPos(window_, &window.x, &window.y);
    glfwGetWindowSize(window_, &window.width, &window.height);
    const int x = window.x + window.width / 2;
    const int y = window.y + window.height / 2;
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
      int left = 0;
      int top = 0;
      glfwGetMonitorPos(monitors[i], &left, &top);
      const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
      if (mode != nullptr && x >= left && x < left + mode->width && y >= top && y < top + mode->height) {
        return monitors[i];
      }
    }
    return glfwGetPrimaryMonitor();
  }

  [[nodiscard]] GLFWmonitor* hallMonitor() const {
    GLFWmonitor* const below = monitorBelow();
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    return count > 1 && below == glfwGetPrimaryMonitor() ? monitors[1] : below;
  }

  GlfwSession session_;  // before the window, so that it ends after it
  GLFWwindow* window_ = nullptr;
  Frame before_;  ///< of the window, while it is full screen
  std::vector<std::filesystem::path> dropped_;
};

}  // namespace

std::unique_ptr<Context> Context::window(const WindowContextOptions& options) {
  return std::make_unique<WindowContext>(options);
}

}  // namespace haloscope::render
