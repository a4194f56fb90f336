#include "checking/Mistakes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "language/Text.h"

namespace haloscope::checking {
namespace {

constexpr std::size_t kMostTaps = 150;  ///< hypotheses about pairs of taps grow with their square

WeightedTaps plain(const std::vector<Offset>& taps) {
  WeightedTaps terms;
  for (std::size_t t = 0; t < taps.size(); ++t) { terms.push_back({t, taps[t]}); }
  return terms;
}

Point plus(const Point& point, const Offset& offset) {
  return {point[0] + offset[0], point[1] + offset[1], point[2] + offset[2]};
}

int reach(const std::vector<Offset>& taps) {
  int radius = 0;
  for (const Offset& tap : taps) {
    for (const int d : tap) { radius = std::max(radius, std::abs(d)); }
  }
  return radius;
}

/// Calls visit(offset) for all offsets of a box of this radius over the array's axes.
void forEachOffset(std::size_t rank, int radius, const std::function<void(const Offset&)>& visit) {
  for (int z = rank > 2 ? -radius : 0; z <= (rank > 2 ? radius : 0); ++z) {
    for (int y = rank > 1 ? -radius : 0; y <= (rank > 1 ? radius : 0); ++y) {
      for (int x = -radius; x <= radius; ++x) { visit({z, y, x}); }
    }
  }
}

/// Points hold the sum of these terms.
Predict holding(const Evidence& evidence, WeightedTaps terms) {
  return [&evidence, terms = std::move(terms)](std::int64_t element) -> std::optional<Prediction> {
    return evidence.sum(element, terms);
  };
}

/// Points hold what they should and something more.
Predict withSurplus(const Evidence& evidence, std::function<double(std::int64_t)> surplus) {
  return [&evidence, surplus = std::move(surplus)](std::int64_t element) -> std::optional<Prediction> {
    const Prediction right = evidence.expected(element);
    const double more = surplus(element);
    return Prediction{right.value + more, right.magnitude + std::abs(more)};
  };
}

/// The value of a tap's neighbour; what lies outside the array is what `outside` makes of it, if it makes anything.
using Outside = std::function<std::optional<double>(const Point& neighbour)>;

Predict withGhosts(const Evidence& evidence, Outside outside) {
  return [&evidence, outside = std::move(outside)](std::int64_t element) -> std::optional<Prediction> {
    const Point point = evidence.pointOf(element);
    Prediction made;
    for (std::size_t t = 0; t < evidence.taps().size(); ++t) {
      const Point at = plus(point, evidence.taps()[t]);
      const std::optional<double> value =
          evidence.inside(at) ? std::optional(evidence.input(evidence.elementAt(at))) : outside(at);
      if (!value) { return std::nullopt; }
      made.value += evidence.weightValue(t) * *value;
      made.magnitude += std::abs(evidence.weightValue(t) * *value);
    }
    return made;
  };
}

/// A ghost cell that takes the value of a point inside; `along` says which, for one axis.
Outside borrowed(const Evidence& evidence, std::int64_t (*along)(std::int64_t at, std::int64_t extent)) {
  return [&evidence, along](const Point& neighbour) -> std::optional<double> {
    Point inside{};
    for (std::size_t axis = 0; axis < 3; ++axis) { inside[axis] = along(neighbour[axis], evidence.extents()[axis]); }
    return evidence.inside(inside) ? std::optional(evidence.input(evidence.elementAt(inside))) : std::nullopt;
  };
}

std::int64_t clamped(std::int64_t at, std::int64_t extent) { return std::clamp<std::int64_t>(at, 0, extent - 1); }
std::int64_t wrapped(std::int64_t at, std::int64_t extent) { return (at % extent + extent) % extent; }
std::int64_t mirrored(std::int64_t at, std::int64_t extent) {
  return at < 0 ? -at : at >= extent ? 2 * (extent - 1) - at : at;
}
std::int64_t reflected(std::int64_t at, std::int64_t extent) {
  return at < 0 ? -at - 1 : at >= extent ? 2 * extent - 1 - at : at;
}

}  // namespace

std::vector<Hypothesis> borderMistakes(const Evidence& evidence) {
  std::vector<Hypothesis> found;
  const std::string& input = evidence.computes().input;
  const bool keeps = evidence.computes().border == Computes::Border::Keeps;
  const std::string should = keeps ? tr("border points should keep their value, but the kernel computes them, ")
                                   : trf("outside {} a neighbour should count as 0, but the kernel ", input);
  const auto ghosts = [&](const Outside& outside, const std::string& asKeeper, const std::string& asZero) {
    found.push_back({withGhosts(evidence, outside), should + (keeps ? asKeeper : asZero)});
  };
  if (keeps) {
    found.push_back({holding(evidence, plain(evidence.taps())), should + trf("as if {} were 0 outside", input)});
  } else {
    found.push_back({[&evidence](std::int64_t element) -> std::optional<Prediction> {
                       if (evidence.allInside(element)) { return evidence.expected(element); }
                       return evidence.sum(element, {});
                     },
                     trf("points with a neighbour outside {} should be computed too, but the kernel leaves the "
                         "input's value there",
                         input)});
    found.push_back({[&evidence](std::int64_t element) -> std::optional<Prediction> {
                       const Prediction right = evidence.expected(element);
                       if (evidence.allInside(element)) { return right; }
                       return Prediction{0, right.magnitude};
                     },
                     trf("points with a neighbour outside {} should be computed too, but the kernel writes 0 "
                         "there",
                         input)});
  }
  ghosts(borrowed(evidence, clamped), tr("with the nearest point inside for each neighbour outside"),
         tr("takes the nearest point inside (the index is clamped)"));
  ghosts(borrowed(evidence, wrapped), tr("with the opposite border for each neighbour outside"),
         tr("takes the point at the opposite border (the index wraps round)"));
  ghosts(borrowed(evidence, mirrored), tr("with mirrored points for the neighbours outside"),
         tr("takes the point mirrored at the border"));
  ghosts(borrowed(evidence, reflected), tr("with mirrored points for the neighbours outside"),
         tr("takes the point mirrored at the border's edge"));
  ghosts([](const Point&) { return std::optional(1.0); }, tr("as if the array were 1 outside"), tr("counts it as 1"));
  ghosts(
      [&evidence](const Point& neighbour) -> std::optional<double> {
        const std::int64_t element = evidence.elementAt(neighbour);
        const Point& extents = evidence.extents();
        if (element < 0 || element >= extents[0] * extents[1] * extents[2]) { return 0.0; }
        return evidence.input(element);
      },
      tr("with the end of another row for each neighbour outside"),
      tr("takes the end of another row: one of the bounds is not checked"));
  found.push_back({[&evidence](std::int64_t element) -> std::optional<Prediction> {
                     const Point point = evidence.pointOf(element);
                     double all = 0;
                     double used = 0;
                     for (std::size_t t = 0; t < evidence.taps().size(); ++t) {
                       const double weight = evidence.weightValue(t);
                       all += weight;
                       if (evidence.inside(plus(point, evidence.taps()[t]))) { used += weight; }
                     }
                     if (used == 0) { return std::nullopt; }
                     const Prediction sum = evidence.sum(element, plain(evidence.taps()));
                     return Prediction{sum.value * all / used, sum.magnitude * std::abs(all / used)};
                   },
                   should + trf("{} the sum by the weights that lie inside", keeps ? tr("dividing") : tr("divides"))});
  return found;
}

std::vector<Hypothesis> haloMistakes(const Evidence& evidence, const Dim3& block) {
  std::vector<Hypothesis> found;
  const Point edge{block.z, block.y, block.x};
  const int radius = reach(evidence.taps());
  const std::string within = trf("only points within {} of the edges of blocks are wrong: ", radius);
  // `counts`: whether a point counts as 0, by the axes along which it lies in another block.
  const auto add = [&](const std::function<bool(const std::array<bool, 3>&)>& counts, const std::string& what) {
    found.push_back({[&evidence, edge, counts](std::int64_t element) -> std::optional<Prediction> {
                       if (evidence.computes().border == Computes::Border::Keeps && !evidence.allInside(element)) {
                         return evidence.expected(element);
                       }
                       const Point point = evidence.pointOf(element);
                       WeightedTaps terms;
                       for (std::size_t t = 0; t < evidence.taps().size(); ++t) {
                         const Point at = plus(point, evidence.taps()[t]);
                         std::array<bool, 3> beyond{};
                         for (std::size_t axis = 0; axis < 3; ++axis) {
                           beyond[axis] = edge[axis] > 1 && at[axis] / edge[axis] != point[axis] / edge[axis];
                         }
                         if (!counts(beyond)) { terms.push_back({t, evidence.taps()[t]}); }
                       }
                       if (terms.empty()) { return Prediction{}; }
                       return evidence.sum(element, terms);
                     },
                     within + what});
  };
  const auto isBeyond = [](const std::array<bool, 3>& beyond) { return std::ranges::count(beyond, true) > 0; };
  const auto isDiagonal = [](const std::array<bool, 3>& beyond) { return std::ranges::count(beyond, true) > 1; };
  add(isBeyond, tr("they take 0 for the points of neighbouring blocks, as if the halo of the tile were not loaded"));
  if (evidence.rank() < 2) { return found; }
  add(isDiagonal,
      tr("they take 0 for the points of blocks across a corner, as if the corners of the tile's halo were not loaded"));
  const std::array<const char*, 3> names{"z", "y", "x"};
  for (std::size_t axis = 3 - evidence.rank(); axis < 3; ++axis) {
    add([axis](const std::array<bool, 3>& beyond) { return beyond[axis]; },
        trf("they take 0 for the points of neighbouring blocks along {}, as if the halo of the tile were not "
            "loaded there",
            names[axis]));
  }
  return found;
}

std::vector<Hypothesis> filterMistakes(const Evidence& evidence) {
  std::vector<Hypothesis> found;
  const std::vector<Offset>& taps = evidence.taps();
  const auto moved = [&](const std::function<Offset(const Offset&)>& move) {
    WeightedTaps terms = plain(taps);
    for (WeightedTap& term : terms) { term.offset = move(term.offset); }
    return holding(evidence, terms);
  };
  const std::string weights = evidence.computes().filterName();
  const bool hasRows = !evidence.computes().window.empty();
  found.push_back({moved([](const Offset& o) { return Offset{o[0], o[2], o[1]}; }),
                   hasRows ? trf("the result is right if {} is transposed: its rows are used as columns", weights)
                           : trf("the result is right if the elements of {} for the last two axes are exchanged: each "
                                 "meets a neighbour along the other axis",
                                 weights)});
  found.push_back({moved([](const Offset& o) { return Offset{-o[0], -o[1], -o[2]}; }),
                   trf("the result is right if {} is flipped: each weight meets the neighbour on the opposite "
                       "side",
                       weights)});
  if (evidence.rank() == 2) {
    found.push_back({moved([](const Offset& o) { return Offset{o[0], o[1], -o[2]}; }),
                     trf("the result is right if the rows of {} are read backwards: left and right are "
                         "exchanged",
                         weights)});
    found.push_back({moved([](const Offset& o) { return Offset{o[0], -o[1], o[2]}; }),
                     trf("the result is right if the rows of {} come in the opposite order: above and below "
                         "are exchanged",
                         weights)});
  }
  const int radius = reach(taps);
  forEachOffset(evidence.rank(), radius, [&](const Offset& shift) {
    if (shift == Offset{}) { return; }
    const auto text = evidence.neighbour(shift);
    const bool byRadius = std::all_of(shift.begin(), shift.end(), [&](int d) { return d == 0 || d == radius; });
    found.push_back({moved([&](const Offset& o) { return Offset{o[0] + shift[0], o[1] + shift[1], o[2] + shift[2]}; }),
                     trf("all taps are shifted: the filter is centred on {} instead of {}{}", text,
                         evidence.neighbour({}), byRadius ? tr("; the radius is not subtracted from the index") : "")});
  });
  if (!evidence.computes().window.empty() && evidence.rank() == 2) {
    const int width = 2 * taps.back()[2] + 1;
    for (int stride = 0; stride < 2 * width; ++stride) {
      WeightedTaps terms;
      bool inside = stride != width;
      for (std::size_t t = 0; t < taps.size(); ++t) {
        const std::size_t used = t / static_cast<std::size_t>(width) * static_cast<std::size_t>(stride) +
                                 t % static_cast<std::size_t>(width);
        inside = inside && used < taps.size();
        terms.push_back({used, taps[t]});
      }
      if (!inside) { continue; }
      found.push_back({holding(evidence, terms),
                       trf("the rows of {} lie {} elements apart, but the kernel steps by {} from row to row", weights,
                           width, stride)});
    }
  }
  return found;
}

std::vector<Hypothesis> tapMistakes(const Evidence& evidence) {
  std::vector<Hypothesis> found;
  const std::vector<Offset>& taps = evidence.taps();
  if (taps.size() > kMostTaps) { return found; }
  for (std::size_t a = 0; a < taps.size(); ++a) {
    for (std::size_t b = a + 1; b < taps.size(); ++b) {
      WeightedTaps terms = plain(taps);
      std::swap(terms[a].offset, terms[b].offset);
      found.push_back({holding(evidence, terms),
                       trf("the result is right if {} and {} are exchanged: the kernel multiplies {} by {}",
                           evidence.weight(a), evidence.weight(b), evidence.neighbour(taps[b]), evidence.weight(a)),
                       a});
    }
  }
  for (std::size_t t = 0; t < taps.size(); ++t) {
    WeightedTaps omitted = plain(taps);
    omitted.erase(omitted.begin() + static_cast<std::ptrdiff_t>(t));
    found.push_back(
        {holding(evidence, omitted), trf("{} is left out: {} * {} is missing from the sum", evidence.weight(t),
                                         evidence.weight(t), evidence.neighbour(taps[t]))});
    for (std::size_t other = 0; other < taps.size(); ++other) {
      if (other == t) { continue; }
      WeightedTaps terms = plain(taps);
      terms[t].weight = other;
      found.push_back({holding(evidence, terms),
                       trf("{} is used twice and {} never: the kernel multiplies {} by {}", evidence.weight(other),
                           evidence.weight(t), evidence.neighbour(taps[t]), evidence.weight(other)),
                       other});
    }
    forEachOffset(evidence.rank(), reach(taps) + 1, [&](const Offset& offset) {
      if (offset == taps[t]) { return; }
      WeightedTaps terms = plain(taps);
      terms[t].offset = offset;
      found.push_back({holding(evidence, terms),
                       trf("{} is multiplied by {} where it should be by {}", evidence.weight(t),
                           evidence.neighbour(offset), evidence.neighbour(taps[t])),
                       t});
    });
  }
  return found;
}

std::vector<Hypothesis> sumMistakes(const Evidence& evidence) {
  std::vector<Hypothesis> found;
  const std::vector<Offset>& taps = evidence.taps();
  const auto valueOf = [&evidence](std::int64_t element, const Offset& offset) {
    const Point at = plus(evidence.pointOf(element), offset);
    return evidence.inside(at) ? evidence.input(evidence.elementAt(at)) : 0.0;
  };
  forEachOffset(evidence.rank(), 1, [&](const Offset& offset) {
    found.push_back({withSurplus(evidence, [=](std::int64_t element) { return valueOf(element, offset); }),
                     trf("the sum starts at {} instead of 0", evidence.neighbour(offset))});
  });
  if (taps.size() > kMostTaps) { return found; }
  for (std::size_t t = 0; t < taps.size(); ++t) {
    const std::string product = fmt::format("{} * {}", evidence.weight(t), evidence.neighbour(taps[t]));
    const double weight = evidence.weightValue(t);
    const Offset tap = taps[t];
    const auto times = [=](double factor) {
      return [=](std::int64_t element) { return factor * valueOf(element, tap); };
    };
    found.push_back({withSurplus(evidence, times(weight)), trf("{} is added twice", product), t});
    found.push_back(
        {withSurplus(evidence, times(-2 * weight)), trf("{} is subtracted where it should be added", product), t});
    found.push_back({withSurplus(evidence, times(1 - weight)),
                     trf("{} is added without its coefficient {}", evidence.neighbour(tap), evidence.weight(t))});
  }
  found.push_back({[&evidence, valueOf](std::int64_t element) -> std::optional<Prediction> {
                     if (evidence.computes().border == Computes::Border::Keeps && !evidence.allInside(element)) {
                       return evidence.expected(element);
                     }
                     const Point point = evidence.pointOf(element);
                     for (std::size_t t = evidence.taps().size(); t-- > 0;) {
                       if (!evidence.inside(plus(point, evidence.taps()[t]))) { continue; }
                       const double last = evidence.weightValue(t) * valueOf(element, evidence.taps()[t]);
                       return Prediction{last, std::abs(last)};
                     }
                     return std::nullopt;
                   },
                   tr("only the last product is in the result: each replaces the sum instead of being added to "
                      "it")});
  return found;
}

std::vector<Hypothesis> addressMistakes(const Evidence& evidence) {
  std::vector<Hypothesis> found;
  if (evidence.rank() < 2) { return found; }
  const Point extents = evidence.extents();
  const std::int64_t count = extents[0] * extents[1] * extents[2];
  const std::string& input = evidence.computes().input;
  const std::string& output = evidence.computes().output;
  const auto inBounds = [count](std::int64_t element) { return element >= 0 && element < count; };
  // The kernel uses the right row and column, but computes the address of another element from them.
  const auto readAt = [&](const std::function<std::int64_t(const Point&)>& element, const std::string& message) {
    found.push_back({[&evidence, inBounds, element](std::int64_t of) -> std::optional<Prediction> {
                       if (evidence.computes().border == Computes::Border::Keeps && !evidence.allInside(of)) {
                         return evidence.expected(of);
                       }
                       const Point point = evidence.pointOf(of);
                       Prediction made;
                       for (std::size_t t = 0; t < evidence.taps().size(); ++t) {
                         const Point at = plus(point, evidence.taps()[t]);
                         if (!evidence.inside(at) || !inBounds(element(at))) { continue; }
                         const double product = evidence.weightValue(t) * evidence.input(element(at));
                         made.value += product;
                         made.magnitude += std::abs(product);
                       }
                       return made;
                     },
                     message});
  };
  const auto writtenFrom = [&](const std::function<Point(const Point&)>& source, const std::string& message) {
    found.push_back({[&evidence, source](std::int64_t element) -> std::optional<Prediction> {
                       const Point from = source(evidence.pointOf(element));
                       if (!evidence.inside(from)) { return std::nullopt; }
                       return evidence.expected(evidence.elementAt(from));
                     },
                     message});
  };
  const auto exchanged = [](const Point& p) { return Point{p[0], p[2], p[1]}; };
  readAt([&evidence, exchanged](const Point& p) { return evidence.elementAt(exchanged(p)); },
         trf("row and column are exchanged where {} is read", input));
  const std::string turned = trf("row and column are exchanged where {} is written", output);
  writtenFrom(exchanged, turned);
  writtenFrom(
      [extents, &evidence](const Point& p) {
        const std::int64_t inPlane = evidence.elementAt({0, p[1], p[2]});
        return Point{p[0], inPlane % extents[1], inPlane / extents[1]};
      },
      turned);
  // The number that a row is multiplied by: any extent of the array, or nearly the right one.
  std::set<std::int64_t> pitches{extents[0], extents[1]};
  for (std::int64_t d = -reach(evidence.taps()) - 1; d <= reach(evidence.taps()) + 1; ++d) {
    pitches.insert(extents[2] + d);
  }
  pitches.insert(extents[2] + 2 * reach(evidence.taps()));
  pitches.insert(extents[2] - 2 * reach(evidence.taps()));
  for (const std::int64_t pitch : pitches) {
    if (pitch < 1 || pitch == extents[2]) { continue; }
    const std::string apart =
        trf("the rows of {{}} lie {0} elements apart, but the kernel takes {1}; multiply the row by {0}", extents[2],
            pitch);
    readAt([extents, pitch](const Point& p) { return (p[0] * extents[1] + p[1]) * pitch + p[2]; },
           fmt::format(fmt::runtime(apart), input));
    if (pitch < extents[2]) { continue; }  // rows would be written over each other: a race says so
    writtenFrom(
        [extents, pitch, &evidence](const Point& p) {
          const std::int64_t element = evidence.elementAt(p);
          return Point{element / pitch / extents[1], element / pitch % extents[1], element % pitch};
        },
        fmt::format(fmt::runtime(apart), output));
  }
  return found;
}

}  // namespace haloscope::checking
