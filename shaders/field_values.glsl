// The field as written by the kernels, in their type, x fastest. Everything else computes in float.
layout(std430, binding = 0) readonly buffer Field { uint words[]; };

uniform ivec3 extents;     // slowest axis first
uniform int elementBytes;  // 2: half, 4: float, 8: double

float valueAt(ivec3 at) {
  uint element = (uint(at.x) * uint(extents.y) + uint(at.y)) * uint(extents.z) + uint(at.z);
  // A software renderer executes both sides of each branch, so that loads outside of them are fewer.
  uint place = elementBytes == 4 ? element : elementBytes == 8 ? 2u * element : element / 2u;
  uint word = words[place];
  if (elementBytes == 4) { return uintBitsToFloat(word); }
  if (elementBytes == 8) { return float(packDouble2x32(uvec2(word, words[place + 1u]))); }
  vec2 pair = unpackHalf2x16(word);
  return element % 2u == 0u ? pair.x : pair.y;
}
