#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "catalogue/KernelFile.h"
#include "driver/DiskCache.h"

namespace haloscope::gpu {
class Device;
}

namespace haloscope::measuring {

/// Where a variant's tile and block sizes come from.
enum class TileSource : std::uint8_t { Default, Tuned, Given };
[[nodiscard]] const char* nameOf(TileSource source);

/// The fastest tile and block sizes found on one kind of GPU, for each text, size and precision; kept between runs.
class TunedTiles {
 public:
  /// `gpu`: its name; `driver` and `compiler` (NVRTC): their versions, as other code may prefer another tile.
  TunedTiles(gpu::DiskCache cache, std::string gpu, std::string driver, std::string compiler);
  /// Those of this GPU, in cacheFolder()/tiles. Throws Unavailable without NVRTC.
  [[nodiscard]] static TunedTiles of(const gpu::Device& device);

  struct Tile {
    Bindings tunables;  ///< those of tuningAxes()
    double medianMs = 0;
  };
  /// The tile found for the problem of `bindings`, whatever tile these have; none: not tuned, or no longer possible.
  [[nodiscard]] std::optional<Tile> find(const KernelFile& file, const Bindings& bindings) const;
  /// Keeps the tile of `bindings` unless a faster one is known. Returns whether it was kept.
  bool keep(const KernelFile& file, const Bindings& bindings, double medianMs) const;
  /// `bindings` with the tuned tile, if there is one.
  struct Chosen {
    Bindings bindings;
    TileSource source = TileSource::Default;
  };
  [[nodiscard]] Chosen choose(const KernelFile& file, const Bindings& bindings) const;

 private:
  [[nodiscard]] std::string keyOf(const KernelFile& file, const Bindings& bindings) const;

  gpu::DiskCache cache_;
  std::string gpu_, driver_, compiler_;
};

}  // namespace haloscope::measuring
