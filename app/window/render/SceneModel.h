#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "recording/BlockView.h"
#include "recording/Gate.h"
#include "render/ScenePalette.h"

/// The block's picture as data: boxes, lines, labels. Made from what the recording shows at the cursor's position;
/// independent of the kernel, of OpenGL and of pixels. One unit is the edge of a grid cell; y points up.
namespace haloscope::render {

/// The pitch from which a scene is drawn first.
inline constexpr float kHomePitch = 0.6F;

/// Opacity of cells that were loaded for nothing.
inline constexpr float kUnusedOpacity = 0.38F;

/// Share of a movement by which the last warp's cells leave after the first's; and the last thread's, where what moves
/// breaks up into a chip for each thread.
inline constexpr float kTurns = 0.35F, kChipTurns = 0.6F;

/// Share of a movement until what a thread reads has run together: then the result leaves.
inline constexpr float kGathered = 0.55F;

/// Opacity of cells that copies are on their way to.
inline constexpr float kInFlightOpacity = 0.97F;

/// What a cell of the scene represents.
struct SceneSource {
  enum class Kind : std::uint8_t { None, Carrier, Input, Output, Ghost };
  Kind kind = Kind::None;
  std::uint32_t carrier = 0;  ///< index into BlockView::carriers
  /// Index into the carrier's cells, BlockView::inputs, BlockView::outputs or SceneFacts::ghosts.
  std::uint32_t index = 0;
  bool operator==(const SceneSource&) const = default;
};

/// How long rows are folded into shorter ones below each other: as a strip they would be too thin to see. The rows of a
/// few neighbouring y stay together, as a band; the next band holds the x that follow.
struct SceneFold {
  std::int64_t first = 0;                                             ///< the x at which a band begins
  std::int64_t columns = 0;                                           ///< of a band; 0: nothing is folded
  std::int64_t top = 0;                                               ///< the lowest y
  std::int64_t stride = 1;                                            ///< rows from band to band
  std::int64_t firstBand = std::numeric_limits<std::int64_t>::min();  ///< also takes what lies before it: its halo
  std::int64_t lastBand = std::numeric_limits<std::int64_t>::max();   ///< likewise, after it

