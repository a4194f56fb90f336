// The field as written by the kernels, in their type, x fastest. Everything else computes in float.
layout(std430, binding = 0) readonly buffer Field { uint words[]; };

uniform ivec3 extents;     // slowest axis first
uniform int elementBytes;  // 2: half, 4: float, 8: double

float valueAt(ivec3 at) {
  uint element = (uint(at.x) * uint(extents.y) + uint(at.y)) * uint(extents.z) + uint(at.z);
  if (elementBytes == 4) { return uintBitsToFloat(words[element]); }
  if (elementBytes == 8) { return float(packDouble2x32(uvec2(words[2u * element], words[2u * element + 1u]))); }
  vec2 pair = unpackHalf2x16(words[element / 2u]);
  return element % 2u == 0u ? pair.x : pair.y;
}
