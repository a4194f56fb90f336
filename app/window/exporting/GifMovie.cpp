#include "exporting/GifMovie.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "files/OutputFile.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope::exporting {

namespace {

constexpr std::size_t kMostColours = 256;
constexpr std::size_t kExactColours = 160;  // where there are more: the most frequent ones keep their exact value
constexpr int kLargestSide = 65535;
constexpr std::uint32_t kColourMask = 0xffffff;  // without the fourth byte

/// Part of a picture, in pixels.
struct PixelRect {
  int left = 0, top = 0, width = 0, height = 0;
};

/// Colours with their index in a map.
struct Colours {
  std::vector<GifColorType> map;
  std::unordered_map<std::uint32_t, GifByteType> index;

  void add(std::uint32_t colour) {
    index[colour] = static_cast<GifByteType>(map.size());
    map.push_back({static_cast<GifByteType>(colour & 0xff), static_cast<GifByteType>(colour >> 8 & 0xff),
                   static_cast<GifByteType>(colour >> 16 & 0xff)});
  }
};

int distanceSquared(const GifColorType& one, std::uint32_t colour) {
  const int red = one.Red - static_cast<int>(colour & 0xff);
  const int green = one.Green - static_cast<int>(colour >> 8 & 0xff);
  const int blue = one.Blue - static_cast<int>(colour >> 16 & 0xff);
  return red * red + green * green + blue * blue;
}

/// Adds at most `most` of the colours counted, each time the one for which those in the map, from `first` on, stand
/// worst; the others get the nearest.
void addSimilar(Colours& colours, std::span<const std::pair<std::uint32_t, std::size_t>> counted, std::size_t first,
                std::size_t most) {
  // As often as they occur, up to a limit: the shades of a few letters count, too.
  constexpr std::size_t kMostOfOne = 64;
  struct Stand {
    std::size_t in = 0;
    int distance = std::numeric_limits<int>::max();
  };
  std::vector<Stand> stands(counted.size());
  const auto compareWith = [&](std::size_t in) {
    for (std::size_t i = 0; i < counted.size(); ++i) {
      const int distance = distanceSquared(colours.map[in], counted[i].first);
      if (distance < stands[i].distance) { stands[i] = {in, distance}; }
    }
  };
  for (std::size_t in = first; in < colours.map.size(); ++in) { compareWith(in); }
  const auto error = [&](std::size_t i) {
    return static_cast<double>(stands[i].distance) * static_cast<double>(std::min(counted[i].second, kMostOfOne));
  };
  for (std::size_t added = 0; added < most; ++added) {
    std::size_t worst = 0;
    for (std::size_t i = 1; i < counted.size(); ++i) {
      if (error(i) > error(worst)) { worst = i; }
    }
    if (stands[worst].distance == 0) { break; }
    colours.add(counted[worst].first);
    compareWith(colours.map.size() - 1);
  }
  for (std::size_t i = 0; i < counted.size(); ++i) {
    colours.index[counted[i].first] = static_cast<GifByteType>(stands[i].in);
  }
}

class GifMovie final : public Movie {
 public:
  GifMovie(std::filesystem::path path, double picturesPerSecond)
      : file_(std::move(path)), hundredths_(100 / picturesPerSecond) {
    expectGood(file_.problem().empty());
    int error = 0;
    gif_ = EGifOpen(&file_, write, &error);
    expectGood(gif_ != nullptr);
  }
  ~GifMovie() override { close(); }
  GifMovie(const GifMovie&) = delete;
  GifMovie& operator=(const GifMovie&) = delete;

  void add(const PictureView& picture, const std::stop_token&) override {
    const std::size_t pixels = static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
    std::vector<std::uint32_t> now(pixels);
    for (std::size_t i = 0; i < pixels; ++i) {
      const std::uint8_t* rgb = picture.rgba + 4 * i;
      now[i] = static_cast<std::uint32_t>(rgb[0] | rgb[1] << 8 | rgb[2] << 16) & kColourMask;
    }
    if (before_.empty()) { begin(picture.width, picture.height); }
    writeChanges(now, before_.empty() ? PixelRect{0, 0, width_, height_} : changed(now));
    before_ = std::move(now);
  }

  bool finish(const std::stop_token& stop) override {
    expectGood(close());
    if (stop.stop_requested()) { return false; }
    if (const std::string problem = file_.commit(); !problem.empty()) { throw InputError(problem); }
    return true;
  }

