#!/usr/bin/env python3
"""Structured CUDA kernels at random, and where NVIDIA's assembler puts barriers in them.

usage: generate.py --count 500 --seed 1 --out facts.txt [--work DIR] [--arch 75 --arch 90]

Needs nvcc, ptxas and nvdisasm in PATH. Each kernel is one line of text (see `kernel`), from which this script writes the
CUDA kernel and `twin.rs` builds the kernel as the macro would. Everything that touches memory has a number of its own, which
is the offset in its address: by it branches and loops of the machine code are found again.

Per kernel the file has its name and text, and for each architecture
  `twin ARCH branch=number:meets,.. ..; breaks=n; loop=numbers:yes|no ..`    (see `Function.facts`)
  `graph ARCH block ..`                                                      (see `Function.graph`)
"""
import argparse, os, random, re, subprocess, sys, tempfile

# ---- kernels ----


class Kernel:
    """Tokens: `e5` work, `E5` work without strong operations, `i C { .. } { .. }` if, `w C { .. }` while, `d { .. } C` do-while,
    `l { .. }` endless, `f { .. }` as often as a parameter says, `b1` break and `c1` continue (of the so manieth loop further
    out), `r` return, `s5` spin on a lock, `x5` its release. C is `D5` divergent, `U5` uniform, `Q5` divergent without strong
    operations, `& C C`, `| C C`."""

    def __init__(self, rng, options):
        self.rng, self.tag, self.options = rng, 15, options
        self.quiet = rng.random() < 0.2
        self.budget = rng.randint(4, 14)
        self.body = self.block(0, [], True)

    def number(self):
        self.tag += 1
        return self.tag

    def work(self):
        return [("E%d" if self.quiet else "e%d") % self.number()]

    def simple(self):
        if self.quiet:
            return ["Q%d" % self.number()]
        return [("U%d" if self.rng.random() < 0.12 else "D%d") % self.number()]

    def cond(self):
        if self.rng.random() < self.options.short_circuit:
            return [self.rng.choice("&|")] + self.simple() + self.simple()
        return self.simple()

    def block(self, depth, loops, top=False, jump=True):
        """A statement list. Bodies of loops begin with work, or the compiler makes one loop of those that begin at one place
        once it tests at the end. `loops` are the kinds of the loops around."""
        out, rng = [], self.rng
        if top or rng.random() < 0.5:
            out += self.work()
        for _ in range(rng.choice([1, 2, 2, 3]) if top else rng.choice([0, 1, 1, 2])):
            if self.budget > 0 and depth < 4:
                out += self.statement(depth, loops)
                if rng.random() < 0.55:
                    out += self.work()
        if not out:
            out += self.work()
        if top:
            out += self.work()
        return out

    def jump(self, loops):
        """What an arm may end with."""
        rng, found = self.rng, []
        if loops:
            found += ["b0"] * 4
            if loops[-1] != "d":
                found += ["c0"] * 2
        if len(loops) > 1:
            found += ["b1"]
            if loops[-2] != "d":
                found += ["c1"]
        found += ["r"] * 2
        return rng.choice(found)

    def arm(self, depth, loops):
        rng = self.rng
        if rng.random() < (0.4 if loops else 0.12):
            work = [] if rng.random() < 0.5 else self.block(depth + 2, loops)
            return work + [self.jump(loops)]
        return self.block(depth + 1, loops)

    def statement(self, depth, loops):
        rng, self.budget = self.rng, self.budget - 1
        kind = rng.choices("iIwdlfs", [26, 22, 18, 8, 10, 8, 0 if self.quiet else 4])[0]
        if kind == "s":
            lock = self.number()
            return ["s%d" % lock] + self.work() + ["x%d" % lock]
        if kind in "iI":
            cond = self.cond()
            out = ["i"] + cond + ["{"] + self.arm(depth, loops) + ["}"]
            return out + (["{"] + self.arm(depth, loops) + ["}"] if kind == "I" else ["{", "}"])
        inner = loops + [kind]
        if kind == "w":
            cond = self.cond()
            return ["w"] + cond + ["{"] + self.work() + self.block(depth + 1, inner) + ["}"]
        if kind == "d":
            body = self.work() + self.block(depth + 1, inner)
            return ["d", "{"] + body + ["}"] + self.simple()
        if kind == "f":
            return ["f", "{"] + self.work() + self.block(depth + 1, inner) + ["}"]
        body = self.work()
        for _ in range(rng.choice([1, 1, 2])):
            body += ["i"] + self.simple() + ["{"]
            body += (self.work() if rng.random() < 0.6 else []) + [rng.choice(["b0", "b0", "r"]), "}", "{", "}"]
            body += self.work() if rng.random() < 0.6 else []
        if rng.random() < 0.4 and self.budget > 0:
            body += self.statement(depth + 1, inner)
        return ["l", "{"] + body + ["}"]


