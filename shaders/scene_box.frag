#version 430 core
// Faces with an edge around every cell, sharp at any zoom: the distance to the nearest edge is computed in pixels.

in vec2 cell;
flat in vec2 span;
flat in uint look;
flat in vec3 fill;
flat in vec3 role;
flat in float opacity;
flat in float isTop;

const uint kSolid = 0x100u, kChanged = 0x200u, kRead = 0x400u, kFrame = 0x800u;
const float kDotRadius = 0.14, kDotPixels = 7.0; // size of a read cell's mark; drawn on cells at least this large

uniform vec4 background;
uniform vec4 highlight; // marks the accesses of the current step
uniform float lineScale;

out vec4 colour;

void main() {
    // Cells per pixel across each kind of edge.
    vec2 perPixel = max(vec2(length(vec2(dFdx(cell.x), dFdy(cell.x))), length(vec2(dFdx(cell.y), dFdy(cell.y)))), vec2(1e-6));
    vec2 inside = fract(cell);
    bool solid = (look & kSolid) != 0u;
    bool changed = (look & kChanged) != 0u;
    vec2 toEdge = ((look & kFrame) != 0u ? min(cell, span - cell) : min(inside, 1.0 - inside)) / perPixel;
    // A side is low: lines along it would fill it.
    float distance = isTop > 0.5 ? min(toEdge.x, toEdge.y) : toEdge.x;
    float cellPixels = min(1.0 / perPixel.x, 1.0 / perPixel.y);

    // Two neighbours each draw half of the line between them.
    float halfWidth = lineScale * (changed ? 0.9 : 0.55);
    if (isTop > 0.5) halfWidth = min(halfWidth, cellPixels * 0.2);
    float edge = 1.0 - smoothstep(halfWidth - 0.5, halfWidth + 0.5, distance);
    // Lines closer than a few pixels would darken the whole plane.
    if ((look & kFrame) == 0u) edge *= mix(0.35, 1.0, smoothstep(2.5, 9.0, cellPixels / lineScale));

    if (solid) {
        // Light from behind: a cell is slightly brighter at its far corner, which separates tiles visually.
        vec3 face = fill * (isTop > 0.5 ? 1.05 - 0.1 * dot(inside, vec2(0.5)) : 1.0);
        vec3 line = mix(face, background.rgb, isTop > 0.5 ? 0.78 : 0.4);
        if (changed) line = mix(highlight.rgb, face, isTop > 0.5 ? 0.3 : 0.6);
        if ((look & kRead) != 0u && isTop > 0.5 && cellPixels > kDotPixels) {
            float soft = max(perPixel.x, perPixel.y);
            float mark = 1.0 - smoothstep(kDotRadius - soft, kDotRadius + soft, length(inside - 0.5));
            face = mix(face, highlight.rgb, mark * 0.9);
        }
        colour = vec4(mix(face, line, edge), 1);
    } else {
        float alpha = max(edge, (look & kFrame) != 0u ? 0.0 : 0.06) * opacity;
        colour = vec4(role, alpha);
    }
}
