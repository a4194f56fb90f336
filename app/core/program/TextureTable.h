#pragma once

/// The table of a texture or surface object, as the host's prelude fills it and the kernels' prelude reads it: both
/// begin with this text.
namespace haloscope {

/// At the object's address: where the texels are, then these numbers, each as a distance from the table's own address,
/// so that a launch binds the table like any table of pointers.
inline constexpr char kTextureTable[] = R"cuda(
enum haloscope_texture_number {
  haloscope_width, haloscope_height, haloscope_depth,
  haloscope_row_bytes,         // bytes from row to row
  haloscope_address_mode,  // of each of three axes
  haloscope_linear = haloscope_address_mode + 3, haloscope_normalized_coordinates,
  haloscope_channel_bits, haloscope_channel_kind,
  haloscope_as_fraction,   // a channel is read as a part of 1
  haloscope_border_colour, // four floats
  haloscope_texture_numbers = haloscope_border_colour + 4
};
)cuda";

}  // namespace haloscope
