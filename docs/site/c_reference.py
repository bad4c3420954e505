# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""The references of C and C++: one page per header, in the order of the header, from what Doxygen found there."""

import re
import xml.etree.ElementTree as ElementTree

DIRECTIVES = {"function": "doxygenfunction", "enum": "doxygenenum", "typedef": "doxygentypedef", "define": "doxygendefine"}


def _title(text):
    return [text, "=" * len(text), ""]


def _label(header):
    """Doxygen's name of a file."""
    return header.name.replace("_", "__").replace(".", "_8")


def _opening(header):
    """A page's label, title, and what the header says of itself."""
    lines = [f".. _{_label(header)}:", "", *_title(header_title(header))]
    return [*lines, f".. doxygenfile:: {header.name}", "   :sections: detaileddescription", ""]


def _others(header):
    """The header that includes all others lists them."""
    return [".. toctree::", "   :titlesonly:", "   :glob:", "", "   *", ""] if header.stem == "toi" else []


def header_title(header):
    return f"toi/{header.name}" if header.parent.name == "toi" else f"toi/cpp/{header.name}"


class Reference:
    """Doxygen's XML of the public headers."""

    def __init__(self, xml):
        self.xml = xml
        self.undescribed = []

    def _file(self, header):
        return ElementTree.parse(self.xml / f"{_label(header)}.xml").getroot().find("compounddef")

    def _members(self, header):
        """(line, kind, name, described) of everything that a C header declares, in its order."""
        root = self._file(header)
        seen = set()
        for member in root.iter("memberdef"):
            kind, name = member.get("kind"), member.findtext("name")
            if kind in DIRECTIVES and name not in seen and not name.endswith("_H"):
                seen.add(name)
                text = "".join(member.find("detaileddescription").itertext()).strip()
                yield int(member.find("location").get("line")), kind, name, bool(text)
        for inner in root.findall("innerclass"):
            compound = ElementTree.parse(self.xml / f"{inner.get('refid')}.xml").getroot().find("compounddef")
            text = "".join(compound.find("detaileddescription").itertext()).strip()
            yield int(compound.find("location").get("line")), "struct", inner.text, bool(text)

    def functions(self, header):
        return [name for _, kind, name, _ in sorted(self._members(header)) if kind == "function"]

    def c_page(self, header, seen_in):
        """seen_in(name): lines that say where the name is used."""
        lines = _opening(header)
        for _, kind, name, described in sorted(self._members(header)):
            if kind == "struct":
                lines += [f".. doxygenstruct:: {name}", "   :members:", "   :undoc-members:", ""]
                continue
            lines += [f".. {DIRECTIVES[kind]}:: {name}", ""]
            if kind == "function":
                if not described:
                    self.undescribed.append(name)
                lines += [*seen_in(name), ""]
        return "\n".join(lines + _others(header))

    def cpp_page(self, header, seen_in):
        """Classes with their members, then the file's functions; seen_in(name): lines that say where to see one used."""
        lines = _opening(header)
        root = self._file(header)
        compounds = []
        for inner in root.findall("innerclass"):
            compound = ElementTree.parse(self.xml / f"{inner.get('refid')}.xml").getroot().find("compounddef")
            if inner.get("prot", "public") == "public" and "detail" not in inner.text and inner.text.count("::") == 1:
                compounds.append((int(compound.find("location").get("line")), compound.get("kind"), inner.text))
        for _, kind, name in sorted(compounds):
            lines += [f".. doxygen{kind}:: {name}", "   :members:", "   :undoc-members:", ""]
        members = self._cpp_members(header)
        for number, (directive, name) in enumerate(members):
            lines += [f".. {directive}:: {name}", ""]
            bare = name.partition("(")[0]
            last = all(other.partition("(")[0] != bare for _, other in members[number + 1 :])
            if directive == "doxygenfunction" and last:
                lines += [*seen_in(bare.removeprefix("toi::")), ""]
        return "\n".join(lines + _others(header))

    def _cpp_members(self, header):
        """(directive, name) of what stands in the namespace itself; overloaded functions with their parameters."""
        space = ElementTree.parse(self.xml / "namespacetoi.xml").getroot().find("compounddef")
        members = list(space.iter("memberdef"))
        names = [member.findtext("name") for member in members if member.get("kind") == "function"]
        found = []
        for member in members:
            location, kind, name = member.find("location"), member.get("kind"), member.findtext("name")
            if kind not in DIRECTIVES or not location.get("file").endswith("cpp/" + header.name):
                continue
            overloaded = kind == "function" and names.count(name) > 1
            arguments = re.sub(r"\s*=delete$", "", member.findtext("argsstring")) if overloaded else ""
            found.append((int(location.get("line")), DIRECTIVES[kind], f"toi::{name}{arguments}"))
        return [(directive, text) for _, directive, text in sorted(found)]
