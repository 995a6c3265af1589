// Letters and codes: a search, an alignment, an interpreter.
#include "prelude.h"

// The first place where a pattern occurs in each of many texts.
KERNEL find(u32 length, const u8 *pattern, u32 texts, const u32 *first, const u8 *letters, u32 *found) {
    u32 text = GLOBAL_ID;
    if (text >= texts) {
        return;
    }
    u32 start = first[text], end = first[text + 1], place = 0xffffffffu;
#pragma unroll 1
    for (u32 from = start; from + length <= end; from++) {
#pragma unroll 1
        for (u32 i = 0; i < length; i++) {
            if (letters[from + i] != pattern[i]) {
                goto next;
            }
        }
        place = from - start;
        break;
    next:;
    }
    found[text] = place;
}

#define QUERY 64
#define GAP 6

static __device__ int similarity(u8 a, u8 b) {
    switch (a ^ b) {
    case 0: return 5;
    case 1: return -2;
    default: return -4;
    }
}

// The best local alignment of a query with each sequence: a block a sequence, by anti-diagonals.
KERNEL align(const u8 *query, const u32 *first, const u8 *letters, int *best) {
    __shared__ int scores[2 * QUERY];
    __shared__ int highest;
    u32 column = threadIdx.x;
    u8 letter = query[column];
    u32 start = first[blockIdx.x], length = first[blockIdx.x + 1] - start;
    if (column == 0) {
        highest = 0;
    }
    int above = 0, diagonal = 0, mine = 0;
#pragma unroll 1
    for (u32 step = 0; step < length + QUERY - 1; step++) {
        __syncthreads();
        if (step < column || step - column >= length) {
            continue;
        }
        int left = column > 0 ? scores[(step + 1) % 2 * QUERY + column - 1] : 0;
        int aligned = diagonal + similarity(letter, letters[start + step - column]);
        above = max(max(aligned, left - GAP), max(above - GAP, 0));
        mine = max(mine, above);
        diagonal = left;
        scores[step % 2 * QUERY + column] = above;
    }
    atomicMax(&highest, mine);
    __syncthreads();
    if (column == 0) {
        best[blockIdx.x] = highest;
    }
}

enum { PUSH, ADD, SUBTRACT, MULTIPLY, COPY, SET, JUMP, HALT };

// A stack machine: an instruction is 16 times the operand and the operation; thread i runs program i modulo their number.
KERNEL interpret(u32 programs, const u32 *first, const u32 *code, u32 n, const int *input, int *output) {
    u32 i = GLOBAL_ID;
    if (i >= n) {
        return;
    }
    int stack[8];
    stack[0] = input[i];
    u32 start = first[i % programs], pc = start, top = 0;
    while (true) {
        u32 operation = code[pc] % 16, operand = code[pc] / 16;
        pc++;
        switch (operation) {
        case PUSH:
            stack[++top] = operand;
            break;
        case ADD:
            top--;
            stack[top] += stack[top + 1];
            break;
        case SUBTRACT:
            top--;
            stack[top] -= stack[top + 1];
            break;
        case MULTIPLY:
            top--;
            stack[top] *= stack[top + 1];
            break;
        case COPY:
            top++;
            stack[top] = stack[top - 1 - operand];
            break;
        case SET:
            stack[top - operand] = stack[top];
            top--;
            break;
        case JUMP:
            top--;
            if (stack[top + 1] != 0) {
                pc = start + operand;
            }
            break;
        default:
            output[i] = stack[top];
            return;
        }
    }
}
