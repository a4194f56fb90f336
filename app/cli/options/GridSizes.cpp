#include "options/GridSizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <ranges>
#include <system_error>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

std::vector<std::int64_t> parseBlocks(const std::string& text) {
  std::vector<std::int64_t> blocks;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at <= end) {
    std::int64_t count = 0;
    const auto [after, error] = std::from_chars(at, end, count);
    if (error != std::errc() || count < 1 || blocks.size() == 3 || (after != end && *after != ',')) {
      throw InputError(trf("--blocks {}: write X or X,Y or X,Y,Z, integers of at least 1", text));
    }
    blocks.push_back(count);
    at = after + 1;
  }
  return blocks;
}

std::string gridText(const KernelFile& file, const Bindings& bindings) {
  std::string text;
  for (const Expression& axis : file.grid) {
    text += fmt::format("{}{}", text.empty() ? "" : "×", axis.evaluateInteger(bindings));
  }
  return text;
}

/// Whether the grid has at most that many blocks along each axis. A size below the tile's can make it empty.
bool fits(const KernelFile& file, const Bindings& bindings, const std::vector<std::int64_t>& blocks) {
  for (std::size_t axis = 0; axis < blocks.size(); ++axis) {
    if (file.grid.at(axis).evaluateInteger(bindings) > blocks[axis]) { return false; }
  }
  return true;
}

/// The largest value of a size at which the grid fits, by bisection: a grid never shrinks as a size grows.
std::int64_t largest(const KernelFile& file, Bindings bindings, const SizeParameter& size,
                     const std::vector<std::int64_t>& blocks) {
  std::int64_t low = size.minimum, high = size.maximum;
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    bindings[size.name] = middle;
    if (fits(file, bindings, blocks)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace

Bindings sizesOfGrid(const KernelFile& file, Bindings bindings, const std::string& blocks) {
  const std::vector<std::int64_t> wanted = parseBlocks(blocks);
  if (file.sizes.empty()) { throw InputError(trf("--blocks {}: {} has no size", blocks, file.id)); }
  // An axis that does not depend on a size must not limit it.
  Bindings smallest = bindings;
  for (const SizeParameter& size : file.sizes) { smallest[size.name] = size.minimum; }
  for (const SizeParameter& size : file.sizes) {
    Bindings far = smallest;
    far[size.name] = size.maximum;
    const bool followed = std::ranges::any_of(std::views::iota(std::size_t{0}, wanted.size()), [&](std::size_t axis) {
      return file.grid.at(axis).evaluateInteger(far) != file.grid.at(axis).evaluateInteger(smallest);
    });
    if (followed) { bindings[size.name] = largest(file, smallest, size, wanted); }
  }
  for (std::size_t axis = 0; axis < wanted.size(); ++axis) {
    if (file.grid.at(axis).evaluateInteger(bindings) == wanted[axis]) { continue; }
    std::string sizes;
    for (const SizeParameter& size : file.sizes) {
      sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", size.name, bindings.at(size.name));
    }
    throw InputError(trf("--blocks {}: no size of {} makes this grid; the nearest is {}, at {}", blocks, file.id,
                         gridText(file, bindings), sizes));
  }
  return file.bind(bindings);
}

}  // namespace haloscope
