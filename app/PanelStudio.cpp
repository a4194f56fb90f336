#include "PanelStudio.h"

#include <glad/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "actions/ExportActions.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "ui/export/PanelPage.h"
#include "ui/window/PanelList.h"

namespace haloscope {

namespace {

constexpr int kMostFrames = 12;  // until a page keeps still
constexpr int kMostLayouts = 6;  // until it shows everything
constexpr int kLongestSvg = 200'000;
constexpr float kLongFrame = 1.0F;  // seconds: movements end within one frame

/// Differs between pages that look different, but for the pixels of textures.
std::uint64_t fingerprint(const ImDrawData& data) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto add = [&](const void* bytes, std::size_t size) {
    hash = (hash ^ ImHashData(bytes, size, static_cast<ImGuiID>(hash))) * 1099511628211ULL;
  };
  for (const ImDrawList* list : data.CmdLists) {
    add(list->VtxBuffer.Data, static_cast<std::size_t>(list->VtxBuffer.size_in_bytes()));
    add(list->IdxBuffer.Data, static_cast<std::size_t>(list->IdxBuffer.size_in_bytes()));
  }
  return hash;
}

/// How much of the page is out of sight, below what is seen of it.
float hiddenBelow() {
  float most = 0;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (window->Active && !window->Hidden) { most = std::max(most, window->ScrollMax.y); }
  }
  return most;
}

/// The highest page of that width.
int highest(const ExportPlan& plan, int width) {
  if (plan.format == ExportFormat::Svg) { return kLongestSvg; }
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  return std::min(static_cast<int>(most), static_cast<int>(kMostPixels / std::max(1, width)));
}

/// The pixels of a texture as PNG.
std::string pngOf(GLuint texture, bool flipped) {
  GLint width = 0;
  GLint height = 0;
  glBindTexture(GL_TEXTURE_2D, texture);
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &height);
  render::Image image(width, height);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  glBindTexture(GL_TEXTURE_2D, 0);
  if (flipped) { image.flip(); }
  return image.png();
}

}  // namespace

/// Everything between its making and its end is drawn with the studio's ImGui.
class PanelStudio::Here {
 public:
  explicit Here(const PanelStudio& studio) : imgui_(ImGui::GetCurrentContext()), implot_(ImPlot::GetCurrentContext()) {
    ImGui::SetCurrentContext(studio.imgui_);
    ImPlot::SetCurrentContext(studio.implot_);
  }
  ~Here() {
    ImGui::SetCurrentContext(imgui_);
    ImPlot::SetCurrentContext(implot_);
  }
  Here(const Here&) = delete;
  Here& operator=(const Here&) = delete;

 private:
  ImGuiContext* imgui_;
  ImPlotContext* implot_;
};

PanelStudio::PanelStudio(render::Context& main, const std::vector<std::filesystem::path>& fonts,
                         const std::filesystem::path& shaders)
    : main_(main), theme_(fonts), scenes_(shaders, main.isSoftware()) {
  ImPlotContext* const mainPlots = ImPlot::GetCurrentContext();
  imgui_ = ImGui::CreateContext();  // the window's stays the current one
  implot_ = ImPlot::CreateContext();
  ImPlot::SetCurrentContext(mainPlots);
  const Here here(*this);
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().LogFilename = nullptr;
  ImGui_ImplOpenGL3_Init("#version 430 core");
  editor_ = std::make_unique<ui::SourceEditor>();
}

PanelStudio::~PanelStudio() {
  {
    const Here here(*this);
    editor_.reset();
    ImGui_ImplOpenGL3_Shutdown();
  }
  ImPlot::DestroyContext(implot_);
  ImGui::DestroyContext(imgui_);
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &texture_);
}

void PanelStudio::makeTarget(int width, int height) {
  if (width == targetWidth_ && height == targetHeight_) { return; }
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  if (width > most || height > most) {
    throw InputError(trf("{}×{} pixels: {} draws at most {} a side", width, height, main_.rendererName(), most));
  }
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &texture_);
  targetWidth_ = width;
  targetHeight_ = height;
  glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    glBindFramebuffer(GL_FRAMEBUFFER, main_.framebuffer());
    throw InputError(trf("{}×{} pixels: {} has not enough memory for them", width, height, main_.rendererName()));
  }
}

