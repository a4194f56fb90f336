#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "actions/ProgramSteps.h"
#include "actions/ViewActions.h"
#include "faults/FindingKinds.h"
#include "language/Text.h"
#include "running/LaunchVerdict.h"
#include "ui/panels/ProgramCallSigns.h"
#include "ui/panels/ProgramFaultRow.h"
#include "ui/panels/ProgramTracks.h"
#include "ui/widgets/Panel.h"
#include "ui/widgets/Widgets.h"

/// The whole program of the opened file: the time line of its host's calls, what it printed, what is wrong with it.
namespace haloscope::ui {
namespace {

using running::ProgramLaunch;

constexpr float kThreeColumns = 900;  // width from which the words below the time line are in three columns

void paragraph(const Theme& theme, ImU32 colour, const std::string& text, Face face = Face::Sans) {
  if (text.empty()) { return; }
  ImGui::PushTextWrapPos(0);
  label(theme, colour, text, face);
  ImGui::PopTextWrapPos();
}

ImU32 faultText(const Theme& theme) { return Theme::mixed(theme.colours().fault, theme.colours().text, 0.3F); }

/// A word that can be clicked.
bool linkedWord(const Theme& theme, const char* text, const char* tip) {
  const FontScope font(theme, Face::Sans, TextSize::Small);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked =
      ImGui::InvisibleButton(text, {textWidth(text), ImGui::GetTextLineHeight()}, ImGuiButtonFlags_EnableNav);
  const bool asked = lastItemAsked();
  textAt(ImGui::GetWindowDrawList(), at, asked ? theme.colours().text : theme.colours().accent, text);
  if (asked) {
    const Tooltip tooltip(theme);
    tooltip.note(tip);
  }
  return clicked;
}

/// "executing launch 12: sweep, line 24 · 3.2 s", and a way to end it.
void drawRunning(AppState& state, const Theme& theme) {
  const ProgramView& view = state.program;
  label(theme, theme.colours().activeText, fmt::format("{} · {:.1f} s", progressText(view), view.seconds));
  ImGui::SameLine(0, theme.px(12));
  if (linkedWord(theme, tr("stop"), tr("end the program; what it has done so far stays"))) {
    state.program.cancel = true;
  }
}

std::string programCaption(const ShownProgram& program, bool times) {
  const running::ProgramRun& run = program.run;
  if (run.end == running::ProgramEnd::Rejected) { return {}; }
  const double seconds = run.compileSeconds + run.hostSeconds + run.kernelSeconds;
  const std::size_t calls = run.events.size(), launches = run.launches.size();
  const std::string counts = trn("{} call", "{} calls", calls, grouped(calls)) + " · " +
                             trn("{} launch", "{} launches", launches, grouped(launches));
  return times ? counts + " · " + trf("executed in {:.2f} s", seconds) : counts;
}

/// A small button with a triangle, which points left (-1) or right (1).
void stepButton(AppState& state, const Theme& theme, int direction, Act act, const std::string& keys,
                const char* text) {
  const float height = theme.textPixels(TextSize::Small) + theme.px(2);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{theme.px(20), height};
  ImGui::PushID(text);
  if (ImGui::InvisibleButton("step", size, ImGuiButtonFlags_EnableNav)) { act(state); }
  ImGui::PopID();
  const bool asked = lastItemAsked();
  const Palette& colours = theme.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y},
                      asked ? Theme::mixed(colours.panelRaised, colours.text, 0.12F) : colours.panelRaised,
                      theme.px(4));
  arrowAt(list, {at.x + size.x / 2, at.y + size.y / 2}, height * 0.25F, direction, colours.text);
  if (asked) {
    const Tooltip tip(theme);
    tip.row(keys, text);
  }
}

constexpr std::array kProgramKeys = {
    Shortcut{.act = toggleTab<Tab::Program>,
             .group = KeyGroup::Walk,
             .text = trMark("the program and its launches"),
             .keys = ImGuiKey_J},
    Shortcut{.act = selectNextLaunch,
             .group = KeyGroup::Walk,
             .text = trMark("next launch of the program"),
             .sign = ']',
             .repeats = true,
             .when = programShown},
    Shortcut{.act = selectPreviousLaunch,
             .group = KeyGroup::Walk,
             .text = trMark("previous launch of the program"),
             .sign = '[',
             .repeats = true,
             .when = programShown},
};

