#include "ui/widgets/Theme.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <implot.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <system_error>
#include <utility>

#include "language/Text.h"

namespace haloscope::ui {

FontFile::FontFile(const std::filesystem::path& path, int face) : face_(face) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) { return; }
  struct ::stat about{};
  if (::fstat(file, &about) == 0 && about.st_size > 0) {
    const auto size = static_cast<std::size_t>(about.st_size);
    const void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data != MAP_FAILED) { bytes_ = {static_cast<const char*>(data), size}; }
  }
  ::close(file);
}

FontFile::FontFile(FontFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})), face_(other.face_) {}

FontFile& FontFile::operator=(FontFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(face_, other.face_);
  return *this;
}

FontFile::~FontFile() {
  if (!bytes_.empty()) { ::munmap(const_cast<char*>(bytes_.data()), bytes_.size()); }  // NOLINT: only unmapped
}

namespace fs = std::filesystem;

namespace {

// Pixels of a line at scale 1. ImGui's size is that of ascender to descender, about 1.2 times the em of a style sheet.
constexpr float kSmall = 14, kBody = 16, kHeading = 19;
// JetBrains Mono spends more of its line on ascenders: enlarged, its letters are as tall as Inter's.
constexpr float kMonoEnlargement = 1.05F;

constexpr const char* kSansFile = "Inter-Regular.otf";
constexpr const char* kSansStrongFile = "Inter-SemiBold.otf";
constexpr const char* kSansItalicFile = "Inter-Italic.otf";
constexpr const char* kMonoFile = "JetBrainsMono-Regular.ttf";
// What the build cuts out of Debian's file, and that file, which has a font for each of five languages.
struct ChineseFile {
  const char* cut;
  const char* whole;
};
constexpr ChineseFile kChineseFile{"NotoSansCJKsc-Regular.otf", "NotoSansCJK-Regular.ttc"};
constexpr ChineseFile kChineseStrongFile{"NotoSansCJKsc-Bold.otf", "NotoSansCJK-Bold.ttc"};
constexpr int kSimplifiedChinese = 2;
// Noto's lines are higher than its characters: enlarged, these are a little larger than capital letters.
constexpr float kChineseEnlargement = 1.22F;
constexpr const char* kDebianFolders[] = {"/usr/share/fonts/opentype/inter", "/usr/share/fonts/truetype/inter",
                                          "/usr/share/fonts/truetype/jetbrains-mono", "/usr/share/fonts/opentype/noto"};

ImVec4 vec(ImU32 colour, float alpha = 1.0F) {
  ImVec4 v = ImGui::ColorConvertU32ToFloat4(colour);
  v.w *= alpha;
  return v;
}

// Relative luminance of WCAG 2, 0…1.
double luminance(ImU32 colour) {
  const auto channel = [&](int shift) {
    const double c = static_cast<double>(colour >> shift & 0xff) / 255;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(IM_COL32_R_SHIFT) + 0.7152 * channel(IM_COL32_G_SHIFT) + 0.0722 * channel(IM_COL32_B_SHIFT);
}

void setColours(const Palette& p, ImVec4* c) {
  const ImVec4 none(0, 0, 0, 0);
  const auto raisedMore = vec(Theme::mixed(p.panelRaised, p.text, 0.10F));
  const auto raisedMost = vec(Theme::mixed(p.panelRaised, p.text, 0.20F));
  c[ImGuiCol_Text] = vec(p.text);
  c[ImGuiCol_TextDisabled] = vec(p.textDim);
  c[ImGuiCol_WindowBg] = vec(p.panel);
  c[ImGuiCol_ChildBg] = none;
  c[ImGuiCol_PopupBg] = vec(Theme::mixed(p.panel, p.panelRaised, 0.35F));
  c[ImGuiCol_Border] = vec(p.border);
  c[ImGuiCol_BorderShadow] = none;
  c[ImGuiCol_FrameBg] = vec(Theme::mixed(p.background, p.panelRaised, 0.35F));
  c[ImGuiCol_FrameBgHovered] = vec(p.panelRaised);
  c[ImGuiCol_FrameBgActive] = raisedMore;
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = vec(p.panel);
  c[ImGuiCol_MenuBarBg] = vec(p.panel);
  c[ImGuiCol_ScrollbarBg] = none;
  c[ImGuiCol_ScrollbarGrab] = vec(p.ghost, 0.55F);
  c[ImGuiCol_ScrollbarGrabHovered] = vec(p.ghost, 0.8F);
  c[ImGuiCol_ScrollbarGrabActive] = vec(p.textDim);
  c[ImGuiCol_CheckMark] = vec(p.accent);
  c[ImGuiCol_CheckboxSelectedBg] = c[ImGuiCol_FrameBg];
  c[ImGuiCol_SliderGrab] = vec(p.accent);
  c[ImGuiCol_SliderGrabActive] = vec(Theme::mixed(p.accent, p.text, 0.35F));
  c[ImGuiCol_Button] = vec(p.panelRaised);
  c[ImGuiCol_ButtonHovered] = raisedMore;
  c[ImGuiCol_ButtonActive] = raisedMost;
  c[ImGuiCol_Header] = vec(p.accent, 0.24F);
  c[ImGuiCol_HeaderHovered] = vec(p.accent, 0.34F);
  c[ImGuiCol_HeaderActive] = vec(p.accent, 0.44F);
  c[ImGuiCol_Separator] = vec(p.border);
  c[ImGuiCol_SeparatorHovered] = c[ImGuiCol_SeparatorActive] = vec(p.accent, 0.7F);
  c[ImGuiCol_ResizeGrip] = none;
  c[ImGuiCol_ResizeGripHovered] = c[ImGuiCol_ResizeGripActive] = vec(p.accent, 0.7F);
  c[ImGuiCol_InputTextCursor] = vec(p.text);
  c[ImGuiCol_Tab] = c[ImGuiCol_TabDimmed] = none;
  c[ImGuiCol_TabHovered] = raisedMore;
  c[ImGuiCol_TabSelected] = c[ImGuiCol_TabDimmedSelected] = vec(p.panelRaised);
  c[ImGuiCol_TabSelectedOverline] = c[ImGuiCol_TabDimmedSelectedOverline] = none;
  c[ImGuiCol_DockingPreview] = vec(p.accent, 0.45F);
  c[ImGuiCol_DockingEmptyBg] = none;
  c[ImGuiCol_PlotLines] = c[ImGuiCol_PlotHistogram] = vec(p.accent);
  c[ImGuiCol_PlotLinesHovered] = c[ImGuiCol_PlotHistogramHovered] = vec(p.active);
  c[ImGuiCol_TableHeaderBg] = vec(p.panelRaised);
  c[ImGuiCol_TableBorderStrong] = c[ImGuiCol_TableBorderLight] = vec(p.border);
  c[ImGuiCol_TableRowBg] = none;
  c[ImGuiCol_TableRowBgAlt] = vec(p.panelRaised, 0.4F);
  c[ImGuiCol_TextLink] = vec(p.accent);
  c[ImGuiCol_TextSelectedBg] = vec(p.accent, 0.35F);
  c[ImGuiCol_TreeLines] = vec(p.border);
  c[ImGuiCol_DragDropTarget] = vec(p.active);
  c[ImGuiCol_DragDropTargetBg] = none;
  c[ImGuiCol_UnsavedMarker] = vec(p.text);
  c[ImGuiCol_NavCursor] = vec(p.active);
  c[ImGuiCol_NavWindowingHighlight] = vec(p.text, 0.7F);
  c[ImGuiCol_NavWindowingDimBg] = c[ImGuiCol_ModalWindowDimBg] = vec(p.background, 0.6F);
}

// Lengths at scale 1, in multiples of 4 where they are distances between things.
void setLengths(ImGuiStyle& style) {
  style.WindowPadding = {12, 8};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 4};
  style.ItemInnerSpacing = {8, 4};
  style.CellPadding = {8, 4};
  style.IndentSpacing = 16;
  style.ScrollbarSize = 12;
  style.GrabMinSize = 12;
  style.WindowRounding = 8;
  style.ChildRounding = 6;
  style.PopupRounding = 8;
  style.FrameRounding = 6;
  style.ScrollbarRounding = 6;
  style.GrabRounding = 6;
  style.TabRounding = 6;
  style.WindowBorderSize = 1;
  style.PopupBorderSize = 1;
  style.ChildBorderSize = 1;
  style.FrameBorderSize = 1;
  style.TabBorderSize = 0;
  style.TabBarBorderSize = 0;
  style.TabBarOverlineSize = 0;
  style.DockingSeparatorSize = 8;
  style.DockingNodeHasCloseButton = false;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.WindowTitleAlign = {0, 0.5F};
  style.SeparatorTextBorderSize = 1;
  style.HoverDelayNormal = 0.35F;
}

void stylePlots(const Palette& p, float scale) {
  ImPlotStyle style;
  ImVec4* c = style.Colors;
  c[ImPlotCol_FrameBg] = c[ImPlotCol_PlotBg] = c[ImPlotCol_AxisBg] = ImVec4(0, 0, 0, 0);
  c[ImPlotCol_PlotBorder] = vec(p.border);
  c[ImPlotCol_LegendBg] = vec(p.panel, 0.85F);
  c[ImPlotCol_LegendBorder] = vec(p.border);
  c[ImPlotCol_LegendText] = c[ImPlotCol_TitleText] = c[ImPlotCol_InlayText] = vec(p.text);
  c[ImPlotCol_AxisText] = vec(p.textDim);
  c[ImPlotCol_AxisGrid] = vec(p.border);
  c[ImPlotCol_AxisTick] = vec(p.ghost);
  c[ImPlotCol_AxisBgHovered] = c[ImPlotCol_AxisBgActive] = vec(p.panelRaised);
  c[ImPlotCol_Selection] = vec(p.active);
  c[ImPlotCol_Crosshairs] = vec(p.textDim);
  const auto px = [&](float x, float y) { return ImVec2(x * scale, y * scale); };
  style.PlotBorderSize = 1;
  style.MinorAlpha = 0.45F;
  style.PlotMinSize = px(60, 40);
  style.PlotPadding = px(4, 4);
  style.LabelPadding = px(4, 4);
  style.LegendPadding = px(8, 8);
  style.LegendInnerPadding = px(8, 4);
  style.LegendSpacing = px(8, 0);
  style.MousePosPadding = px(8, 8);
  style.MajorTickLen = px(4, 4);
  style.MinorTickLen = px(4, 4);
  ImPlot::GetStyle() = style;
}

}  // namespace

