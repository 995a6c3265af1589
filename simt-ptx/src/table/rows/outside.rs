//! What is out of scope, whatever its modifiers and operands.

use crate::table::row::{Becomes, Row, Shape, Slot};

const fn outside(name: &'static str, reason: &'static str) -> Row {
    Row { name, slots: &[Slot::Rest], operands: &[Shape::Anything], becomes: Becomes::Unsupported(reason) }
}

const TEXTURE: &str = "textures and surfaces: read a buffer with `ld.global`, and interpolate in the kernel";
const TENSOR: &str = "tensor cores: write the product with `fma`";
const COPY: &str = "copies beside the program: use `ld.global` and `st.shared`, and a barrier";
const MBARRIER: &str = "barriers in memory: use `bar.sync`, or a counter with `atom`";
const CLUSTER: &str = "clusters of blocks: the blocks of a launch share global memory only";
const GRIDS: &str = "grids that wait for each other: start the second when the first has ended";
const VIDEO: &str = "instructions on video data: use `min`, `max`, `shl`, `bfe` and `prmt`";
const STACK: &str = "a stack of variable size: declare a `.local` array";

pub(in crate::table) const ROWS: &[Row] = &[
    outside("tex", TEXTURE),
    outside("tld4", TEXTURE),
    outside("txq", TEXTURE),
    outside("suld", TEXTURE),
    outside("sust", TEXTURE),
    outside("sured", TEXTURE),
    outside("suq", TEXTURE),
    outside("istypep", TEXTURE),
    outside("wmma", TENSOR),
    outside("mma", TENSOR),
    outside("wgmma", TENSOR),
    outside("tcgen05", TENSOR),
    outside("ldmatrix", TENSOR),
    outside("stmatrix", TENSOR),
    outside("movmatrix", TENSOR),
    outside("multimem", "several devices: use one"),
    outside("cp", COPY),
    outside("mbarrier", MBARRIER),
    outside("mapa", CLUSTER),
    outside("getctarank", CLUSTER),
    outside("clusterlaunchcontrol", CLUSTER),
    outside("tensormap", COPY),
    outside("griddepcontrol", GRIDS),
    outside("setmaxnreg", "registers moved between warps: remove it"),
    outside("stacksave", STACK),
    outside("stackrestore", STACK),
    outside("alloca", STACK),
    outside("vadd", VIDEO),
    outside("vsub", VIDEO),
    outside("vabsdiff", VIDEO),
    outside("vmin", VIDEO),
    outside("vmax", VIDEO),
    outside("vshl", VIDEO),
    outside("vshr", VIDEO),
    outside("vmad", VIDEO),
    outside("vset", VIDEO),
    outside("vadd2", VIDEO),
    outside("vsub2", VIDEO),
    outside("vavrg2", VIDEO),
    outside("vabsdiff2", VIDEO),
    outside("vmin2", VIDEO),
    outside("vmax2", VIDEO),
    outside("vset2", VIDEO),
    outside("vadd4", VIDEO),
    outside("vsub4", VIDEO),
    outside("vavrg4", VIDEO),
    outside("vmin4", VIDEO),
    outside("vmax4", VIDEO),
    outside("vset4", VIDEO),
];
