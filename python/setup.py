# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Compiles the library into the extension module, and packs the C sources into the source distribution."""

import re
import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

sys.path.insert(0, str(Path(__file__).resolve().parent))
import build_module


class BuildExtension(build_ext):
    """Compiles the library's sources first, unless a static library is given."""

    def build_extension(self, extension):
        if not build_module.static_library():
            extension.extra_objects = build_module.compile_library(self.compiler, Path(self.build_temp) / "libtoi")
        super().build_extension(extension)


class SourceDistribution(sdist):
    """Takes the C sources along, so that the archive builds alone."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        target = Path(base_dir) / "libtoi"
        for folder, patterns in (("src", ("*.c", "*.h")), ("include", ("*.h",))):
            for pattern in patterns:
                for path in (build_module.SOURCE / folder).rglob(pattern):
                    place = target / path.relative_to(build_module.SOURCE)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(path, place)
        shutil.copy2(build_module.SOURCE / "LICENSE", target / "LICENSE")


def version():
    """As the public header says."""
    text = (build_module.SOURCE / "include" / "toi" / "base.h").read_text()
    return ".".join(re.findall(r"^#define TOI_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text, re.MULTILINE))


setup(
    version=version(),
    packages=["toi"],
    package_data={"toi": ["py.typed", "*.pyi"]},
    zip_safe=False,
    cffi_modules=["build_module.py:builder"],
    cmdclass={"build_ext": BuildExtension, "sdist": SourceDistribution},
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
