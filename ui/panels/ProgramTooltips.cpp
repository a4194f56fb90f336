#include "ui/panels/ProgramTooltips.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "actions/ProgramSteps.h"
#include "language/Text.h"
#include "running/LaunchVerdict.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr float kBandSide = 3;  // on both sides of a name, at scale 1

using running::ProgramEvent;
using running::ProgramLaunch;
using CallKind = ProgramColumn::Kind;

/// "the same 2 calls 17 times more"
std::string foldedText(const FoldedColumns::Item& item) {
  const std::size_t times = item.count / item.period;
  return item.period == 1 ? trf("the same call {} times more", grouped(times))
                          : trf("the same {} calls {} times more", item.period, grouped(times));
}

void drawLaunchTooltip(const ShownProgram& program, const Theme& theme, const Tooltip& tip, std::size_t index) {
  const Palette& colours = theme.colours();
  const ProgramLaunch& launch = program.run.launches[index];
  tip.title(launch.kernel);
  tip.row(tr("launch"), trf("{} of {}", grouped(index + 1), grouped(program.run.launches.size())));
  tip.row(tr("grid"), extentText(launch.configuration.grid));
  tip.row(tr("block"), extentText(launch.configuration.block));
  if (launch.configuration.dynamicSharedBytes > 0) {
    tip.row(tr("shared memory"),
            trf("{} bytes", grouped(static_cast<std::uint64_t>(launch.configuration.dynamicSharedBytes))));
  }
  if (const std::string at = hostPlaceText(launch.at); !at.empty()) { tip.row(tr("at"), at); }
  for (const auto* list : {&launch.pointers, &launch.variables}) {
    for (const running::LaunchPointer& pointer : *list) {
      const char* use = pointer.reads && pointer.writes ? tr("read and written")
                        : pointer.writes                ? tr("written")
                                                        : tr("read");
      const ImU32 colour = pointer.writes ? colours.output : colours.interior;
      tip.row(pointer.parameter, fmt::format("{} ({})", pointedText(program, pointer.place), use),
              Theme::mixed(colour, colours.text, 0.35F));
    }
  }
  for (const auto& [name, value] : launch.scalars) { tip.row(name, value); }
  const running::LaunchVerdict verdict = launchVerdict(launch);
  tip.row(tr("verdict"), verdict.text, verdict.good ? colours.good : Theme::mixed(colours.fault, colours.text, 0.3F));
  if (const std::string time = predictedText(program, launch); !time.empty()) { tip.row(tr("predicted"), time); }
  if (!launch.problem.empty()) { tip.note(launch.problem, colours.text); }
  for (const faults::Finding& finding : launch.findings) { tip.note(finding.text(), colours.text); }
}

void drawCallTooltip(const ShownProgram& program, const Theme& theme, const Tooltip& tip, std::size_t column) {
  const ProgramColumn& one = program.timeline.columns[column];
  if (const auto launch = program.timeline.launchAt(program.run, column)) {
    return drawLaunchTooltip(program, theme, tip, *launch);
  }
  tip.title(columnText(program, column), 0, Face::SansStrong);
  if (one.kind == CallKind::Print) {
    const std::size_t begin = column == 0 ? 0 : program.timeline.columns[column - 1].printed;
    tip.note(program.run.output.substr(begin, std::min<std::size_t>(one.printed - begin, 400)), theme.colours().text);
    return;
  }
  const ProgramEvent& event = program.run.events[one.event];
  if (const std::string at = hostPlaceText(event.at); !at.empty()) { tip.row(tr("at"), at); }
  if (event.error != 0) { tip.row(tr("error"), std::to_string(event.error), theme.colours().fault); }
}

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

void drawArrayTooltip(const ShownProgram& program, const Theme& theme, const ProgramRow& row) {
  const running::Allocation& one = program.run.allocations[row.allocation];
  const Tooltip tip(theme);
  tip.title(row.name);
  if (one.constant) { tip.note(tr("in constant memory")); }
  if (one.memory == host::HostMemory::Managed) { tip.note(tr("managed memory: the host can use it, too")); }
  if (one.memory == host::HostMemory::PageLocked) { tip.note(tr("memory of the host, page-locked")); }
  if (const std::string at = hostPlaceText(one.allocatedAt); !at.empty()) { tip.row(tr("allocated"), at); }
  if (row.begin < program.timeline.columns.size() && program.timeline.columns[row.begin].kind == CallKind::Allocate) {
    tip.row(tr("size"), trf("{} bytes", grouped(program.run.events[program.timeline.columns[row.begin].event].bytes)));
  }
  if (const std::string at = hostPlaceText(one.freedAt); !at.empty()) { tip.row(tr("freed"), at); }
  if (one.name.empty() && !one.freed) { tip.note(tr("not freed")); }
}

void drawColumnTooltip(const ShownProgram& program, const Theme& theme, const FoldedColumns::Item& item, bool dense) {
  const Tooltip tip(theme);
  if (item.folded()) {
    tip.title(foldedText(item), 0, Face::SansStrong);
    for (std::size_t i = 0; i < item.period; ++i) {
      tip.note(columnText(program, item.first + i), theme.colours().text);
    }
    tip.note(tr("click: open the first of them"));
    return;
  }
  drawCallTooltip(program, theme, tip, item.first);
  if (dense) { tip.note(tr("Several calls share this pixel: zoom in with the wheel.")); }
}

}  // namespace haloscope::ui
