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
