# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""NumPy arrays to and from the library: pointers without a copy, structured arrays, and small classes for one answer.

An array is used where it lies whenever its element type and strides can be described to the library; it is copied
otherwise. What comes in is never written to; what the library writes to must be writable.
"""

import os

import numpy as np

from ._error import InputError
from ._native import ffi, lib

FLOAT64 = np.dtype("float64")
FLOAT32 = np.dtype("float32")
UINT32 = np.dtype("uint32")


def pointer(array, ctype="void *"):
    """Where an array of any layout begins. The caller keeps the array alive."""
    return ffi.cast(ctype, array.__array_interface__["data"][0])


def is_path(value):
    return isinstance(value, (str, bytes, os.PathLike))


def path_bytes(path):
    """A file's name as the library takes it."""
    if not is_path(path):
        raise TypeError(f"expected the name of a file, got {type(path).__name__}")
    name = os.fsencode(path)
    if b"\0" in name:
        raise InputError("the name of a file contains a zero byte")
    return name


def characters(value, what):
    """A name or text as the library takes it."""
    if not isinstance(value, str):
        raise TypeError(f"{what}: expected a string, got {type(value).__name__}")
    if "\0" in value:
        raise InputError(f"{what}: contains a zero byte")
    return value.encode("utf-8", "surrogateescape")