def threshold(token):
    """What a condition compares with; by it a comparison is known, whichever of > and >= it became."""
    return 4 * int(token[1:]) + 1


def cuda(name, text):
    """The CUDA kernel of a text."""
    tokens, lines, labels = text.split(), [], [0]
    at = [0]

    def take():
        at[0] += 1
        return tokens[at[0] - 1]

    def cond():
        token = take()
        if token in "&|":
            left = cond()
            return "(%s %s %s)" % (left, token * 2, cond())
        if token[0] == "Q":
            return "((x = w[x & 63]) > %d)" % threshold(token)
        return "(%s[%s] > %d)" % ({"D": "v", "U": "u"}[token[0]], token[1:], threshold(token))

    def block(loops):
        assert take() == "{"
        while tokens[at[0]] != "}":
            statement(loops)
        take()

    def loop(head, tail=None):
        labels[0] += 1
        number = labels[0]
        lines.append('_Pragma("unroll 1") ' + head + " {")
        block_loops.append(number)
        block(block_loops)
        block_loops.pop()
        lines.append("cont%d:;\n}%s\nbrk%d:;" % (number, tail() if tail else "", number))

    def statement(loops):
        token = take()
        kind, rest = token[0], token[1:]
        if kind == "e":
            lines.append("W(v, q, %s);" % rest)
        elif kind == "E":
            lines.append("x = x * %d + w[x & 127]; x ^= w[x & 255]; x += w[x & 511]; x ^= w[x & 1023];" % (threshold(token) + 2))
        elif kind == "s":
            lines.append("while (atomicCAS(m + %s, 0, 1) > %d) {}" % (rest, threshold(token)))
        elif kind == "x":
            lines.append("atomicExch(m + %s, 0);" % rest)
        elif kind == "r":
            lines.append("{ DONE; return; }" if "E" in text else "return;")
        elif kind == "b":
            lines.append("break;" if rest == "0" else "goto brk%d;" % loops[-1 - int(rest)])
        elif kind == "c":
            lines.append("continue;" if rest == "0" else "goto cont%d;" % loops[-1 - int(rest)])
        elif kind == "i":
            lines.append("if (%s) {" % cond())
            block(loops)
            lines.append("}")
            if tokens[at[0]] == "{" and tokens[at[0] + 1] == "}":
                at[0] += 2
            else:
                lines.append("else {")
                block(loops)
                lines.append("}")
        elif kind == "w":
            loop("while (%s)" % cond())
        elif kind == "f":
            loop("for (int k%d = 0; k%d < n; k%d++)" % ((labels[0],) * 3))
        elif kind == "l":
            loop("for (;;)")
        elif kind == "d":
            loop("do", lambda: " while (%s);" % cond())
        else:
            raise ValueError(token)

    block_loops = []
    while at[0] < len(tokens):
        statement(block_loops)
    head = "KERNEL %s(int *p, volatile int *u, int *m, int *pl, int n) {\nint i = blockIdx.x * blockDim.x + threadIdx.x;" % name
    head += "\nvolatile int *v = p + i; volatile int *q = p; const int *w = pl + i; unsigned x = i;"
    return "%s\n%s\n%s}\n" % (head, "\n".join(lines), "DONE;\n" if "E" in text else "")