void Theme::apply(bool light, float scale) {
  light_ = light;
  scale_ = scale;
  palette_ = cells::paletteOf(light);
  if (sans_ == nullptr) { loadFonts(); }
  ImGuiStyle style;
  setLengths(style);
  style.ScaleAllSizes(scale);
  // A hairline stays one until a pixel is too thin to see.
  const float line = std::max(1.0F, std::floor(scale * 0.75F));
  style.WindowBorderSize = style.PopupBorderSize = style.ChildBorderSize = style.FrameBorderSize = line;
  style.FontSizeBase = textPixels(TextSize::Body);
  setColours(palette_, style.Colors);
  // ImGui reads the base size of the text at the next frame only if it is set here; assigning it is not enough.
  style._NextFrameFontSizeBase = style.FontSizeBase;
  ImGui::GetStyle() = style;
  if (ImPlot::GetCurrentContext() != nullptr) { stylePlots(palette_, scale); }
}

std::vector<fs::path> Theme::systemFonts() { return {std::begin(kDebianFolders), std::end(kDebianFolders)}; }

fs::path Theme::findFont(const std::string& file) const {
  for (const fs::path& folder : fontFolders_) {
    std::error_code error;
    if (fs::is_regular_file(folder / file, error)) { return folder / file; }
  }
  return {};
}