def shape_text(shape):
    """(None, 3) as "(n, 3)"."""
    names = iter("nmkl")
    inner = ", ".join(next(names) if size is None else str(size) for size in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


def fits(shape, expected):
    return len(shape) == len(expected) and all(e is None or s == e for s, e in zip(shape, expected))


def numbers(value, what):
    """An array of real numbers, of the type that it has."""
    try:
        array = np.asarray(value)
    except ValueError as fault:
        raise InputError(f"{what}: expected an array of numbers ({fault})") from None
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{what}: expected an array of real numbers, got {array.dtype}")
    return array


def expect_shape(array, shape, what):
    if not fits(array.shape, shape):
        raise InputError(f"{what}: expected an array of shape {shape_text(shape)}, got {array.shape}")


def exactly(array, dtype, what):
    """Of another type of numbers. Whole numbers that are no doubles are refused: every input is taken exactly."""
    if array.dtype == dtype and array.dtype.isnative:
        return array
    if array.dtype.kind == "f" and array.dtype.itemsize > dtype.itemsize:
        raise TypeError(f"{what}: expected float64 or float32, got {array.dtype}, which would be rounded")
    changed = array.astype(dtype)
    if array.dtype.kind in "iu" and array.dtype.itemsize > 4 and array.size and not np.array_equal(
        changed.astype(object), array.astype(object)
    ):
        raise InputError(f"{what}: has a whole number that is not a double")
    return changed


def doubles(value, shape, what):
    """A packed array of doubles of this shape (None: any size); the same array where it is one already."""
    array = numbers(value, what)
    expect_shape(array, shape, what)
    array = exactly(array, FLOAT64, what)
    return np.require(array, FLOAT64, ["C_CONTIGUOUS", "ALIGNED"])


def vector(value, size, what):
    """So many doubles, as a cffi array of its own."""
    return ffi.new("double[]", doubles(value, (size,), what).tolist())


def real(value, what):
    """One number as a double."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what}: expected a number, got {type(value).__name__}") from None


def indices(value, columns, what):
    """Numbers of vertices as a packed array of uint32, (n, columns); the same array where it is one already."""
    array = np.asarray(value)
    if array.size == 0 and array.ndim <= 2:
        return np.empty((0, columns), UINT32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what}: expected an array of whole numbers, got {array.dtype}")
    expect_shape(array, (None, columns), what)
    if array.dtype != UINT32:
        # One pass finds what does not fit; what is merely out of range the library names.
        low, high = int(array.min()), int(array.max())
        if low < 0 or high >= lib.TOI_NO_BODY:
            at = int(np.flatnonzero((array < 0) | (array >= lib.TOI_NO_BODY))[0])
            raise InputError(f"{what}: row {at // columns} names vertex {array.reshape(-1)[at]}; numbers begin at 0")
        if array.dtype == np.dtype("int32"):
            array = np.require(array, None, ["C_CONTIGUOUS", "ALIGNED"]).view(UINT32)
    return np.require(array, UINT32, ["C_CONTIGUOUS", "ALIGNED"])


def output(array, shape, dtype, what):
    """An array to write to: a new one, or the caller's, if the library can write to it as it is."""
    if array is None:
        return np.empty(shape, dtype)
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        kind = getattr(array, "dtype", type(array).__name__)
        expected = f"a structured array of {len(dtype.names)} fields" if dtype.names else str(dtype)
        raise TypeError(f"{what}: expected an array of {expected}, got {kind}")
    expect_shape(array, shape, what)
    if not array.flags.writeable:
        raise InputError(f"{what}: expected an array to write to, got a read-only one")
    if not (array.flags.c_contiguous and array.flags.aligned):
        raise InputError(f"{what}: expected a packed array (C-contiguous, aligned)")
    return array


# --- positions of vertices ---


class Layout:
    """Where positions lie: one array, or two of the same layout."""

    __slots__ = ("start", "end", "scalar", "stride", "component_stride")

    def __init__(self, start, end=None):
        start = positions(start, "start")
        if end is not None:
            end = positions(end, "end")
            if end.shape != start.shape:
                raise InputError(f"end: expected an array of shape {start.shape}, as start has, got {end.shape}")
            if end.dtype != start.dtype or end.strides != start.strides:
                common = np.promote_types(start.dtype, end.dtype)
                start, end = packed(start, common), packed(end, common)
        self.start, self.end = start, end
        self.scalar = lib.TOI_FLOAT64 if start.dtype == FLOAT64 else lib.TOI_FLOAT32
        self.stride, self.component_stride = start.strides
        if len(start) == 0:
            self.stride, self.component_stride = 0, 0
        elif self.component_stride == start.itemsize:
            self.component_stride = 0

    def like(self):
        """A new array of this layout."""
        start = self.start
        if start.flags.c_contiguous or start.flags.f_contiguous:
            return np.empty_like(start)
        size = int((len(start) - 1) * self.stride + 2 * start.strides[1] + start.itemsize)
        return np.ndarray(start.shape, start.dtype, np.empty(size + 7 & ~7, np.uint8), 0, start.strides)


def positions(value, what):
    """Vertices as (n, 3) floats or doubles, in a layout that the library can read."""
    array = numbers(value, what)
    expect_shape(array, (None, 3), what)
    if array.dtype.kind != "f" or array.dtype.itemsize not in (4, 8) or not array.dtype.isnative:
        if array.dtype.kind == "f" and array.dtype.itemsize == 2:
            array = array.astype(FLOAT32)
        elif array.dtype.kind == "f" and array.dtype.itemsize in (4, 8):
            array = array.astype(array.dtype.newbyteorder("="))
        else:
            array = exactly(array, FLOAT64, what)
    rows, columns = array.strides
    size = array.itemsize
    # Each number in a place of its own, since positions are also written in this layout.
    described = columns >= size and rows >= size and (rows >= 3 * columns or columns >= len(array) * rows > rows)
    if len(array) > 0 and (not described or not array.flags.aligned):
        array = packed(array, array.dtype)
    return array


def packed(array, dtype):
    return np.require(array, dtype, ["C_CONTIGUOUS", "ALIGNED"])


# --- structs as records ---

_PRIMITIVES = {"double": "f8", "uint8_t": "u1", "uint32_t": "u4", "uint64_t": "u8", "size_t": "u8", "_Bool": "?"}


def _format(ctype):
    if ctype.kind == "array":
        inner, shape = _format(ctype.item), (ctype.length,)
        if isinstance(inner, tuple):
            inner, shape = inner[0], shape + inner[1]
        return inner, shape
    if ctype.kind == "struct":
        return struct_dtype(ctype.cname)
    return "u4" if ctype.kind == "enum" else _PRIMITIVES[ctype.cname]


def struct_dtype(name, **renamed):
    """The NumPy type of a struct of the library's: the same fields, without its reserve. A `pair` becomes its two
    numbers, `first` and `second`, and so points of that name must be renamed."""
    names, formats, offsets = [], [], []
    for field, place in ffi.typeof(name).fields:
        if field in ("reserved", "padding"):
            continue
        if field == "pair":
            names += ["first", "second"]
            formats += ["u4", "u4"]
            offsets += [place.offset, place.offset + 4]
            continue
        names.append(renamed.get(field, field))
        formats.append(_format(place.type))
        offsets.append(place.offset)
    layout = {"names": names, "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof(name)}
    return np.dtype(layout, align=True)


def records(items, count, dtype):
    """A copy of an array of the library's."""
    return np.frombuffer(ffi.buffer(items, count * dtype.itemsize), dtype).copy()


class Record:
    """One answer: a struct of the library's, with a copy of its own. Subclasses name the fields."""

    __slots__ = ("_c",)
    _type = ""
    _shown = ()

    def __init__(self, record):
        """record: an element of the array that holds many of them."""
        raw = record.tobytes() if isinstance(record, (np.void, np.ndarray)) else record
        if not isinstance(raw, bytes) or len(raw) != ffi.sizeof(self._type):
            raise TypeError(f"{type(self).__name__}: expected a record of {ffi.sizeof(self._type)} bytes")
        self._c = ffi.new(self._type + " *")
        ffi.buffer(self._c)[:] = raw

    @classmethod
    def _of(cls, struct):
        """Of a struct made by ffi.new(), which the record keeps."""
        record = cls.__new__(cls)
        record._c = struct
        return record

    def __repr__(self):
        fields = ", ".join(f"{name}={_show(getattr(self, name))}" for name in self._shown)
        return f"{type(self).__name__}({fields})"

    def _bits(self):
        """The bytes of all fields but the reserve."""
        raw = ffi.buffer(self._c)[:]
        fields = ffi.typeof(self._type).fields
        kept = [place for name, place in fields if name not in ("reserved", "padding")]
        return b"".join(raw[place.offset : place.offset + ffi.sizeof(place.type)] for place in kept)

    def __eq__(self, other):
        """The same bits in every field."""
        return self._bits() == other._bits() if type(other) is type(self) else NotImplemented

    def __hash__(self):
        return hash(self._bits())

    def __reduce__(self):
        return type(self), (ffi.buffer(self._c)[:],)


def _show(value):
    if isinstance(value, np.ndarray):
        return "[" + ", ".join(f"{x:.17g}" for x in value.ravel()) + "]"
    return repr(value)


def number(name, doc, convert=None):
    """A field of a record."""
    if convert is None:
        return property(lambda self: getattr(self._c, name), doc=doc)
    return property(lambda self: convert(getattr(self._c, name)), doc=doc)


def coordinates(name, doc, *shape):
    """A field that is an array of doubles: a new array each time."""

    def get(self):
        array = np.array(ffi.unpack(ffi.cast("double *", getattr(self._c, name)), int(np.prod(shape or (3,)))))
        return array.reshape(shape) if len(shape) > 1 else array

    return property(get, doc=doc)


class Records:
    """Many answers: a sequence of records over one structured array."""

    __slots__ = ("_array",)
    _record = Record
    _word = "records"

    def __init__(self, array):
        self._array = array

    def to_numpy(self):
        """The structured array itself."""
        return self._array

    def __array__(self, dtype=None, copy=None):
        return np.array(self._array, dtype=dtype, copy=True) if copy or dtype is not None else self._array

    def __len__(self):
        return len(self._array)

    def __getitem__(self, key):
        if isinstance(key, str):
            return self._array[key]
        chosen = self._array[key]
        return self._record(chosen) if isinstance(chosen, np.void) else type(self)(chosen)

    def __iter__(self):
        for record in self._array:
            yield self._record(record)

    def _summary(self):
        return ""

    def __repr__(self):
        return f"{type(self).__name__}({len(self)} {self._word}{self._summary()})"
