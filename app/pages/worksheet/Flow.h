#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "worksheet/Ink.h"

/// What stands below each other on a page, and where pages end.
namespace haloscope::worksheet {

/// Something that is never divided.
struct Piece {
  double height = 0;
  std::function<void(const Pen&, double x, double y)> draw{};
  double before = 0;          ///< room above it, but not at the top of a page
  bool keepWithNext = false;  ///< on one page with what follows, as far as a page is high enough
  bool newPage = false;
  std::shared_ptr<const Piece> again{};  ///< a table's head, drawn above it at the top of a page
  std::string bookmark{};                ///< in the table of contents; empty: none
  int level = 0;                         ///< of the bookmark: 0 a chapter, 1 a part of it
  std::size_t chapter = 0;
};

using Pieces = std::vector<Piece>;

struct PlacedPiece {
  const Piece* piece = nullptr;
  double y = 0;  ///< below the top of the page's text
};

using PlacedPage = std::vector<PlacedPiece>;

/// Divides pieces into pages whose text is so high. The result points into `pieces`, and into their `again`.
[[nodiscard]] std::vector<PlacedPage> paginate(const Pieces& pieces, double height);

}  // namespace haloscope::worksheet
