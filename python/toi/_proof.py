# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the libtoi authors
"""The exact method in full: the contact time as an algebraic number, and a certificate that `toi-verify` checks."""

from fractions import Fraction

from ._array import doubles
from ._context import Call
from ._error import InputError, text
from ._native import ffi, lib
from ._options import kind_code, options_of
from ._query import Hit


class Proof:
    """An answer with its proof.

    hit: the answer, with the tightest doubles around the contact time.
    contact_times: the number of different times at which they touch; None if during a whole interval.
    polynomial: whole coefficients, constant term first, of a polynomial whose only root in [lo, hi] is the contact
        time; empty for a miss.
    lo, hi: that interval, as Fractions; None for a miss.
    certificate: a text that the program toi-verify checks; "" if not requested.
    """

    __slots__ = ("hit", "contact_times", "polynomial", "lo", "hi", "certificate")

    def __init__(self, hit, contact_times, polynomial, lo, hi, certificate):
        self.hit, self.contact_times, self.polynomial = hit, contact_times, polynomial
        self.lo, self.hi, self.certificate = lo, hi, certificate

    def __repr__(self):
        shown = f", certificate of {len(self.certificate)} characters" if self.certificate else ""
        times = "infinitely many" if self.contact_times is None else self.contact_times
        return f"Proof({self.hit.verdict}, contact_times={times}, degree={max(0, len(self.polynomial) - 1)}{shown})"


def _fraction(characters):
    shown = text(characters)
    return Fraction(shown) if shown else None


def prove(kind, start, end, options=None, *, certificate=True, context=None, threads=None, **keywords):
    """Solves one query in integers, at zero separation, and returns a Proof.

    certificate: also make the certificate, which takes longer. Options are keywords; the method is not used.
    """
    code = kind_code(kind)
    count = lib.toi_kind_points(code)
    if count == 0:
        raise InputError(f"kind is {kind!r}; it must be one of the queries: vf, ee, ve or vv")
    start, end = doubles(start, (count, 3), "start"), doubles(end, (count, 3), "end")
    chosen = options_of(options, keywords)
    request = lib.TOI_PROOF_CERTIFICATE if certificate else lib.TOI_PROOF_NUMBER
    place = ffi.new("toi_proof **")
    with Call(context, threads) as call:
        first, last = ffi.from_buffer("double[]", start), ffi.from_buffer("double[]", end)
        call.check(lib.toi_prove(call.context, code, first, last, chosen._c, request, place))
        proof = place[0]
        try:
            times = proof.contact_times
            return Proof(
                Hit._of(ffi.new("toi_hit *", proof.hit)),
                None if times == lib.TOI_CONTACT_TIMES_INFINITE else times,
                [int(word) for word in text(proof.polynomial).split()],
                _fraction(proof.lo),
                _fraction(proof.hi),
                text(proof.certificate),
            )
        finally:
            lib.toi_proof_free(call.context, proof)
