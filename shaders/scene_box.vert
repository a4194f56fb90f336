#version 430 core
// One box per instance. Draws the three of its six faces that point towards the viewer; these are the same for all
// boxes, since the projection is parallel.

layout(location = 0) in vec4 lowAndShade;
layout(location = 1) in vec4 highAndOpacity;
layout(location = 2) in vec4 travel; // where it comes from: displacement, and its size there by its own
layout(location = 3) in uint bits; // colour, the flags below; from 16 on its colour there, from 24 on when it leaves
layout(location = 4) in vec2 cells;
layout(location = 5) in uint recorded; // index of its value in recordedValues, or kNone if it has a shade

const uint kSolid = 0x100u, kChanged = 0x200u, kLeaves = 0x1000u;

uniform mat4 projection;
uniform vec3 toViewer;
uniform float progress; // of the movement: 0 at its start, 1 at rest
uniform float turns;    // share of it by which the last cells leave after the first
uniform vec4 palette[16];
uniform vec4 background;
uniform usamplerBuffer recordedValues;
uniform vec2 valueRange; // lowest value, 1 / span; span 0: all equal

const uint kNone = 0xffffffffu;

out vec2 cell;           // coordinate in cells along the face
flat out vec2 span;      // cells of the face
flat out uint look;
flat out vec3 fill;      // lit colour of the face
flat out vec3 role;      // the colour as it is
flat out float opacity;
flat out float isTop;

// Two triangles.
const vec2 kCorners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 0), vec2(1, 1), vec2(0, 1));

void main() {
    int face = gl_VertexID / 6;
    vec2 corner = kCorners[gl_VertexID % 6];
    vec3 unit; // in the box, 0…1
    float light;
    if (face == 0) {
        unit = vec3(corner.x, 1, corner.y);
        span = cells;
        light = 1.0;
    } else if (face == 1) {
        unit = vec3(toViewer.x > 0 ? 1 : 0, corner.y, corner.x);
        span = vec2(cells.y, 1);
        light = 0.66;
    } else {
        unit = vec3(corner.x, corner.y, toViewer.z > 0 ? 1 : 0);
        span = vec2(cells.x, 1);
        light = 0.48;
    }
    cell = corner * span;
    float turn = float(bits >> 24u) / 255.0;
    float own = clamp((progress - turn * turns) / (1.0 - turns), 0.0, 1.0);
    float remaining = 1.0 - own * own * (3.0 - 2.0 * own);
    // What flies sideways rises over what lies between.
    float arc = min(0.3 * length(travel.xz), 5.0) * 4.0 * remaining * (1.0 - remaining);
    vec3 size = (highAndOpacity.xyz - lowAndShade.xyz) * mix(1.0, travel.w, remaining);
    vec3 place = lowAndShade.xyz + size * unit + travel.xyz * remaining + vec3(0, arc, 0);
    gl_Position = (bits & kLeaves) != 0u && progress >= 1.0 ? vec4(0, 0, 2, 1) : projection * vec4(place, 1);

    look = bits;
    isTop = face == 0 ? 1.0 : 0.0;
    opacity = highAndOpacity.w;
    role = mix(palette[bits & 0xffu].rgb, palette[bits >> 16u & 0xffu].rgb, remaining);
    // The hue shows the role; the value only changes the brightness slightly.
    float shade = lowAndShade.w;
    if (recorded != kNone) {
        float value = uintBitsToFloat(texelFetch(recordedValues, int(recorded)).r);
        if (valueRange.y == 0.0) shade = 0.5;
        else if (isnan(value) || isinf(value)) shade = 1.0;
        else shade = clamp((value - valueRange.x) * valueRange.y, 0.0, 1.0);
    }
    vec3 colour = role * mix(0.68, 1.04, shade);
    if ((bits & kChanged) != 0u) colour = mix(role, vec3(1), 0.3);
    fill = mix(background.rgb, colour, (bits & kSolid) != 0u ? opacity : 1.0) * light;
}
