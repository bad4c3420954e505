# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Sphinx's settings of the site; script/docs runs it on the sources that stage.py gathers."""

import re
from pathlib import Path

_here = Path(__file__).resolve().parent
_header = (_here.parents[1] / "include/toi/base.h").read_text()

project = "libtoi"
author = "The libtoi authors"
copyright = "the libtoi authors, MIT licence"  # noqa: A001
version = release = ".".join(re.findall(r"#define TOI_VERSION_\w+ (\d+)", _header))

extensions = ["myst_parser", "breathe", "sphinx.ext.mathjax"]
breathe_projects = {"libtoi": str(_here.parents[1] / "build/docs/doxygen/xml")}
breathe_default_project = "libtoi"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
breathe_show_include = False
myst_heading_anchors = 5
myst_enable_extensions = ["dollarmath"]
suppress_warnings = ["myst.header"]
primary_domain = None
# Types of other libraries and private ones have no page.
nitpick_ignore_regex = [("c:identifier", ".*"), ("cpp:identifier", ".*"), ("py:class", ".*")]
highlight_language = "text"
# Typographic dashes and quotes would change options such as --kind, and what is copied from a page.
smartquotes = False
c_id_attributes = cpp_id_attributes = []

# KaTeX from Debian's package, put into the site by script/docs: no page loads anything from elsewhere.
mathjax_path = "katex/math.js"
mathjax_options = {"defer": "defer"}

html_theme = "furo"
html_title = f"libtoi {version}"
html_static_path = [str(_here / "static"), str(_here.parents[1] / "build/docs/katex")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False
html_show_sphinx = False
html_last_updated_fmt = None
pygments_style = "xcode"
pygments_dark_style = "native"
html_theme_options = {"navigation_with_keys": True}
