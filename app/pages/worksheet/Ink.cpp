#include "worksheet/Ink.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "language/Language.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "text/Printable.h"

namespace haloscope::worksheet {

namespace fs = std::filesystem;

namespace {

/// What the build puts next to the program, and where Debian has the same or more.
struct FontFile {
  const char* name;
  const char* elsewhere;
  const char* package;   // Debian's
  bool chinese = false;  // only Chinese texts need it
};
constexpr FontFile kFontFiles[] = {
    {"Inter-Regular.otf", "usr/share/fonts/opentype/inter/Inter-Regular.otf", "fonts-inter"},
    {"Inter-SemiBold.otf", "usr/share/fonts/opentype/inter/Inter-SemiBold.otf", "fonts-inter"},
    {"Inter-Italic.otf", "usr/share/fonts/opentype/inter/Inter-Italic.otf", "fonts-inter"},
    {"JetBrainsMono-Regular.ttf", "usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
     "fonts-jetbrains-mono"},
    {"JetBrainsMono-Bold.ttf", "usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Bold.ttf",
     "fonts-jetbrains-mono"},
    {"NotoSansCJKsc-Regular.otf", "usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "fonts-noto-cjk", true},
    {"NotoSansCJKsc-Bold.otf", "usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", "fonts-noto-cjk", true},
};

std::string missingText(const FontFile& file, const fs::path& folder) {
  return trf("the font {} is neither in {} nor among the system's (Debian: apt-get install {})", file.name,
             folder.string(), file.package);
}

bool addFont(FcConfig* config, const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) &&
         FcConfigAppFontAddFile(config, reinterpret_cast<const FcChar8*>(path.c_str())) == FcTrue;
}

/// Whether only the Chinese fonts have all of it.
bool hasChinese(const std::string& valid) {
  for (const char* at = valid.c_str(); *at != '\0'; at = g_utf8_next_char(at)) {
    if (g_unichar_get_script(g_utf8_get_char(at)) == G_UNICODE_SCRIPT_HAN) { return true; }
  }
  return false;
}

bool isMono(Face face) { return face == Face::Mono || face == Face::MonoStrong; }

PangoFontDescription* description(const Style& style) {
  PangoFontDescription* font = pango_font_description_new();
  pango_font_description_set_family(font,
                                    isMono(style.face) ? "JetBrains Mono,Noto Sans CJK SC" : "Inter,Noto Sans CJK SC");
  pango_font_description_set_absolute_size(font, style.size * PANGO_SCALE);
  if (style.face == Face::Strong) { pango_font_description_set_weight(font, PANGO_WEIGHT_SEMIBOLD); }
  if (style.face == Face::MonoStrong) { pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD); }
  if (style.face == Face::Italic) { pango_font_description_set_style(font, PANGO_STYLE_ITALIC); }
  return font;
}

guint16 channel(double value) { return static_cast<guint16>(std::lround(value * 65535)); }

void setColour(cairo_t* cairo, const Colour& colour) { cairo_set_source_rgb(cairo, colour.r, colour.g, colour.b); }

cairo_status_t append(void* closure, const unsigned char* bytes, unsigned count) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

struct Fonts::Parts {
  PangoFontMap* map = nullptr;
  PangoContext* context = nullptr;
  std::string noChinese;  // what is missing for it; empty: nothing
};

Fonts::Fonts(const fs::path& folder, const fs::path& system) : parts_(std::make_unique<Parts>()) {
  const std::unique_ptr<FcConfig, void (*)(FcConfig*)> config(FcConfigCreate(), FcConfigDestroy);  // the map keeps it
  for (const FontFile& file : kFontFiles) {
    if (addFont(config.get(), folder / file.name) || addFont(config.get(), system / file.elsewhere)) { continue; }
    std::string missing = missingText(file, folder);
    if (!file.chinese || language() == Language::Chinese) { throw MissingError(missing); }
    parts_->noChinese = std::move(missing);
  }
  parts_->map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
  pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(parts_->map), config.get());
  pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(parts_->map), 72);
  parts_->context = pango_font_map_create_context(parts_->map);
  pango_context_set_round_glyph_positions(parts_->context, FALSE);
  // Not the system's, on which the choice of a glyph may depend.
  pango_context_set_language(parts_->context,
                             pango_language_from_string(language() == Language::Chinese ? "zh-cn" : "en"));
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options(parts_->context, options);
  cairo_font_options_destroy(options);
}

