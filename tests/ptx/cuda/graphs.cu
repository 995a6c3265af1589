// Walks over graphs in compressed rows.
#include "prelude.h"

#define UNKNOWN 0xffffffffu

// A level of a search from a queue of nodes to the next.
KERNEL expand(u32 level, const u32 *first, const u32 *edges, u32 count, const u32 *frontier, u32 *levels, u32 *queue,
              u32 *queued) {
    if (GLOBAL_ID >= count) {
        return;
    }
    u32 node = frontier[GLOBAL_ID];
    for (u32 edge = first[node]; edge < first[node + 1]; edge++) {
        u32 to = edges[edge];
        if (atomicCAS(&levels[to], UNKNOWN, level) == UNKNOWN) {
            queue[atomicAdd(queued, 1u)] = to;
        }
    }
}

// A round of Bellman and Ford: whatever a node's edges make nearer.
KERNEL relax(u32 n, const u32 *first, const u32 *edges, const u32 *lengths, u32 *distances, u32 *changed) {
    u32 node = GLOBAL_ID;
    if (node >= n || atomicMin(&distances[node], UNKNOWN) == UNKNOWN) {
        return;
    }
    u32 own = atomicMin(&distances[node], UNKNOWN);
    bool nearer = false;
    for (u32 edge = first[node]; edge < first[node + 1]; edge++) {
        u32 distance = own + lengths[edge];
        nearer |= atomicMin(&distances[edges[edge]], distance) > distance;
    }
    if (nearer) {
        *changed = 1;
    }
}

// The parts of a graph: of two nodes that an edge joins, both roots become the lower, without locks.
KERNEL join(u32 n, const u32 *from, const u32 *to, u32 *parents) {
    u32 edge = GLOBAL_ID;
    if (edge >= n) {
        return;
    }
    u32 a = from[edge], b = to[edge];
    while (true) {
        u32 up;
        while ((up = atomicMin(&parents[a], UNKNOWN)) != a) {
            a = up;
        }
        while ((up = atomicMin(&parents[b], UNKNOWN)) != b) {
            b = up;
        }
        if (a == b) {
            break;
        }
        u32 low = min(a, b), high = max(a, b);
        if (atomicCAS(&parents[high], high, low) == high) {
            break;
        }
    }
}
