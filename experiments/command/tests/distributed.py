#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""distributed.py CORRIDOR SOURCE: one campaign on 1, 2, 3, 8 and 16 workers, shuffled, under mpirun, under a real Slurm of one node with
one task cancelled, and over ssh to two network namespaces with one link cut on the way: one digest for all. Installs nothing; what is
not there is skipped, with the names of the Debian packages. Slurm and the namespaces need root."""
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

CORRIDOR, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
EXPERIMENT = {"corridor_experiment": 1, "name": "distributed", "seed": "0x7", "suites": 400, "sequences": 3, "cases": [60, 120],
              "model": str(SOURCE / "experiments/library/models/paper.json"),
              "arms": [{"name": "S", "algorithm": "spada", "fault": "f2", "parameters": {"agents": [2, 40]}},
                       {"name": "P", "algorithm": "psopp", "fault": "f1", "parameters": {"agents": [2, 40], "budget": 200, "t1": 1000}}]}
PATIENCE = 600  # seconds for what takes some: a busy machine is no failure


ATTEMPTS = 20


class Skip(Exception):
    """Something is not installed, or not allowed here."""


class TooLate(Exception):
    """What was to be disturbed had ended before it was: it is begun anew."""


def need(packages, *programs, root=False):
    missing = [program for program in programs if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]
    if missing:
        raise Skip(f"{', '.join(missing)} not found: apt-get install {packages}")
    if root and os.geteuid() != 0:
        raise Skip("needs root")


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited {PATIENCE} s for {what}")
        time.sleep(0.05)


def run(*words, **others):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=PATIENCE, **others)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def stored(folder):
    return sum(path.read_bytes().count(b"CORSUITE") for path in folder.glob("out.h5.parts/*.journal"))


def digest(folder):
    content = (folder / "out.h5").read_bytes()
    left = sorted(set(os.listdir(folder)) & {"out.h5.parts"})
    assert not left, f"left behind: {left}"
    return hashlib.sha256(content).hexdigest()


def workers(folder):
    seen = set()
    for jobs in (1, 2, 3, 8, 16):
        for shuffle in (0, 5):
            run(CORRIDOR, "run", "e.json", "-o", "out.h5", "--force", "--progress", "none", "--jobs", jobs, "--shuffle", shuffle, cwd=folder)
            seen.add(digest(folder))
    assert len(seen) == 1, f"{len(seen)} digests"
    return seen.pop(), "1, 2, 3, 8, 16 workers, in two orders"


def mpirun(folder):
    need("openmpi-bin", "mpirun")
    words = ["mpirun", "-n", "4", "--oversubscribe", *(["--allow-run-as-root"] if os.geteuid() == 0 else []),
             CORRIDOR, "run", "e.json", "-o", "out.h5", "--json"]
    killed = subprocess.Popen([str(word) for word in words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    until(lambda: stored(folder) > 20 or killed.poll() is not None, "suites")
    try:
        ranks = [int(word) for word in (folder / "out.h5.parts/LOCK").read_text().replace("\0", " ").split()]
        os.kill(ranks[-1], signal.SIGKILL)  # mpirun ends them all for it
    except (OSError, IndexError):
        pass  # it has ended
    said = killed.communicate()
    if killed.returncode == 0:
        raise TooLate(said)
    assert not (folder / "out.h5").exists(), f"the killed rank ended nothing: {said}"
    before, done = stored(folder), run(*words, cwd=folder)
    assert json.loads(done.stdout)["complete"], done.stdout
    return digest(folder), f"mpirun -n 4, ended by the death of a rank after {before} suites, and again"


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def slurm(folder):
    need("slurmctld slurmd slurm-client", "slurmctld", "slurmd", "sbatch", "scancel", "squeue", root=True)
    control, daemon = free_ports(2)
    name, state = socket.gethostname().split(".")[0], folder / "slurm"
    for part in ("", "ctld", "d"):
        (state / part).mkdir()
    (state / "slurm.conf").write_text(f"""ClusterName=test
