#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "experiment/Experiment.h"
#include "inputs/ChosenData.h"
#include "state/FieldStatus.h"
#include "state/Selection.h"

namespace haloscope {

/// A field that was swept a number of times without a window, and timed.
struct PlayedField {
  std::vector<std::int64_t> extents{};        ///< slowest first
  std::string gpu{};                          ///< that swept it; empty: the emulator did
  double medianMs = 0, p10Ms = 0, p90Ms = 0;  ///< of a sweep
  int samples = 0;                            ///< sweeps that were timed; 0: none
  std::string timed{};                        ///< how
  std::optional<FieldStatus::Residual> residual{};
  std::string note{};  ///< why not on the GPU, or why a sweep is no step in time; empty: neither
};

/// A problem, and how far it was solved: what sweeps alone make again, not what was painted.
struct PlayPlace {
  std::string problem;
  std::uint64_t sweeps = 0;
  bool runs = true;              ///< it is swept on from there
  std::optional<double> pace{};  ///< FieldControls::perSecond; none: the problem's
  Bindings coefficients{};       ///< of the problem, as far as they were chosen
  std::int64_t size = 0;         ///< FieldControls::size
  std::optional<bool> volume{};  ///< of a block; none: a volume
  int axis = 0;                  ///< of the slice, and where it is: 0…1
  float slice = 0.5F;
  bool operator==(const PlayPlace&) const = default;
};

/// What was on screen when the playground was entered, and comes back when it is left.
struct BesidePlay {
  experiment::Choice choice;
  std::size_t position = 0;  ///< of the cursor
  Selection selection;
  bool left = false;  ///< the playground was: cursor and selection follow when the choice's experiment is there
};

/// What was played when the playground was left, and goes on when it is entered again.
struct KeptPlay {
  experiment::Choice choice;
  PlayPlace place;
};

/// The playground: which problem is solved, by which kernel, and what the mouse does to it.
struct Playground {
  std::string problem;                  ///< id of the kernel whose header states it; empty: none was chosen yet
  bool entered = false;                 ///< it was on screen in the last frame
  Bindings coefficients;                ///< of the problem, as far as they were chosen
  std::size_t brush = 0;                ///< of SweptProblem::brushes
  std::size_t filter = 0;               ///< of SweptProblem::filters
  std::filesystem::path picture;        ///< in place of the generated one
  std::filesystem::path dropped;        ///< another picture, while it is read; empty: none
  inputs::ArrayChoice pixels;           ///< of the picture, as they were read
  std::string trouble;                  ///< why the last picture was not taken
  std::uint64_t begun = 0;              ///< counts beginnings: each has a field of its own
  std::uint64_t beginning = 0;          ///< the one whose kernel was executed last
  std::uint64_t goal = 0;               ///< sweeps that its field begins with, see FieldControls
  double perSecond = 0;                 ///< see FieldControls; while the playground is on screen
  std::map<std::string, double> rates;  ///< time steps a second without a pace, by engine, as they were measured last
  std::vector<std::int64_t> ratedSize;  ///< of the field that these belong to
  bool fits = false;                    ///< its size is to be chosen by how fast the emulator sweeps it
  std::string sizeNote;                 ///< how that came out; empty: it is the problem's, or was chosen by hand
  experiment::Choice seen;              ///< what was chosen in the last frame on screen
  std::optional<BesidePlay> beside;     ///< none: what is played was not chosen in the playground
  std::optional<KeptPlay> kept;         ///< none: nothing was played before
};

}  // namespace haloscope
