#pragma once

#include "commands/PictureArguments.h"

/// Pictures of what shows a kernel of its own. Each throws InputError for an option that would be ignored.
namespace haloscope {

/// The window with a lesson open.
[[nodiscard]] WindowPicture lessonPicture(const CommandContext& context, const PictureArguments& options);
[[nodiscard]] WindowPicture startPagePicture(const CommandContext& context, const PictureArguments& options);
/// The window with an exercise beside the kernel that executes it, or with the first task of the bug lab.
[[nodiscard]] WindowPicture taskPicture(const CommandContext& context, const PictureArguments& options);
/// The playground with a problem.
[[nodiscard]] WindowPicture playPicture(const CommandContext& context, const PictureArguments& options);
/// A scene of a session; the window's options apply, the kernel's do not.
[[nodiscard]] WindowPicture scenePicture(const CommandContext& context, const PictureArguments& options);

}  // namespace haloscope