/// "◀ launch 3 of 20 ▶", and whether repetitions are folded.
void drawSteps(AppState& state, const Theme& theme) {
  const ShownProgram& program = *state.program.executed;
  const std::size_t count = program.timeline.launches.size();
  const Palette& colours = theme.colours();
  if (count > 0) {
    stepButton(state, theme, -1, selectPreviousLaunch, keyText(kProgramKeys[2]), kProgramKeys[2].text);
    ImGui::SameLine(0, theme.px(6));
    const std::string all = trf("launch {} of {}", grouped(count), grouped(count));
    const auto launch = selectedLaunch(state);
    const std::string text = launch ? trf("launch {} of {}", grouped(*launch + 1), grouped(count))
                                    : trn("{} launch", "{} launches", count, grouped(count));
    const FontScope font(theme, Face::Sans, TextSize::Small);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = textWidth(all);
    textAt(ImGui::GetWindowDrawList(), {at.x + (width - textWidth(text)) / 2, at.y + theme.px(1)},
           launch ? colours.activeText : colours.text, text);
    ImGui::Dummy({width, ImGui::GetTextLineHeight()});
    ImGui::SameLine(0, theme.px(6));
    stepButton(state, theme, 1, selectNextLaunch, keyText(kProgramKeys[1]), kProgramKeys[1].text);
  }
  if (!program.timeline.repeats.empty()) {
    if (count > 0) { ImGui::SameLine(0, theme.px(16)); }
    constexpr std::array<const char*, 2> kWords = {trMark("folded"), trMark("all calls")};
    constexpr std::array<const char*, 2> kTips = {trMark("calls that repeat take little room"),
                                                  trMark("each call has a column of its own")};
    state.program.folded = choiceRow(theme, "fold", kWords, state.program.folded ? 0 : 1, kTips) == 0;
  }
}

/// Whether the rest of the window shows the selected launch, or why not.
void drawShown(const AppState& state, const Theme& theme, const ProgramLaunch& launch) {
  const Palette& colours = theme.colours();
  if (!launch.executed) { return; }
  if (state.program.fetching) {
    paragraph(theme, colours.activeText, tr("fetching its data …"));
  } else if (!state.program.noData.empty()) {
    paragraph(theme, colours.textDim, state.program.noData);
  } else if (showsLaunchData(state)) {
    paragraph(theme, colours.activeText, tr("The window shows this launch, with its own data."));
  } else if (state.program.data != nullptr && !state.computing) {
    paragraph(
        theme, colours.textDim,
        tr("Other sizes are chosen than this launch has: sizes, arrays and their contents are not the program's."));
  }
}

/// The selected launch in words.
void drawLaunch(const AppState& state, const Theme& theme, std::size_t index) {
  const Palette& colours = theme.colours();
  const ShownProgram& program = *state.program.executed;
  const ProgramLaunch& launch = program.run.launches[index];
  paragraph(theme, colours.text,
            fmt::format("{}<<<{}, {}>>>", launch.kernel, extentText(launch.configuration.grid),
                        extentText(launch.configuration.block)),
            Face::Mono);
  std::string arguments;
  for (const running::LaunchPointer& pointer : launch.pointers) {
    arguments +=
        fmt::format("{}{} = {}", arguments.empty() ? "" : ", ", pointer.parameter, pointedText(program, pointer.place));
  }
  for (const auto& [name, value] : launch.scalars) {
    arguments += fmt::format("{}{} = {}", arguments.empty() ? "" : ", ", name, value);
  }
  paragraph(theme, colours.textDim, arguments, Face::Mono);
  drawShown(state, theme, launch);
  const running::LaunchVerdict verdict = launchVerdict(launch);
  std::string line = verdict.text;
  if (launch.executed && launch.blocks < launch.configuration.grid.count()) {
    line += trf(" · {} of {} blocks, those at the borders first", grouped(launch.blocks),
                grouped(launch.configuration.grid.count()));
  }
  paragraph(theme, verdict.good ? colours.good : faultText(theme), line);
  if (const std::string time = predictedText(program, launch); !time.empty()) {
    paragraph(theme, colours.textDim, trf("predicted: {}", time));
  }
  paragraph(theme, colours.text, launch.problem);
  for (const faults::Finding& finding : launch.findings) {
    paragraph(theme, colours.text, trf("line {}: {}", finding.where.line, finding.text()));
  }
}

