; `bfs` of `peers.cu` as the compiler's front end has it. The library of CUDA 13.5 makes of it, with `!{i32 2, i32 0, i32 3, i32 2}`
; as the version, what stands in `peers.sm_75.ptx`, to the instruction; that of CUDA 11.8 makes `bfs.ptx`.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define void @bfs(i32 %n, i32* %first, i32* %edges, i32* %levels, i32 %level, i32* %next) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = mul i32 %b, %d
  %i = add i32 %m, %t
  %c = icmp uge i32 %i, %n
  br i1 %c, label %out, label %in
in:
  %i64 = zext i32 %i to i64
  %lp = getelementptr inbounds i32, i32* %levels, i64 %i64
  %l = load i32, i32* %lp, align 4
  %e = icmp eq i32 %l, %level
  br i1 %e, label %go, label %out
go:
  %i1 = add i32 %i, 1
  %i164 = zext i32 %i1 to i64
  %ep = getelementptr inbounds i32, i32* %first, i64 %i164
  %end = load i32, i32* %ep, align 4
  %fp = getelementptr inbounds i32, i32* %first, i64 %i64
  %start = load i32, i32* %fp, align 4
  br label %head
head:
  %edge = phi i32 [ %start, %go ], [ %edge1, %latch ]
  %more = icmp ult i32 %edge, %end
  br i1 %more, label %body, label %out
body:
  %e64 = zext i32 %edge to i64
  %np = getelementptr inbounds i32, i32* %edges, i64 %e64
  %node = load i32, i32* %np, align 4
  %n64 = zext i32 %node to i64
  %nlp = getelementptr inbounds i32, i32* %levels, i64 %n64
  %nl = load i32, i32* %nlp, align 4
  %u = icmp eq i32 %nl, -1
  br i1 %u, label %set, label %latch
set:
  %l1 = add i32 %level, 1
  %xp = getelementptr inbounds i32, i32* %next, i64 %n64
  store i32 %l1, i32* %xp, align 4
  br label %latch
latch:
  %edge1 = add i32 %edge, 1
  br label %head
out:
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void (i32, i32*, i32*, i32*, i32, i32*)* @bfs, !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = !{i32 1, i32 6}