Fonts::~Fonts() {
  if (parts_->context != nullptr) { g_object_unref(parts_->context); }
  if (parts_->map != nullptr) { g_object_unref(parts_->map); }
}

Text::Text(const Fonts& fonts, const std::vector<Run>& runs, double width)
    : layout_(pango_layout_new(fonts.parts().context), [](PangoLayout* layout) { g_object_unref(layout); }) {
  std::string text;
  PangoAttrList* attributes = pango_attr_list_new();
  const auto add = [&](PangoAttribute* attribute, std::size_t begin) {
    attribute->start_index = static_cast<guint>(begin);
    attribute->end_index = static_cast<guint>(text.size());
    pango_attr_list_insert(attributes, attribute);
  };
  for (const Run& run : runs) {
    const std::size_t begin = text.size();
    text += printableLines(run.text);
    PangoFontDescription* font = description(run.style);
    add(pango_attr_font_desc_new(font), begin);
    pango_font_description_free(font);
    const Colour& colour = run.style.colour;
    add(pango_attr_foreground_new(channel(colour.r), channel(colour.g), channel(colour.b)), begin);
    // Code shows the characters that are typed: no arrow for "->".
    if (isMono(run.style.face)) { add(pango_attr_font_features_new("calt=0, liga=0, dlig=0"), begin); }
  }
  if (!fonts.parts().noChinese.empty() && hasChinese(text)) {
    pango_attr_list_unref(attributes);
    throw MissingError(fonts.parts().noChinese);
  }
  pango_layout_set_text(layout_.get(), text.c_str(), static_cast<int>(text.size()));
  pango_layout_set_attributes(layout_.get(), attributes);
  pango_attr_list_unref(attributes);
  if (width > 0) {
    pango_layout_set_width(layout_.get(), static_cast<int>(width * PANGO_SCALE));
    pango_layout_set_wrap(layout_.get(), PANGO_WRAP_WORD_CHAR);
  }
  PangoRectangle box;
  pango_layout_get_extents(layout_.get(), nullptr, &box);
  width_ = static_cast<double>(box.x + box.width) / PANGO_SCALE;
  height_ = static_cast<double>(box.height) / PANGO_SCALE;
  baseline_ = static_cast<double>(pango_layout_get_baseline(layout_.get())) / PANGO_SCALE;
}

std::vector<Run> sentenceRuns(std::string_view text, const Style& style) {
  Style code = style;
  code.face = style.face == Face::Strong ? Face::MonoStrong : Face::Mono;
  code.size = style.size * 0.94;  // JetBrains Mono has larger letters than Inter
  std::vector<Run> runs;
  bool isCode = false;
  while (!text.empty()) {
    const std::size_t tick = text.find('`');
    // A tick without its partner is itself.
    const bool pairs = isCode || (tick != std::string_view::npos && text.find('`', tick + 1) != std::string_view::npos);
    const std::string_view piece = pairs ? text.substr(0, tick) : text;
    if (!piece.empty()) { runs.push_back({std::string(piece), isCode ? code : style}); }
    if (!pairs || tick == std::string_view::npos) { break; }
    text.remove_prefix(tick + 1);
    isCode = !isCode;
  }
  return runs;
}

void Pen::text(const Text& text, double x, double y) const {
  cairo_move_to(cairo_, x, y);
  pango_cairo_show_layout(cairo_, text.layout_.get());
}

void Pen::line(double x0, double y0, double x1, double y1, double width, const Colour& colour) const {
  setColour(cairo_, colour);
  cairo_set_line_width(cairo_, width);
  cairo_move_to(cairo_, x0, y0);
  cairo_line_to(cairo_, x1, y1);
  cairo_stroke(cairo_);
}

void Pen::fill(double x, double y, double width, double height, const Colour& colour) const {
  setColour(cairo_, colour);
  cairo_rectangle(cairo_, x, y, width, height);
  cairo_fill(cairo_);
}

void Pen::frame(double x, double y, double width, double height, double line, const Colour& colour, bool dashed) const {
  setColour(cairo_, colour);
  cairo_set_line_width(cairo_, line);
  constexpr double kDashes[] = {2, 1.5};
  if (dashed) { cairo_set_dash(cairo_, kDashes, 2, 0); }
  cairo_rectangle(cairo_, x, y, width, height);
  cairo_stroke(cairo_);
  cairo_set_dash(cairo_, nullptr, 0, 0);
}