SlurmctldHost={name}(127.0.0.1)
SlurmctldPort={control}
SlurmdPort={daemon}
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation={state}/ctld
SlurmdSpoolDir={state}/d
SlurmctldPidFile={state}/ctld.pid
SlurmdPidFile={state}/d.pid
SlurmctldLogFile={state}/ctld.log
SlurmdLogFile={state}/d.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SchedulerParameters=sched_interval=2,batch_sched_delay=1
MaxArraySize=101
NodeName={name} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
""")
    environment = {**os.environ, "SLURM_CONF": str(state / "slurm.conf"), "PATH": os.environ["PATH"] + ":/usr/sbin"}
    daemons = [subprocess.Popen([daemon_name, "-D", *more], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for daemon_name, more in (("slurmctld", ["-c"]), ("slurmd", ["-N", name]))]

    def ask(*words):
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=False).stdout

    try:
        until(lambda: "idle" in ask("sinfo", "-h", "-o", "%T"), "a node of Slurm: " + str(state))
        shown = run(CORRIDOR, "run", "e.json", "-o", "out.h5", "--batch", "slurm", "--tasks", 1000, cwd=folder, env=environment).stdout
        assert "--array=1-100\n" in shown, shown  # what this Slurm allows
        run(CORRIDOR, "run", "e.json", "-o", "out.h5", "--batch", "slurm", "--tasks", 4, "--time", 30, "--submit", cwd=folder, env=environment)
        until(lambda: (any(folder.glob("out.h5.parts/00001-*")) and stored(folder) > 20) or (folder / "out.h5").exists(), "suites of tasks")
        arrays = [int(line.split("_")[0]) for line in ask("squeue", "-h", "-r", "-o", "%i").split() if "_" in line]
        before = stored(folder)
        if arrays:
            ask("scancel", f"{min(arrays)}_2")
        until(lambda: not ask("squeue", "-h", "-o", "%i").strip(), "the end of all jobs")
        steps = ask("sinfo", "-h", "-o", "%T").strip()
        said = {path.name: path.read_text()[-300:] for path in folder.glob("slurm-*.out")}
        assert (folder / "out.h5").exists(), f"{steps} {said}"
        if any("share 2 of 4 is done" in text for text in said.values()):
            raise TooLate(said)
        assert any("share 2 of 4 is interrupted" in text for text in said.values()), said
        first = digest(folder)
        run("srun", "-n", 2, "--overcommit", CORRIDOR, "run", "e.json", "-o", "out.h5", "--force", cwd=folder, env=environment)
        assert digest(folder) == first, "srun gives another file"
        return first, f"Slurm: 4 tasks, the second cancelled after {before} suites, and the job behind them; srun -n 2"
    finally:
        for process in reversed(daemons):
            process.terminate()
            process.wait()


def namespaces(folder):
    need("openssh-server openssh-client iproute2", "sshd", "ssh", "ssh-keygen", "ip", "unshare", root=True)
    sshd = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin")
    tag, daemons = f"{os.getpid() % 10000}", []
    names = [f"cor{tag}{letter}" for letter in "ab"]
    keys = folder / "keys"
    keys.mkdir(mode=0o700)
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys / "host")
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys / "user")
    shutil.copy(keys / "user.pub", keys / "authorized")
    pathlib.Path("/run/sshd").mkdir(exist_ok=True)
    made = []
    try:
        for i, name in enumerate(names):
            if subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False).returncode != 0:
                raise Skip("no network namespaces here")
            made.append(name)
            run("ip", "link", "add", f"v{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
            run("ip", "addr", "add", f"10.213.{i}.1/24", "dev", f"v{name}")
            run("ip", "link", "set", f"v{name}", "up")
            run("ip", "-n", name, "addr", "add", f"10.213.{i}.2/24", "dev", "eth0")
            run("ip", "-n", name, "link", "set", "eth0", "up")
            run("ip", "-n", name, "link", "set", "lo", "up")
            (keys / f"sshd{i}").write_text(f"Port 22\nListenAddress 10.213.{i}.2\nHostKey {keys}/host\nAuthorizedKeysFile {keys}/authorized\n"
                                           f"StrictModes no\nUsePAM no\nPermitRootLogin yes\nPidFile {keys}/pid{i}\n")
            daemons.append(subprocess.Popen(["ip", "netns", "exec", name, sshd, "-D", "-e", "-f", str(keys / f"sshd{i}")],
                                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        (keys / "config").write_text(f"Host *\n IdentityFile {keys}/user\n IdentitiesOnly yes\n StrictHostKeyChecking no\n"
                                     f" UserKnownHostsFile {keys}/known\n LogLevel ERROR\n BatchMode yes\n")
        ssh = f"ssh -F {keys}/config"
        for i in range(2):
            until(lambda i=i: subprocess.run([*ssh.split(), f"10.213.{i}.2", "true"], capture_output=True, check=False).returncode == 0, "sshd")
        process = subprocess.Popen([CORRIDOR, "run", "e.json", "-o", "out.h5", "--progress", "none", "--hosts", "10.213.0.2:2,10.213.1.2:2",
                                    "--ssh-command", ssh, "--remote-corridor", str(CORRIDOR), "--host-patience", "15"], cwd=folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until(lambda: all(b"CORSUITE" in path.read_bytes() for path in folder.glob("out.h5.parts/*.journal")) and stored(folder) > 40
              or process.poll() is not None, "suites of both hosts")
        before = stored(folder)

        def behind_the_link(number=0):
            """What serves there, and is sent this signal."""
            served = []
            for pid in run("ip", "netns", "pids", names[0]).stdout.split():
                try:
                    if b"serve" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes():
                        os.kill(int(pid), number)
                        served.append(pid)
                except (FileNotFoundError, ProcessLookupError):
                    pass  # ended meanwhile
            return served

        behind_the_link(signal.SIGSTOP)  # so that its suites are open when the link is cut
        run("ip", "link", "set", f"v{names[0]}", "down")
        behind_the_link(signal.SIGCONT)
        said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, said
        if "host 10.213.0.2 is lost" not in said[1]:
            raise TooLate(said)
        until(lambda: not behind_the_link(), "the end of what ran behind the cut link")
        return digest(folder), f"ssh to two network namespaces, one link cut after {before} suites"
    finally:
        for process in daemons:
            process.terminate()
            process.wait()
        for name in made:
            pids = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True, check=False).stdout.split()
            for pid in pids:
                os.kill(int(pid), signal.SIGKILL)
            subprocess.run(["ip", "netns", "del", name], check=False)
            subprocess.run(["ip", "link", "del", f"v{name}"], capture_output=True, check=False)


def snakemake(folder):
    need("snakemake", "snakemake")
    shutil.copy(SOURCE / "experiments/library/Snakefile", folder)
    run("snakemake", "-n", "--cores", 1, "--config", "experiment=e.json", "result=out.h5", "shares=3", f"corridor={CORRIDOR}", cwd=folder)
    run("snakemake", "--cores", 2, "--config", "experiment=e.json", "result=out.h5", "shares=3", f"corridor={CORRIDOR}", cwd=folder)
    return digest(folder), "Snakemake: 3 shares and the rule behind them"


def disturbed(way):
    """What a way gives, in a folder of its own; once more where all had ended before it was disturbed."""
    said = None
    for _ in range(ATTEMPTS):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="corridor-distributed-"))
        (folder / "e.json").write_text(json.dumps(EXPERIMENT))
        try:
            return way(folder)
        except TooLate as reason:
            said = reason
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    raise AssertionError(f"had ended {ATTEMPTS} times before it could be disturbed: {said}")


def main():
    wanted = sys.argv[3:]
    digests, failed, skipped = {}, 0, 0
    for way in (workers, mpirun, slurm, namespaces, snakemake):
        if wanted and way.__name__ not in wanted:
            continue
        try:
            found, what = disturbed(way)
            digests[found] = digests.get(found, 0) + 1
            print(f"passed   {found[:16]}  {what}", flush=True)
        except Skip as reason:
            skipped += 1
            print(f"skipped  {way.__name__}: {reason}", flush=True)
        except (AssertionError, subprocess.TimeoutExpired, OSError, ValueError) as reason:
            failed += 1
            print(f"FAILED   {way.__name__}: {reason}", flush=True)
    print(f"{sum(digests.values())} ways, {len(digests)} digest{'' if len(digests) == 1 else 's'}, {failed} failed, {skipped} skipped")
    sys.exit(0 if failed == 0 and len(digests) <= 1 else 1)


if __name__ == "__main__":
    main()