void drawSelectedCall(const AppState& state, const Theme& theme) {
  const ShownProgram& program = *state.program.executed;
  if (!state.program.column) { return; }
  if (const auto launch = selectedLaunch(state)) { return drawLaunch(state, theme, *launch); }
  const std::size_t column = *state.program.column;
  const ProgramColumn& one = program.timeline.columns[column];
  const std::string at =
      one.kind == ProgramColumn::Kind::Print ? std::string() : hostPlaceText(program.run.events[one.event].at);
  paragraph(theme, theme.colours().text, columnText(program, column) + (at.empty() ? "" : " · " + at));
}

/// What is wrong with the program, and how it ended.
void drawFaults(AppState& state, const Theme& theme) {
  const ShownProgram& program = *state.program.executed;
  const Palette& colours = theme.colours();
  // How the program ended comes last, and the selected launch has told its own.
  const std::optional<std::size_t> launch = selectedLaunch(state);
  int number = 0;
  for (const ProgramFault& fault : program.faults) {
    if (!fault.isEnd && !(launch && fault.launch == launch)) { drawProgramFault(state, theme, fault, number++); }
  }
  const bool good = program.run.end == running::ProgramEnd::Exited && program.run.status == 0;
  paragraph(theme, good ? colours.textDim : faultText(theme), endText(program));
  for (const host::HostDiagnostic& problem : program.run.problems) {
    const std::string at = hostPlaceText(problem.where);
    paragraph(theme, colours.text, at.empty() ? problem.message : fmt::format("{}: {}", at, problem.message));
  }
}

void drawOutput(const AppState& state, const Theme& theme) {
  const running::ProgramRun& run = state.program.executed->run;
  const std::string output = printedSoFar(state);
  const bool all = output.size() == run.output.size();
  label(theme, theme.colours().textDim,
        run.output.empty() ? tr("It prints nothing.")
        : output.empty()   ? tr("nothing printed so far")
        : all              ? tr("printed")
                           : tr("printed so far"));
  paragraph(theme, theme.colours().text, output, Face::Mono);
  if (all && run.outputLeftOut > 0) {
    paragraph(theme, theme.colours().textDim, trf("… and {} bytes more", grouped(run.outputLeftOut)));
  }
  // What was printed last is what the selected call was preceded by.
  if (storedChanged("printed", output.size()) && !all) { ImGui::SetScrollHereY(1); }
}

/// The arrays in words, next to the rows that show them.
void drawArrays(const Theme& theme, const ShownProgram& program) {
  constexpr std::size_t kListed = 8;
  const std::vector<ProgramRow>& rows = program.timeline.rows;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoPadOuterX;
  constexpr std::array kColumns = {trMark("array"), trMark("bytes"), trMark("made"), trMark("freed")};
  const Palette& colours = theme.colours();
  if (rows.empty()) { return; }
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(theme.px(5), 0));
  const bool begun = ImGui::BeginTable("arrays", static_cast<int>(kColumns.size()), kFlags);
  ImGui::PopStyleVar();
  if (!begun) { return; }
  const auto cell = [&](const std::string& text, ImU32 colour, Face face = Face::Sans) {
    ImGui::TableNextColumn();
    label(theme, colour, text, face);
  };
  const auto lineText = [](const host::HostPlace& at) {
    return at.line == 0 ? std::string() : trf("line {}", at.line);
  };
  for (const char* column : kColumns) { cell(tr(column), colours.textDim); }
  for (std::size_t i = 0; i < std::min(rows.size(), kListed); ++i) {
    const running::Allocation& one = program.run.allocations[rows[i].allocation];
    const bool own = one.name.empty();  // not a variable of the program
    const std::string freed = lineText(one.freedAt);
    cell(rows[i].name, colours.text, Face::Mono);
    cell(grouped(one.size), colours.text);
    cell(own ? lineText(one.allocatedAt) : tr("variable"), own ? colours.text : colours.textDim);
    cell(!own ? "" : !freed.empty() ? freed : one.freed ? tr("yes") : tr("never"), colours.text);
  }
  ImGui::EndTable();
  if (rows.size() > kListed) { label(theme, colours.textDim, trf("and {} more", rows.size() - kListed)); }
  ImGui::Dummy({0, theme.px(4)});
}

