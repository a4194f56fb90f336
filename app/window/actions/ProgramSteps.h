#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "running/ProgramRun.h"
#include "state/AppState.h"
#include "state/ProgramFaults.h"

/// Walking through the calls of an executed program, and what is said of them.
namespace haloscope {

/// What is wrong with the program on screen, and the way there.
struct AppState;

/// Those of the program on screen that are not among the findings of the kernel on screen.
[[nodiscard]] std::vector<ProgramFault> programFaults(const AppState& state);
/// Selects the launch that shows it, or the host's call at its place, and goes to that line of the source.
void chooseProgramFault(AppState& state, const ProgramFault& fault);
/// The same for a place of host code.
void chooseHostPlace(AppState& state, const host::HostPlace& at);

/// Whether there is a program with launches to walk through, and an opened file or the panel is on screen.
[[nodiscard]] bool programShown(const AppState& state);
/// Selects a column of the time line, and the kernel of a launch as the window's choice if it is one of the file's.
void selectColumn(AppState& state, std::size_t column);
/// Selects a launch of the program, in their order. Throws InputError if there are not so many.
void selectLaunch(AppState& state, std::size_t launch);
/// The executed program, if a file is one of its texts; else null.
[[nodiscard]] const ShownProgram* programOf(const AppState& state, const std::filesystem::path& file);
void deselectColumn(AppState& state);
/// Shows a kernel with a finding, unless the one on screen has one or the user chose what is on screen.
void showFaultyKernel(AppState& state);
/// The launch after, or before, the selected column; the first or the last one if nothing is selected.
void selectNextLaunch(AppState& state);
void selectPreviousLaunch(AppState& state);
/// The selected launch, or none.
[[nodiscard]] std::optional<std::size_t> selectedLaunch(const AppState& state);
/// The launch whose data the window shows: the selected one, else the first of the kernel on screen whose data are
/// there.
[[nodiscard]] std::optional<std::size_t> shownLaunch(const AppState& state);

/// What the executed program says of the launches of the kernels in a text, the selected launch first. Empty if it is
/// not the text that was executed.
[[nodiscard]] std::vector<opening::ExecutedLaunch> executedLaunches(const AppState& state, const WorkingCopy& copy);
/// Whether the window shows the selected launch with its own data.
[[nodiscard]] bool showsLaunchData(const AppState& state);

/// What the program printed up to and with the selected column; all of it if nothing is selected.
[[nodiscard]] std::string printedSoFar(const AppState& state);
/// The line in the text of `file` that the program is about: of the fault that was chosen, of the selected call, else
/// where the program failed; 0: there is none, or it is in another text.
[[nodiscard]] int hostLineIn(const AppState& state, const KernelFile& file);

/// "copies 16,928 bytes from the host to d_in"
[[nodiscard]] std::string columnText(const ShownProgram& program, std::size_t column);
/// "d_in + 64 bytes"; "null"
[[nodiscard]] std::string pointedText(const ShownProgram& program, const std::optional<running::DevicePlace>& place);
/// Where the host makes the call of a column: "main.cu:24"; empty if that is not known.
[[nodiscard]] std::string hostPlaceText(const host::HostPlace& place);

/// "12.3 µs on an NVIDIA T4, by its roofline"; empty where nothing can be predicted.
[[nodiscard]] std::string predictedText(const ShownProgram& program, const running::ProgramLaunch& launch);

/// How the program ended, in one sentence.
[[nodiscard]] std::string endText(const ShownProgram& program);
/// How far it has come: "compiling the host code", "executing launch 12: sweep, line 24".
[[nodiscard]] std::string progressText(const ProgramView& view);

}  // namespace haloscope
