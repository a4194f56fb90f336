#include "DecodedGif.h"

#include <gif_lib.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace haloscope::test {

DecodedGif decode(const std::filesystem::path& path) {
  int error = 0;
  const std::unique_ptr<GifFileType, std::function<void(GifFileType*)>> gif(DGifOpenFileName(path.c_str(), &error),
                                                                            [](GifFileType* file) {
                                                                              if (file != nullptr) {
                                                                                DGifCloseFile(file, nullptr);
                                                                              }
                                                                            });
  DecodedGif decoded;
  if (gif == nullptr || DGifSlurp(gif.get()) != GIF_OK) { return decoded; }
  decoded.width = gif->SWidth;
  decoded.height = gif->SHeight;
  std::vector<std::uint32_t> shown(static_cast<std::size_t>(gif->SWidth) * static_cast<std::size_t>(gif->SHeight));
  for (int i = 0; i < gif->ImageCount; ++i) {
    const SavedImage& image = gif->SavedImages[i];
    GraphicsControlBlock control{};
    DGifSavedExtensionToGCB(gif.get(), i, &control);
    decoded.delays.push_back(control.DelayTime);
    for (int y = 0; y < image.ImageDesc.Height; ++y) {
      for (int x = 0; x < image.ImageDesc.Width; ++x) {
        const GifByteType index = image.RasterBits[y * image.ImageDesc.Width + x];
        if (i > 0 && index == control.TransparentColor) { continue; }
        const GifColorType& colour = image.ImageDesc.ColorMap->Colors[index];
        shown[static_cast<std::size_t>((image.ImageDesc.Top + y) * gif->SWidth + image.ImageDesc.Left + x)] =
            static_cast<std::uint32_t>(colour.Red | colour.Green << 8 | colour.Blue << 16);
      }
    }
    decoded.pictures.push_back(shown);
  }
  return decoded;
}

}  // namespace haloscope::test
