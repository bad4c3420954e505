# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Builds toi._native: the library's own sources, its declarations, and a few visitors in C, in one extension module.

There is no separate libtoi.so. TOI_STATIC_LIBRARY names a libtoi.a, and what it needs, such as -lgmp, to link instead
of compiling the sources again, as the tests and the sanitizers do; TOI_PYTHON_FLAGS adds flags for the compiler and the
linker, such as -fsanitize=address.
"""

import os
import platform
import shlex
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cffi import FFI

from declarations import callbacks, declarations, of_header

HERE = Path(__file__).resolve().parent
# A source distribution carries the C sources inside.
SOURCE = HERE / "libtoi" if (HERE / "libtoi").is_dir() else HERE.parent

# The library's own integers: the module needs no GMP.
MACROS = [
    ("TOI_STATIC", None),
    ("TOI_WITHOUT_GMP", None),
    ("_POSIX_C_SOURCE", "200809L"),
    ("_DEFAULT_SOURCE", None),
    ("NDEBUG", None),
]
# As cmake/flags.cmake: the proofs rest on IEEE arithmetic without contraction. tests/test_build.py compares the two.
FLAGS = ["-std=c17", "-O3", "-g0", "-ffp-contract=off", "-fvisibility=hidden", "-fstack-protector-strong"]
AVX2_FLAGS = ["-mavx2", "-mfma"]
# declarations.py leaves out `const` before arrays, which compilers may take amiss.
QUALIFIERS = ["-Wno-incompatible-pointer-types"]


def plan(machine=None):
    """The library's sources, each with flags of its own: what CMakeLists.txt says."""
    intel = (machine or platform.machine()) in ("x86_64", "AMD64")
    sources = []
    for path in sorted((SOURCE / "src").glob("*/*.c")):
        if path.parent.name == "cluster":  # a library of its own, which needs MPI
            continue
        if path.name.endswith("_avx2.c"):
            if intel:
                sources.append((path, AVX2_FLAGS))
        elif path.name == "tight_inclusion_base.c":
            sources.append((path, ["-Wno-psabi"]))
        else:
            sources.append((path, []))
    return sources


def static_library():
    """The words of TOI_STATIC_LIBRARY: the archive, and what it is linked with."""
    return shlex.split(os.environ.get("TOI_STATIC_LIBRARY", ""))


def extra_flags():
    return shlex.split(os.environ.get("TOI_PYTHON_FLAGS", ""))


def builder():
    """What cffi compiles: declarations from the headers, callbacks, and the collecting visitors."""
    ffi = FFI()
    public = declarations(SOURCE / "include")
    ffi.cdef(public)
    for header in sorted((HERE / "native").glob("*.h")):
        ffi.cdef(of_header(header.read_text()))
    ffi.cdef(callbacks(public))
    static = static_library()
    ffi.set_source(
        "toi._native",
        '#include "collect.h"\n#include "owner.h"',
        sources=[os.path.relpath(path) for path in sorted((HERE / "native").glob("*.c"))],
        include_dirs=[str(SOURCE / "include"), str(HERE / "native")],
        define_macros=MACROS,
        extra_compile_args=["-std=c17", "-g0", "-fvisibility=hidden", *QUALIFIERS, *extra_flags()],
        extra_link_args=["-Wl,--as-needed", "-Wl,-z,relro,-z,now", *extra_flags()],
        extra_objects=[word for word in static if not word.startswith("-l")],
        libraries=[word[2:] for word in static if word.startswith("-l")] + ["z", "m", "dl", "pthread"],
    )
    return ffi


def compile_library(compiler, directory):
    """Compiles the library's sources with setuptools' compiler, on all CPUs; gives the objects."""
    directory, before, folders = os.path.abspath(directory), os.getcwd(), compiler.include_dirs

    def one(entry):
        path, flags = entry
        return compiler.compile(
            [str(path.relative_to(SOURCE))],
            output_dir=directory,
            macros=MACROS,
            include_dirs=["include", "src"],
            extra_postargs=FLAGS + flags + extra_flags(),
        )

    # Objects are named after their sources: from within, all names lie below `directory`. Python's headers stay out.
    os.chdir(SOURCE)
    compiler.include_dirs = []
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return [name for names in pool.map(one, plan()) for name in names]
    finally:
        os.chdir(before)
        compiler.include_dirs = folders
