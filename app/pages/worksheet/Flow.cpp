#include "worksheet/Flow.h"

namespace haloscope::worksheet {

std::vector<PlacedPage> paginate(const Pieces& pieces, double height) {
  std::vector<PlacedPage> pages;
  double y = 0;
  const auto begin = [&] {
    pages.emplace_back();
    y = 0;
  };
  const auto place = [&](const Piece& piece) {
    const double above = pages.empty() || pages.back().empty() ? 0 : piece.before;
    if (pages.empty() || y + above + piece.height > height + 0.01) {
      if (pages.empty() || !pages.back().empty()) { begin(); }
      if (piece.again) {
        pages.back().push_back({piece.again.get(), 0});
        y = piece.again->height;
      }
    } else {
      y += above;
    }
    pages.back().push_back({&piece, y});
    y += piece.height;
  };
  for (std::size_t first = 0; first < pieces.size();) {
    std::size_t end = first + 1;
    double together = pieces[first].height;
    for (; end < pieces.size() && pieces[end - 1].keepWithNext && !pieces[end].newPage; ++end) {
      together += pieces[end].before + pieces[end].height;
    }
    const bool used = !pages.empty() && !pages.back().empty();
    const double above = used ? pieces[first].before : 0;
    // Pieces that are higher together than a page are divided between any two.
    if (pages.empty() || (used && (pieces[first].newPage || (y + above + together > height && together <= height)))) {
      begin();
      if (pieces[first].again) {
        pages.back().push_back({pieces[first].again.get(), 0});
        y = pieces[first].again->height;
      }
    }
    for (; first < end; ++first) { place(pieces[first]); }
  }
  return pages;
}

}  // namespace haloscope::worksheet
