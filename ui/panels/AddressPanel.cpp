#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "actions/WarpAccesses.h"
#include "analysis/ElementName.h"
#include "analysis/RecordedRequest.h"
#include "language/Text.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

using analysis::kBankBytes;
using analysis::kLineBytes;
using analysis::kSectorBytes;
using analysis::RecordedRequest;

constexpr const char* kChosenAccess = "access";

/// The expression as written in the source: in_s[tz][ty][tx - 1].
std::string expressionOf(const std::string& text, const SourceRange& range) {
  std::size_t begin = 0;
  for (int line = 1; line < range.line && begin != std::string::npos; ++line) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) { ++begin; }
  }
  if (!range.valid() || begin == std::string::npos || range.endLine != range.line) { return {}; }
  const auto from = begin + static_cast<std::size_t>(std::max(range.column - 1, 0));
  const auto length = static_cast<std::size_t>(std::max(range.endColumn - range.column, 0));
  return from < text.size() ? text.substr(from, length) : std::string();
}

std::string nameOf(const AppState& state, const RecordedRequest& request) {
  const std::string expression = expressionOf(state.experiment->file.text, request.range);
  const std::string& array = state.cursor.recording().program->objects[request.object].name;
  const bool shortEnough = !expression.empty() && expression.size() < 40;
  return fmt::format("{} {}", request.store ? tr("store") : tr("load"), shortEnough ? expression : array + "[…]");
}

std::string verdictOf(const RecordedRequest& request) {
  const analysis::RequestShape& shape = request.shape;
  switch (request.space) {
    case MemorySpace::Global:
      if (analysis::isAtomic(request.lane.effect) && shape.sectors > shape.idealSectors) {
        return trf(
            "{} lanes update in {} sectors, one of 32 bytes each time; updates of one element follow one "
            "another",
            shape.lanes, shape.sectors);
      }
      if (shape.sectors == shape.idealSectors) {
        return trf("{} lanes, {} sectors of 32 bytes: fully coalesced", shape.lanes, shape.sectors);
      }
      return trf("{} lanes touch {} sectors of 32 bytes in {} lines; contiguous, they would need {}", shape.lanes,
                 shape.sectors, shape.lines, shape.idealSectors);
    case MemorySpace::Shared:
      if (analysis::isAtomic(request.lane.effect) && shape.bankDegree > 1) {
        return trf("{} lanes update words of bank {}, one after another: {} passes", shape.bankDegree,
                   request.worstBank, shape.passes);
      }
      if (shape.bankDegree < 2 && shape.passes > 1) {
        return trf("{} bytes for each lane take {} passes; no conflict within any of them", request.lane.bytes,
                   shape.passes);
      }
      if (shape.bankDegree < 2) { return tr("no two lanes need different words of one bank: no conflict"); }
      return trf("bank {} serves {} different words: {} serialised passes", request.worstBank, shape.bankDegree,
                 shape.passes);
    case MemorySpace::Constant:
      if (shape.passes < 2) { return tr("all lanes read the same element: one broadcast serves the warp"); }
      return trf("{} different elements: the accesses are serialised", shape.passes);
    case MemorySpace::Local:
      break;
  }
  return {};
}

/// Rows of 128 bytes, one cell per element: requested elements filled, the rest of their sectors tinted.
class AddressPicture {
 public:
  AddressPicture(const AppState& state, const Theme& theme, const RecordedRequest& request)
      : state_(state), theme_(theme), request_(request) {}

