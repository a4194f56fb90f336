#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <vector>

#include "language/Text.h"
#include "render/Context.h"

#ifndef EGL_CUDA_DEVICE_NV
#define EGL_CUDA_DEVICE_NV 0x323A
#endif
#ifndef EGL_PLATFORM_SURFACELESS_MESA
#define EGL_PLATFORM_SURFACELESS_MESA 0x31DD
#endif

namespace haloscope::render {

namespace {

template <class Function>
Function eglFunction(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

bool lists(const char* extensions, std::string_view name) {
  return extensions != nullptr && std::string_view(extensions).find(name) != std::string_view::npos;
}

std::string eglReason() {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "EGL error %#x", static_cast<unsigned>(eglGetError()));
  return text.data();
}

/// EGL devices in the order in which they should be tried: the wanted CUDA device, then hardware, then software. With
/// `software`, only software devices.
std::vector<EGLDeviceEXT> devices(const OffscreenOptions& options) {
  const auto query = eglFunction<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto attribute = eglFunction<PFNEGLQUERYDEVICEATTRIBEXTPROC>("eglQueryDeviceAttribEXT");
  const auto text = eglFunction<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  std::array<EGLDeviceEXT, 64> found{};
  EGLint count = 0;
  if (query == nullptr || query(static_cast<EGLint>(found.size()), found.data(), &count) != EGL_TRUE) return {};

  struct Ranked {
    int rank;
    EGLDeviceEXT device;
  };
  std::vector<Ranked> ranked;
  for (EGLint i = 0; i < count; ++i) {
    EGLDeviceEXT device = found[static_cast<std::size_t>(i)];
    const char* extensions = text != nullptr ? text(device, EGL_EXTENSIONS) : nullptr;
    const bool software = lists(extensions, "EGL_MESA_device_software");
    if (options.software && !software) continue;
    int rank = software ? 2 : 1;
    EGLAttrib cuda = -1;
    if (options.cudaDevice && attribute != nullptr && lists(extensions, "EGL_NV_device_cuda") &&
        attribute(device, EGL_CUDA_DEVICE_NV, &cuda) == EGL_TRUE && cuda == *options.cudaDevice) {
      rank = 0;
    }
    ranked.push_back({rank, device});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
  std::vector<EGLDeviceEXT> order;
  for (const Ranked& entry : ranked) { order.push_back(entry.device); }
  return order;
}

class OffscreenContext final : public Context {
 public:
  explicit OffscreenContext(const OffscreenOptions& options) : scale_(options.contentScale) {
    std::string reasons;
    if (!open(options, reasons)) throw ContextError(trf("no OpenGL 4.3 without a display: {}", reasons));
    try {
      resize(options.width, options.height);
    } catch (...) {
      close();
      throw;
    }
  }
  ~OffscreenContext() override {
    makeCurrent();
    release();
    close();
  }

  void makeCurrent() override { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_); }
  void beginFrame() override {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width_, height_);
  }
  void endFrame() override { glFlush(); }
  void swap() override {}
  void pollEvents() override {}
  void waitEvents(double /*seconds*/) override {}
  [[nodiscard]] bool shouldClose() const override { return closing_; }
  void requestClose() override { closing_ = true; }
  [[nodiscard]] int width() const override { return width_; }
  [[nodiscard]] int height() const override { return height_; }
  [[nodiscard]] float contentScale() const override { return scale_; }
  [[nodiscard]] std::uint32_t framebuffer() const override { return framebuffer_; }
  [[nodiscard]] GLFWwindow* glfwWindow() const override { return nullptr; }

  void resize(int width, int height) override {
    if (width <= 0 || height <= 0) throw ContextError(tr("a picture needs at least one pixel"));
    if (width == width_ && height == height_) return;
    release();
    width_ = width;
    height_ = height;
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(1, &colour_);
    glGenRenderbuffers(1, &depth_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glBindRenderbuffer(GL_RENDERBUFFER, colour_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
    glBindRenderbuffer(GL_RENDERBUFFER, depth_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth_);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
      release();
      throw ContextError(trf("no framebuffer of {}x{} pixels", width, height));
    }
  }

 private:
  /// Tries every device, then Mesa's surfaceless platform. On failure appends to `reasons`.
  bool open(const OffscreenOptions& options, std::string& reasons) {
    const auto platformDisplay = eglFunction<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    if (platformDisplay == nullptr) {
      reasons = tr("this EGL is too old (no EGL_EXT_platform_base)");
      return false;
    }
    const char* clientExtensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    int tried = 0;
    if (lists(clientExtensions, "EGL_EXT_platform_device")) {
      for (EGLDeviceEXT device : devices(options)) {
        ++tried;
        if (openOn(platformDisplay(EGL_PLATFORM_DEVICE_EXT, device, nullptr), reasons)) return true;
      }
    }
    if (lists(clientExtensions, "EGL_MESA_platform_surfaceless")) {
      ++tried;
      if (openOn(platformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr), reasons)) {
        return true;
      }
    }
    if (tried == 0) reasons = tr("EGL offers no device (install libegl-mesa0 for drawing on the processor)");
    return false;
  }

  bool openOn(EGLDisplay display, std::string& reasons) {
    const auto failed = [&](const std::string& what) {
      reasons += (reasons.empty() ? "" : "; ") + what;
      return false;
    };
    EGLint major = 0;
    EGLint minor = 0;
    if (display == EGL_NO_DISPLAY || eglInitialize(display, &major, &minor) != EGL_TRUE) return failed(eglReason());
    if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return failed(tr("EGL without desktop OpenGL"));
    const std::array<EGLint, 5> surface = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                           EGL_NONE};
    EGLConfig config = nullptr;
    EGLint configs = 0;
    // A display without configurations can still have contexts (EGL_KHR_no_config_context).
    if (eglChooseConfig(display, surface.data(), &config, 1, &configs) != EGL_TRUE || configs == 0) {
      config = nullptr;
    }
    // One that says when the driver has given it up, where there is such a thing (EGL 1.5).
    struct Wanted {
      EGLint minor;
      bool reportsReset;
    };
    for (const Wanted wanted : {Wanted{5, true}, Wanted{5, false}, Wanted{3, false}}) {
      std::vector<EGLint> attributes = {EGL_CONTEXT_MAJOR_VERSION,       4,
                                        EGL_CONTEXT_MINOR_VERSION,       wanted.minor,
                                        EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT};
      if (wanted.reportsReset) {
        attributes.insert(attributes.end(),
                          {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET});
      }
      attributes.push_back(EGL_NONE);
      EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
      if (context == EGL_NO_CONTEXT) continue;
      if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE) {
        display_ = display;
        context_ = context;
        const std::string problem = adoptAndTry(eglGetProcAddress);
        if (problem.empty()) return true;
        close();
        setNote(problem);
        return failed(problem);
      }
      eglDestroyContext(display, context);
    }
    return failed(eglReason());
  }

  void release() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &colour_);
    glDeleteRenderbuffers(1, &depth_);
    framebuffer_ = colour_ = depth_ = 0;
  }

  /// Leaves the display initialised: EGL counts no users, and terminating it would end every other context on it.
  void close() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
  }

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
  GLuint framebuffer_ = 0, colour_ = 0, depth_ = 0;
  int width_ = 0, height_ = 0;
  float scale_ = 1.0F;
  bool closing_ = false;
};

}  // namespace

std::unique_ptr<Context> Context::offscreen(const OffscreenOptions& options) {
  return std::make_unique<OffscreenContext>(options);
}

}  // namespace haloscope::render