template <typename Content>
void drawChild(const char* id, ImVec2 size, Content content) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  if (ImGui::BeginChild(id, size, ImGuiChildFlags_NavFlattened)) { content(); }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void drawExecuted(AppState& state, const Theme& theme) {
  const ShownProgram& program = *state.program.executed;
  notice(theme, program.run.sizesText);
  drawSteps(state, theme);
  const float room = ImGui::GetContentRegionAvail().y;
  const ProgramTracksHeight height = programTracksHeight(state, theme);
  // The larger half is for the legend and the words; many arrays are scrolled.
  const float share = room * 0.45F;
  const float tracks = std::clamp(share, std::min(height.least, share), height.most);
  drawChild("tracks", {0, tracks}, [&] { drawProgramTracks(state, theme, tracks); });
  drawProgramLegend(state, theme);
  ImGui::Dummy({0, theme.px(2)});
  // Where there is room the arrays are beside what was printed, else above it.
  const float gap = theme.px(12);
  const float width = ImGui::GetContentRegionAvail().x - gap;
  const bool three = width > theme.px(kThreeColumns) && !program.timeline.rows.empty();
  drawChild("calls", {width * (three ? 0.42F : 0.55F), 0}, [&] {
    drawSelectedCall(state, theme);
    drawFaults(state, theme);
  });
  ImGui::SameLine(0, gap);
  if (three) {
    drawChild("arrays", {width * 0.24F, 0}, [&] { drawArrays(theme, program); });
    ImGui::SameLine(0, gap);
  }
  drawChild("output", {0, 0}, [&] {
    if (!three) { drawArrays(theme, program); }
    drawOutput(state, theme);
  });
}

/// Why there is no program, and the way to one: in the middle of the panel.
void drawNoProgram(AppState& state, const Theme& theme) {
  const std::string open = trf("Open a .cu file … ({})", keyText(openFileDialog));
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float left = ImGui::GetCursorPosX();
  const auto centre = [&](float width) { ImGui::SetCursorPosX(left + std::max(0.0F, (room.x - width) / 2)); };
  ImGui::Dummy({0, room.y * 0.25F});
  const FontScope font(theme, Face::Sans, TextSize::Body);
  centre(textWidth(state.program.missing));
  ImGui::PushTextWrapPos(0);
  label(theme, theme.colours().textDim, state.program.missing, Face::Sans, TextSize::Body);
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, theme.px(6)});
  centre(textWidth(open) + 2 * ImGui::GetStyle().FramePadding.x);
  if (ImGui::Button((open + "###open").c_str())) { openFileDialog(state); }
}

void drawProgram(AppState& state, const Theme& theme, const PanelTools&) {
  const ProgramView& view = state.program;
  const ShownProgram* const program = view.executed.get();
  panelHeading(theme, program == nullptr ? tr("Program") : program->title,
               program == nullptr ? std::string() : programCaption(*program, state.view.ownTimes));
  if (view.running) { drawRunning(state, theme); }
  if (program == nullptr) {
    if (!view.running) { drawNoProgram(state, theme); }
    return;
  }
  if (program->timeline.columns.empty()) {
    drawFaults(state, theme);
    return;
  }
  drawExecuted(state, theme);
}

}  // namespace

extern const Panel kProgramPanel = {
    .tab = Tab::Program, .title = trMark("Program"), .draw = drawProgram, .shortcuts = kProgramKeys};

}  // namespace haloscope::ui
