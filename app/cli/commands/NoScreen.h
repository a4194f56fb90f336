#pragma once

#include "commands/Screen.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

/// In a program that was built without its graphical part (HALOSCOPE_GUI=OFF): commands that need it say so.
class NoScreen final : public Screen {
 public:
  void show(AppState, const WindowOptions&) override { fail(); }
  void draw(const AppState&, const PictureOptions&) override { fail(); }
  bool exportPanel(const AppState&, const PictureOptions&, const ExportPlan&, const ExportReport&,
                   const std::stop_token&) override {
    fail();
  }
  [[nodiscard]] PlayedField play(const FieldToPlay&) override { fail(); }

 private:
  [[noreturn]] static void fail() {
    throw MissingError(tr("this haloscope was built without its window: it draws no pictures and sweeps no fields"));
  }
};

}  // namespace haloscope