  void draw() const {
    const FontScope font(theme_, Face::Mono, TextSize::Small);
    const Program& program = *state_.cursor.recording().program;
    const int columns = static_cast<int>(kLineBytes) / request_.elementBytes;
    float names = 0;
    for (const std::int64_t row : request_.rows) { names = std::max(names, textWidth(nameOfRow(row))); }
    names += theme_.px(8);
    const float width = ImGui::GetContentRegionAvail().x - names - theme_.px(4);
    const float cell = std::max(std::floor(width / static_cast<float>(columns)), 3.0F);
    const float height = std::clamp(cell * 2.2F, ImGui::GetTextLineHeight(), theme_.px(28));
    // A wider gap parts the sectors; nothing parts the banks.
    const std::int64_t group = request_.space == MemorySpace::Global ? kSectorBytes : kLineBytes;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Palette& colours = theme_.colours();
    for (std::size_t r = 0; r < request_.rows.size(); ++r) {
      const float y = origin.y + static_cast<float>(r) * (height + theme_.px(3));
      textAt(list, {origin.x, y + (height - ImGui::GetTextLineHeight()) / 2}, colours.textDim,
             nameOfRow(request_.rows[r]));
      for (int c = 0; c < columns; ++c) {
        const std::int64_t address = request_.rows[r] + std::int64_t{c} * request_.elementBytes;
        const ImVec2 min{origin.x + names + static_cast<float>(c) * cell, y};
        const bool lastOfGroup = (address + request_.elementBytes) % group == 0;
        drawCell(list, theme_, min, {min.x + cell - (lastOfGroup ? 3.0F : 1.0F), min.y + height}, lookOf(address));
      }
    }
    ImGui::SetCursorScreenPos({origin.x + names, origin.y});
    const auto hovered =
        cellGridItem("addresses", {cell, height + theme_.px(3)}, columns, static_cast<int>(request_.rows.size()));
    if (hovered) {
      drawTip(program, request_.rows[static_cast<std::size_t>(*hovered / columns)] +
                           std::int64_t{*hovered % columns} * request_.elementBytes);
    }
    ImGui::SetCursorScreenPos({origin.x, ImGui::GetItemRectMax().y + theme_.px(4)});
  }

  [[nodiscard]] bool moves(std::int64_t address) const {  // in a requested sector, requested or not
    return request_.space == MemorySpace::Global && std::ranges::any_of(request_.lanes, [&](const auto& lane) {
             return request_.addressOf(lane) / kSectorBytes == address / kSectorBytes;
           });
  }

 private:
  [[nodiscard]] std::string nameOfRow(std::int64_t row) const {
    return analysis::elementName(*state_.cursor.recording().program, request_.object, row / request_.elementBytes);
  }

  [[nodiscard]] std::vector<RecordedRequest::Lane> lanesAt(std::int64_t address) const {
    std::vector<RecordedRequest::Lane> lanes;
    std::ranges::copy_if(request_.lanes, std::back_inserter(lanes),
                         [&](const auto& lane) { return request_.addressOf(lane) == address; });
    return lanes;
  }

  [[nodiscard]] CellLook lookOf(std::int64_t address) const {
    const Palette& colours = theme_.colours();
    const std::vector<RecordedRequest::Lane> lanes = lanesAt(address);
    CellLook look;
    if (lanes.empty()) {
      look.fill = theme_.faded(moves(address) ? colours.halo : colours.border, moves(address) ? 0.3F : 0.5F);
      return look;
    }
    look.fill = request_.store ? colours.output : colours.interior;
    for (const RecordedRequest::Lane& lane : lanes) {
      const auto selected = static_cast<int>(state_.selection.thread % kWarpSize);
      if ((request_.conflicting >> lane.lane & 1U) != 0) { look.fill = colours.fault; }
      if (lane.lane == selected) {
        look.outline = colours.text;
        look.strong = true;
      }
    }
    return look;
  }

  void drawTip(const Program& program, std::int64_t address) const {
    const Tooltip tip(theme_);
    tip.title(analysis::elementName(program, request_.object, address / request_.elementBytes));
    tip.row(tr("byte"), std::to_string(address));
    if (request_.space == MemorySpace::Global) {
      tip.row(tr("sector"), std::to_string(address / kSectorBytes));
    } else if (request_.space == MemorySpace::Shared) {
      tip.row(tr("bank"), std::to_string(address / kBankBytes % analysis::kBanks));
    }
    std::string lanes;
    for (const RecordedRequest::Lane& lane : lanesAt(address)) {
      lanes += fmt::format("{}{}", lanes.empty() ? "" : ", ", lane.lane);
    }
    tip.row(tr("lanes"), lanes.empty() ? moves(address) ? tr("none; transferred with its sector") : tr("none") : lanes);
  }

