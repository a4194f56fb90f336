#include "render/Context.h"

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace haloscope::render {
namespace {

using Pixel = std::array<std::uint8_t, 4>;

OffscreenOptions small() {
  OffscreenOptions options;
  options.width = 40;
  options.height = 30;
  return options;
}

void clear(float red, float green, float blue) {
  glClearColor(red, green, blue, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

TEST(Context, DrawsWithoutADisplay) {
  const auto context = Context::offscreen(small());
  EXPECT_EQ(context->width(), 40);
  EXPECT_EQ(context->height(), 30);
  EXPECT_TRUE(context->isOffscreen());
  EXPECT_FALSE(context->rendererName().empty());
  EXPECT_FALSE(context->versionString().empty());
  context->beginFrame();
  clear(1, 0.5F, 0);
  context->endFrame();
  const Image image = context->readPixels();
  ASSERT_EQ(image.rgba.size(), 40U * 30U * 4U);
  EXPECT_EQ(image.at(0, 0), (Pixel{255, 128, 0, 255}));
  EXPECT_EQ(image.at(39, 29), (Pixel{255, 128, 0, 255}));
}

TEST(Context, IsSeenToDrawAndKeepsItsState) {
  const auto context = Context::offscreen(small());
  const auto numbers = [](GLenum what) {
    std::array<GLint, 4> found{};
    glGetIntegerv(what, found.data());
    return found;
  };
  GLuint framebuffer = 0, array = 0, buffer = 0;
  glGenFramebuffers(1, &framebuffer);
  glGenVertexArrays(1, &array);
  glGenBuffers(1, &buffer);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
  glBindVertexArray(array);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glViewport(3, 4, 25, 16);
  glClearColor(0.25F, 0.5F, 0.75F, 0.5F);
  constexpr std::array kState{GL_VIEWPORT,
                              GL_CURRENT_PROGRAM,
                              GL_VERTEX_ARRAY_BINDING,
                              GL_ARRAY_BUFFER_BINDING,
                              GL_RENDERBUFFER_BINDING,
                              GL_DRAW_FRAMEBUFFER_BINDING,
                              GL_READ_FRAMEBUFFER_BINDING};
  std::vector<std::array<GLint, 4>> before;
  for (const auto what : kState) { before.push_back(numbers(what)); }
  EXPECT_TRUE(drawsTriangles());
  EXPECT_NO_THROW(context->expectDrawing());
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
  for (std::size_t i = 0; i < kState.size(); ++i) { EXPECT_EQ(numbers(kState.at(i)), before[i]) << kState.at(i); }
  std::array<GLfloat, 4> colour{};
  glGetFloatv(GL_COLOR_CLEAR_VALUE, colour.data());
  EXPECT_EQ(colour, (std::array{0.25F, 0.5F, 0.75F, 0.5F}));
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glDeleteFramebuffers(1, &framebuffer);
  glDeleteVertexArrays(1, &array);
  glDeleteBuffers(1, &buffer);
}

TEST(Context, NoticesThatNothingIsDrawn) {
  const auto context = Context::offscreen(small());
  glEnable(GL_RASTERIZER_DISCARD);  // as near as a working OpenGL comes to one that does not
  EXPECT_FALSE(drawsTriangles());
  glDisable(GL_RASTERIZER_DISCARD);
  EXPECT_TRUE(drawsTriangles());
}

TEST(Context, ReadsTheTopRowFirst) {
  const auto context = Context::offscreen(small());
  context->beginFrame();
  clear(0, 0, 0);
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, 29, 40, 1);  // OpenGL counts from below: the top row
  clear(0, 1, 0);
  glDisable(GL_SCISSOR_TEST);
  context->endFrame();
  const Image image = context->readPixels();
  EXPECT_EQ(image.at(5, 0), (Pixel{0, 255, 0, 255}));
  EXPECT_EQ(image.at(5, 1), (Pixel{0, 0, 0, 255}));
}

TEST(Context, IsOpaqueWhateverWasDrawn) {
  const auto context = Context::offscreen(small());
  context->beginFrame();
  glClearColor(0, 0, 1, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  EXPECT_EQ(context->readPixels().at(0, 0), (Pixel{0, 0, 255, 255}));
}

TEST(Context, Resizes) {
  const auto context = Context::offscreen(small());
  context->resize(64, 16);
  context->beginFrame();
  clear(0, 0, 1);
  const Image image = context->readPixels();
  EXPECT_EQ(image.width, 64);
  EXPECT_EQ(image.height, 16);
  EXPECT_EQ(image.at(63, 15), (Pixel{0, 0, 255, 255}));
  EXPECT_THROW(context->resize(0, 10), ContextError);
}

TEST(Context, TakesTheSoftwareRendererWhenAsked) {
  OffscreenOptions options = small();
  options.software = true;
  EXPECT_TRUE(Context::offscreen(options)->isSoftware());
}

TEST(Context, TwoLiveSideBySide) {
  const auto first = Context::offscreen(small());
  const auto second = Context::offscreen(small());
  second->beginFrame();
  clear(0, 1, 0);
  first->makeCurrent();
  first->beginFrame();
  clear(1, 0, 0);
  EXPECT_EQ(first->readPixels().at(0, 0), (Pixel{255, 0, 0, 255}));
  second->makeCurrent();
  EXPECT_EQ(second->readPixels().at(0, 0), (Pixel{0, 255, 0, 255}));
}

TEST(Context, ClosesWhenAsked) {
  const auto context = Context::offscreen(small());
  EXPECT_FALSE(context->shouldClose());
  context->requestClose();
  EXPECT_TRUE(context->shouldClose());
}

/// Takes an environment variable away for a test.
class WithoutVariable {
 public:
  explicit WithoutVariable(const char* name) : name_(name) {
    if (const char* value = std::getenv(name)) { value_ = value; }
    unsetenv(name);
  }
  ~WithoutVariable() {
    if (value_) { setenv(name_, value_->c_str(), 1); }
  }
  WithoutVariable(const WithoutVariable&) = delete;
  WithoutVariable& operator=(const WithoutVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> value_;
};

TEST(Context, SaysWhyThereIsNoWindow) {
  const WithoutVariable x11("DISPLAY");
  const WithoutVariable wayland("WAYLAND_DISPLAY");
  try {
    (void)Context::window({});
    FAIL() << "a window without a display";
  } catch (const ContextError& error) {
    EXPECT_NE(std::string(error.what()).find("DISPLAY is not set"), std::string::npos);
  }
}

}  // namespace
}  // namespace haloscope::render
