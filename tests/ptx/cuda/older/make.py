#!/usr/bin/env python3
"""Makes `bfs.ptx` of `bfs.ll`: make.py path/to/libnvvm.so, that of `pip install nvidia-cuda-nvcc-cu11==11.8.89`."""
import ctypes
import pathlib
import sys

folder = pathlib.Path(__file__).parent
library = ctypes.CDLL(sys.argv[1])
program, size = ctypes.c_void_p(), ctypes.c_size_t()


def call(name, *arguments):
    if getattr(library, name)(*arguments) != 0:
        sys.exit(name + " has failed")


source = (folder / "bfs.ll").read_bytes()
options = (ctypes.c_char_p * 1)(b"-arch=compute_75")
call("nvvmCreateProgram", ctypes.byref(program))
call("nvvmAddModuleToProgram", program, source, ctypes.c_size_t(len(source)), b"bfs")
call("nvvmCompileProgram", program, len(options), options)
call("nvvmGetCompiledResultSize", program, ctypes.byref(size))
text = ctypes.create_string_buffer(size.value)
call("nvvmGetCompiledResult", program, text)
head = "// libnvvm of CUDA 11.8 of bfs.ll: -arch=compute_75\n"
(folder / "bfs.ptx").write_text(head + text.value.decode())