 private:
  static int write(GifFileType* gif, const GifByteType* bytes, int size) {
    auto* const file = static_cast<OutputFile*>(gif->UserData);
    const std::string_view part(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    return file->write(part) ? size : 0;
  }

  void expectGood(bool good) const {
    if (good) { return; }
    throw InputError(file_.problem().empty() ? tr("the GIF could not be encoded") : file_.problem());
  }

  bool close() {
    int error = 0;
    return gif_ == nullptr || EGifCloseFile(std::exchange(gif_, nullptr), &error) == GIF_OK;
  }

  void begin(int width, int height) {
    if (width > kLargestSide || height > kLargestSide) {
      throw InputError(trf("{}×{} pixels: a GIF has at most {} a side", width, height, kLargestSide));
    }
    width_ = width;
    height_ = height;
    EGifSetGifVersion(gif_, true);
    expectGood(EGifPutScreenDesc(gif_, width, height, 8, 0, nullptr) == GIF_OK);
    const std::array<GifByteType, 3> forEver = {1, 0, 0};
    expectGood(EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
               EGifPutExtensionBlock(gif_, 11, "NETSCAPE2.0") == GIF_OK &&
               EGifPutExtensionBlock(gif_, static_cast<int>(forEver.size()), forEver.data()) == GIF_OK &&
               EGifPutExtensionTrailer(gif_) == GIF_OK);
  }

  [[nodiscard]] std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }

  /// The smallest rectangle around what differs from the picture before; one pixel if nothing does, because a picture
  /// has to have some.
  [[nodiscard]] PixelRect changed(const std::vector<std::uint32_t>& now) const {
    int left = width_;
    int right = -1;
    int top = height_;
    int bottom = -1;
    for (int y = 0; y < height_; ++y) {
      const auto row = static_cast<std::ptrdiff_t>(at(0, y));
      const auto end = now.begin() + row + width_;
      const auto first = std::mismatch(now.begin() + row, end, before_.begin() + row).first;
      if (first == end) { continue; }
      top = std::min(top, y);
      bottom = y;
      left = std::min(left, static_cast<int>(first - now.begin() - row));
      int last = width_ - 1;
      while (now[at(last, y)] == before_[at(last, y)]) { --last; }
      right = std::max(right, last);
    }
    if (bottom < 0) { return {0, 0, 1, 1}; }
    return {left, top, right - left + 1, bottom - top + 1};
  }

  /// Of the pixels that differ. The first one stands for those that do not.
  [[nodiscard]] Colours coloursOf(const std::vector<std::uint32_t>& now, const PixelRect& rect) const {
    std::unordered_map<std::uint32_t, std::size_t> counts;
    for (int y = rect.top; y < rect.top + rect.height; ++y) {
      for (int x = rect.left; x < rect.left + rect.width; ++x) {
        const std::size_t i = at(x, y);
        if (before_.empty() || now[i] != before_[i]) { ++counts[now[i]]; }
      }
    }
    std::vector<std::pair<std::uint32_t, std::size_t>> counted(counts.begin(), counts.end());
    std::ranges::sort(counted, [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    Colours colours;
    colours.map.push_back({0, 0, 0});
    const std::size_t exact = counted.size() < kMostColours ? counted.size() : kExactColours;
    for (const auto& [colour, count] : std::span(counted).first(exact)) { colours.add(colour); }
    if (exact < counted.size()) {
      addSimilar(colours, std::span(counted).subspan(exact), 1, kMostColours - colours.map.size());
    }
    return colours;
  }

  /// In whole hundredths of a second, such that all pictures together take what they should.
  int nextDelay() {
    const long begin = std::lround(until_);
    until_ += hundredths_;
    return static_cast<int>(std::max(2L, std::lround(until_) - begin));
  }

  void writeChanges(const std::vector<std::uint32_t>& now, const PixelRect& rect) {
    Colours colours = coloursOf(now, rect);
    std::size_t size = 2;
    while (size < colours.map.size()) { size *= 2; }
    colours.map.resize(size);
    const std::unique_ptr<ColorMapObject, void (*)(ColorMapObject*)> map(
        GifMakeMapObject(static_cast<int>(size), colours.map.data()), GifFreeMapObject);
    GraphicsControlBlock control{};
    control.DisposalMode = DISPOSE_DO_NOT;
    control.DelayTime = nextDelay();
    control.TransparentColor = 0;
    std::array<GifByteType, 4> extension{};
    EGifGCBToExtension(&control, extension.data());
    expectGood(map != nullptr &&
               EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(extension.size()), extension.data()) ==
                   GIF_OK &&
               EGifPutImageDesc(gif_, rect.left, rect.top, rect.width, rect.height, false, map.get()) == GIF_OK);
    std::vector<GifPixelType> line(static_cast<std::size_t>(rect.width));
    for (int y = rect.top; y < rect.top + rect.height; ++y) {
      for (int x = 0; x < rect.width; ++x) {
        const std::size_t i = at(rect.left + x, y);
        const bool same = !before_.empty() && now[i] == before_[i];
        line[static_cast<std::size_t>(x)] = same ? GifByteType{0} : colours.index.at(now[i]);
      }
      expectGood(EGifPutLine(gif_, line.data(), rect.width) == GIF_OK);
    }
  }

  OutputFile file_;
  double hundredths_;  ///< of a second, for a picture
  double until_ = 0;   ///< ... when the last picture ends
  GifFileType* gif_ = nullptr;
  int width_ = 0, height_ = 0;
  std::vector<std::uint32_t> before_;  ///< the last picture; empty: there was none
};

}  // namespace

std::unique_ptr<Movie> beginGif(const std::filesystem::path& path, double picturesPerSecond) {
  return std::make_unique<GifMovie>(path, picturesPerSecond);
}

}  // namespace haloscope::exporting