PRELUDE = """
#define KERNEL extern "C" __global__ void
#define DONE p[i] = x
// Work that is not worth predicating; only the first and the last access have a number as the offset.
static __device__ __forceinline__ void W(volatile int *v, volatile int *q, int k) {
  int t = v[k];
  t = t * 3 + q[t & 255];
  q[t & 511] = t;
  t ^= q[t & 127];
  q[(t + k) & 1023] = t;
  v[k] = t ^ k;
}
"""

# ---- machine code ----

INSTRUCTION = re.compile(r"^\s*/\*([0-9a-f]+)\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][A-Z0-9_]*(?:\.[A-Za-z0-9_]+)*)\s*(.*?)\s*;")
LABEL = re.compile(r"^\s*([.$A-Za-z_][\w.$]*):\s*$")
SECTION = re.compile(r"^\.text\.([\w.$]+):")
EXIT = -1
ALWAYS = (None, "@PT", "@UPT")


class Inst:
    def __init__(self, address, pred, op, args):
        self.address, self.pred, self.op, self.args = address, pred, op, args
        self.base = op.split(".")[0]

    def tag(self):
        """The number of what it touches, or compares or multiplies with."""
        if self.base in ("ISETP", "UISETP", "IMAD"):
            found = re.search(r", 0x([0-9a-f]+)\b", self.args)
            number = int(found.group(1), 16) // 4 if found else 0
            return number if number >= 16 else None
        if self.base not in ("LDG", "STG", "LD", "ST", "ATOM", "ATOMG", "RED"):
            return None
        found = re.search(r"\[[^\]]*?\+(-?)0x([0-9a-f]+)\]", self.args)
        number = int(found.group(2), 16) // 4 if found and not found.group(1) else 0
        return number if number >= 16 else None

    def sets(self, branch):
        """Whether it is a comparison whose outcome a branch has as its predicate."""
        asked = re.search(r"U?P\d", branch.pred or branch.args)
        return "ISETP" in self.base and asked is not None and asked.group(0) in self.args.split(",")[0]

    def barrier(self):
        found = re.search(r"\b(B\d+)\b", self.args)
        return found and found.group(1)


def disassembly(path):
    """Per function: instructions and labels."""
    functions, current, pending = {}, None, []
    for line in open(path, errors="replace"):
        found = SECTION.match(line)
        if found:
            current, pending = functions.setdefault(found.group(1), ([], {})), []
            continue
        if re.match(r"\s*\.section", line):
            current = None
        if current is None:
            continue
        found = LABEL.match(line)
        if found:
            pending.append(found.group(1))
            continue
        found = INSTRUCTION.match(line)
        if found:
            for label in pending:
                current[1][label] = len(current[0])
            pending = []
            current[0].append(Inst(int(found.group(1), 16), found.group(2), found.group(3), found.group(4)))
    return functions


