#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "inputs/ChosenData.h"
#include "program/Catalogue.h"

namespace haloscope {

struct AppState;

/// The playground: which problem is solved, by which kernel, and what the mouse does to it.
struct Playground {
  std::string problem;                  ///< id of the kernel whose header states it; empty: none was chosen yet
  bool entered = false;                 ///< it was on screen in the last frame
  Bindings coefficients;                ///< of the problem, as far as they were chosen
  std::size_t brush = 0;                ///< of SweptProblem::brushes
  std::size_t filter = 0;               ///< of SweptProblem::filters
  std::filesystem::path picture;        ///< in place of the generated one
  inputs::ArrayChoice pixels;           ///< of the picture, as they were read
  std::string trouble;                  ///< why the last picture was not taken
  double perSecond = 0;                 ///< see FieldControls; while the playground is on screen
  std::map<std::string, double> rates;  ///< time steps a second without a pace, by engine, as they were measured last
  std::vector<std::int64_t> ratedSize;  ///< of the field that these belong to
};

/// The kernels whose headers state a problem, in their order.
[[nodiscard]] std::vector<const KernelFile*> playgroundProblems(const Catalogue& catalogue);
/// The kernels that compute the same: the problem's own, others with its definition, and for a weighted sum all of the
/// same taps and border whose weights are an array.
[[nodiscard]] std::vector<const KernelFile*> enginesOf(const Catalogue& catalogue, const KernelFile& problem);

/// The problem on screen; null: what is chosen is no engine of it.
[[nodiscard]] const KernelFile* playedProblem(const AppState& state);
/// Begins with a problem, at its own size, by its own kernel.
void startProblem(AppState& state, const std::string& id);
/// Goes on with another engine, or another value of one of the problem's coefficients or sizes.
void chooseEngine(AppState& state, const std::string& id);
void chooseCoefficient(AppState& state, const std::string& name, std::int64_t value);
[[nodiscard]] std::int64_t coefficientOf(const AppState& state, const Tunable& tunable);
void choosePlaySize(AppState& state, std::int64_t size);
/// The weights of a picture's filter, row by row, as chosen; and other ones.
[[nodiscard]] std::vector<double> chosenFilter(const AppState& state);
void chooseFilter(AppState& state, const std::vector<double>& weights);
/// A picture in place of the generated one. Playground::trouble says why it cannot be used.
void choosePicture(AppState& state, const std::filesystem::path& path);
[[nodiscard]] bool takesPictures(const AppState& state);
/// By its name, whatever it holds.
[[nodiscard]] bool isPicture(const std::filesystem::path& path);

/// Once a frame: the field's controls follow.
void followPlayground(AppState& state);

}  // namespace haloscope