  [[nodiscard]] std::int64_t bandOf(std::int64_t x) const;
  /// Where a grid point lies: {z, row, column}; itself where nothing is folded.
  [[nodiscard]] recording::GridPoint operator()(const recording::GridPoint& at) const;
};

enum class SceneStyle : std::uint8_t {
  Solid,    ///< a lit box with an edge around each cell
  Outline,  ///< the edges of its cells alone
  Frame,    ///< its own border alone
  Arrow,    ///< of a legend: lines, no box
};

/// A box of cells in a plane: one cell, or a stretch of cells that look the same.
struct SceneBox {
  glm::vec3 low{0}, high{0};  ///< corners
  glm::vec3 travel{0};        ///< where it comes from while the step's movement plays: displacement at its beginning
  float travelScale = 1;      ///< its size there, by its own
  SceneColour travelColour = SceneColour::Count;  ///< its colour there; Count: its own
  float turn = 0;  ///< 0…1: when it leaves, of those that move: the first to the last warp
  int cellsX = 1, cellsZ = 1;
  SceneColour colour = SceneColour::Interior;
  SceneStyle style = SceneStyle::Solid;
  float shade = 0.5F;     ///< of its value within the range of the input, 0 dark … 1 bright
  float opacity = 1;      ///< 1: as it is; less: fading into the background
  bool changed = false;   ///< written by the current step
  bool read = false;      ///< read by the current step
  bool leaves = false;    ///< what was there before the step: gone once its movement has played
  bool enclosed = false;  ///< its sides touch neighbours that move with it: they are hidden
  SceneSource::Kind kind = SceneSource::Kind::None;
  std::uint32_t carrier = 0;
  recording::GridPoint at{};    ///< of its first cell, folded
  std::uint32_t firstPick = 0;  ///< of its cells in SceneModel::picks, x fastest
};

/// A line of constant width on the screen. Widths are in pixels at scale 1; one that ends in 0 is an arrow's head.
struct SceneLine {
  glm::vec3 from{0}, to{0};
  float widthFrom = 1, widthTo = 1;
  SceneColour colour = SceneColour::Active;
  float opacity = 1;
  bool onTop = false;  ///< drawn over everything, else hidden by boxes in front of it
  bool late = false;   ///< around what is on its way: drawn once the step's movement has ended
};

/// A rectangle of the scene on which words stand: on a bench's front, on the ground before it.
struct SceneFace {
  glm::vec3 origin{0};                       ///< its upper left corner
  glm::vec3 along{1, 0, 0}, down{0, -1, 0};  ///< unit vectors: of a line of text, and to the next line
  float length = 0, height = 0;
};

/// Words on a face that belong to no plane.
struct SceneLettering {
  SceneFace face;
  std::string text;
};

/// Text next to a plane of the scene, drawn by the panel.
struct SceneLabel {
  enum class Side : std::uint8_t { Left, Right, Below };
  std::array<glm::vec3, 4> around{};  ///< corners of the plane it belongs to
  Side side = Side::Left;
  std::string text{};     ///< a name of the kernel's text
  std::string detail{};   ///< what to know about it: "shared, i = 3"
  std::string earlier{};  ///< the detail while the step's movement has not ended; empty: the same
  bool counts = false;    ///< the interval's loads, while there are any, are below it
  bool row = false;       ///< of one row among many: left out where it finds no room
  bool current = false;   ///< the row that the step is about: never left out
  bool inside = false;    ///< it has its room within the picture
  /// Where the name is engraved, with `held`, if that can be read from where the scene is looked at.
  std::optional<SceneFace> face{};
  bool faceOnly = false;         ///< beside its plane there is no room for it
  std::string held, heldBefore;  ///< the plane that lies in the slot: "i = 21"; while the step's movement has not ended
  SceneColour colour = SceneColour::Text;
};

/// The indices above one row of a strip.
struct SceneRuler {
  glm::vec3 from{0};                 ///< the upper left corner of the row's first cell; one unit further right per cell
  std::int64_t first = 0, last = 0;  /// of the row's cells: indices of the input, below zero for ghost cells
  std::int64_t aligned = 0;          ///< where not every index has room, those at multiples from this one are shown
};

/// A carrier's contents were copied into another by the current step.
struct SceneMove {
  std::uint32_t from = 0, to = 0;  ///< indices into BlockView::carriers
  bool operator==(const SceneMove&) const = default;
};

/// What the selected thread reads in a step runs into one place, and from there to where the step writes the result.
struct SceneAccumulator {
  struct Read {
    glm::vec3 from{0};
    SceneColour colour = SceneColour::Interior;
  };
  std::vector<Read> reads{};        ///< in the order of the recording
  glm::vec3 at{0};                  ///< where they run
  std::optional<glm::vec3> cell{};  ///< that the step writes
  std::string name;                 ///< of what has the value: a variable, or the element that it goes straight to
  std::string before, after;        ///< its value; before: empty where there was none, or no variable has it
};

/// What the block's threads have loaded from global memory in the current barrier interval.
struct SceneLoads {
  std::uint64_t before = 0;           ///< by the step
  std::vector<std::uint32_t> ofWarp;  ///< in the step
};

/// A colour that occurs, and its word.
struct SceneLegendEntry {
  SceneColour colour = SceneColour::Interior;
  SceneStyle style = SceneStyle::Solid;
  float opacity = 1;
  std::string word;
};

/// How a picture keeps clear of what covers its lower left and upper right corners.
enum class SceneClear : std::uint8_t {
  Corners,  ///< it leaves them free
  Beside,   ///< it lies between them, as high as the room
  Above,    ///< it lies above the one and beside the other
};

/// SceneBox::turn of what a warp moves.
[[nodiscard]] float turnOf(std::size_t warp, std::size_t warps);

struct SceneModel {
  std::vector<SceneBox> boxes;  ///< solid ones first, the highest first among them: they hide others
  std::vector<SceneLine> lines;
  std::vector<SceneLabel> labels;
  std::vector<SceneLettering> letterings;
  std::vector<SceneMove> moves;
  std::vector<SceneLegendEntry> legend;
  SceneFold fold;
  /// A 1D block is drawn as a strip: input above output, seen from straight above, with values in its cells. Such a
  /// scene is not turned. It has a ruler for each of its rows; other scenes have none.
  std::vector<SceneRuler> rulers;
  std::vector<std::uint32_t> picks;     ///< SceneSource::index of every cell of every box
  std::vector<glm::vec3> extent;        ///< points that a good framing shows; the same for all steps of a recording
  float homeYaw = 0;                    ///< radians to turn an elongated scene by, so that it fits its panel
  double low = 0, high = 0;             ///< values of the darkest and the brightest cell
  std::string title;                    ///< "three planes in shared memory"
  std::optional<recording::Gate> gate;  ///< of the current step
  std::optional<SceneAccumulator> accumulator;
  SceneLoads loads;
  float turns = kTurns;                  ///< see SceneBox::turn
  bool travels = false;                  ///< something moves: worth playing
  SceneClear clear = SceneClear::Above;  ///< see SceneSpace
  float freeAt = 0;                      ///< where its lower edge has room, 0 left … 1 right
  std::uint64_t revision = 0;            ///< differs between models with different contents; 0: never drawn from cache

  [[nodiscard]] bool isStrip() const { return !rulers.empty(); }
  /// How much of the boxes' movement is done when this share of the step's is: results wait for what is read.
  [[nodiscard]] float boxProgress(float progress) const;
  /// How far a warp's part of the movement is, 0…1.
  [[nodiscard]] float progressOf(float turn, float progress) const;
  /// Loads of the interval that have arrived by then, warp by warp.
  [[nodiscard]] std::uint64_t loadsArrived(float progress) const;
  /// What a cell of a box represents.
  [[nodiscard]] SceneSource source(const SceneBox& box, int cellX = 0, int cellZ = 0) const;
  /// Corners of a cell's upper side.
  [[nodiscard]] static std::array<glm::vec3, 4> top(const SceneBox& box, int cellX, int cellZ);
  [[nodiscard]] std::size_t count(SceneColour colour, SceneStyle style = SceneStyle::Solid) const;  ///< of cells
};

}  // namespace haloscope::render
