// The values of a recorded block's cells at a step, from the logs that its threads wrote on the GPU. One invocation per
// thread of the block: it reads the thread's log up to that step. The later of two writes to a cell wins: the first
// pass finds the latest write, the second one takes its value.
layout(local_size_x = 32) in;

layout(std430, binding = 0) readonly buffer Words { uint words[]; };
layout(std430, binding = 1) readonly buffer Steps { uint steps[]; };     // step of each thread's statements
layout(std430, binding = 2) readonly buffer Threads { uvec4 threads[]; }; // words, first of `steps`, statements, -
layout(std430, binding = 3) readonly buffer Sites { uint siteCell[]; };  // a variable's first cell, or kNone
layout(std430, binding = 4) readonly buffer Ranges { uvec4 ranges[]; };  // address low, high, bytes, first cell
layout(std430, binding = 5) readonly buffer Outputs { uint outputs[]; }; // elements of the output, ascending
layout(std430, binding = 6) buffer Order { uint order[]; };
layout(std430, binding = 7) writeonly buffer Values { uint values[]; };

uniform int threadCount, capacity, rangeCount, outputRange, outputCount, position, pass;

const uint kNone = 0xffffffffu;
const uint kStatement = 1u, kStore = 3u, kVariable = 4u;

// The cell of an element's address, or kNone.
uint cellAt(uint low, uint high) {
    for (int i = 0; i < rangeCount; ++i) {
        uvec4 one = ranges[i];
        uint offset = low - one.x;
        if (high - one.y - (low < one.x ? 1u : 0u) != 0u || offset >= one.z) continue;
        uint element = offset >> 2;
        if (i != outputRange) return one.w + element;
        int first = 0, end = outputCount;
        while (first < end) {
            int middle = (first + end) / 2;
            if (outputs[middle] < element) first = middle + 1;
            else end = middle;
        }
        return first < outputCount && outputs[first] == element ? one.w + uint(first) : kNone;
    }
    return kNone;
}

void put(uint cell, uint value, uint step, uint thread) {
    if (cell == kNone) return;
    uint key = (step << 10 | thread) + 1u;
    if (pass == 0) atomicMax(order[cell], key);
    else if (order[cell] == key) values[cell] = value;
}

void main() {
    uint thread = gl_GlobalInvocationID.x;
    if (thread >= uint(threadCount)) return;
    uvec4 own = threads[thread];
    uint base = thread * uint(capacity);
    uint statement = 0u, step = 0u;
    for (uint at = 0u; at < own.x;) {
        uint head = words[base + at];
        uint kind = head >> 28, payload = head >> 20 & 0xffu, site = head & 0xfffffu;
        uint first = base + at + 1u;
        at += 1u + payload;
        if (at > own.x) return;
        if (kind == kStatement) {
            step = statement < own.z ? steps[own.y + statement] : kNone;
            ++statement;
            if (step >= uint(position)) return;
            continue;
        }
        if (kind == kVariable && site < uint(siteCell.length()) && siteCell[site] != kNone) {
            put(siteCell[site] + thread, words[first], step, thread);
        } else if (kind == kStore) {
            // A float4 is four cells.
            for (uint word = 0u; word + 2u < payload; ++word) {
                uint low = words[first] + 4u * word;
                uint high = words[first + 1u] + (low < words[first] ? 1u : 0u);
                put(cellAt(low, high), words[first + 2u + word], step, thread);
            }
        }
    }
}
