#version 430 core
// One line per instance, of constant width in pixels: a rectangle around the projected segment.

layout(location = 0) in vec4 fromAndWidth;
layout(location = 1) in vec4 toAndWidth;
layout(location = 2) in vec2 colourAndOpacity;

uniform mat4 projection;
uniform vec2 viewport; // pixels
uniform float lineScale;
uniform float lift;    // towards the viewer, in depth
uniform vec4 palette[16];

out vec2 along;          // pixels from the start, and across
flat out float reach;    // length in pixels
flat out vec2 halfWidths;
flat out vec4 tint;

const vec2 kCorners[6] = vec2[](vec2(0, -1), vec2(1, -1), vec2(1, 1), vec2(0, -1), vec2(1, 1), vec2(0, 1));

void main() {
    vec2 corner = kCorners[gl_VertexID];
    vec4 a = projection * vec4(fromAndWidth.xyz, 1);
    vec4 b = projection * vec4(toAndWidth.xyz, 1);
    vec2 pixelA = a.xy * viewport * 0.5;
    vec2 pixelB = b.xy * viewport * 0.5;
    reach = max(length(pixelB - pixelA), 1e-3);
    vec2 forward = (pixelB - pixelA) / reach;
    vec2 side = vec2(-forward.y, forward.x);
    halfWidths = vec2(fromAndWidth.w, toAndWidth.w) * 0.5 * lineScale;
    float margin = max(halfWidths.x, halfWidths.y) + 1.0;
    along = vec2(mix(-margin, reach + margin, corner.x), corner.y * margin);
    vec2 pixel = pixelA + forward * along.x + side * along.y;
    float t = clamp(along.x / reach, 0.0, 1.0);
    gl_Position = vec4(pixel / viewport * 2.0, mix(a.z, b.z, t) - lift, 1);
    vec4 hue = palette[int(colourAndOpacity.x)];
    tint = vec4(hue.rgb, hue.a * colourAndOpacity.y);
}
