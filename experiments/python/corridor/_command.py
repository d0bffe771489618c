# SPDX-License-Identifier: GPL-3.0-or-later
"""One command of the program in a child process forked from this interpreter, by libcorridor.so.

The library is loaded in the child alone: nothing of it reaches the interpreter, whatever becomes of it.
"""
import os
import sys

from . import _errors

ABI = 1


def find_library():
    """The path of libcorridor.so: of the wheel, else what CORRIDOR_LIBRARY says, else as the linker finds it."""
    said = os.environ.get("CORRIDOR_LIBRARY")
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_library", "libcorridor.so")
    return said or (inside if os.path.exists(inside) else "libcorridor.so")


def load(path=None):
    """The library, with its functions declared. ImportError if it is not there, or too old for this package."""
    import ctypes

    path = path or find_library()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"cannot load {path}: {error}; install the wheel, or name the library in CORRIDOR_LIBRARY") from None
    if library.cor_embed_abi() < ABI:
        raise ImportError(f"{path} has interface {library.cor_embed_abi()}, and this package needs {ABI}: install both of one version")
    library.cor_embed_version.restype = library.cor_embed_commit.restype = ctypes.c_char_p
    library.cor_embed_run.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
    return library


class Answer:
    """code: the exit code, below 0 the signal that ended it; output (bytes) and said (text): its two streams."""

    def __init__(self, code, output, said):
        self.code, self.output, self.said = code, output, said

    @property
    def text(self):
        return self.output.decode("utf-8", "replace")

    def check(self, *accepted):
        """Itself, if the code is 0 or one that is accepted; else the exception of that code."""
        if self.code == 0 or self.code in accepted:
            return self
        raise _errors.of_answer(self.code, self.text, self.said)


def _words(arguments):
    words = [os.fsencode(word) if isinstance(word, (str, bytes, os.PathLike)) else str(word).encode() for word in arguments]
    for word in words:
        if b"\0" in word:  # the program would read what is before it, and take another file
            raise ValueError(f"embedded null byte: {os.fsdecode(word)!r}")
    return words


def _are_free(words):
    """Does the line say that guests work in the campaign's own processes?"""
    return b"--isolate=never" in words or (b"--isolate", b"never") in zip(words, words[1:])


def _settle_signals():
    """As a shell starts a program. The interpreter's handlers would only take note, and never be asked."""
    import signal

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGCHLD, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)


def _be_child(words, parent, guests, streams, traces, mask):
    """In the child, where interrupts are blocked: never returns."""
    code = 6
    try:
        import ctypes
        import signal

        _settle_signals()  # from here on an interrupt ends it: an exception could be lost where one is raised, in a weak reference's callback
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.setpgid(0, 0)  # an interrupt of the terminal is the interpreter's, which hands it on
        ctypes.CDLL(None).prctl(1, 15, 0, 0, 0)  # PR_SET_PDEATHSIG: as if it were asked to stop
        if os.getppid() != parent:
            os._exit(5)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        sys.stdin = open(os.devnull)
        sys.stdout = sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)
        library = load()
        if guests:
            # A call that takes too long is interrupted as from the keyboard (cor_embed_process): the interpreter has a handler
            # for that, the system has none.
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            signal.signal(signal.SIGINT, signal.default_int_handler)
            ctypes.CDLL(None).signal(signal.SIGINT, None)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            from . import _guests

            _guests.begin(library, guests, traces, not _are_free(words))
            for guest in guests:
                guest.register(library)
        line = (ctypes.c_char_p * (len(words) + 2))(b"corridor", *words, None)
        code = library.cor_embed_run(len(words) + 1, line)
    except BaseException as error:  # also SystemExit: what it says is the caller's
        try:
            os.write(2, f"corridor: {error}\n".encode("utf-8", "replace"))
            code = 3 if isinstance(error, (ImportError, ValueError, TypeError)) else 6
        except BaseException:
            pass
    finally:
        os._exit(code & 255)


def _fork(words, guests, streams, traces):
    import signal
    import warnings

    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass
    parent = os.getpid()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads: the child has but this one
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            child = os.fork()
            if child == 0:
                _be_child(words, parent, guests, streams, traces, mask)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return child


