// A field as a cloud in its box: rays from the eye, front to back, with interpolated values. Low values are transparent,
// so that the hills are visible; where values have both signs, those near zero are.
layout(local_size_x = 8, local_size_y = 8) in;

layout(std430, binding = 1) readonly buffer Bricks { vec2 bricks[]; }; // lowest and highest value of 8×8×8 cells

uniform ivec3 brickCounts;  // slowest axis first
uniform vec3 halfSize;      // of the box, centred on the origin
uniform vec3 eye;
uniform vec3 forward;       // through the centre of the picture
uniform vec3 perPixelX;
uniform vec3 perPixelY;
uniform float stepLength;
uniform int pixelStep;      // this many pixels squared share one ray
uniform vec4 edges[12];     // of the box, in pixels: from, to
uniform int edgesBehind;    // the first ones are on the far side
uniform bool bothSigns;     // zero is in the middle of the range
uniform vec3 frame;         // colour of the edges

const float kClear = 0.06;      // height below which values are transparent
const float kDensity = 80.0;    // opacity of the highest value, per length of the longest edge
const float kEnough = 0.015;    // remaining share of the background's light at which a ray ends
const vec3 kLight = vec3(-0.42, 0.80, 0.43);

// How far a share is from what is transparent: 0…1.
float heightOf(float share) { return bothSigns ? abs(2.0 * share - 1.0) : share; }

float densityOf(float height) {
  float t = clamp((height - kClear) / (1.0 - kClear), 0.0, 1.0);
  return kDensity * t * t * (0.05 + 0.95 * t * t);
}

// Value and gradient at a position in the grid, in cells: (slow, middle, fast).
vec4 sampleAt(vec3 at) {
  vec3 inside = clamp(at, vec3(0.0), vec3(extents - 1));
  ivec3 low = min(ivec3(inside), max(extents - 2, ivec3(0)));
  ivec3 high = min(low + 1, extents - 1);
  vec3 t = inside - vec3(low);
  float v000 = valueAt(low);
  float v001 = valueAt(ivec3(low.x, low.y, high.z));
  float v010 = valueAt(ivec3(low.x, high.y, low.z));
  float v011 = valueAt(ivec3(low.x, high.y, high.z));
  float v100 = valueAt(ivec3(high.x, low.y, low.z));
  float v101 = valueAt(ivec3(high.x, low.y, high.z));
  float v110 = valueAt(ivec3(high.x, high.y, low.z));
  float v111 = valueAt(high);
  vec4 fast = mix(vec4(v000, v010, v100, v110), vec4(v001, v011, v101, v111), t.z);
  vec2 middle = mix(fast.xz, fast.yw, t.y);
  float value = mix(middle.x, middle.y, t.x);
  vec2 alongFast = mix(vec2(v001 - v000, v101 - v100), vec2(v011 - v010, v111 - v110), t.y);
  vec2 alongMiddle = fast.yw - fast.xz;
  return vec4(middle.y - middle.x, mix(alongMiddle.x, alongMiddle.y, t.x), mix(alongFast.x, alongFast.y, t.x), value);
}

float edgeCover(vec4 edge, vec2 pixel) {
  vec2 along = edge.zw - edge.xy;
  float t = clamp(dot(pixel - edge.xy, along) / max(dot(along, along), 1e-6), 0.0, 1.0);
  float distance = length(pixel - edge.xy - t * along);
  return clamp(0.6 + 0.5 * float(pixelStep) - distance, 0.0, 1.0);
}

// Light gathered along a ray; .a is the remaining share of the background's light.
vec4 march(vec3 direction, float jitter) {
  vec3 inverse = 1.0 / direction;
  vec3 nearPlanes = (-sign(direction) * halfSize - eye) * inverse;
  vec3 farPlanes = (sign(direction) * halfSize - eye) * inverse;
  float t = max(max(nearPlanes.x, max(nearPlanes.y, nearPlanes.z)), 0.0);
  float end = min(farPlanes.x, min(farPlanes.y, farPlanes.z));
  vec4 gathered = vec4(0.0, 0.0, 0.0, 1.0);
  if (t >= end) { return gathered; }

  // The same ray in cells: world x is the fast axis, y the slow one, z the middle one.
  vec3 cellsPerLength = vec3(extents) / (2.0 * halfSize.yzx);
  vec3 start = (eye + halfSize).yzx * cellsPerLength - 0.5;
  vec3 velocity = direction.yzx * cellsPerLength;
  vec3 inverseVelocity = 1.0 / velocity;

  t += jitter * stepLength;
  while (t < end && gathered.a > kEnough) {
    vec3 at = start + t * velocity;
    ivec3 brick = clamp(ivec3(at), ivec3(0), extents - 1) / 8;
    vec2 inBrick = bricks[(brick.x * brickCounts.y + brick.y) * brickCounts.z + brick.z];
    float highest = heightOf(shareOf(inBrick.y));
    if (bothSigns) { highest = max(highest, heightOf(shareOf(inBrick.x))); }
    if (highest <= kClear) {
      vec3 leave = (vec3(8 * (brick + ivec3(greaterThan(velocity, vec3(0.0))))) - start) * inverseVelocity;
      float exit = min(leave.x, min(leave.y, leave.z));
      t += stepLength * max(1.0, ceil((exit - t) / stepLength));
      continue;
    }
    vec4 found = sampleAt(at);
    float share = shareOf(found.w);
    float density = densityOf(heightOf(share));
    if (density > 0.0) {
      float alpha = 1.0 - exp(-density * stepLength);
      vec3 colour = colourOf(share);
      // Light hills gently, like isosurfaces: the colour must stay readable.
      vec3 slope = found.zxy * range.y * cellsPerLength.zxy;
      if (bothSigns && share < 0.5) { slope = -slope; }
      float steepness = length(slope);
      if (steepness > 1e-4) {
        float lit = 0.5 - 0.5 * dot(slope / steepness, kLight);
        colour *= mix(1.0, 0.80 + 0.45 * lit, min(steepness * 0.4, 1.0));
      }
      gathered.rgb += gathered.a * alpha * colour;
      gathered.a *= 1.0 - alpha;
    }
    t += stepLength;
  }
  return gathered;
}

void main() {
  ivec2 corner = ivec2(gl_GlobalInvocationID.xy) * pixelStep;
  if (any(greaterThanEqual(corner, size))) { return; }
  vec2 pixel = vec2(corner) + 0.5 * float(pixelStep);
  vec2 fromMiddle = pixel - 0.5 * vec2(size);
  vec3 direction = normalize(forward + fromMiddle.x * perPixelX + fromMiddle.y * perPixelY);
  // Jittering the start per pixel turns banding into fine noise (Jimenez 2014).
  float jitter = fract(52.9829189 * fract(dot(vec2(corner / pixelStep), vec2(0.06711056, 0.00583715))));

  vec3 colour = background;
  for (int i = 0; i < edgesBehind; ++i) { colour = mix(colour, frame, 0.45 * edgeCover(edges[i], pixel)); }
  vec4 gathered = march(direction, jitter);
  colour = gathered.rgb + gathered.a * colour;
  for (int i = edgesBehind; i < 12; ++i) { colour = mix(colour, frame, 0.8 * edgeCover(edges[i], pixel)); }

  for (int row = 0; row < pixelStep; ++row) {
    for (int column = 0; column < pixelStep; ++column) {
      ivec2 at = corner + ivec2(column, row);
      if (all(lessThan(at, size))) { imageStore(picture, at, vec4(colour, 1.0)); }
    }
  }
}
