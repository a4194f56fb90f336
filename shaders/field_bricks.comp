// Lowest and highest value of each brick of 8×8×8 cells, including the first cells of the next bricks, since rays
// interpolate across the boundary. NaNs are ignored.
layout(local_size_x = 64) in;

layout(std430, binding = 1) writeonly buffer Bricks { vec2 bricks[]; };

const float kLargest = 3.4e38;
shared vec2 found[64];

void main() {
  ivec3 brick = ivec3(gl_WorkGroupID.zyx);
  ivec3 low = brick * 8;
  ivec3 high = min(low + 9, extents); // one past the last
  ivec3 span = high - low;
  int count = span.x * span.y * span.z;
  vec2 mine = vec2(kLargest, -kLargest);
  for (int i = int(gl_LocalInvocationIndex); i < count; i += 64) {
    ivec3 at = low + ivec3(i / (span.y * span.z), i / span.z % span.y, i % span.z);
    float value = valueAt(at);
    if (!isnan(value) && !isinf(value)) { mine = vec2(min(mine.x, value), max(mine.y, value)); }
  }
  found[gl_LocalInvocationIndex] = mine;
  for (uint half_ = 32u; half_ > 0u; half_ /= 2u) {
    barrier();
    if (gl_LocalInvocationIndex < half_) {
      vec2 other = found[gl_LocalInvocationIndex + half_];
      vec2 own = found[gl_LocalInvocationIndex];
      found[gl_LocalInvocationIndex] = vec2(min(own.x, other.x), max(own.y, other.y));
    }
  }
  if (gl_LocalInvocationIndex == 0u) {
    bricks[(gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y) * gl_NumWorkGroups.x + gl_WorkGroupID.x] =
        found[0];
  }
}
