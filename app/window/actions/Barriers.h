#pragma once

#include <optional>
#include <string>

#include "state/AppState.h"

/// Taking barriers out of the execution, and showing the consequences: first the race that is found, then wrong outputs
/// in an order of the warps that reveals it.
namespace haloscope {

/// The line of the barrier at the cursor, or else of the next one in the text; nothing without barriers.
[[nodiscard]] std::optional<int> barrierAtCursor(const AppState& state);

/// Takes the barrier of a line out of the execution; the race that is found then comes to the front. Or puts it back:
/// with the last one, the warps run in the order they had before chooseRevealingOrder().
void toggleBarrier(AppState& state, int line);
/// Takes out the barrier at the cursor, or puts back the one that it took out before, wherever the cursor is by now. A
/// kernel without barriers is said to be one.
void toggleBarrierAtCursor(AppState& state);
/// Runs the warps in an order in which outputs are wrong, if the chosen one hides the race; the cursor goes to the
/// first read, by a thread whose output is wrong, whose value depends on that order.
void chooseRevealingOrder(AppState& state);
/// Chooses the race, or moves the cursor to that read, once what was asked for has been executed and checked. Once a
/// frame.
void followBarriers(AppState& state);

/// The race that the stage shows: the read that chooseRevealingOrder() went to, else that of the chosen finding, if it
/// is in the block on screen.
[[nodiscard]] std::optional<analysis::StagedRace> raceOnStage(const AppState& state);

/// Finds that race anew when the finding or the recording is another one. Once a frame.
void followStagedRace(AppState& state);

/// What taking barriers out does to the block on screen, in a sentence: how many outputs are wrong, or in which order
/// of the warps they are. Empty while no barrier is out.
[[nodiscard]] std::string barrierSentence(const AppState& state);
/// "with the warps in order", "with an adversarial order of the warps".
[[nodiscard]] std::string orderText(simt::WarpOrder order, std::uint64_t seed);

}  // namespace haloscope
