# SPDX-License-Identifier: GPL-3.0-or-later
"""What algorithms and processes of Python share: the streams they draw from, what stands for their code, what is said of
their exceptions."""
import os
import random
import sys

LIBRARY = None    # of the child
TRACES = None     # memory that the caller sees, for the first traceback; None: nobody wants it
NUMPY = None      # the module, where guests are given its arrays


def _refuse_forks():
    """Where guests work in the campaign's own processes: a child that comes back would be another worker. Who starts a program
    (subprocess) does not come back."""
    def refused(*_):
        raise RuntimeError('os.fork() is refused with isolate="never": the child would go on with the campaign')

    os.fork = os.forkpty = refused


def begin(library, guests, traces, isolated):
    """In the child, before anything is registered."""
    global LIBRARY, NUMPY, TRACES
    if not isolated:
        _refuse_forks()
    import ctypes

    LIBRARY, TRACES = library, traces
    library.cor_embed_random_word.restype = ctypes.c_uint64
    library.cor_embed_random_word.argtypes = [ctypes.c_void_p]
    library.cor_embed_put_blocks.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_size_t]
    if "numpy" in sys.modules or any("numpy" in guest.mentioned for guest in guests):
        try:
            import numpy
            NUMPY = numpy
        except ImportError:
            pass


def numbers(address, count, code, size):
    """So many numbers of the host's memory, copied: an array of numpy or a memoryview that cannot be written."""
    from ctypes import string_at

    bytes_ = string_at(address, count * size)
    if NUMPY is not None:
        return NUMPY.frombuffer(bytes_, dtype=code)
    return memoryview(bytes_).cast(code)


class Random(random.Random):
    """A stream of the testbed, with all that random.Random has. What is drawn here is drawn nowhere else, and comes
    again when the case is repeated. random() is cor_random_unit of plugin.h."""

    stream = 0

    def random(self):
        return (LIBRARY.cor_embed_random_word(self.stream) >> 11) * (1.0 / 9007199254740992.0)

    def getrandbits(self, count):
        if count < 0:
            raise ValueError("number of bits must be non-negative")
        value = 0
        for drawn in range(0, count, 64):
            value |= LIBRARY.cor_embed_random_word(self.stream) << drawn
        return value & ((1 << count) - 1)

    def seed(self, *arguments, **others):
        self.gauss_next = None  # the testbed has named the stream

    def getstate(self):
        raise NotImplementedError("a stream of the testbed has no state of its own")

    setstate = getstate


_streams = {}


def stream(which, address):
    """The object that draws from the stream at that address; `which`: there is one of each."""
    found = _streams.get(which)
    if found is None:
        found = _streams[which] = Random()
    found.stream, found.gauss_next = address, None
    return found


def names_of(code):
    """All names that code mentions."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):
            found |= names_of(constant)
    return found


def _shown(value):
    if hasattr(value, "co_code"):
        return ["code", value.co_code.hex(), list(value.co_names), list(value.co_varnames), [_shown(one) for one in value.co_consts]]
    if isinstance(value, (set, frozenset)):
        return ["set", sorted(map(repr, value))]
    if isinstance(value, (tuple, list)):
        return [_shown(one) for one in value]
    return repr(value)


def _pieces(thing, module, seen, pieces):
    """The code of a function or class, and what of its module it calls or reads."""
    if isinstance(thing, type):
        for name in sorted(vars(thing)):
            _pieces(vars(thing)[name], module, seen, pieces)
        return
    thing = getattr(thing, "__func__", thing)
    thing = getattr(thing, "__wrapped__", thing)
    code = getattr(thing, "__code__", None)
    if code is None:
        if isinstance(thing, (int, float, str, bytes, bool, tuple, type(None))):
            pieces.append(_shown(thing))
        return
    if code in seen:
        return
    seen.add(code)
    pieces += [thing.__name__, _shown(code), _shown(thing.__defaults__)]
    for name in sorted(names_of(code)):
        value = thing.__globals__.get(name)
        if value is not None and (not callable(value) or getattr(value, "__module__", None) == module):
            pieces.append(name)
            _pieces(value, module, seen, pieces)
    for cell in thing.__closure__ or ():
        try:
            _pieces(cell.cell_contents, module, seen, pieces)
        except ValueError:
            pass  # not yet filled


def digest(thing):
    """What stands for the code: the same as long as it and what of its module it uses are the same, in this version of
    Python."""
    import hashlib

    pieces = [list(sys.version_info[:2])]
    _pieces(thing, thing.__module__, set(), pieces)
    return hashlib.sha256(repr(pieces).encode()).hexdigest()


def sentence(error, places=True):
    """An exception in one line, with the place of the user's code where it was raised. Raises nothing: if the user's code has spoiled
    what is needed for more, it is the name of its class."""
    try:
        return _sentence(error, places)
    except BaseException:
        return type(error).__name__.encode("ascii", "backslashreplace")[:250]


def _sentence(error, places):
    import traceback

    own = os.path.dirname(os.path.abspath(__file__))
    try:
        said = str(error)[:1000].replace("\0", "\\x00").encode("ascii", "backslashreplace").decode()  # in C a text ends with a zero
    except Exception as another:
        said = f"its text cannot be made ({type(another).__name__})"
    text = f"{type(error).__name__}: {said}" if said else type(error).__name__
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if os.path.dirname(os.path.abspath(frame.filename)) != own]
    if frames:
        last = frames[-1]
        place = f", in {last.name}" if places else ""
        text = f"{text[:150]} ({os.path.basename(last.filename)}:{last.lineno}{place})"
    return " ".join(text.split()).encode("ascii", "backslashreplace")[:250]


def show(error):
    """The whole traceback, if somebody wants it: without what of this package stands above the user's code. Cells have
    no way out but memory."""
    if TRACES is None or TRACES[0]:
        return
    try:
        _show(error)
    except BaseException:
        pass  # the user's code has spoiled what is needed; its verdict it has all the same


def _show(error):
    import traceback

    own = os.path.dirname(os.path.abspath(__file__))
    trace = error.__traceback__
    while trace is not None and os.path.dirname(os.path.abspath(trace.tb_frame.f_code.co_filename)) == own:
        trace = trace.tb_next
    text = "".join(traceback.format_exception(type(error), error, trace)).encode("utf-8", "replace")
    text = text[:len(TRACES) - 1]
    TRACES[1:1 + len(text)] = text
    TRACES[0] = 1
