#include "opening/ParameterRoles.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace haloscope::opening {

std::string lower(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

std::string lastName(const std::string& parameter) { return parameter.substr(parameter.rfind('.') + 1); }

namespace {

bool isOneOf(const std::string& name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, std::string_view(name)) != names.end();
}

std::string fieldName(const std::string& parameter) { return lower(lastName(parameter)); }

/// For an int3 or dim3 with the extents of a grid: 0 for its x, 1 for y, 2 for z.
std::optional<int> axisOfComponent(const std::string& parameter) {
  const std::size_t dot = parameter.rfind('.');
  if (dot == std::string::npos || dot + 2 != parameter.size()) { return std::nullopt; }
  const std::string base = fieldName(parameter.substr(0, dot));
  const bool extents =
      isOneOf(base, {"n", "dim", "dims", "size", "sizes", "shape", "extent", "extents", "grid", "gridsize", "grid_size",
                     "domain", "resolution", "volume", "volumesize", "volume_size", "dimensions", "image_size"});
  const std::size_t axis = std::string_view("xyz").find(lower(parameter).back());
  return extents && axis < 3 ? std::optional(static_cast<int>(axis)) : std::nullopt;
}

/// The words of a name in lower case: num, rows for "num_rows" and "numRows".
std::vector<std::string> wordsOf(const std::string& parameter) {
  std::vector<std::string> words(1);
  bool afterSmall = false;
  for (const char c : lastName(parameter)) {
    const bool capital = std::isupper(static_cast<unsigned char>(c)) != 0;
    if ((c == '_' || (capital && afterSmall)) && !words.back().empty()) { words.emplace_back(); }
    if (c != '_') { words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
    afterSmall = std::islower(static_cast<unsigned char>(c)) != 0;
  }
  return words;
}

/// The axis that the last word of a name gives: "inputWidth", "n_col", "vec_size".
std::optional<int> axisOfWords(const std::string& parameter) {
  const std::vector<std::string> words = wordsOf(parameter);
  const std::string& first = words.front();
  const std::string& last = words.back();
  const bool ofSomethingElse = std::ranges::any_of(words, [](const std::string& word) {
    return isOneOf(word, {"mask", "filter", "kernel", "tile", "block", "radius", "half", "halo", "thread", "threads",
                          "warp", "chunk", "step", "coarse", "pad", "padding"});
  });
  if (words.size() < 2 || ofSomethingElse) { return std::nullopt; }
  const bool counted = isOneOf(first, {"n", "num", "number", "total"});
  if (isOneOf(last, {"width", "cols", "columns"}) || (counted && last == "col")) { return 0; }
  if (isOneOf(last, {"height", "rows"}) || (counted && last == "row")) { return 1; }
  if (isOneOf(last, {"depth", "planes", "slices"})) { return 2; }
  const bool ofArray = counted || isOneOf(first, {"vec", "vector", "input", "in", "output", "out", "array", "arr",
                                                  "data", "image", "img", "matrix", "signal", "field", "domain"});
  const bool extent = isOneOf(last, {"size", "length", "len", "elements", "elems", "points", "dim"});
  return ofArray && extent ? std::optional(3) : std::nullopt;
}

}  // namespace

bool isChannels(const std::string& parameter) {
  const std::vector<std::string> words = wordsOf(parameter);
  return isOneOf(words.back(), {"channels", "nchannels", "numchannels"}) ||
         isOneOf(fieldName(parameter), {"channel_count", "num_channel", "n_channel"});
}

std::optional<int> axisOf(const std::string& parameter) {
  if (const auto component = axisOfComponent(parameter)) { return component; }
  const std::string name = fieldName(parameter);
  if (isOneOf(name, {"n", "size", "dim", "len", "length", "count", "num", "numelements", "n_elem", "nelem"})) {
    return 3;
  }
  if (isOneOf(name, {"width", "w", "nx", "dimx", "cols", "ncols", "columns", "numcols", "imgwidth", "sizex", "n_x",
                     "xdim", "image_width", "imagewidth", "dim_x", "pitch", "stride"})) {
    return 0;
  }
  if (isOneOf(name, {"height", "h", "ny", "dimy", "rows", "nrows", "m", "numrows", "imgheight", "sizey", "n_y", "ydim",
                     "image_height", "imageheight", "dim_y"})) {
    return 1;
  }
  if (name.ends_with("pitch")) { return 0; }
  if (isChannels(parameter)) { return 2; }
  if (isOneOf(name, {"depth", "d", "nz", "dimz", "sizez", "n_z", "zdim", "planes", "dim_z"})) { return 2; }
  return axisOfWords(parameter);
}

bool isRadius(const std::string& parameter) {
  const std::string name = fieldName(parameter);
  return name == "r" || name.find("radius") != std::string::npos || name == "halo" || name == "order";
}

bool isFilterWidth(const std::string& parameter) {
  const std::string name = fieldName(parameter);
  return isOneOf(name, {"k", "ksize", "kw", "fw", "maskwidth", "mask_width"}) ||
         ((name.find("mask") != std::string::npos || name.find("filter") != std::string::npos ||
           name.find("kernel") != std::string::npos) &&
          (name.find("width") != std::string::npos || name.find("height") != std::string::npos ||
           name.find("size") != std::string::npos || name.find("dim") != std::string::npos));
}

bool isFilter(const std::string& array) {
  std::string name = lower(array);
  if (name.starts_with("d_") || name.starts_with("c_")) { name = name.substr(2); }
  return isOneOf(name, {"f", "m", "k", "w", "mask", "filter", "kernel", "weights", "coeff", "coeffs", "c", "coef",
                        "coefficients", "conv_filter", "conv_mask", "gauss"}) ||
         name.find("filter") != std::string::npos || name.find("mask") != std::string::npos;
}

}  // namespace haloscope::opening
