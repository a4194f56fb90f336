#pragma once

#include "commands/Screen.h"

namespace haloscope {

/// Draws with an App.
class AppScreen final : public Screen {
 public:
  void show(AppState state, const WindowOptions& options) override;
  void draw(const AppState& state, const PictureOptions& options) override;
  bool exportPanel(const AppState& state, const PictureOptions& options, const ExportPlan& plan,
                   const ExportReport& report, const std::stop_token& stop) override;
  [[nodiscard]] PlayedField play(const FieldToPlay& field) override;
};

}  // namespace haloscope
