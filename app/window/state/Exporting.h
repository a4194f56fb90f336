#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "parts/Panels.h"

namespace haloscope {

/// What a panel is written as.
enum class ExportFormat : std::uint8_t { Png, Svg, Gif, Mp4, WebM, Csv, Json };

/// Up to the end.
inline constexpr std::size_t kToTheEnd = static_cast<std::size_t>(-1);

/// Pictures a second with which movements are smooth; a whole number of a GIF's hundredths for each.
inline constexpr double kRateOfMovements = 25;

/// Of an animation, from the first to the last: see movementOf().
struct ExportSteps {
  std::size_t first = 0, last = 0, every = 1;
  bool operator==(const ExportSteps&) const = default;
};

/// One export: a panel as a picture, as an animation, or its numbers as a table.
struct ExportPlan {
  Tab panel = Tab::Block;
  ExportFormat format = ExportFormat::Png;
  std::filesystem::path output{};
  int width = 960, height = 600;       ///< of the picture at scale 1, its caption included
  float scale = 1;                     ///< pixels for each of those
  bool whole = false;                  ///< a picture as high as what the panel has to show, up to what is possible
  std::optional<ExportSteps> steps{};  ///< of an animation; none: all
  double rate = 8;                     ///< of an animation: pictures a second
  /// Of an animation of steps: how many times as fast as in the window (Playback::speed) it is played, with its
  /// movements; none: each step is one picture, when its movement is over.
  std::optional<double> speed{};

  /// Of a picture.
  [[nodiscard]] double pixels() const { return static_cast<double>(width) * height * scale * scale; }
  [[nodiscard]] bool moves() const {
    return format == ExportFormat::Gif || format == ExportFormat::Mp4 || format == ExportFormat::WebM;
  }
  [[nodiscard]] bool isTable() const { return format == ExportFormat::Csv || format == ExportFormat::Json; }
};

/// The export of the window: what the dialog asks for, and how far it has come.
struct Exporting {
  bool dialog = false;  ///< on screen
  ExportPlan plan{};    ///< as chosen last
  bool wanted = false;  ///< consumed by the App
  bool cancel = false;  ///< likewise; `written` then says whether it came too late
  bool running = false;
  std::size_t done = 0, all = 0;    ///< pictures
  std::string problem{};            ///< why the last one failed; empty: it did not
  std::filesystem::path written{};  ///< by the last one; empty: nothing
  std::string note{};               ///< what to know about it
};

}  // namespace haloscope
