#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "state/AppState.h"

/// What a user does with the findings of the kernel on screen: choose one, and go to where it happens.
namespace haloscope {

/// Of the kernel on screen; empty while nothing was checked, or while they would give a task's answer away.
[[nodiscard]] std::span<const faults::Finding> findings(const AppState& state);
[[nodiscard]] const faults::Finding* chosenFinding(const AppState& state);
/// Those whose outputs are marked: the chosen one alone, or all when none is chosen.
[[nodiscard]] std::span<const faults::Finding> shownFindings(const AppState& state);

/// Chooses a finding: its block and thread become the focused ones, and the cursor moves to where it happens as soon
/// as that block is on screen (see followFinding).
void chooseFinding(AppState& state, std::size_t index);
/// The next one (`by` 1) or the one before (-1), wrapping round.
void chooseNeighbourFinding(AppState& state, int by);
void chooseNextFinding(AppState& state);
void choosePreviousFinding(AppState& state);
/// "2 findings · 1 note", "no findings".
[[nodiscard]] std::string countedFindings(std::size_t findings, std::size_t notes);
/// Moves the cursor to the first time that the statement of a place of the finding has run, in the finding's barrier
/// interval where it has run there.
void goToPlace(AppState& state, const faults::Finding& finding, const SourceRange& where);
/// Moves the cursor to the chosen finding once its block has been executed. Once a frame.
void followFinding(AppState& state);

/// Outputs of the block on screen that faults reach: the chosen finding, or any when none is chosen. Elements of their
/// array, ascending.
[[nodiscard]] std::vector<std::int64_t> faultyCells(const AppState& state);
/// The same of the whole output array, row by row: no run goes beyond its row. Of several findings runs may overlap.
[[nodiscard]] std::vector<faults::OutputRun> faultyRuns(const AppState& state);

}  // namespace haloscope