class Function:
    """The control-flow graph of machine code, without what belongs to a YIELD of sm_75: a vote, and a way back to it."""

    def __init__(self, insts, labels):
        while insts and insts[-1].base in ("NOP", "BRA") and not (insts[-1].base != "NOP" and self.is_target(insts, labels)):
            insts = insts[:-1]
        self.insts = insts
        self.labels = labels
        starts = {0}
        for index, inst in enumerate(insts):
            if inst.base in ("BRA", "EXIT", "RET", "BRX", "JMP", "CALL"):
                starts.add(index + 1)
            if inst.base == "BRA":
                starts.add(self.target(inst))
        starts = sorted(start for start in starts if start < len(insts))
        self.blocks = [range(start, end) for start, end in zip(starts, starts[1:] + [len(insts)])]
        self.block_of = {index: number for number, block in enumerate(self.blocks) for index in block}
        self.succ = [self.successors(number) for number in range(len(self.blocks))]
        self.unspin()
        reached = self.reach([0], lambda block: False)
        self.preds = [[] for _ in self.blocks]
        for block in sorted(reached):
            for other in self.succ[block]:
                if other != EXIT:
                    self.preds[other].append(block)
        self.reached = reached
        self.find_loops()
        self.find_barriers()

    @staticmethod
    def is_target(insts, labels):
        return not re.search(r"\(\.L_x_\d+\)|\(\.L_\d+\)", insts[-1].args) or Function.own(insts, labels)

    @staticmethod
    def own(insts, labels):
        found = re.search(r"`\(([^)]*)\)", insts[-1].args)
        return not found or labels.get(found.group(1)) != len(insts) - 1

    def target(self, inst):
        found = re.findall(r"`\(([^)]*)\)", inst.args)
        return self.labels[found[-1]]

    @staticmethod
    def is_conditional(inst):
        return inst.pred not in ALWAYS or re.match(r"^!?U?P\d", inst.args) is not None or ".DIV" in inst.op or ".CONV" in inst.op

    def successors(self, number):
        last = self.insts[self.blocks[number][-1]]
        behind = [number + 1] if number + 1 < len(self.blocks) else []
        if last.base == "BRA":
            taken = self.block_of[self.target(last)]
            if not self.is_conditional(last):
                return [taken]
            return [taken] + [other for other in behind if other != taken]
        if last.base in ("EXIT", "RET"):
            return [EXIT] if last.pred in ALWAYS else behind + [EXIT]
        return behind

    def unspin(self):
        """A YIELD with its vote goes back once."""
        for number, block in enumerate(self.blocks):
            insts = [self.insts[index] for index in block]
            if insts[-1].op == "BRA.U" and any(inst.base == "YIELD" for inst in insts):
                again = [other for other in self.succ[number] if other != EXIT and self.succ[other] == [number]]
                again = [other for other in again if len(self.blocks[other]) == 1]
                if again:
                    self.succ[number] = [other for other in self.succ[number] if other not in again]

    def reach(self, work, stop, preds=False):
        seen, work = set(), list(work)
        edges = self.preds if preds else self.succ
        while work:
            block = work.pop()
            if block in seen or block == EXIT:
                continue
            seen.add(block)
            if not stop(block):
                work += edges[block]
        return seen

    def tags(self, block):
        return [tag for tag in (self.insts[index].tag() for index in self.blocks[block]) if tag]

    def compared(self, block):
        """The number that the branch at the end of a block is named by: of the comparison that it asks, if that is one of ours."""
        insts = [self.insts[index] for index in self.blocks[block]]
        asked = [inst.tag() for inst in insts if inst.sets(insts[-1])]
        return asked[-1:] if asked and asked[-1] else []

    def find_loops(self):
        dominators = {block: set(self.reached) for block in self.reached}
        dominators[0] = {0}
        changed = True
        while changed:
            changed = False
            for block in sorted(self.reached - {0}):
                new = set.intersection(*(dominators[other] for other in self.preds[block])) | {block}
                changed |= new != dominators[block]
                dominators[block] = new
        self.dominators = dominators
        loops = {}
        for block in self.reached:
            for head in self.succ[block]:
                if head in dominators[block]:
                    body = self.reach([block], lambda other: other == head, True)
                    loops.setdefault(head, set()).update(body | {head})
        self.loops = loops

    def place(self, base):
        return [(self.block_of[i], i) for i, inst in enumerate(self.insts) if inst.base == base and self.block_of[i] in self.reached]

    def find_barriers(self):
        """Per BSSY: where it is, where its BSYNC is, and the instructions between."""
        self.barriers = []
        for block, index in self.place("BSSY"):
            # The encoded target is the instruction behind the BSYNC, or the BSYNC.
            target = self.target(self.insts[index])
            sync = target - 1 if self.insts[target - 1].base == "BSYNC" else target
            inside = self.walk([index + 1], sync, False) & self.walk([sync], index, True)
            self.barriers.append((index, sync, inside))

    def edges(self, index):
        block = self.block_of[index]
        if index != self.blocks[block][-1]:
            return [index + 1]
        return [self.blocks[other][0] for other in self.succ[block] if other != EXIT]

    def walk(self, work, stop, backwards):
        if not hasattr(self, "back"):
            self.back = {}
            for index in range(len(self.insts)):
                for other in self.edges(index):
                    self.back.setdefault(other, []).append(index)
        seen, work = set(), list(work)
        while work:
            index = work.pop()
            if index not in seen:
                seen.add(index)
                if index != stop:
                    work += self.back.get(index, []) if backwards else self.edges(index)
        return seen

    def next_tags(self, index):
        """The numbers that come first behind an instruction."""
        found, seen, work = set(), set(), list(self.edges(index)) or [None]
        while work:
            at = work.pop()
            if at is None:
                found.add("x")
            elif at not in seen:
                seen.add(at)
                tag = self.insts[at].tag()
                if tag:
                    found.add(tag)
                    continue
                if EXIT in self.succ[self.block_of[at]] and at == self.blocks[self.block_of[at]][-1]:
                    found.add("x")
                work += self.edges(at)
        return found

    def left(self):
        """The blocks with a BREAK, each with what comes next where its barrier meets: a loop that is tested before it and at
        its end may have one barrier for each test, which meet at one place."""
        found = set()
        for block, index in self.place("BREAK"):
            register = self.insts[index].barrier()
            around = [(len(region), sync) for at, sync, region in self.barriers if index in region and self.insts[at].barrier() == register]
            found.add((block, show(self.next_tags(min(around)[1])) if around else register))
        return found

    def facts(self):
        """What `facts.rs` finds in our code. Of a branch: what comes next where the lanes of its innermost barrier meet; `-`
        if there is none. A branch is named by the number that is read last before it in its block. Of a loop that is tested
        before it and at its end, the test in the loop counts."""
        branches = {}
        for block in sorted(self.reached):
            last = self.insts[self.blocks[block][-1]]
            index = self.blocks[block][-1]
            compared = self.compared(block)
            if last.base != "BRA" or len(set(self.succ[block])) < 2 or not compared:
                continue
            around = [(len(inside), sync) for at, sync, inside in self.barriers if index in inside]
            meets = self.next_tags(min(around)[1]) if around else None
            depth = sum(block in body for body in self.loops.values())
            branches.setdefault(compared[-1], []).append((depth, meets))
        lines = []
        for tag, found in sorted(branches.items()):
            deepest = max(depth for depth, _ in found)
            texts = {show(meets) for depth, meets in found if depth == deepest}
            lines.append("branch=%d:%s" % (tag, "|".join(sorted(texts))))
        lines.append("breaks=%d" % len(self.left()))
        for head, body in sorted(self.loops.items()):
            inner = [other for start, other in self.loops.items() if start != head and other < body]
            own = [block for block in body if not any(block in other for other in inner)]
            yields = any(self.insts[index].base == "YIELD" for block in own for index in self.blocks[block])
            tags = sorted({tag for block in body for tag in self.tags(block)})
            lines.append("loop=%s:%s" % (".".join(map(str, tags)), "yes" if yields else "no"))
        return " ".join(lines)


    QUIET = ("BRA", "BSSY", "BSYNC", "BREAK", "EXIT", "NOP", "BMOV", "YIELD", "VOTE", "VOTEU", "WARPSYNC", "LOP3", "ULOP3")

    def graph(self, kinds, end):
        """The graph and its barriers: `number:work:end` per block, then `sync[region]breaks` per barrier, then `yields=`.

        `work` is `s` where it has strong operations, `n` where it has none, and behind it the number of instructions. `end` is `x` exit, `X` the kernel's own end, `j3` on to block 3, `d3.4` a divergent branch to 3 or
        else to 4, `u3.4` a uniform one, `f3.4` one that counts; `x` as a target is an exit; behind it the number by which
        `facts` names the branch. A barrier has the block with its
        BSYNC, those at whose ends it is in force, and those with a BREAK of it."""
        number = {block: at for at, block in enumerate(sorted(self.reached))}
        name = lambda block: "x" if block == EXIT else str(number[block])
        words = []
        last = [block for block in self.reached if end in self.tags(block)]
        ends_here = self.reach(last, lambda block: False) if last else set()
        for block in sorted(self.reached):
            insts = [self.insts[index] for index in self.blocks[block]]
            none, named = all(inst.base in self.QUIET for inst in insts), ""
            strong = any("STRONG" in inst.op for inst in insts)
            succ = list(dict.fromkeys(self.succ[block]))
            if len(succ) == 1:
                kind = "X" if block in ends_here else "x"
                end = kind if succ == [EXIT] else "j" + name(succ[0])
            else:
                tags = self.compared(block)
                kind = {"U": "u", "f": "f"}.get(kinds.get(tags[-1], "D") if tags else "f", "d")
                end = kind + ".".join(name(other) for other in succ)
                named = ":%d" % tags[-1] if tags and insts[-1].base == "BRA" else ""
            size = sum(inst.base not in self.QUIET for inst in insts)
            words.append("%s:%s:%s%s" % (number[block], ("s" if strong else "n" if none else "p") + str(size), end, named))
        inside = lambda region, sync: [number[block] for block in sorted(self.reached) if self.blocks[block][0] in region and block != self.block_of[sync]]
        ends = {}
        for block, index in self.place("BREAK"):
            register = self.insts[index].barrier()
            around = [(len(region), sync) for at, sync, region in self.barriers if index in region and self.insts[at].barrier() == register]
            if around:
                ends.setdefault(min(around)[1], []).append(number[block])
        for at, sync, region in self.barriers:
            breaks = "".join("b%d" % block for block in sorted(ends.get(sync, [])))
            words.append("%d[%s]%s" % (number[self.block_of[sync]], ".".join(map(str, inside(region, sync))), breaks))
        words.append("yields=%d" % len(self.place("YIELD")))
        return " ".join(words)


