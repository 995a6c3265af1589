// Structs: as parameters by value, in memory, with bits as fields.
#include "prelude.h"

struct Bytes {
    u8 a, b, c;
};
struct Halves {
    short low;
    u16 high;
};
struct Mixed {
    char sign;
    double scale;
    float offsets[3];
    int *out;
};

KERNEL by_value(Bytes bytes, Halves halves, Mixed mixed, u32 n) {
    u32 i = GLOBAL_ID;
    if (i < n) {
        double value = mixed.scale * i + mixed.offsets[i % 3];
        int all = (int)value + bytes.a * 10000 + bytes.b * 100 + bytes.c;
        mixed.out[i] = mixed.sign * all + halves.low + halves.high;
    }
}

struct Table {
    u32 length;
    u32 values[15];
};

static __device__ __noinline__ u32 highest(Table table) {
    u32 most = 0;
    for (u32 i = 0; i < table.length; i++) {
        most = table.values[i] > most ? table.values[i] : most;
    }
    return most;
}

// A table that the launch brings along, and that is passed on by value, one entry changed.
KERNEL tables(const __grid_constant__ Table table, u32 *out) {
    u32 i = GLOBAL_ID;
    Table own = table;
    own.values[i % table.length] = table.values[(i + 1) % table.length] + i;
    out[i] = highest(own);
}

struct __align__(16) Particle {
    float x, y, z, mass;
};

// A step of bodies that attract each other, of which each is read at once.
KERNEL attract(u32 n, const Particle *bodies, float step, Particle *moved) {
    u32 i = GLOBAL_ID;
    if (i >= n) {
        return;
    }
    Particle own = bodies[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma unroll 1
    for (u32 other = 0; other < n; other++) {
        Particle body = bodies[other];
        float dx = body.x - own.x, dy = body.y - own.y, dz = body.z - own.z;
        float square = dx * dx + dy * dy + dz * dz + 0.01f;
        float pull = body.mass / (square * sqrtf(square));
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz;
    }
    own.x += step * ax;
    own.y += step * ay;
    own.z += step * az;
    moved[i] = own;
}

struct Packed {
    u32 kind : 3;
    u32 count : 13;
    int delta : 16;
};

KERNEL fields(Packed *all) {
    u32 i = GLOBAL_ID;
    Packed one = all[i];
    one.count += one.kind;
    one.delta = -one.delta + (int)i;
    one.kind ^= 5;
    all[i] = one;
}
