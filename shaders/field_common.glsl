// Code shared by the shaders that draw a field.
layout(rgba8, binding = 0) writeonly uniform image2D picture;

uniform vec2 range;         // low, and 1 / (high - low)
uniform vec3 scale[7];      // colours from low to high
uniform int stops;          // how many they are
uniform vec3 background;
uniform vec3 fault;         // colour of values that are not a number
uniform ivec2 size;         // of the picture, pixels

float shareOf(float value) { return (value - range.x) * range.y; }

vec3 colourOf(float share) {
  if (isnan(share) || isinf(share)) { return fault; }
  float at = clamp(share, 0.0, 1.0) * float(stops - 1);
  int below = min(int(at), stops - 2);
  return mix(scale[below], scale[below + 1], at - float(below));
}