def show(meets):
    return "-" if meets is None else ".".join(map(str, sorted(meets, key=str))) or "none"


def run(*command):
    subprocess.run(command, check=True)


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--count", type=int, default=500)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--out", default="-")
    args.add_argument("--work")
    args.add_argument("--again", action="store_true", help="read the machine code that is in the work directory")
    args.add_argument("--texts", help="kernels from this file, a line each, not at random")
    args.add_argument("--arch", action="append")
    args.add_argument("--short-circuit", type=float, default=0.0)
    args = args.parse_args()
    archs = args.arch or ["75"]
    work = args.work or tempfile.mkdtemp()
    os.makedirs(work, exist_ok=True)
    if args.texts:
        lines = [line.strip() for line in open(args.texts)]
        kernels = [("t%03d" % n, line) for n, line in enumerate(line for line in lines if line and line[0] != "#")]
    else:
        rng = random.Random(args.seed)
        kernels = [("g%04d" % n, " ".join(Kernel(random.Random(rng.random()), args).body)) for n in range(args.count)]
    found = {name: [] for name, _ in kernels}
    for start in range(0, len(kernels), 100):
        part, base = kernels[start : start + 100], os.path.join(work, "part%d" % start)
        with open(base + ".cu", "w") as file:
            file.write(PRELUDE + "".join(cuda(name, text) for name, text in part))
        if not args.again:
            run("nvcc", "-arch=compute_75", "-ptx", "-O3", "-w", "-o", base + ".ptx", base + ".cu")
        for arch in archs:
            if not args.again:
                run("ptxas", "-arch=sm_" + arch, "-O3", "-o", base + ".cubin", base + ".ptx")
                with open("%s.sm_%s.sass" % (base, arch), "w") as file:
                    subprocess.run(["nvdisasm", "-c", base + ".cubin"], check=True, stdout=file)
            functions = disassembly("%s.sm_%s.sass" % (base, arch))
            for name, _ in part:
                function = Function(*functions[name])
                found[name].append("twin %s %s" % (arch, function.facts()))
                kinds = {int(token[1:]): token[0] for token in dict(part)[name].split() if token[0] in "DUQs" and token[1:]}
                found[name].append("graph %s %s" % (arch, function.graph(kinds, max(map(int, re.findall(r"[eE](\d+)", dict(part)[name]))))))
    out = sys.stdout if args.out == "-" else open(args.out, "w")
    for name, text in kernels:
        print(name, text, file=out)
        for line in found[name]:
            print(" ", line, file=out)


if __name__ == "__main__":
    main()
