#include "ui/export/SvgDocument.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "text/Html.h"

namespace haloscope::ui {

namespace {

/// "12.5", "-0.25", "3"
std::string number(float value) {
  std::string text = fmt::format("{:.2f}", std::isfinite(value) ? value : 0.0F);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') { text.pop_back(); }
  return text == "-0" ? "0" : text;
}

std::string hex(const SvgColour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

/// fill="#d7dee8" fill-opacity="0.5"
std::string paint(const char* what, const SvgColour& colour) {
  if (colour.alpha == 0) { return fmt::format(" {}=\"none\"", what); }
  std::string text = fmt::format(" {}=\"{}\"", what, hex(colour));
  if (colour.alpha < 255) {
    text += fmt::format(" {}-opacity=\"{}\"", what, number(static_cast<float>(colour.alpha) / 255));
  }
  return text;
}

/// Turned so that all of them go round in the same direction: otherwise overlapping ones would leave holes.
std::string outlineOf(std::span<const SvgPoint> corners) {
  float area = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const SvgPoint& next = corners[(i + 1) % corners.size()];
    area += corners[i].x * next.y - next.x * corners[i].y;
  }
  std::string text = "M";
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const SvgPoint& corner = corners[area < 0 ? corners.size() - 1 - i : i];
    text += fmt::format("{}{} {}", i == 0 ? "" : "L", number(corner.x), number(corner.y));
  }
  return text + "z";
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) { text += i + j <= bytes.size() ? kDigits[group >> (18 - 6 * j) & 63] : '='; }
  }
  return text;
}

}  // namespace

SvgDocument::SvgDocument(float width, float height, const std::vector<std::string>& words)
    : head_(fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                        "viewBox=\"0 0 {0} {1}\" xml:space=\"preserve\" role=\"img\">\n",
                        number(width), number(height))) {
  if (!words.empty()) { head_ += fmt::format("<title>{}</title>\n", escaped(words.front())); }
  if (words.size() > 1) {
    head_ += fmt::format("<desc>{}</desc>\n",
                         escapedLines(fmt::format("{}", fmt::join(words.begin() + 1, words.end(), "\n"))));
  }
  head_ +=
      "<style>text{white-space:pre}"
      ".s,.b,.i{font-family:Inter,'Noto Sans CJK SC',sans-serif}.b{font-weight:600}.i{font-style:italic}"
      ".m{font-family:'JetBrains Mono','Noto Sans CJK SC',monospace;font-variant-ligatures:none}</style>\n";
}

std::string SvgDocument::clipText(const std::optional<SvgBox>& clip) {
  if (!clip) { return {}; }
  auto found = std::ranges::find(clips_, *clip);
  if (found == clips_.end()) {
    definitions_ += fmt::format(
        "<clipPath id=\"c{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n", clips_.size(),
        number(clip->left), number(clip->top), number(clip->right - clip->left), number(clip->bottom - clip->top));
    found = clips_.insert(clips_.end(), *clip);
  }
  return fmt::format(" clip-path=\"url(#c{})\"", found - clips_.begin());
}

void SvgDocument::flush() {
  if (open_.empty()) { return; }
  body_ += fmt::format("<path{}{} d=\"{}\"/>\n", clipText(openClip_), paint("fill", openColour_), open_);
  open_.clear();
}

void SvgDocument::fill(std::span<const SvgPoint> corners, const SvgColour& colour, const std::optional<SvgBox>& clip) {
  if (corners.size() < 3 || colour.alpha == 0) { return; }
  // What can be seen through would look lighter where it overlaps.
  if (colour != openColour_ || clip != openClip_ || colour.alpha < 255) { flush(); }
  openColour_ = colour;
  openClip_ = clip;
  open_ += outlineOf(corners);
}

void SvgDocument::blend(const SvgBox& box, const SvgColour& from, const SvgColour& to, bool downwards,
                        const std::optional<SvgBox>& clip) {
  flush();
  const auto stop = [](const char* at, const SvgColour& colour) {
    return fmt::format("<stop offset=\"{}\" stop-color=\"{}\" stop-opacity=\"{}\"/>", at, hex(colour),
                       number(static_cast<float>(colour.alpha) / 255));
  };
  definitions_ += fmt::format("<linearGradient id=\"g{}\" x2=\"{}\" y2=\"{}\">{}{}</linearGradient>\n", blends_,
                              downwards ? 0 : 1, downwards ? 1 : 0, stop("0", from), stop("1", to));
  body_ += fmt::format("<rect{} fill=\"url(#g{})\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", clipText(clip),
                       blends_++, number(box.left), number(box.top), number(box.right - box.left),
                       number(box.bottom - box.top));
}

void SvgDocument::stroke(std::span<const SvgPoint> corners, const SvgColour& fill, const SvgColour& stroke, float width,
                         const std::optional<SvgBox>& clip) {
  if (corners.size() < 2) { return; }
  flush();
  const bool line = corners.size() == 2;
  body_ += fmt::format("<path{}{}", clipText(clip), line ? " fill=\"none\"" : paint("fill", fill));
  if (width > 0 && stroke.alpha > 0) {
    body_ += fmt::format("{} stroke-width=\"{}\" stroke-linejoin=\"round\"{}", paint("stroke", stroke), number(width),
                         line ? " stroke-linecap=\"round\"" : "");
  }
  std::string outline = outlineOf(corners);
  if (line) { outline.pop_back(); }
  body_ += fmt::format(" d=\"{}\"/>\n", outline);
}

void SvgDocument::words(const SvgWords& words, const std::optional<SvgBox>& clip) {
  if (words.text.empty() || words.colour.alpha == 0) { return; }
  flush();
  // Clipped by a group, because the words may be turned.
  const std::string group = clipText(clip);
  if (!group.empty()) { body_ += fmt::format("<g{}>", group); }
  body_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" font-size=\"{}\"{}", words.style, number(words.at.x),
                       number(words.at.y), number(words.size), paint("fill", words.colour));
  if (words.angle != 0) {
    body_ +=
        fmt::format(" transform=\"rotate({} {} {})\"", number(words.angle), number(words.at.x), number(words.at.y));
  }
  if (words.width > 0) {
    body_ += fmt::format(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", number(words.width));
  }
  body_ += fmt::format(">{}</text>{}\n", escaped(words.text), group.empty() ? "" : "</g>");
}

void SvgDocument::picture(const SvgBox& box, std::string_view png, const std::optional<SvgBox>& clip) {
  flush();
  body_ += fmt::format(
      "<image{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
      "href=\"data:image/png;base64,{}\"/>\n",
      clipText(clip), number(box.left), number(box.top), number(box.right - box.left), number(box.bottom - box.top),
      base64(png));
}

std::string SvgDocument::finish() {
  flush();
  std::string text = head_;
  if (!definitions_.empty()) { text += "<defs>\n" + definitions_ + "</defs>\n"; }
  return text + body_ + "</svg>\n";
}

}  // namespace haloscope::ui
