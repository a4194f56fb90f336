#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "render/Image.h"

struct GLFWwindow;

/// OpenGL, with or without a display.
namespace haloscope::render {

/// Whether the OpenGL context that is current rasterises: one triangle into a few pixels, read back. A driver can go on
/// accepting everything and draw nothing, in every process, after a kernel faulted on its GPU (seen on an H200 with
/// driver 580). Takes about a millisecond; on such a GPU some seconds. Leaves the context's state as it
/// was.
[[nodiscard]] bool drawsTriangles();

/// No OpenGL context could be made. what() says what is missing and, where there is one, the way round it.
class ContextError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct WindowContextOptions {
  std::string title = "Haloscope";
  int width = 1280, height = 720;  ///< in screen coordinates
  bool visible = true;
  bool verticalSync = true;
};

struct OffscreenOptions {
  int width = 1280, height = 720;  ///< in pixels
  float contentScale = 1.0F;       ///< what contentScale() returns
  /// Prefer the EGL device that is this CUDA device, so that both can share buffers.
  std::optional<int> cudaDevice{};
  /// Take Mesa's software renderer even where there is a GPU: pictures are then the same on every machine.
  bool software = false;
};

/// An OpenGL core context (4.5, or at least 4.3) and the framebuffer that a frame is drawn into. It is current on the
/// thread that made it, from its making to its end.
///
/// Two ways to make it: window() through GLFW, offscreen() through EGL, without a display and without a window system.
/// At most one window at a time; any number of offscreen contexts, the one made last being current (see makeCurrent).
///
/// Teardown: everything that owns OpenGL objects (SceneRenderer, ImGui's back ends) must go before the context, while
/// it is current; the context then frees its framebuffer, the OpenGL context, the window, and last GLFW itself.
class Context {
 public:
  /// Throws ContextError.
  static std::unique_ptr<Context> window(const WindowContextOptions& options);
  /// Throws ContextError.
  static std::unique_ptr<Context> offscreen(const OffscreenOptions& options);

  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  virtual ~Context() = default;

  virtual void makeCurrent() = 0;

  /// One frame: beginFrame, draw, endFrame, readPixels if wanted, swap.
  /// Binds the context's framebuffer and sets the viewport to all of it. Clears nothing.
  virtual void beginFrame() = 0;
  /// Finishes the frame: afterwards readPixels() gives it.
  virtual void endFrame() = 0;
  /// Shows the frame; waits for the display if vertical sync is on. Offscreen: nothing to do.
  virtual void swap() = 0;
  /// The frame drawn last, RGBA, top row first, opaque. Between endFrame() and swap().
  [[nodiscard]] Image readPixels() const;

  /// Delivers window events to GLFW's callbacks. Offscreen: nothing to do.
  virtual void pollEvents() = 0;
  /// As pollEvents(), but sleeps until there is one, at most this long.
  virtual void waitEvents(double seconds) = 0;
  /// Ends a waitEvents() early. From any thread.
  virtual void wake() {}
  /// Files that were dropped onto the window since the last call.
  [[nodiscard]] virtual std::vector<std::filesystem::path> takeDropped() { return {}; }
  /// The user closed the window, or requestClose() was called.
  [[nodiscard]] virtual bool shouldClose() const = 0;
  virtual void requestClose() = 0;

  /// Size of the framebuffer in pixels. Zero while a window is minimised.
  [[nodiscard]] virtual int width() const = 0;
  [[nodiscard]] virtual int height() const = 0;
  /// New size: in pixels offscreen, in screen coordinates for a window.
  virtual void resize(int width, int height) = 0;
  /// Fills a monitor, or goes back to where the window was: the second one, where there is one, for the first is the
  /// lecturer's; else that which the window is on. Offscreen: nothing to do.
  virtual void setFullscreen(bool) {}
  [[nodiscard]] virtual int monitors() const { return 0; }
  /// Pixels per 1/96 inch: 2 on a "retina" display.
  [[nodiscard]] virtual float contentScale() const = 0;
  /// Framebuffer object of the frame: 0 for a window.
  [[nodiscard]] virtual std::uint32_t framebuffer() const = 0;
  /// For ImGui's GLFW back end; nullptr offscreen.
  [[nodiscard]] virtual GLFWwindow* glfwWindow() const = 0;

  [[nodiscard]] bool isOffscreen() const { return glfwWindow() == nullptr; }
  [[nodiscard]] const std::string& rendererName() const { return renderer_; }  ///< GL_RENDERER
  [[nodiscard]] const std::string& versionString() const { return version_; }  ///< GL_VERSION
  /// Why a better one was not taken; empty: this is the first choice.
  [[nodiscard]] const std::string& rendererNote() const { return note_; }
  /// Asks the driver whether it has given the context up. Throws ContextError, with advice, if so.
  void expectAlive() const;
  /// Checks that it still draws: a fault on the GPU can end that. Throws ContextError, with advice, if not.
  void expectDrawing() const;
  /// Drawn by the processor (llvmpipe): costly effects should be left out.
  [[nodiscard]] bool isSoftware() const { return software_; }

 protected:
  using ProcedureLoader = void (*(*)(const char*))();

  Context() = default;
  /// Loads OpenGL's functions for the context that is current, reads its names, and tries it. Returns what is wrong
  /// with it: it is older than 4.3, or draws nothing; empty: it is good.
  [[nodiscard]] std::string adoptAndTry(ProcedureLoader loader);
  void setNote(std::string note) { note_ = std::move(note); }

 private:
  std::string renderer_, version_, note_;
  bool software_ = false;
};

}  // namespace haloscope::render