void Pen::pattern(double x, double y, double width, double height, Pattern pattern, const Colour& colour) const {
  if (pattern == Pattern::None) { return; }
  constexpr double kGap = 3.2;
  cairo_save(cairo_);
  cairo_rectangle(cairo_, x, y, width, height);
  cairo_clip(cairo_);
  setColour(cairo_, colour);
  cairo_set_line_width(cairo_, 0.45);
  // Lines of neighbouring cells continue each other.
  if (pattern == Pattern::Dots) {
    for (double at = y + kGap / 2; at < y + height; at += kGap) {
      for (double across = x + kGap / 2; across < x + width; across += kGap) {
        cairo_rectangle(cairo_, across, at, 0.5, 0.5);
      }
    }
    cairo_fill(cairo_);
  } else {
    for (double at = std::floor((x + y) / kGap) * kGap; at < x + y + width + height; at += kGap) {
      cairo_move_to(cairo_, at - y, y);
      cairo_line_to(cairo_, at - y - height, y + height);
    }
    if (pattern == Pattern::Crossed) {
      for (double at = std::floor((x - y - height) / kGap) * kGap; at < x + width - y; at += kGap) {
        cairo_move_to(cairo_, at + y, y);
        cairo_line_to(cairo_, at + y + height, y + height);
      }
    }
    cairo_stroke(cairo_);
  }
  cairo_restore(cairo_);
}

void Pen::ring(double x, double y, double radius, double line, const Colour& colour) const {
  setColour(cairo_, colour);
  cairo_set_line_width(cairo_, line);
  cairo_new_path(cairo_);
  cairo_arc(cairo_, x, y, radius, 0, 2 * std::numbers::pi);
  cairo_stroke(cairo_);
}

void Pen::corner(double right, double top, double edge, const Colour& colour) const {
  setColour(cairo_, colour);
  cairo_move_to(cairo_, right - edge, top);
  cairo_line_to(cairo_, right, top);
  cairo_line_to(cairo_, right, top + edge);
  cairo_close_path(cairo_);
  cairo_fill(cairo_);
}

void Pen::cross(double x, double y, double edge, double width) const {
  line(x, y, x + edge, y + edge, width, kInk);
  line(x, y + edge, x + edge, y, width, kInk);
}

struct Pdf::Parts {
  std::string bytes;
  cairo_surface_t* surface = nullptr;
  cairo_t* cairo = nullptr;
};

Pdf::Pdf(double width, double height, std::int64_t seconds) : parts_(std::make_unique<Parts>()) {
  parts_->surface = cairo_pdf_surface_create_for_stream(append, &parts_->bytes, width, height);
  parts_->cairo = cairo_create(parts_->surface);
  const std::time_t time = static_cast<std::time_t>(seconds);
  const std::string date = fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", fmt::gmtime(time));
  cairo_pdf_surface_set_metadata(parts_->surface, CAIRO_PDF_METADATA_CREATE_DATE, date.c_str());
}

Pdf::~Pdf() {
  cairo_destroy(parts_->cairo);
  cairo_surface_destroy(parts_->surface);
}

void Pdf::describe(const std::string& title, const std::string& subject, const std::string& creator) {
  cairo_pdf_surface_set_metadata(parts_->surface, CAIRO_PDF_METADATA_TITLE, printable(title).c_str());
  cairo_pdf_surface_set_metadata(parts_->surface, CAIRO_PDF_METADATA_SUBJECT, printable(subject).c_str());
  cairo_pdf_surface_set_metadata(parts_->surface, CAIRO_PDF_METADATA_CREATOR, creator.c_str());
}

int Pdf::bookmark(int parent, const std::string& text, std::size_t page, double y) {
  return cairo_pdf_surface_add_outline(parts_->surface, parent, printable(text).c_str(),
                                       fmt::format("page={} pos=[0 {:.1f}]", page, y).c_str(),
                                       CAIRO_PDF_OUTLINE_FLAG_OPEN);
}

Pen Pdf::pen() const { return Pen(parts_->cairo); }

void Pdf::endPage() { cairo_show_page(parts_->cairo); }

std::string Pdf::finish() {
  cairo_surface_finish(parts_->surface);
  cairo_status_t status = cairo_surface_status(parts_->surface);
  if (status == CAIRO_STATUS_SUCCESS) { status = cairo_status(parts_->cairo); }
  // A finished surface is no error of its context.
  if (status != CAIRO_STATUS_SUCCESS && status != CAIRO_STATUS_SURFACE_FINISHED) {
    throw std::runtime_error(cairo_status_to_string(status));
  }
  return std::move(parts_->bytes);
}

}  // namespace haloscope::worksheet
