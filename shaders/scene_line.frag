#version 430 core

in vec2 along;
flat in float reach;
flat in vec2 halfWidths;
flat in vec4 tint;

uniform float strength;

out vec4 colour;

void main() {
    float distance;
    if (halfWidths.x == halfWidths.y) {
        // Round ends, so that joints have no gaps.
        distance = length(vec2(along.x - clamp(along.x, 0.0, reach), along.y)) - halfWidths.x;
    } else {
        float halfWidth = mix(halfWidths.x, halfWidths.y, clamp(along.x / reach, 0.0, 1.0));
        distance = max(abs(along.y) - halfWidth, max(-along.x, along.x - reach));
    }
    float coverage = clamp(0.5 - distance, 0.0, 1.0);
    if (coverage <= 0.0) discard;
    colour = vec4(tint.rgb, tint.a * coverage * strength);
}
