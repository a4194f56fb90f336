#pragma once

namespace haloscope::render {

/// Whether the OpenGL context that is current rasterises: one triangle into a few pixels, read back. A driver can go on
/// accepting everything and draw nothing, in every process, after a kernel faulted on its GPU (seen on an H200 with
/// driver 580). Takes about a millisecond; on such a GPU some seconds. Leaves the context's state as it
/// was.
[[nodiscard]] bool drawsTriangles();

}  // namespace haloscope::render
