#include "ui/panels/KernelBands.h"

#include <algorithm>

#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kBandSide = 3;  // on both sides of a name, at scale 1

}  // namespace

void KernelBands::add(const std::string& kernel, float from, float to) {
  if (!bands_.empty() && bands_.back().to == from && *bands_.back().kernel == kernel) {
    bands_.back().to = to;
  } else {
    bands_.push_back({&kernel, from, to});
  }
}

float KernelBands::limit(std::size_t band, std::size_t lanes) const {
  return band + lanes < bands_.size() ? bands_[band + lanes].from : right_;
}

std::size_t KernelBands::lanes() const {
  const FontScope font(theme_, Face::Mono, TextSize::Small);
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    const float begin = std::max(bands_[i].from, left_);
    const float room = std::max(bands_[i].to, limit(i, 1)) - begin - theme_.px(2 * kBandSide);
    const bool seen = bands_[i].to > left_ && bands_[i].from < right_;
    if (seen && textWidth(*bands_[i].kernel) > room) { return bands_.size() > 1 ? 2 : 1; }
  }
  return 1;
}

void KernelBands::draw(ImDrawList* list, float top, float line, std::size_t lanes) const {
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    drawBand(list, bands_[i], limit(i, lanes), top + static_cast<float>(i % lanes) * line, line);
  }
}

void KernelBands::drawBand(ImDrawList* list, const Band& band, float limit, float top, float line) const {
  const Palette& colours = theme_.colours();
  const FontScope font(theme_, Face::Mono, TextSize::Small);
  const float side = theme_.px(kBandSide);
  const float wide = textWidth(*band.kernel);
  const float left = std::max(band.from, left_ - theme_.px(6)), inner = std::max(left, left_) + side;
  // As wide as its launches, or as the name, if there is room.
  const float end = std::min(std::max(band.to - 1, inner + wide + side), std::max(band.to, limit) - 1);
  const float right = std::max(left + 1, std::min(end, right_ + theme_.px(6)));
  list->AddRectFilled({left, top}, {right, top + line - theme_.px(1)},
                      Theme::mixed(colours.panelRaised, colours.text, 0.06F), theme_.px(2));
  const float room = std::min(right, right_) - inner - side;
  if (room < theme_.px(14)) { return; }
  clippedTextAt(list, {inner + std::max(0.0F, (room - wide) / 2), top}, room + 1, colours.text, *band.kernel);
}

}  // namespace haloscope::ui