class _Interrupts:
    """Interrupts of the keyboard while the program runs, where they would be a KeyboardInterrupt between any two steps, also when a
    child has begun that nobody knows of yet: each is handed on to it, the first to ask it to stop, the second to stop
    at once, the third to end it. What comes when it has ended is a KeyboardInterrupt. Elsewhere (another thread,
    another handler) they are the caller's."""

    def __init__(self):
        self.count = self.told = self.child = 0
        self.before = None

    def __enter__(self):
        import signal

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            try:
                self.before = signal.signal(signal.SIGINT, self.note)
            except ValueError:
                pass  # not the thread that has signals
        return self

    def __exit__(self, error, *unused):
        import signal

        self.child = 0
        if self.before:
            signal.signal(signal.SIGINT, self.before)
        if self.told < self.count and not error:
            raise KeyboardInterrupt

    def note(self, *unused):
        self.count += 1
        self.hand_on()

    def begin(self, child):
        self.child = child
        self.hand_on()

    def hand_on(self):
        import signal

        while self.child and self.told < self.count:
            self.told += 1
            try:
                os.kill(self.child, signal.SIGINT if self.told < 3 else signal.SIGKILL)
            except ProcessLookupError:
                pass  # it has ended meanwhile


class _Reader:
    """What comes out of a child: all of it is kept, and handed on as it comes where `show` is a function."""

    def __init__(self, show=None):
        self.end, self.far = os.pipe()
        self.show, self.parts = show, []

    def read(self):
        part = os.read(self.end, 1 << 16)
        self.parts.append(part)
        if part and self.show:
            self.show(part)
        return part

    def close(self):
        for descriptor in (self.end, self.far):
            if descriptor >= 0:
                os.close(descriptor)
        self.end = self.far = -1


def _end_of(child):
    """A descriptor that can be read when the child has ended; -1 where there is none of that kind (Linux before 5.3)."""
    try:
        return os.pidfd_open(child)
    except (AttributeError, OSError):
        return -1


def _listen(readers, child, interrupts):
    """Until the streams have ended, or the child has and nothing is left to read: whoever a function left behind may
    hold them open."""
    import selectors

    is_over, end = False, _end_of(child)
    with selectors.DefaultSelector() as selector:
        for reader in readers:
            selector.register(reader.end, selectors.EVENT_READ, reader)
        if end >= 0:
            selector.register(end, selectors.EVENT_READ)
        while len(selector.get_map()) > (end >= 0 and not is_over):
            try:
                ready = selector.select(0 if is_over else None)
                for key, _ in ready:
                    if key.data is None:
                        is_over = True
                        selector.unregister(end)
                    elif not key.data.read():
                        selector.unregister(key.fd)
                if is_over and not ready:
                    break
            except KeyboardInterrupt:
                interrupts.note()
    if end >= 0:
        os.close(end)


def call(arguments, guests=(), stdin=None, show=None, traces=None):
    """Runs `corridor ARGUMENT..` and returns its Answer. stdin: bytes; guests: what is registered before; show: gets
    what is printed to standard error, as it comes (bytes); traces: memory of mmap for the first traceback of a guest."""
    import tempfile

    words = _words(arguments)
    output, said = _Reader(), _Reader(show)
    try:
        with tempfile.TemporaryFile() as source, _Interrupts() as interrupts:
            source.write(stdin or b"")
            source.seek(0)
            child = _fork(words, guests, (source.fileno(), output.far, said.far), traces)
            try:
                interrupts.begin(child)
                for reader in (output, said):
                    os.close(reader.far)
                    reader.far = -1
                _listen((output, said), child, interrupts)
            finally:
                how = _reap(child, interrupts)
    finally:
        output.close()
        said.close()
    code = os.WEXITSTATUS(how) if os.WIFEXITED(how) else -os.WTERMSIG(how)
    if interrupts.told and code == -2:  # SIGINT, before the program had its own handler
        code = 5
    return Answer(code, b"".join(output.parts), b"".join(said.parts).decode("utf-8", "replace"))


def _reap(child, interrupts):
    while True:
        try:
            os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
            interrupts.child = 0  # its number may be another's from here on
            return os.waitpid(child, 0)[1]
        except KeyboardInterrupt:
            os.kill(child, 9)