/// What nobody would see, or what only moves other characters: drawn as the character that a font lacks.
constexpr ImWchar kInvisible[] = {0x01,   0x08,   0x0b,   0x1f,   0x7f,   0x9f,   0x061c, 0x061c,
                                  0x200e, 0x200f, 0x2028, 0x202e, 0x2066, 0x206f, 0};

void Theme::loadFonts() {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  const auto find = [&](const char* file) {
    fs::path path = findFont(file);
    if (path.empty()) { missingFonts_.emplace_back(file); }
    return path;
  };
  const auto findChinese = [&](const ChineseFile& file) {
    const fs::path cut = findFont(file.cut);
    return cut.empty() ? FontFile(find(file.whole), kSimplifiedChinese) : FontFile(cut, 0);
  };
  chinese_ = findChinese(kChineseFile);
  chineseStrong_ = findChinese(kChineseStrongFile);
  const auto load = [&](const char* file, float enlargement, std::initializer_list<const FontFile*> chinese) {
    ImFontConfig config;
    config.ExtraSizeScale = enlargement;
    config.GlyphExcludeRanges = kInvisible;
    const fs::path path = find(file);
    ImFont* font = path.empty() ? atlas.AddFontDefault() : atlas.AddFontFromFileTTF(path.c_str(), kBody, &config);
    for (const FontFile* part : chinese) {
      if (part->bytes().empty()) { continue; }
      ImFontConfig merged;
      merged.MergeMode = true;
      merged.GlyphExcludeRanges = kInvisible;
      merged.FontDataOwnedByAtlas = false;
      merged.FontNo = part->face();
      merged.ExtraSizeScale = kChineseEnlargement;
      void* const data = const_cast<char*>(part->bytes().data());  // NOLINT: only read
      atlas.AddFontFromMemoryTTF(data, static_cast<int>(part->bytes().size()), kBody, &merged);
    }
    return font;
  };
  sans_ = load(kSansFile, 1, {&chinese_});
  sansStrong_ = load(kSansStrongFile, 1, {&chineseStrong_, &chinese_});  // the cut one lacks what is rare
  sansItalic_ = load(kSansItalicFile, 1, {&chinese_});
  mono_ = load(kMonoFile, kMonoEnlargement, {&chinese_});
}

