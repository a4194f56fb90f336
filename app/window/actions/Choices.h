#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "opening/KernelReading.h"
#include "state/AppState.h"
#include "state/ChoiceHistory.h"

/// The next choice when a widget or a key changes one part of it.
namespace haloscope {

/// The request for a choice of a kernel whose text is that of its file.
[[nodiscard]] opening::Request requestOf(const KernelFile& file, experiment::Choice choice);

/// The request for a choice in the window: the kernel's text as it was edited, and its launch as it was set. The
/// text is read again where the catalogue's entry is of another text or launch. Throws InputError if the catalogue has
/// no such kernel.
[[nodiscard]] opening::Request requestOf(const AppState& state, const experiment::Choice& choice);

void undoChoice(AppState& state);
void redoChoice(AppState& state);

/// The variant chosen now; nullptr when the catalogue does not know it (any more).
[[nodiscard]] const KernelFile* chosenFile(const AppState& state);
/// Of the bug lab, of an exercise or of a task in which a kernel is written, none of which is in the catalogue until it
/// is used; nullptr for any other.
[[nodiscard]] const KernelFile* taskKernel(const AppState& state, const std::string& id);
/// A variant as the window names it: an opened file by its file name, with its folder's where two have the same; others
/// by their id.
[[nodiscard]] std::string shownName(const Catalogue& catalogue, const std::string& id);
/// A name without its folder or chapter: "tiled" of "stencil/tiled".
[[nodiscard]] std::string shortName(const std::string& name);
/// As shownName, always with the ending ".cu".
[[nodiscard]] std::string shownFileName(const Catalogue& catalogue, const std::string& id);
/// The value of a size or tunable of `file` under `choice`: the chosen one or the default.
[[nodiscard]] std::int64_t chosenValue(const KernelFile& file, const experiment::Choice& choice,
                                       const std::string& name);
/// The largest value of a size that the emulator still answers while a slider is dragged; larger ones can be typed.
[[nodiscard]] std::int64_t comfortableMaximum(const KernelFile& file, const SizeParameter& size);
/// Inclusive.
struct ValueRange {
  std::int64_t least = 0, most = 0;
};
/// The values of a tunable around the chosen one with which the kernel can be launched, the others being as chosen;
/// its whole range if it cannot be launched now.
[[nodiscard]] ValueRange launchableRange(const KernelFile& file, const experiment::Choice& choice,
                                         const Tunable& tunable);
/// The grid of blocks that `choice` launches; nothing when it breaks a limit (the request will then say which).
[[nodiscard]] std::optional<Dim3> chosenGrid(const KernelFile& file, const experiment::Choice& choice);

/// Another variant: sizes and tunables that it shares keep their values, the focused block its kind of place.
[[nodiscard]] experiment::Choice withKernel(const AppState& state, const KernelFile& file);
/// Another value of a size or a tunable, clamped to its range. The focused block stays where it is if it still has the
/// same kind of place in the new grid, else it moves to one that has; where a tunable would leave no interior block to
/// look at, the sizes grow until there is one.
[[nodiscard]] experiment::Choice withValue(const KernelFile& file, const experiment::Choice& choice,
                                           const std::string& name, std::int64_t value);
/// Tells the reader that a number that was typed lies outside its range, of which the nearest one was taken.
void sayIfOutside(AppState& state, const std::string& name, std::int64_t typed, std::int64_t least, std::int64_t most);
/// The variant `by` places further in the catalogue, wrapping round.
[[nodiscard]] const KernelFile* neighbourKernel(const Catalogue& catalogue, const std::string& id, int by);

/// One block of each kind of place that the grid has, from the interior to the corners.
[[nodiscard]] std::vector<Dim3> exampleBlocks(const Dim3& grid);
/// The example of the next kind of place after that of `block`, wrapping round.
[[nodiscard]] Dim3 nextExampleBlock(const Dim3& grid, const Dim3& block);

[[nodiscard]] const char* placeName(recording::BlockPlace place);
[[nodiscard]] const char* orderName(simt::WarpOrder order);
/// "(3,4,2)", x first as in CUDA.
[[nodiscard]] std::string blockText(const Dim3& block);

/// What a key each changes in the choice; nothing happens where the kernel has no such part.
void chooseNextVariant(AppState& state);
void choosePreviousVariant(AppState& state);
void enlargeTile(AppState& state);  ///< the first tunable, by one
void shrinkTile(AppState& state);
void enlargeGrid(AppState& state);  ///< every size, by an eighth but at least by one
void shrinkGrid(AppState& state);
void chooseNextPrecision(AppState& state);
void chooseNextBlockPlace(AppState& state);  ///< interior, face, edge, corner

}  // namespace haloscope
