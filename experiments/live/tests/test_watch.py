#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""corridor watch: whom it answers, what it refuses, what it shows of campaigns that run, have ended, or are broken; and that it lives.

test_watch.py CORRIDOR SOURCE_DIRECTORY REQUESTS: so many requests are drawn."""
import contextlib
import html.parser
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest
import urllib.parse

REQUESTS = int(sys.argv.pop(3))
ROOT = pathlib.Path(sys.argv[2]).resolve()
sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "experiments/command/tests"))
import e2e  # noqa: E402
from e2e import BINARY, ENVIRONMENT, PSOPP, SPADA  # noqa: E402

PAGE_MOST = 100_000
SLOW = {**PSOPP, "parameters": {"agents": [40, 80], "budget": 3000, "t1": 1000}}  # few suites by the time that the first one is seen: small tables
VOID = {"meta", "br", "input", "link", "img", "hr"}
LEFT_OPEN = {"html", "p", "li", "dt", "dd", "option", "tr", "td", "th", "tbody", "thead"}  # HTML closes them itself
HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cache-control": "no-store", "connection": "close"}


class Tree(html.parser.HTMLParser):
    """Tags are closed in the order in which they were opened; all text, and all links."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.links, self.attributes = [], [], [], []
        self.feed(text)
        assert not [tag for tag in self.open if tag not in LEFT_OPEN], self.open

    def handle_starttag(self, tag, attributes):
        self.attributes.append((tag, dict(attributes)))
        if tag == "a":
            self.links.append(dict(attributes)["href"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.attributes.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in LEFT_OPEN:
            self.open.pop()
        assert self.open and self.open.pop() == tag, (tag, self.open)

    def handle_data(self, data):
        self.text.append(data)


class Watch:
    """The program at work, and what it answers."""

    def __init__(self, folder, *arguments):
        self.temporary = folder / "tmp"
        self.temporary.mkdir(exist_ok=True)
        self.process = subprocess.Popen([BINARY, "watch", *map(str, arguments)], cwd=folder, text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={**ENVIRONMENT, "TMPDIR": str(self.temporary)},
                                        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([\w-]{32})\n", self.process.stdout.readline())
        assert found, self.process.communicate()
        self.port, self.token = int(found[1]), found[2]
        self.host = f"127.0.0.1:{self.port}"

    def send(self, data, patience=20):
        """All that comes back for these bytes, until the other end closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=patience) as connection:
            got = b""
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                while part := connection.recv(1 << 16):
                    got += part
            except OSError:  # refused before all was read
                try:
                    while part := connection.recv(1 << 16):
                        got += part
                except OSError:
                    pass
            return got

    def ask(self, path="/", method="GET", token=True, host=None, **headers):
        """(code, headers, text)"""
        if token is not None:
            path += ("&" if "?" in path else "?") + "token=" + (self.token if token is True else token)
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or self.host}", *(f"{k.replace('_', '-')}: {v}" for k, v in headers.items())]
        head, _, text = self.send(("\r\n".join(lines) + "\r\n\r\n").encode()).partition(b"\r\n\r\n")
        first, *rest = head.decode("latin-1").split("\r\n")
        return int(first.split()[1]), {k.lower(): v for k, v in (line.split(": ", 1) for line in rest)}, text.decode()

    def page(self, path="/"):
        code, _, text = self.ask(path)
        assert code == 200, (code, path, text)
        assert len(text.encode()) <= PAGE_MOST, (path, len(text))
        return text

    def until(self, wanted, path="/", patience=300):
        """The page once that is in it."""
        end = time.monotonic() + patience
        while True:
            text = self.page(path)
            if re.search(wanted, text):
                return text
            assert time.monotonic() < end, (wanted, text[text.find("<body>"):][:3000])
            time.sleep(0.1)

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        said = self.process.communicate(timeout=60)[1]
        return self.process.returncode, said


class Case(e2e.Case):
    def watch(self, *arguments):
        made = Watch(self.folder, *arguments)
        self.addCleanup(lambda: made.process.poll() is None and made.process.kill())
        return made

    def ends_well(self, watch, number=signal.SIGTERM):
        code, said = watch.end(number)
        self.assertEqual((code, said), (-number, ""))
        self.assertEqual(list(watch.temporary.iterdir()), [])

    def experiment(self, suites, *arms):
        return super().experiment("exp.json", suites=suites, arms=list(arms) or [SPADA, PSOPP])

    def result(self, suites=3, *arms):
        self.corridor("run", self.experiment(suites, *arms), "-o", "r.h5", "--progress", "none")
        return self.folder / "r.h5"


class Ends(Case):
    def test_what_is_left_is_removed(self):
        result = self.result()
        it = self.watch(result)
        it.until(r'href="/glance\?')
        self.assertNotEqual(list(it.temporary.iterdir()), [])
        it.process.kill()
        it.process.wait(60)
        it.process.stdout.close(), it.process.stderr.close()
        left = list(it.temporary.iterdir())
        # A name is no reason to remove anything, and neither is a mark that is not as a watch makes it.
        mark = left[0] / ".made-by-corridor"
        mine = [it.temporary / f"corridor-watch-{name}" for name in ("mine", "AbCdEf", "linked", "pipe", "longer")]
        for folder in mine:
            (folder / "notes").mkdir(parents=True)
            (folder / "notes/thesis").write_text("precious")
        (mine[1] / mark.name).write_text("mine\n")
        (self.folder / "mark").write_text(mark.read_text())
        (mine[2] / mark.name).symlink_to(self.folder / "mark")
        os.mkfifo(mine[3] / mark.name)
        (mine[4] / mark.name).write_text(mark.read_text() + "and mine\n")
        linked = it.temporary / "corridor-watch-link"
        linked.symlink_to(mine[0])
        other, lives = self.watch(result), self.watch(result)
        self.assertEqual((len(left), len(list(it.temporary.iterdir()))), (1, 2 + len(mine) + 1))
        self.assertFalse(left[0].exists())
        for one, number in ((other, signal.SIGINT), (lives, signal.SIGTERM)):
            one.page()
            one.process.send_signal(number)
            one.process.send_signal(number)  # while it removes what it has, or before
            one.end(number)
            self.assertEqual(one.process.returncode, -number)
        self.assertEqual(sorted(it.temporary.iterdir()), sorted([*mine, linked]))
        self.assertEqual([(folder / "notes/thesis").read_text() for folder in mine], ["precious"] * len(mine))


class Refusals(Case):
    """Whom it does not answer. The campaign is none: what is refused is refused before."""

    def setUp(self):
        super().setUp()
        (self.folder / "r.h5").write_bytes(b"no result file")
        self.it = self.watch("r.h5")

    def test_who_knows_the_token_is_answered(self):
        code, headers, text = self.it.ask()
        self.assertEqual(code, 200)
        for name, value in HEADERS.items():
            self.assertEqual(headers[name], value)
        policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
        self.assertEqual(policy["default-src"], "'none'")
        self.assertEqual(policy["frame-ancestors"], "'none'")
        nonce = re.fullmatch(r"'nonce-([\w-]{22})'", policy["script-src"])[1]
        self.assertEqual(set(re.findall(r"<script[^>]*>", text)), {f'<script nonce="{nonce}">'})
        self.assertNotEqual(nonce, re.search(r"'nonce-([\w-]{22})'", self.it.ask()[1]["content-security-policy"])[1])
        self.assertEqual(self.it.ask(host=f"localhost:{self.it.port}")[0], 200)
        self.assertEqual(self.it.ask(Origin=f"http://{self.it.host}", Sec_Fetch_Site="same-origin")[0], 200)
        self.assertEqual(self.it.ask(Sec_Fetch_Site="none")[0], 200)
        code, _, nothing = self.it.ask(method="HEAD")
        self.assertEqual((code, nothing), (200, ""))
        self.ends_well(self.it)

    def test_who_does_not_is_refused(self):
        right = self.it.token
        wrong = right[:-1] + ("a" if right[-1] != "a" else "b")
        for token in (None, "", wrong, right[:-1], right + "a", right.swapcase(), "%00" + right[1:]):
            code, headers, text = self.it.ask(token=token)
            self.assertEqual(code, 403, token)
            self.assertNotIn(right, text)
            self.assertIn("content-security-policy", headers)
        self.assertEqual(self.it.ask("/favicon.ico", token=None)[0], 403)

    def test_other_hosts_and_origins_are_refused(self):
        port = self.it.port
        for host in ("example.org", f"example.org:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"127.0.0.1.example.org:{port}",
                     f"[::1]:{port}", f"127.0.0.1:{port}@example.org", f"0.0.0.0:{port}", "localhost"):
            self.assertEqual(self.it.ask(host=host)[0], 421, host)
        for origin in ("null", "http://example.org", f"https://{self.it.host}", f"http://127.0.0.1:{port + 1}", f"http://{self.it.host}.example.org",
                       "file://", ""):
            self.assertEqual(self.it.ask(Origin=origin)[0], 403, origin)
        for site in ("cross-site", "same-site", "whatever"):
            self.assertEqual(self.it.ask(Sec_Fetch_Site=site)[0], 403, site)
        line = f"GET /?token={self.it.token} HTTP/1.1\r\n".encode()
        self.assertRegex(self.it.send(line + b"\r\n"), rb"\A(HTTP/1\.1 400 |\Z)")
        twice = f"Host: {self.it.host}\r\nHost: {self.it.host}\r\n\r\n".encode()
        self.assertRegex(self.it.send(line + twice), rb"\A(HTTP/1\.1 400 |\Z)")

    def test_other_methods_are_refused(self):
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get"):
            code, headers, _ = self.it.ask(method=method)
            self.assertEqual((code, headers["allow"]), (405, "GET, HEAD"), method)
        code, _, _ = self.it.ask(method="POST", Content_Length=1 << 40)
        self.assertEqual(code, 405)

    def test_what_is_too_large_or_malformed_is_refused(self):
        for line in (b"GET /" + b"a" * 40000 + b" HTTP/1.1\r\n\r\n",
                     b"GET / HTTP/1.1\r\n" + b"".join(b"X%d: %s\r\n" % (i, b"y" * 300) for i in range(200)) + b"\r\n"):
            self.assertEqual(self.it.send(line), b"")
        for data in (b"\x00" * 64 + b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\nHost\r\n\r\n"):
            self.is_closed_or_ours(self.it.send(data))
        for path in ("/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/1/front", "/trace-0", "/glance/", "/failure",
                     "/failure?of=", "/failure?of=" + "k" * 300, "/failure?of=a%0ab", "/nothing"):
            code, _, text = self.it.ask(path)
            self.assertEqual(code, 404, path)
            self.assertNotIn("root:", text)

    def is_closed_or_ours(self, got):
        """The library's own refusals would lack the headers."""
        if got:
            self.assertRegex(got, rb"\AHTTP/1\.[01] (200|400|403|404|405|421) ")
            self.assertIn(b"content-security-policy: default-src 'none'", got[:got.index(b"\r\n\r\n")].lower())

    def test_a_port_that_is_taken_is_said(self):
        done = self.corridor("watch", "r.h5", "--port", self.it.port, code=4)
        self.assertIn(f"cannot listen at 127.0.0.1, port {self.it.port}", done.stderr)

    def test_many_drawn_requests(self):
        drawn = random.Random(20261126)
        words = [b"GET ", b"HEAD ", b"POST ", b"/", b"?token=", self.it.token.encode(), b"&of=", b"%", b"%00", b"%2e", b"..", b" HTTP/1.1", b" HTTP/1.0",
                 b"\r\n", b"\n", b"\r", b"Host: ", self.it.host.encode(), b"Origin: ", b"Content-Length: ", b"Transfer-Encoding: chunked", b": ", b"9" * 20, b"-1",
                 b"failure", b"glance", b"\x00", b"\xff", b"a" * 500, b"Expect: 100-continue", b"Connection: keep-alive", b"\r\n\r\n", b"Cookie: a=b"]
        right = f"GET /failure?token={self.it.token}&of=S/0/1/2 HTTP/1.1\r\nHost: {self.it.host}\r\nAccept: */*\r\n\r\n".encode()
        for _ in range(REQUESTS):
            if drawn.random() < 0.5:
                data = b"".join(drawn.choice(words) for _ in range(drawn.randrange(1, 16)))
            else:
                data = bytearray(right)
                for _ in range(drawn.randrange(1, 6)):
                    at = drawn.randrange(len(data))
                    data[at:at + drawn.randrange(3)] = drawn.choice([b"", bytes([drawn.randrange(256)]), drawn.choice(words)])
            with socket.create_connection(("127.0.0.1", self.it.port), timeout=20) as connection:
                try:
                    connection.sendall(data)
                    connection.shutdown(socket.SHUT_WR)
                    got = b""
                    while part := connection.recv(1 << 16):
                        got += part
                    self.is_closed_or_ours(got)
                except OSError:
                    pass
        self.assertEqual(self.it.ask()[0], 200)
        self.assertLessEqual(len(os.listdir(f"/proc/{self.it.process.pid}/fd")), 12)
        self.ends_well(self.it)


IN_FULL = REQUESTS >= 10000
if IN_FULL:  # it waits for ten seconds
    class Slow(Case):
        def test_who_sends_nothing_or_a_byte_now_and_then_is_cut_off(self):
            (self.folder / "r.h5").write_bytes(b"")
            it = self.watch("r.h5")
            held = [socket.create_connection(("127.0.0.1", it.port), timeout=40) for _ in range(20)]
            for connection in held[10:]:
                connection.sendall(b"GET / HT")
            self.assertEqual(it.ask()[0], 200)
            closed, answers = 0, set()
            for connection in held:
                try:
                    while part := connection.recv(4096):
                        answers.add(part[:12])
                except ConnectionResetError:
                    pass
                closed += 1
            self.assertEqual((closed, answers), (20, set()))
            self.assertEqual(it.ask()[0], 200)
            self.ends_well(it)


class Pages(Case):
    def test_a_result_file_in_parts(self):
        result = self.result()
        before = sorted((p.name, p.stat().st_mtime_ns) for p in self.folder.iterdir() if p.name != "tmp")
        it = self.watch(result)
        tree = Tree(it.until(r'href="/glance\?'))
        report = self.corridor("report", result, "-o", "-").stdout
        ids = re.findall(r"<section id=(\w+) ", report)
        self.assertEqual([urllib.parse.urlsplit(link).path for link in tree.links if "failure" not in link or "/failures?" in link],
                         ["/"] + [f"/{name}" for name in ids])
        for name in ids:
            text = it.page(f"/{name}")
            Tree(text)
            section = re.search(rf"<section id={name} .*?</section>\n", report, re.S)[0]
            self.assertTrue(section in text or "data-cut" in text, name)
        self.assertNotIn("data-renew", it.page())
        # Failures that the command line lists, each with what replay says of it.
        failing = json.loads(self.corridor("failures", result, "--json").stdout)["failures"]
        links = [link for link in tree.links if link.startswith("/failure?")]
        self.assertGreater(len(failing), 0)
        self.assertEqual([urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["of"][0] for link in links],
                         [one["key"] for one in failing if not one["masked"]][:60])
        link = links[0].replace(f"token={it.token}&", "").replace(f"?token={it.token}", "?")
        text = it.until('data-tables="1-done"', link)
        shown = "".join(Tree(text).text)
        wanted = self.corridor("replay", result, f"--failure={failing[0]['key']}", "--trace", environment={"COLUMNS": "110"}).stdout
        self.assertIn(wanted.split("\n\n")[0], shown)
        self.assertIn("Agents of the failing case", shown)
        self.assertEqual(before, sorted((p.name, p.stat().st_mtime_ns) for p in self.folder.iterdir() if p.name != "tmp"))
        self.ends_well(it, signal.SIGINT)

    def test_a_layer_that_lists_no_keys(self):
        self.corridor("efsm", "test", ROOT / "experiments/library/efsm/inres_initiator.json", "--goal", "t8", "--mutant", "t7.missing", "-o", "e.h5",
                      code=1)
        self.corridor("search", self.experiment(1, SPADA), "--generator", "random", "--budget", "500", "-o", "s.h5")
        for file, sheet in (("e.h5", "Mutation scores"), ("s.h5", "Provenance")):
            it = self.watch(file)
            shown = "".join(Tree(it.until(r"<section id=glance ")).text)
            for command in (f"show {file} --all", f"replay {file}"):
                self.assertIn(f"corridor {command}", shown)
                self.corridor(*command.split())
            self.assertIn(sheet, shown)
            self.ends_well(it)

    def test_a_campaign_without_a_folder(self):
        run = subprocess.Popen([BINARY, "run", self.experiment(100000), "-o", "r.h5", "-j", "1", "--progress", "none"], cwd=self.folder, env=ENVIRONMENT,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(lambda: (os.killpg(run.pid, signal.SIGKILL), run.wait()))
        end = time.monotonic() + 300
        while not (self.folder / "r.h5.parts/STATUS").exists() and time.monotonic() < end:
            time.sleep(0.05)
        it = self.watch("r.h5")
        text = it.until(r"data-sheet=newest")
        os.killpg(run.pid, signal.SIGSTOP)
        self.assertIn("The tables come when the campaign has ended.", text)
        link = re.search(r"/failure\?token=[\w-]+&amp;of=(\w+%2F\d+)\"", text)[1]
        self.assertIn("It opens when the campaign has ended", it.page(f"/failure?of={link}"))
        self.ends_well(it)

    def test_a_failing_schedule_opens_with_what_happens(self):
        self.corridor("run", ROOT / "experiments/library/processes/two_phase.json", "-o", "p.h5", "--progress", "none")
        it = self.watch("p.h5")
        key = re.search(r"/failure\?token=[\w-]+&amp;of=(\w+%2F\d+%2F\d+)\"", it.until(r"<section id=glance "))[1]
        shown = "".join(Tree(it.until(r"-done\"", f"/failure?of={key}")).text)
        wanted = self.corridor("replay", "p.h5", f"--failure={urllib.parse.unquote(key)}", "--trace", environment={"COLUMNS": "110"}).stdout
        lines = [line for line in wanted.splitlines() if "p.h5" not in line and line.strip()]
        for line in lines:
            self.assertIn(line, shown)
        self.corridor("replay", "p.h5", f"--failure={urllib.parse.unquote(key)}", "--trace", "--svg", "t.svg")
        self.assertIn("corridor replay RESULTS.h5 --failure=KEY --trace --svg t.svg", shown)
        self.assertTrue((self.folder / "t.svg").read_text().startswith("<svg"))
        self.ends_well(it)

    def test_coverage_grows_as_a_curve(self):
        path = self.folder / self.experiment(20, SPADA)
        self.corridor("plan", path, "-o", "camp", "--pilot", 0)
        self.corridor("run", "camp", "--progress", "none")
        parts = self.folder / "camp/results.h5.parts"
        status = json.loads((parts / "STATUS").read_text())
        status["growth"] = [{"suites": n, "failures": n, "states": share, "transitions": share / 2} for n, share in ((1, 0.25), (10, 0.5), (100, 1))]
        (parts / "STATUS").write_text(json.dumps(status))
        it = self.watch("camp")
        text = it.page()
        curves = re.findall(r'<path fill="none" stroke-width="1.8" stroke="var\(--s\d\)" d="(M[^"]+)"', text)
        points = [[tuple(map(float, point.split(","))) for point in re.findall(r"[\d.]+,[\d.]+", curve)] for curve in curves]
        points = [curve for curve in points if len(curve) == 3]
        self.assertEqual(len(points), 2, text[text.find('<main'):text.find('</main')])
        for curve, shares in zip(points, ((0.25, 0.5, 1), (0.125, 0.25, 0.5))):
            self.assertAlmostEqual(curve[1][0] - curve[0][0], curve[2][0] - curve[1][0], delta=0.15)  # a decade each
            self.assertAlmostEqual((curve[0][1] - curve[1][1]) / (shares[1] - shares[0]), (curve[1][1] - curve[2][1]) / (shares[2] - shares[1]), delta=1)
        self.ends_well(it)

    def test_a_campaign_that_runs_and_ends(self):
        self.corridor("plan", self.experiment(5000, SLOW), "-o", "camp", "--pilot", 0)
        run = subprocess.Popen([BINARY, "run", "camp", "-j", "1", "--progress", "none"], cwd=self.folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(lambda: run.poll() is None and os.killpg(run.pid, signal.SIGKILL))
        it = self.watch("camp")
        text = it.until(r"data-state=running")
        text = it.until(r"data-sheet=newest")
        os.killpg(run.pid, signal.SIGSTOP)  # so that it runs as long as is wanted
        renew = re.search(r"data-renew=([2-9]|[1-5]\d|60)\b", text)[1]  # rarer, where processors are short
        self.assertIn(f"<noscript><meta http-equiv=refresh content={renew}></noscript>", text)
        self.assertRegex(text, r" of 5000</strong> suites, <strong>\d+</strong> with a failed check; running for \d+ s")
        link = re.search(r"/failure\?token=[\w-]+&amp;of=(\w+%2F\d+)\"", text)[1]
        it.until(r"-done\"", f"/failure?of={link}")  # who waits for a failure has tables sooner
        it.until(r"Tables are as of suite [1-9]\d* of 5000, without a gap, as it was \d+ (s|min) ago")
        self.assertIn("Agents of the failing case", it.page(f"/failure?of={link}"))
        parts = sorted(p.name for p in (self.folder / "camp/results.h5.parts").iterdir())
        self.assertTrue(all(re.fullmatch(r"\d+\.journal(\.times)?|LOCK|MANIFEST|STATUS.*|STOP-WHEN", name) for name in parts), parts)
        self.assertIn("Tables are as of suite ", it.page("/glance"))
        os.killpg(run.pid, signal.SIGCONT)
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(60), 5)
        text = it.until(r"data-state=ended")
        self.assertIn("nobody is at work on it", text)
        shutil.rmtree(self.folder / "camp")
        it.until(r"<main")  # it lives, with what it had
        self.ends_well(it)

    def test_tables_are_made_by_turns_while_the_campaign_runs(self):
        """The child that makes them rests for most of the time; where nothing runs it rests never."""
        self.corridor("plan", self.experiment(100000), "-o", "camp", "--pilot", 0)
        run = subprocess.Popen([BINARY, "run", "camp", "-j", "1", "--progress", "none"], cwd=self.folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(lambda: run.poll() is None and os.killpg(run.pid, signal.SIGKILL))
        it = self.watch("camp")
        it.until(r"data-sheet=newest")
        os.killpg(run.pid, signal.SIGSTOP)  # it runs for who reads its STATUS, and takes nothing

        def attempt():  # a turn that a busy machine makes long is followed by as many times the rest
            seen = []
            for _ in range(75):
                children = pathlib.Path(f"/proc/{it.process.pid}/task/{it.process.pid}/children").read_text().split()
                for child in children:
                    with contextlib.suppress(OSError):
                        seen.append(pathlib.Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0])
                time.sleep(0.02)
                if not children:
                    it.page()
            return len(seen) >= 30 and seen.count("T") / len(seen) >= 0.8
        self.in_time(attempt, "a child that rests")
        os.killpg(run.pid, signal.SIGCONT)
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(60), 5)
        it.until(r"Tables are as of suite [1-9]")
        self.ends_well(it)

    def test_what_is_broken_is_said(self):
        self.corridor("plan", self.experiment(2), "-o", "camp", "--pilot", 0)
        self.corridor("run", "camp", "--progress", "none")
        parts = self.folder / "camp/results.h5.parts"
        it = self.watch("camp")
        it.until(r"data-state=ended")
        right = (parts / "STATUS").read_text()
        # Each is looked at when the rest after the last look is over.
        for text in ("{", '{"arms": [{"name": "<script>alert(1)</script>"}]}', "\0\xff", *(["", "[]", '{"suites_planned": -1}', "9" * 100000] if IN_FULL else [])):
            (parts / "STATUS").write_text(text, encoding="latin-1")
            page = it.until("The campaign cannot be read:")
            self.assertNotIn("<script>alert", page)
            Tree(page)
            (parts / "STATUS").write_text(right)
            it.until(r"data-live=line>\n<p class=headline")
        manifest = (parts / "MANIFEST").read_text()
        (parts / "MANIFEST").write_text(manifest.replace('"interaction"', '"<b>later</b>"'))
        (parts / "STATUS").unlink()
        self.assertNotIn("<b>later", it.until("The campaign cannot be read:"))
        for journal in parts.glob("*.journal"):
            journal.write_bytes(os.urandom(5000))
        it.page()
        self.ends_well(it)

    def test_names_are_escaped(self):
        bad = "<script>alert('x')</script>&\"'"
        path = self.folder / self.experiment(1, SPADA)
        path.write_text(json.dumps({**json.loads(path.read_text()), "name": bad, "description": bad}))
        (self.folder / "<img src=x onerror=alert(1)>").mkdir()
        place = self.folder / "<img src=x onerror=alert(1)>" / "r.h5"
        self.corridor("run", "exp.json", "-o", place, "--progress", "none")
        it = self.watch(place)
        text = it.until(r'href="/glance\?')
        for shown in (text, it.page("/failure?of=" + urllib.parse.quote(bad)), it.page("/provenance")):
            for tag, attributes in Tree(shown).attributes:
                self.assertFalse([key for key in attributes if key.startswith("on")])
                self.assertNotEqual(tag, "img")
            self.assertNotIn("<script>alert", shown)
        self.assertIn("alert('x')", "".join(Tree(text).text))
        self.ends_well(it)

    def test_what_is_not_there_is_said(self):
        self.assertIn("cannot open", self.corridor("watch", "nothing.h5", code=4).stderr)
        (self.folder / "empty").mkdir()
        self.assertIn("is no folder of a campaign", self.corridor("watch", "empty", code=4).stderr)


if __name__ == "__main__":
    e2e.main()
