// One plane of a field, one square per cell. Cells larger than a pixel are drawn sharp; smaller ones are averaged.
layout(local_size_x = 8, local_size_y = 8) in;

uniform vec2 origin;     // top left corner of the first cell, pixels
uniform float cell;      // pixels per cell
uniform ivec2 cells;     // columns, rows
uniform ivec3 rowStep;   // one row down, in the field
uniform ivec3 columnStep;
uniform ivec3 first;     // the first cell, in the field
uniform float gridLines; // fading of a cell's last row and column of pixels into the background, 0…1

const int kMostSamples = 6; // along each side of a pixel

float valueOf(ivec2 at) { return valueAt(first + at.x * columnStep + at.y * rowStep); }

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, size))) { return; }
  vec2 begin = (vec2(pixel) - origin) / cell;
  vec2 middle = begin + 0.5 / cell;
  vec3 colour = background;
  if (all(greaterThanEqual(middle, vec2(0.0))) && all(lessThan(middle, vec2(cells)))) {
    int samples = min(int(ceil(1.0 / cell)), kMostSamples); // one where a cell has a pixel or more
    float sum = 0.0;
    for (int row = 0; row < samples; ++row) {
      for (int column = 0; column < samples; ++column) {
        vec2 at = begin + (vec2(column, row) + 0.5) / (float(samples) * cell);
        sum += valueOf(clamp(ivec2(floor(at)), ivec2(0), cells - 1));
      }
    }
    colour = colourOf(shareOf(sum / float(samples * samples)));
    vec2 inCell = vec2(pixel) - origin - floor(middle) * cell;
    if (any(greaterThan(inCell, vec2(cell - 1.5)))) { colour = mix(colour, background, gridLines); }
  }
  imageStore(picture, pixel, vec4(colour, 1.0));
}
