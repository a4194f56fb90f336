#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "inputs/ChosenData.h"
#include "state/Playground.h"

/// What can be done in the playground.
namespace haloscope {

struct AppState;

/// The kernels whose headers state a problem, in their order.
[[nodiscard]] std::vector<const KernelFile*> playgroundProblems(const Catalogue& catalogue);
/// The kernels that compute the same: the problem's own, others with its definition, and for a weighted sum all of the
/// same taps and border whose weights are an array.
[[nodiscard]] std::vector<const KernelFile*> enginesOf(const Catalogue& catalogue, const KernelFile& problem);

/// The problem on screen; null: what is chosen is no engine of it.
[[nodiscard]] const KernelFile* playedProblem(const AppState& state);
/// Begins with a problem, at its own size, by its own kernel.
void startProblem(AppState& state, const std::string& id);
/// Where the playground is; none: it is not on screen.
[[nodiscard]] std::optional<PlayPlace> playPlace(const AppState& state);
/// Throws InputError for a place that names no problem, or one that the kernel does not compute.
void expectPlace(const Catalogue& catalogue, const PlayPlace& place, const std::string& kernel);
/// The playground is on screen with the chosen kernel, sizes and data as they are; where no place is given, with the
/// first problem that the kernel computes.
void resumePlay(AppState& state, const std::optional<PlayPlace>& place);
/// Goes on with another of its engines, or another value of one of the problem's coefficients or sizes.
void chooseEngine(AppState& state, const std::string& id);
void chooseCoefficient(AppState& state, const std::string& name, std::int64_t value);
[[nodiscard]] std::int64_t coefficientOf(const AppState& state, const Tunable& tunable);
void choosePlaySize(AppState& state, std::int64_t size);
/// The weights of a picture's filter, row by row, as chosen; and other ones.
[[nodiscard]] std::vector<double> chosenFilter(const AppState& state);
void chooseFilter(AppState& state, const std::vector<double>& weights);
[[nodiscard]] bool takesPictures(const AppState& state);
/// Asks for a picture in place of the generated one: Playground::dropped is read beside the frames. Where what is
/// played takes none, the first problem that does begins.
void dropPicture(AppState& state, const std::filesystem::path& path);
/// The pixels of Playground::dropped, as they were read; or why they were not. Playground::trouble says why a picture
/// cannot be used.
void takePicture(AppState& state, const inputs::ArrayChoice& pixels, const std::string& problem);
/// By its name, whatever it holds.
[[nodiscard]] bool isPicture(const std::filesystem::path& path);

/// The numbers of points along each axis that are offered for a problem, ascending.
[[nodiscard]] std::array<std::int64_t, 4> playSizes(const KernelFile& problem);

/// The playground is no longer on screen: what was chosen before it was is chosen again, unless something else was
/// chosen at once.
void leavePlayground(AppState& state);
/// Once a frame: the field's controls follow.
void followPlayground(AppState& state);

}  // namespace haloscope
