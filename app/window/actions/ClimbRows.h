#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/Climb.h"
#include "state/AppState.h"

/// The tab of the climb as rows: the climb that the chosen variant is part of, and what each rung changed.
namespace haloscope {

/// What a rung can move, in the order of the columns.
enum class ClimbCounter : std::uint8_t { Sectors, GlobalBytes, SharedBytes, DramBytes, Registers, Occupancy, Stalls };
inline constexpr std::size_t kClimbCounters = 7;
[[nodiscard]] const char* name(ClimbCounter counter);     ///< "sectors", for the head of a column
[[nodiscard]] const char* meaning(ClimbCounter counter);  ///< a sentence

struct ClimbNumber {
  std::optional<double> value;  ///< none: not known
  std::optional<double> below;  ///< of the rung below
  std::string text;             ///< "1.25", "56 %", "–"
  std::string source;           ///< "executed by the emulator", "by formula: …"
  bool counted = true;          ///< false: a formula's

  /// value / below; nothing unless both are above zero.
  [[nodiscard]] std::optional<double> ratio() const;
};

/// How fast a rung is: its share of the best copy.
struct ClimbBar {
  double fraction = 0;
  bool recorded = false;  ///< on the GPU that is named, and not here
  std::string gpu;
  std::string problem;   ///< two bars of one GPU and one problem can be compared; empty: with none
  std::string of;        ///< "7-point float 512³: BLOCK_X 64, N 512, 0.331 ms"
  std::string tile;      ///< "tuned": where its tile comes from
  std::string tunables;  ///< "BLOCK 64 × 1 × 4": its tile; empty: not known, or of an own kernel
};

struct ClimbRow {
  std::string id, title, idea, book;
  std::string name;                   ///< as the window names it: "stencil/tiled", "heat.cu"
  bool own = false;                   ///< the user's file, below which `resembles` it stands
  bool chosen = false;                ///< on screen
  int column = 0;                     ///< of the rail: the last branch of a fork keeps that of the fork
  std::optional<std::size_t> below;   ///< the row of the rung below
  std::optional<ClimbBar> bar;        ///< none: not measured and not recorded
  std::vector<ClimbNumber> numbers;   ///< by ClimbCounter
  std::optional<ClimbCounter> moved;  ///< the one that changed by the largest factor from the rung below
  bool counting = false;              ///< numbers are still to come
  std::string problem;                ///< why it was not executed
  std::vector<std::string> shape;     ///< what its accesses look like, in words
  Bindings bindings;                  ///< with which it was counted
  std::string executedAt;             ///< the same in words
};

struct ClimbRows {
  std::string name;  ///< of the climb; empty: there is none
  std::string kind;  ///< the class of the bars, "7-point float 512³"; empty: there are none
  std::vector<ClimbRow> rows;
  std::optional<std::size_t> chosen;
  std::string ownText;  ///< what an own kernel resembles, and what the next rung would give
  std::string missing;  ///< why there is no climb, one sentence
  /// Where there is none: all that there are, by their lowest rungs.
  struct Offer {
    std::string name, lowest;
  };
  std::vector<Offer> offers;
  std::string recordedOn;  ///< GPU of the recorded bars; empty: there is none
  std::string measuredOn;  ///< ... of those measured here

  /// The two texts to compare: the rung's and that of the rung below; equal ids for the lowest rung.
  struct Difference {
    std::string below, above;
  };
  std::optional<Difference> difference;
};

/// Takes a while: the window asks for them when something has changed, see ClimbView::rows.
[[nodiscard]] ClimbRows climbRows(const AppState& state);

/// What the bar of a rung shows: measured here, else as recorded if its text is the shipped one. Null: nothing.
[[nodiscard]] const measuring::RecordedLimit* limitOf(const AppState& state, const Climb& climb,
                                                      const KernelFile& rung);
/// The bindings that a rung is executed at: those at which all can be compared, with the tile of its bar.
[[nodiscard]] Bindings rungBindings(const AppState& state, const Climb& climb, const KernelFile& rung);
/// The class of the climb that is shown: the one in which most rungs were measured here, else recorded. Empty: none
/// was.
[[nodiscard]] std::string shownClass(const AppState& state, const Climb& climb);

/// Has the window show this variant.
void chooseRung(AppState& state, const std::string& id);
/// For a key each, in the order of the rows; nothing happens at either end.
void chooseNextRung(AppState& state);
void choosePreviousRung(AppState& state);
/// Shows the chosen rung's block, to step through it.
void stepRung(AppState& state);

}  // namespace haloscope
