#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>

#include "state/Exporting.h"

/// Files of what a panel shows, written outside of the frames.
namespace haloscope::exporting {

/// A picture's pixels: red, green, blue and a byte without meaning for each, top row first.
struct PictureView {
  int width = 0, height = 0;
  const std::uint8_t* rgba = nullptr;  ///< 4 * width * height
};

/// An animation that is written picture by picture, all of the same size. There is no file before finish(); one that is
/// dropped before leaves nothing. All members throw InputError, which means nothing
/// after one was asked to stop.
class Movie {
 public:
  Movie() = default;
  Movie(const Movie&) = delete;
  Movie& operator=(const Movie&) = delete;
  virtual ~Movie() = default;

  virtual void add(const PictureView& picture, const std::stop_token& stop) = 0;
  /// Whether there is a file now: not, if it was asked to stop before.
  [[nodiscard]] virtual bool finish(const std::stop_token& stop) = 0;
};

/// Its file, as the plan names it. Throws InputError if it cannot be begun, or if a video needs a program that is not
/// there.
[[nodiscard]] std::unique_ptr<Movie> beginMovie(const ExportPlan& plan);

}  // namespace haloscope::exporting
