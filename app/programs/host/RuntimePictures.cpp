#include "host/RuntimePictures.h"

#include <stb_image.h>
#include <stb_image_write.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "host/RuntimeCall.h"
#include "process/NamedFiles.h"

namespace haloscope::host {

namespace runtime::pictures {

namespace {

/// As haloscope_picture in StbHeader.h: a file by its name, an open one, or memory.
struct Picture {
  const char* name;
  std::FILE* file;
  const unsigned char* memory;
  int length;
  int bytes;  ///< of a channel: 1 and 2 for whole numbers, 4 for float
};

/// stb's own is not told.
bool flips = false;

constexpr int kMadeChannels = 3;

/// Smooth ramps, edges in several directions, and fine lines: something for each kind of filter.
std::array<std::uint8_t, kMadeChannels> madePixel(int x, int y) {
  const int fromX = x - kMadeWidth / 3, fromY = y - kMadeHeight / 2;
  const int distance = fromX * fromX + fromY * fromY;
  const bool disc = distance < kMadeHeight * kMadeHeight / 16;
  const bool bar = x > kMadeWidth * 5 / 8 && x < kMadeWidth * 7 / 8 && y > kMadeHeight / 4 && y < kMadeHeight * 3 / 4;
  const int ramp = 255 * x / (kMadeWidth - 1), fall = 255 * y / (kMadeHeight - 1);
  const int lines = (x + y) % 8 < 4 ? 40 : 0, checks = ((x / 16) + (y / 16)) % 2 * 60;
  const auto channel = [](int value) { return static_cast<std::uint8_t>(std::clamp(value, 0, 255)); };
  if (disc) { return {channel(230 - lines), channel(60 + fall / 2), channel(40 + checks)}; }
  if (bar) { return {channel(30 + lines), channel(90 + checks), channel(220 - ramp / 4)}; }
  return {channel(ramp), channel(fall / 2 + checks), channel(255 - ramp / 2 - lines)};
}

std::array<std::uint8_t, 4> withChannels(std::array<std::uint8_t, kMadeChannels> rgb, int channels) {
  const auto grey = static_cast<std::uint8_t>((rgb[0] * 77 + rgb[1] * 150 + rgb[2] * 29) >> 8);  // as stb has it
  if (channels < kMadeChannels) { return {grey, 255, 0, 0}; }
  return {rgb[0], rgb[1], rgb[2], 255};
}

void* madePicture(int bytes, int* facts, int wanted) {
  facts[0] = kMadeWidth;
  facts[1] = kMadeHeight;
  facts[2] = kMadeChannels;
  const int channels = wanted == 0 ? kMadeChannels : wanted;
  auto* const pixels = static_cast<std::byte*>(
      std::malloc(static_cast<std::size_t>(kMadeWidth) * kMadeHeight * static_cast<std::size_t>(channels * bytes)));
  if (pixels == nullptr) { return nullptr; }
  std::size_t at = 0;
  const auto put = [&](const auto& value) {
    std::memcpy(pixels + at, &value, sizeof value);
    at += sizeof value;
  };
  for (int y = 0; y < kMadeHeight; ++y) {
    for (int x = 0; x < kMadeWidth; ++x) {
      const std::array<std::uint8_t, 4> all = withChannels(madePixel(x, flips ? kMadeHeight - 1 - y : y), channels);
      for (int c = 0; c < channels; ++c) {
        const std::uint8_t one = all[static_cast<std::size_t>(c)];
        const bool isAlpha = channels % 2 == 0 && c == channels - 1;
        constexpr float kGamma = 2.2F;
        if (bytes == 1) { put(one); }
        if (bytes == 2) { put(static_cast<std::uint16_t>(one * 257)); }
        if (bytes == 4) { put(isAlpha ? 1.0F : std::pow(static_cast<float>(one) / 255.0F, kGamma)); }
      }
    }
  }
  return pixels;
}

/// Whether the program asks for a file that it was not given. What is made instead is noted.
bool isMissing(const Picture& from) {
  if (from.name == nullptr || process::isNamedFile(from.name)) { return false; }
  process::noteRefusal(from.name, process::FileRefusal::Made, [] { return state().call; });
  return true;
}

constexpr CallPlace kCaller{nullptr, -1};

void* load(const Picture* from, int* facts, int wanted) {
  const Call call(kCaller);
  if (wanted < 0 || wanted > 4) { return nullptr; }
  if (isMissing(*from)) { return madePicture(from->bytes, facts, wanted); }
  int* const x = facts;
  int* const y = facts + 1;
  int* const channels = facts + 2;
  if (from->memory != nullptr) {
    switch (from->bytes) {
      case 1:
        return stbi_load_from_memory(from->memory, from->length, x, y, channels, wanted);
      case 2:
        return stbi_load_16_from_memory(from->memory, from->length, x, y, channels, wanted);
      default:
        return stbi_loadf_from_memory(from->memory, from->length, x, y, channels, wanted);
    }
  }
  std::FILE* const file = from->file != nullptr   ? from->file
                          : from->name != nullptr ? std::fopen(from->name, "rb")
                                                  : nullptr;
  if (file == nullptr) { return nullptr; }
  void* const pixels = from->bytes == 1   ? static_cast<void*>(stbi_load_from_file(file, x, y, channels, wanted))
                       : from->bytes == 2 ? static_cast<void*>(stbi_load_from_file_16(file, x, y, channels, wanted))
                                          : static_cast<void*>(stbi_loadf_from_file(file, x, y, channels, wanted));
  if (file != from->file) { std::fclose(file); }
  return pixels;
}

/// Its width, height and channels; with `bytes` 2 and 4 instead whether the file has such channels.
int info(const Picture* from, int* facts) {
  const Call call(kCaller);
  if (isMissing(*from)) {
    std::ranges::copy(std::array{kMadeWidth, kMadeHeight, kMadeChannels}, facts);
    return from->bytes == 1 ? 1 : 0;
  }
  if (from->memory != nullptr) {
    return stbi_info_from_memory(from->memory, from->length, facts, facts + 1, facts + 2);
  }
  if (from->name == nullptr) { return 0; }
  return from->bytes == 1   ? stbi_info(from->name, facts, facts + 1, facts + 2)
         : from->bytes == 2 ? stbi_is_16_bit(from->name)
                            : stbi_is_hdr(from->name);
}

void flip(int on) {
  flips = on != 0;
  stbi_set_flip_vertically_on_load(on);
}

const char* failure() {
  const char* const reason = stbi_failure_reason();
  return reason == nullptr ? "can't fopen" : reason;
}

}  // namespace
}  // namespace runtime::pictures

GuestSymbols pictureSymbols() {
  using namespace runtime::pictures;
  return {
      {"haloscope_picture_load", runtime::of(load)},
      {"haloscope_picture_info", runtime::of(info)},
      {"haloscope_picture_free", runtime::of(stbi_image_free)},
      {"haloscope_picture_flip", runtime::of(flip)},
      {"haloscope_picture_failure", runtime::of(failure)},
      {"haloscope_picture_png", runtime::of(stbi_write_png_to_func)},
      {"haloscope_picture_bmp", runtime::of(stbi_write_bmp_to_func)},
      {"haloscope_picture_jpg", runtime::of(stbi_write_jpg_to_func)},
  };
}

}  // namespace haloscope::host
