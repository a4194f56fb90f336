#include "ui/source/TokenColour.h"

namespace haloscope::ui {

ImU32 tokenColour(const Theme& theme, TokenKind kind) {
  const Palette& colours = theme.colours();
  switch (kind) {
    case TokenKind::Keyword:
      return Theme::mixed(colours.textDim, colours.accent, 0.75F);
    case TokenKind::Type:
      return Theme::mixed(colours.text, colours.accent, 0.45F);
    case TokenKind::Cuda:
      return Theme::mixed(colours.text, colours.good, 0.55F);
    case TokenKind::Literal:
      return Theme::mixed(colours.text, colours.textDim, 0.35F);
    case TokenKind::Comment:
    case TokenKind::Preprocessor:
      return colours.textDim;
    case TokenKind::Plain:
      return Theme::mixed(colours.text, colours.textDim, 0.5F);
    case TokenKind::Name:
      break;
  }
  return colours.text;
}

}  // namespace haloscope::ui
