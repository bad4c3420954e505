# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Exceptions: one class per status of the library, each with the library's own message."""

import re

from ._native import ffi, lib


class Error(Exception):
    """The library refused a call, or could not complete it. The message says what was wrong, where, and what to do.

    Every class below is also a matching standard exception: `except ValueError` catches an InputError.
    """

    status = 0


class InputError(Error, ValueError):
    """Invalid input: a coordinate that is not finite, an index out of range, an array of the wrong shape."""

    status = lib.TOI_ERROR_INPUT


class OptionError(Error, ValueError):
    """An option outside its range."""

    status = lib.TOI_ERROR_OPTION


class UnsupportedError(Error):
    """The method does not answer this question."""

    status = lib.TOI_ERROR_UNSUPPORTED


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory, or the context's budget is too small."""

    status = lib.TOI_ERROR_MEMORY


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""

    status = lib.TOI_ERROR_FILE


class FormatError(Error, ValueError):
    """A file was read but is not well formed; the message names file and line."""

    status = lib.TOI_ERROR_FORMAT


class PluginError(Error):
    """A plug-in cannot be loaded, is of another version, or failed."""

    status = lib.TOI_ERROR_PLUGIN


class CancelledError(Error):
    """Stopped by a progress function."""

    status = lib.TOI_ERROR_CANCELLED


class CallbackError(Error):
    """A callback gave up or broke its contract."""

    status = lib.TOI_ERROR_CALLBACK


class DeviceError(Error):
    """There is no such device, or it cannot be used."""

    status = lib.TOI_ERROR_DEVICE


class BusyError(Error, RuntimeError):
    """The context is in use: by a call on another thread, or by the call whose visitor makes this one."""

    status = lib.TOI_ERROR_INPUT


_BY_STATUS = {
    kind.status: kind
    for kind in (
        InputError,
        OptionError,
        UnsupportedError,
        OutOfMemoryError,
        FileError,
        FormatError,
        PluginError,
        CancelledError,
        CallbackError,
        DeviceError,
    )
}


def text(characters):
    """A string of the library's as a Python string; None for NULL."""
    return None if characters == ffi.NULL else ffi.string(characters).decode("utf-8", "replace")


def status_text(status):
    """A short phrase for a status, such as "invalid input"."""
    return text(lib.toi_status_text(status))


def error_of(status, context=ffi.NULL, offset=0):
    """The exception for a status. offset: what to add to the number of the query or pair that the sentence names."""
    sentence = text(lib.toi_context_error(context)) if context != ffi.NULL else ""
    if offset:
        sentence = re.sub(r"^(query|pair|stencil) (\d+)", lambda m: f"{m[1]} {int(m[2]) + offset}", sentence)
    return _BY_STATUS.get(status, Error)(sentence or status_text(status))
