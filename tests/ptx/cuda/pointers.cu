// Pointers to functions: tables, virtual methods, pointers to methods, and recursion through them.
#include "prelude.h"

static __device__ u32 sum(u32 a, u32 b) { return a + b; }
static __device__ u32 product(u32 a, u32 b) { return a * b; }
static __device__ u32 difference(u32 a, u32 b) { return a - b; }

typedef u32 (*Operator)(u32, u32);
static __device__ const Operator operators[] = {sum, product, difference};

// Each thread evaluates an expression in postfix notation: digits, and letters for operators.
KERNEL postfix(const u8 *expressions, u32 length, u32 *out) {
    const u8 *own = expressions + GLOBAL_ID * length;
    u32 stack[8], depth = 0;
    for (u32 i = 0; i < length && own[i] != ' '; i++) {
        if (own[i] >= 'a') {
            depth--;
            stack[depth - 1] = operators[own[i] - 'a'](stack[depth - 1], stack[depth]);
        } else {
            stack[depth++] = own[i] - '0';
        }
    }
    out[GLOBAL_ID] = stack[0];
}

struct Extent {
    long long least;
    int size;
};

struct Shape {
    __device__ virtual int area() const = 0;
    __device__ virtual Extent moved(Extent by) const { return {by.least, by.size + 1}; }
    __device__ int doubled() const { return 2 * area(); }
};

struct Square : Shape {
    int side;
    __device__ explicit Square(int side) : side(side) {}
    __device__ int area() const override { return side * side; }
};

struct Rectangle : Square {
    int other;
    __device__ Rectangle(int side, int other) : Square(side), other(other) {}
    __device__ int area() const override { return side * other; }
    __device__ Extent moved(Extent by) const override { return {by.least - side, by.size + other}; }
};

static __device__ __noinline__ int measured(const Shape *shape, u32 i) {
    Extent moved = shape->moved({i, 7});
    return shape->doubled() + (int)moved.least * 1000 + moved.size * 100;
}

KERNEL shapes(int *out) {
    u32 i = GLOBAL_ID;
    Square square(i);
    Rectangle rectangle(i, 3);
    out[i] = measured(i % 3 == 0 ? (const Shape *)&square : &rectangle, i);
}

// A pointer to a method: one that is virtual, or one that is not.
KERNEL methods(int *out) {
    u32 i = GLOBAL_ID;
    int (Shape::*const known[])() const = {&Shape::area, &Shape::doubled};
    Rectangle rectangle(i, 5);
    const Shape *shape = &rectangle;
    out[i] = (shape->*known[i % 2])();
}

struct Rule {
    u32 (*apply)(const Rule *rules, u32 n);
};

// In how many steps a number comes to one: each rule calls the next by the table that it is given, and has local memory.
static __device__ __noinline__ u32 halved(const Rule *rules, u32 n) {
    u32 next = n / 2, own[4] = {n, n + 1, n + 2, n + 3};
    u32 steps = rules[next == 1 ? 2 : next % 2].apply(rules, next) + 1;
    return steps + own[steps % 4] - n - steps % 4;
}
static __device__ __noinline__ u32 tripled(const Rule *rules, u32 n) { return rules[0].apply(rules, 3 * n + 1) + 1; }
static __device__ __noinline__ u32 last(const Rule *, u32) { return 0; }

KERNEL rules(u32 *out, Rule *table) {
    u32 i = GLOBAL_ID;
    if (threadIdx.x == 0) {
        table[3 * blockIdx.x] = {halved};
        table[3 * blockIdx.x + 1] = {tripled};
        table[3 * blockIdx.x + 2] = {last};
    }
    __syncthreads();
    u32 n = i + 1;
    out[i] = table[3 * blockIdx.x + (n == 1 ? 2 : n % 2)].apply(table + 3 * blockIdx.x, n);
}
