// The range of the field: lowest and highest value of all bricks. One work group.
layout(local_size_x = 512) in;

layout(std430, binding = 1) readonly buffer Bricks { vec2 bricks[]; };
layout(std430, binding = 2) writeonly buffer Range { vec2 range; };

uniform int brickCount;

const float kLargest = 3.4e38;
shared vec2 found[512];

void main() {
  vec2 mine = vec2(kLargest, -kLargest);
  for (int i = int(gl_LocalInvocationIndex); i < brickCount; i += 512) {
    mine = vec2(min(mine.x, bricks[i].x), max(mine.y, bricks[i].y));
  }
  found[gl_LocalInvocationIndex] = mine;
  for (uint half_ = 256u; half_ > 0u; half_ /= 2u) {
    barrier();
    if (gl_LocalInvocationIndex < half_) {
      vec2 other = found[gl_LocalInvocationIndex + half_];
      vec2 own = found[gl_LocalInvocationIndex];
      found[gl_LocalInvocationIndex] = vec2(min(own.x, other.x), max(own.y, other.y));
    }
  }
  if (gl_LocalInvocationIndex == 0u) { range = found[0]; }
}