std::string Theme::fontWarning() const {
  if (missingFonts_.empty()) { return {}; }
  return trf("fonts not found: {} (Debian: apt-get install fonts-inter fonts-jetbrains-mono fonts-noto-cjk)",
             fmt::join(missingFonts_, ", "));
}

float Theme::textPixels(TextSize size) const {
  const float pixels = size == TextSize::Small ? kSmall : size == TextSize::Body ? kBody : kHeading;
  return std::round(pixels * scale_);
}

void Theme::push(Face face, TextSize size) const { ImGui::PushFont(font(face), textPixels(size)); }

ImFont* Theme::font(Face face) const {
  switch (face) {
    case Face::Sans:
      return sans_;
    case Face::SansStrong:
      return sansStrong_;
    case Face::SansItalic:
      return sansItalic_;
    case Face::Mono:
      return mono_;
  }
  return sans_;
}

void Theme::pop() const { ImGui::PopFont(); }

ImU32 Theme::faded(ImU32 colour, float alpha) const {
  const float opacity = static_cast<float>(colour >> IM_COL32_A_SHIFT & 0xff) * std::clamp(alpha, 0.0F, 1.0F);
  return (colour & ~IM_COL32_A_MASK) | static_cast<ImU32>(std::lround(opacity)) << IM_COL32_A_SHIFT;
}

ImU32 Theme::textOn(ImU32 fill) const {
  // By the formula of WCAG 2 black and white text have the same contrast at 0.179; but on the palette's blue and red
  // white is read more easily well above that.
  constexpr double kEven = 0.25;
  return luminance(fill) > kEven ? cells::rgb(0x0E131A) : cells::rgb(0xFFFFFF);
}

}  // namespace haloscope::ui
