# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""Contexts, and one call of the library from its beginning to its end.

A context serves one call at a time. A second call on a context that is in use, from another thread or from a visitor,
raises BusyError; it never waits, so nothing can lock up. Calls without a context borrow an idle one, or make one, and
so never meet.

Callbacks (visitors, progress, filters) run in Python while C frames wait below. What they raise is
kept, the library is stopped, and the exception continues above those frames. Every call on a mesh has a progress
function: the library calls it every 50 ms, and that is where Ctrl-C is noticed.
"""

from ._array import characters, path_bytes
from ._error import BusyError, InputError, OptionError, OutOfMemoryError, error_of, text
from ._native import ffi, lib


class Holder:
    """A context of the library's with its owner (native/owner.h): the flag that says whether it is in use, and what is
    to end when it is free."""

    __slots__ = ("handle", "owner", "__weakref__")

    def __init__(self, threads=0, memory_budget=0, device=None, device_memory=0, device_queue=0):
        options = ffi.new("toi_context_options *")
        lib.toi_context_options_init(options, ffi.sizeof("toi_context_options"))
        options.threads = whole(threads, "threads", 2**16)
        options.memory_budget = whole(memory_budget, "memory_budget", 2**63)
        name = ffi.NULL if device is None else ffi.new("char[]", str(device).encode("utf-8"))
        options.device = name
        options.device_memory = whole(device_memory, "device_memory", 2**63)
        options.device_queue = whole(device_queue, "device_queue", 2**63)
        place = ffi.new("toi_context **")
        status = lib.toi_context_create(options, place)
        if status != lib.TOI_OK:
            raise error_of(status)
        self.handle = place[0]
        owner = lib.owner_create(place[0])
        if owner == ffi.NULL:
            raise OutOfMemoryError("no memory for a context")
        self.owner = ffi.gc(owner, lib.owner_release)

    def acquire(self):
        if not lib.owner_take(self.owner):
            raise BusyError("a call on this context is under way; use another context for each thread and in visitors")

    def release(self):
        lib.owner_give_back(self.owner)

    def own(self, thing, kind):
        """What keeps a thing made with the context, which is in use; kind: as in "scene", native/owner.h has them. The
        thing ends once nobody has this any more and the context is free; the context ends after it."""
        kept = lib.owner_keep(self.owner, thing, ffi.addressof(lib, "destroy_" + kind))
        if kept == ffi.NULL:
            raise OutOfMemoryError("no memory for what was made")
        return ffi.gc(kept, lib.owned_discard)


def whole(value, what, limit):
    """A whole number in [0, limit)."""
    try:
        result = value.__index__()
    except AttributeError:
        raise TypeError(f"{what}: expected a whole number, got {type(value).__name__}") from None
    if not 0 <= result < limit:
        raise OptionError(f"{what} is {result}; it must lie in [0, {limit})")
    return result


class Context:
    """Worker threads, scratch memory and a memory budget, for one call at a time.

    Functions make contexts as they need them; one of your own has a budget, a chosen number of threads or plug-ins. As
    a context manager it ends with the block. Two threads on one context: the second one gets BusyError.

    threads: worker threads, the caller's among them; 0: one for each CPU.
    memory_budget: bytes that the context may hold at a time; 0: 1 GiB.
    device: None or "cpu": none; "auto", a number of toi.devices(), or a part of a name: calls on meshes use it.
    device_memory, device_queue: bytes of the device that may be used, and of a list of pairs on it; 0: the defaults.
    """

    def __init__(self, threads=0, memory_budget=0, device=None, device_memory=0, device_queue=0):
        self._holder = Holder(threads, memory_budget, device, device_memory, device_queue)

    def _get(self):
        if self._holder is None:
            raise InputError("the context is closed")
        return self._holder

    def close(self):
        """Closes the context. Objects made with it stay usable; the context ends with the last of them."""
        self._holder = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def threads(self):
        """The number of threads that the context works with."""
        return lib.toi_context_threads(self._get().handle)

    @property
    def bytes(self):
        """Bytes that the context holds now."""
        return lib.toi_context_bytes(self._get().handle)

    @property
    def warning(self):
        """A problem in the last call that did not affect its answer, such as a device that failed; "" if none."""
        return text(lib.toi_context_warning(self._get().handle))

    def device(self):
        """The device of the context as a Device, made ready; None if the CPU works alone. Raises DeviceError."""
        info = ffi.new("toi_device_info *")
        with Call(self) as call:
            call.check(lib.toi_context_device(call.context, info))
        return Device(info) if info.usable else None

    def plugin_load(self, path):
        """Loads a plug-in, a shared object; gives the name by which `method` calls it in batches on this context."""
        name = ffi.new("const char **")
        with Call(self) as call:
            call.check(lib.toi_plugin_load(call.context, path_bytes(path), name))
            return text(name[0])

    def __repr__(self):
        if self._holder is None:
            return "Context(closed)"
        return f"Context(threads={self.threads}, bytes={self.bytes})"


class Device:
    """An OpenCL device, and whether it passed the self-test."""

    __slots__ = (
        "number",
        "kind",
        "units",
        "usable",
        "keeps_subnormals",
        "memory",
        "largest_buffer",
        "name",
        "platform",
        "vendor",
        "version",
        "driver",
        "reason",
    )

    def __init__(self, info):
        for name in ("number", "units", "usable", "keeps_subnormals", "memory", "largest_buffer"):
            setattr(self, name, getattr(info, name))
        for name in ("name", "platform", "vendor", "version", "driver", "reason"):
            setattr(self, name, text(getattr(info, name)))
        self.kind = ("other", "cpu", "gpu", "accelerator")[info.kind]

    def __repr__(self):
        return f"Device({self.number}, {self.name!r}, {'usable' if self.usable else 'not usable'})"


def devices(test=True, context=None):
    """The OpenCL devices as a list of Device; empty if there are none.

    test: runs the self-test on each; without it, none is reported as usable.
    """
    count = ffi.new("size_t *")
    found = []
    with Call(context) as call:
        call.check(lib.toi_device_count(call.context, count))
        for number in range(count[0]):
            info = ffi.new("toi_device_info *")
            call.check(lib.toi_device_describe(call.context, number, bool(test), info))
            found.append(Device(info))
    return found


_idle = {}


def idle_holders(threads):
    """The idle contexts of so many threads: taken from its end, given back there. Both are atomic."""
    return _idle.setdefault(threads, [])


class Call:
    """A context that is taken for one call, and the state of its callbacks.

        with Call(context, threads) as call:
            call.check(lib.toi_...(call.context, ...))
    """

    __slots__ = (
        "holder",
        "idle",
        "context",
        "user",
        "progress",
        "may_collide",
        "visit",
        "exception",
        "stopped",
        "keep",
        "__weakref__",
    )

    def __init__(self, context=None, threads=None):
        if context is None:
            self.idle = idle_holders(whole(0 if threads is None else threads, "threads", 2**16))
            try:
                self.holder = self.idle.pop()
            except IndexError:
                self.holder = Holder(0 if threads is None else threads)
        elif not isinstance(context, Context):
            raise TypeError(f"context: expected a toi.Context, got {type(context).__name__}")
        elif threads is not None:
            raise OptionError("threads and context are both given; a context has its own number of threads")
        else:
            self.idle = None
            self.holder = context._get()
        self.holder.acquire()
        self.context = self.holder.handle
        self.user = ffi.NULL
        self.progress = self.may_collide = self.visit = self.exception = self.keep = None
        self.stopped = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        close = getattr(self.progress, "close", None)
        if close is not None:
            close()
        self.progress = self.may_collide = self.visit = self.user = None
        self.holder.release()
        if self.idle is not None:
            self.idle.append(self.holder)

    def handle(self):
        """What callbacks get as `user`; it leads back to this call, which keeps it."""
        if self.user == ffi.NULL:
            self.user = ffi.new_handle(self)
        return self.user

    def check(self, status, offset=0):
        """Raises what a function of the caller's raised, or what the library says."""
        if self.exception is not None:
            exception, self.exception = self.exception, None
            raise exception
        if status != lib.TOI_OK and not self.stopped:
            raise error_of(status, self.context, offset)

    def watch(self, progress):
        """What progress=... means: True: a bar of tqdm where that is installed; a function of the part that is done."""
        if progress is True:
            progress = bar()
        elif progress is False:
            progress = None
        elif progress is not None and not callable(progress):
            raise TypeError(f"progress: expected True, False or a function, got {type(progress).__name__}")
        self.progress = progress

    def advance(self, done):
        """False: the library is to stop."""
        if self.exception is not None:
            return False
        return self.progress is None or self.progress(done) is not False

    def show(self, array):
        """Hands an array to the visitor; a visitor that returns False ends the call, which is no error."""
        if self.visit(array) is False:
            self.stopped = True
            return lib.TOI_ERROR_CANCELLED
        return lib.TOI_OK


def bar():
    """A progress bar of tqdm; None where it is not installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    shown = tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}<{remaining}")

    def advance(done):
        shown.update(max(0.0, min(done, 1.0) - shown.n))

    advance.close = shown.close
    return advance


# --- what the library calls ---


def carry(_kind, exception, traceback):
    """Keeps what a callback raised, even before its first line, as Ctrl-C may."""
    call = ffi.from_handle(traceback.tb_frame.f_locals["user"])
    if call.exception is None:
        call.exception = exception


def callback(error):
    """Defines one of the functions that declarations.py names python_...; error: what the library gets if it raises."""
    return ffi.def_extern(error=error, onerror=carry)


@callback(False)
def python_progress(user, done):
    return ffi.from_handle(user).advance(done)


@callback(True)
def python_may_collide(user, kind, first, second):
    return bool(ffi.from_handle(user).may_collide(text(lib.toi_kind_name(kind)), first, second))


def name_or_null(value, what, keep):
    """A name that the struct at hand points to, or NULL; `keep` holds it."""
    if value is None:
        return ffi.NULL
    chars = ffi.new("char[]", characters(value, what))
    keep.append(chars)
    return chars