  const AppState& state_;
  const Theme& theme_;
  const RecordedRequest& request_;
};

void drawLegend(const Theme& theme, const RecordedRequest& request) {
  const Palette& colours = theme.colours();
  std::vector<LegendEntry> entries = {
      {request.store ? colours.output : colours.interior, request.store ? tr("stored") : tr("read")},
      {colours.text, tr("selected thread"), Swatch::Outlined}};
  if (request.space == MemorySpace::Global &&
      request.shape.sectors * kSectorBytes > static_cast<std::int64_t>(request.lanes.size()) * request.elementBytes) {
    entries.push_back({theme.faded(colours.halo, 0.3F), tr("transferred, unused")});
  }
  if (request.conflicting != 0) { entries.push_back({colours.fault, tr("bank conflict")}); }
  legend(theme, entries);
}

void drawAddresses(AppState& state, const Theme& theme, const PanelTools&) {
  const std::uint32_t warp = state.selection.thread / kWarpSize;
  panelHeading(theme, trf("Addresses of warp {}", warp), tr("rows of 128 bytes"));
  const std::vector<recording::AccessGroup> accesses =
      accessesOfWarp(state, [](MemorySpace space) { return space != MemorySpace::Local; });
  if (accesses.empty() || state.experiment == nullptr) {
    const FontScope font(theme, Face::Sans, TextSize::Small);
    ImGui::PushStyleColor(ImGuiCol_Text, theme.colours().textDim);
    ImGui::TextWrapped("%s", tr("This warp accesses no memory in this step. Go to a statement that loads or stores."));
    ImGui::PopStyleColor();
    return;
  }
  const recording::Recording& recording = state.cursor.recording();
  const int wanted = storedInt(kChosenAccess, -1);
  const int chosen = wanted < 0 ? static_cast<int>(costliestAccess(recording, accesses))
                                : std::min(wanted, static_cast<int>(accesses.size()) - 1);
  const RecordedRequest request = analysis::requestOf(recording, accesses[static_cast<std::size_t>(chosen)]);
  {
    const FontScope font(theme, Face::Mono, TextSize::Small);
    ImGui::SetNextItemWidth(-1);
    const std::string shown = fmt::format("{}/{}  {}", chosen + 1, accesses.size(), nameOf(state, request));
    if (ImGui::BeginCombo("##access", shown.c_str(), ImGuiComboFlags_HeightLarge)) {
      for (int i = 0; i < static_cast<int>(accesses.size()); ++i) {
        const RecordedRequest other = analysis::requestOf(recording, accesses[static_cast<std::size_t>(i)]);
        const std::string name = fmt::format("{}/{}  {}", i + 1, accesses.size(), nameOf(state, other));
        if (ImGui::Selectable(name.c_str(), i == chosen)) { store(kChosenAccess, i); }
      }
      ImGui::EndCombo();
    }
  }
  ImGui::Dummy({0, theme.px(2)});
  AddressPicture(state, theme, request).draw();
  {
    const FontScope font(theme, Face::Sans, TextSize::Small);
    ImGui::TextWrapped("%s", verdictOf(request).c_str());
  }
  drawLegend(theme, request);
}

constexpr std::array kAddressesKeys = {
    Shortcut{.act = toggleTab<Tab::Addresses, Tab::Memory>,
             .group = KeyGroup::Walk,
             .text = trMark("show addresses or memory"),
             .keys = ImGuiKey_A},
};

}  // namespace

extern const Panel kAddressesPanel = {
    .tab = Tab::Addresses, .title = trMark("Addresses"), .draw = drawAddresses, .shortcuts = kAddressesKeys};

}  // namespace haloscope::ui