void PanelStudio::drawFrame(AppState& state, const ExportPlan& plan) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
  io.DeltaTime = kLongFrame;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  // What shows everything has nothing to scroll.
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, plan.whole ? 0.0F : ImGui::GetStyle().ScrollbarSize);
  ui::drawPanelPage(plan.panel, state, theme_, {scenes_, *editor_});
  ImGui::PopStyleVar();
  ImGui::Render();
  // The glyphs that came up; the page itself is drawn when it keeps still.
  for (ImTextureData* glyphs : *ImGui::GetDrawData()->Textures) {
    if (glyphs->Status != ImTextureStatus_OK) { ImGui_ImplOpenGL3_UpdateTexture(glyphs); }
  }
}

void PanelStudio::draw(AppState& state, const ExportPlan& plan, render::RecordedValues* recorded) {
  const Here here(*this);
  const auto pixels = [&](int length) {
    return std::max(1, static_cast<int>(std::lround(static_cast<float>(length) * plan.scale)));
  };
  width_ = pixels(plan.width);
  height_ = pixels(plan.height);
  const float scale = plan.scale * state.view.scale;
  if (!themed_ || theme_.light() != state.view.light || theme_.scale() != scale) {
    theme_.apply(state.view.light, scale);
    if (plan.format == ExportFormat::Svg) { ui::drawSharply(ImGui::GetStyle()); }
    themed_ = true;
  }
  scenes_.setRecorded(recorded);
  layOut(state, plan);
  const auto hiddenNow = [&] { return plan.whole ? static_cast<int>(std::ceil(hiddenBelow())) : 0; };
  int hidden = hiddenNow();
  const int limit = highest(plan, width_);
  for (int layout = 1; hidden > 0 && height_ < limit && layout < kMostLayouts; ++layout) {
    height_ = std::min(limit, height_ + hidden);
    layOut(state, plan);
    const int before = hidden;
    hidden = hiddenNow();
    if (hidden == before) { break; }  // a part of fixed height shows no more on a higher page
  }
  cut_ = hidden > 0;
  if (plan.format == ExportFormat::Svg) { return; }  // that is made of the triangles
  makeTarget(width_, height_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  const ImVec4 ground = ImGui::ColorConvertU32ToFloat4(theme_.colours().panel);
  glViewport(0, 0, width_, height_);
  glClearColor(ground.x, ground.y, ground.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glBindFramebuffer(GL_FRAMEBUFFER, main_.framebuffer());
}

void PanelStudio::layOut(AppState& state, const ExportPlan& plan) {
  std::uint64_t before = 0;
  for (int frame = 0; frame < kMostFrames; ++frame) {
    drawFrame(state, plan);
    const std::uint64_t now = fingerprint(*ImGui::GetDrawData());
    if (now == before && !scenes_.moving()) { break; }
    before = now;
  }
}

ui::DrawnSvg PanelStudio::svg(const AppState& state, const ExportPlan& plan) const {
  const Here here(*this);
  ui::SvgPictures pictures{
      .scene = [&](ImTextureID texture) { return scenes_.showing(static_cast<std::uint32_t>(texture)); },
      .png = [](ImTextureID texture, bool flipped) { return pngOf(static_cast<GLuint>(texture), flipped); }};
  std::vector<std::string> words = panelCaption(state, plan.panel);
  words.insert(words.begin(), tr(ui::panelOf(plan.panel).title));
  return ui::drawnSvg(*ImGui::GetDrawData(), theme_, pictures, words);
}

render::Image PanelStudio::pixels() const {
  render::Image image(width_, height_);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, main_.framebuffer());
  return image;
}

render::Image PanelStudio::upright(render::Image pixels) {
  pixels.flip();
  for (std::size_t alpha = 3; alpha < pixels.rgba.size(); alpha += 4) { pixels.rgba[alpha] = 255; }
  return pixels;
}

}  // namespace haloscope
