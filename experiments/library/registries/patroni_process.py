# SPDX-License-Identifier: MIT
"""Patroni (Debian 12's, unchanged) at every server of PostgreSQL: its loop, `Ha`, decides as it does anywhere. The store that all share, a
server of PostgreSQL and what a REST interface answers stand in for the real ones. Ticks: seconds."""
import importlib.metadata
import importlib.util
import json
import logging
import pathlib
import sys
import time
import types

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "processes"))
import corridor_process as corridor

VERSION = "3.0.2"
TTL, LOOP, RETRY = 30, 10, 10  # what Patroni takes if nobody says otherwise
SETTINGS = {"ttl": TTL, "loop_wait": LOOP, "retry_timeout": RETRY, "maximum_lag_on_failover": 1048576, "check_timeline": True,
            "primary_start_timeout": 300, "primary_stop_timeout": 0, "synchronous_node_count": 1, "failsafe_mode": True}
BYTES, SYSTEM = 1000, "7000000000000000001"  # of a write; the same at all who are of one cluster
LATE = 2  # seconds after which a request to another one is given up


def look_at_package():
    """The package is there, in the version that its page speaks of."""
    if not importlib.util.find_spec("patroni"):
        sys.exit(f"patroni is not installed for {sys.executable}: make subjects, or patroni of Debian 12")
    there = importlib.metadata.version("patroni")
    if there != VERSION:
        sys.exit(f"patroni {there} is installed, and {VERSION} is what is tested here: patroni of Debian 12")


look_at_package()
from patroni import dcs, exceptions, ha

logging.disable(logging.CRITICAL)
time.time = lambda: 1e9 + World.now  # not near 0, at which nothing was released yet
time.sleep = lambda seconds: None


class World:
    """What is outside of every Patroni, of one schedule: the store's keys, servers of PostgreSQL."""
    now = 0

    def __init__(self):
        self.is_out, self.keys, self.ends, self.servers, self.loops = False, {}, {}, {}, {}

    def get(self, key):
        if self.ends.get(key, World.now + 1) <= World.now:
            del self.keys[key], self.ends[key]
        return self.keys.get(key)

    def put(self, key, value, lasts=None):
        self.keys[key] = value
        self.ends.pop(key, None)
        if lasts:
            self.ends[key] = World.now + lasts

    def remove(self, key):
        self.ends.pop(key, None)
        return self.keys.pop(key, None) is not None


world = World()


class Quiet:
    """What is asked for and does not matter here: it does nothing, and says no."""

    def __init__(self, **answers):
        self.__dict__.update(answers)

    def __getattr__(self, name):
        return lambda *words, **options: None


class Store(dcs.AbstractDCS):
    """A store with keys that end, which answers at once, or nobody."""
    ttl = TTL

    def asked(self):
        if world.is_out:
            raise exceptions.DCSError("the store is out")
        return world

    def _load_cluster(self, path, loader):
        return loader(path)

    def _cluster_loader(self, path):
        get = self.asked().get
        members = [dcs.Member.from_node(1, name, TTL, get(f"members/{name}")) for name in sorted(world.servers) if get(f"members/{name}")]
        leader = get("leader")
        leader = leader and dcs.Leader(1, None, next((m for m in members if m.name == leader), dcs.Member(-1, leader, None, {})))
        failover, history, config = get("failover"), get("history"), get("config")
        return dcs.Cluster(get("initialize"), config and dcs.ClusterConfig.from_node(1, config), leader, json.loads(get("status") or "{}").get("optime", 0),
                           members, failover and dcs.Failover.from_node(1, failover), dcs.SyncState.empty(),
                           history and dcs.TimelineHistory.from_node(1, history), None, json.loads(get("failsafe") or "null"))

    def attempt_to_acquire_leader(self):
        return not self.asked().get("leader") and self.put("leader", self._name, TTL)

    def _update_leader(self):
        return self.asked().get("leader") == self._name and self.put("leader", self._name, TTL)

    def _delete_leader(self):
        return self.asked().get("leader") == self._name and world.remove("leader")

    def touch_member(self, data):
        return not world.is_out and self.put(f"members/{self._name}", json.dumps(data), TTL)

    def put(self, key, value, lasts=None):
        self.asked().put(key, value, lasts)
        return True

    def set_failover_value(self, value, index=None):
        return self.put("failover", value) if value != "{}" else self.asked().remove("failover")

    def initialize(self, create_new=True, sysid=""):
        return not (create_new and self.asked().get("initialize")) and self.put("initialize", sysid)

    def set_config_value(self, value, index=None):
        return self.put("config", value)

    def set_history_value(self, value):
        return self.put("history", value)

    def _write_status(self, value):
        return self.put("status", value)

    def _write_failsafe(self, value):
        return self.put("failsafe", value)

    set_ttl = set_retry_timeout = _write_leader_optime = take_leader = cancel_initialization = delete_cluster = set_sync_state_value = \
        delete_sync_state = None  # are not called here


class Server(Quiet):
    """PostgreSQL: it starts, stops and is promoted at once, and who follows another one gets what that has, as if by pg_rewind."""

    def __init__(self, number):
        super().__init__(name=f"node{number}", role="master" if number == 0 else "replica", state="running", sysid=SYSTEM, timeline=1, lsn=BYTES,
                         history=[], follows="node0" if number else None, connection_string=f"postgres://node{number}/", proxy_url=None,
                         pending_restart=False, bootstrapping=False, cb_called=True, cancellable=Quiet(), sync_handler=Quiet(), citus_handler=Quiet(),
                         slots_handler=Quiet(), slots=dict, is_primary=number == 0)
        self.config = self

    def is_running(self):
        return self.state == "running"

    is_healthy = is_running

    def is_leader(self):
        return self.is_running() and self.is_primary

    def pull(self):
        """What has come from whom it follows."""
        other = world.servers.get(self.follows)
        if self.is_running() and not self.is_primary and other and other.is_leader():
            self.timeline, self.lsn, self.history = other.timeline, other.lsn, [line[:] for line in other.history]

    def set_role(self, role):
        self.role = role

    def set_state(self, state):
        self.state = state

    def last_operation(self):
        return self.lsn

    def timeline_wal_position(self):
        return self.timeline, self.lsn, self.timeline

    def replica_cached_timeline(self, timeline=None):
        return self.timeline

    get_primary_timeline = replica_cached_timeline

    def get_history(self, timeline):
        return [line[:] for line in self.history]

    def controldata(self):
        return {"Database cluster state": "shut down"}

    def check_recovery_conf(self, node):
        return (self.is_primary or self.follows != (node and node.name)), False

    def follow(self, node, role="replica", timeout=None, do_reload=False):
        self.state, self.role, self.is_primary, self.follows = "running", role, False, node and node.name
        self.pull()
        return True

    def stop(self, mode="fast", on_shutdown=None, before_shutdown=None, **options):
        self.state = "stopped"
        if on_shutdown:
            on_shutdown(self.lsn)

    def promote(self, wait, task, before_promote=None, on_success=None):
        self.history.append([self.timeline, self.lsn, "no recovery target specified", str(World.now), self.name])
        self.timeline, self.is_primary, self.role = self.timeline + 1, True, "master"
        on_success()


class Pool:
    """Of threads: one after the other."""

    def __init__(self, count):
        self.close = self.join = lambda: None

    def map(self, ask, those):
        return [ask(one) for one in those]


ha.ThreadPool, ha.Rewind = Pool, lambda server: Quiet(executed=False, failed=False, is_needed=False, can_rewind=True, checkpoint_after_promote=lambda: True)


class Settings(dict):
    dynamic_configuration = SETTINGS

    def check_mode(self, mode):
        return bool(self.get(mode))


class Patroni(corridor.Process):
    name = "patroni"
    version = VERSION
    meaning = "servers of PostgreSQL, of which Patroni makes one the primary"
    attributes = {"postgres": ["stopped", "replica", "primary"], "timeline": int, "leaders": int, "behind": int, "for_nobody": int}
    inputs = {"write": {"meaning": "a client writes, if this is the primary", "weight": 4}, "switchover": "somebody wants this one to be the primary",
              "outage": "the store goes out", "store_back": {"meaning": "the store is back", "weight": 2}}
    alarms = ["loop"]
    faults = {"mended": "no fault but a mend: pull request 2803, who is promoted forgets who called before"}

    def start(self, stored):
        global world
        if self.now == 0 and f"node{self.me}" in world.servers:  # a schedule begins
            world = World()
        World.now = self.now
        self.server = world.servers.setdefault(f"node{self.me}", Server(self.me))
        world.loops[self.server.name] = self
        self.for_nobody, self.last = 0, self.now
        store = Store({"name": self.server.name, "scope": "corridor", "loop_wait": LOOP})
        self.ha = ha.Ha(types.SimpleNamespace(
            postgresql=self.server, dcs=store, watchdog=Quiet(is_healthy=True, is_running=False, activate=lambda: True), config=Settings(SETTINGS),
            api=Quiet(connection_string=f"http://{self.server.name}/patroni"), request=self.request, nofailover=False, nosync=False,
            replicatefrom=None, scheduled_restart={}, tags={}, version=VERSION))
        self.ha._async_executor.run_async = self.ha._async_executor.run  # what takes long is done at once
        if self.fault == "mended":
            promote = self.server.promote

            def forget_and_promote(*words):
                self.ha._failsafe.__init__(store)
                promote(*words)
            self.server.promote = forget_and_promote
        self.set_alarm(0, 1 + self.random.randrange(LOOP))

    def request(self, member, method="get", endpoint=None, data=None, **options):
        """What the REST interface of another one answers; of one that hangs there is no answer."""
        other = world.loops[member.api_url.split("/")[2]]
        if self.now > other.last + LOOP + LATE:
            raise exceptions.PatroniException("no answer in time")
        if endpoint == "failsafe":
            said = other.ha.update_failsafe(data) or "Accepted"
        else:
            here = {"location": other.server.lsn} if other.server.is_leader() else {"received_location": other.server.lsn, "replayed_location": other.server.lsn}
            said = json.dumps({"state": other.server.state, "role": other.server.role, "timeline": other.server.timeline, "xlog": here})
        return types.SimpleNamespace(status=200, data=said.encode())

    def alarm(self, which):
        World.now = self.last = self.now
        self.server.pull()
        was_primary, was_out = self.server.is_leader(), world.is_out
        self.said(self.ha.run_cycle())
        if was_primary and not self.server.is_leader() and not was_out:
            others = [server for server in world.servers.values() if server.is_leader()]
            self.for_nobody += not others and world.get("leader") in (None, self.server.name) and not world.get("failover")
        self.set_alarm(0, LOOP)

    def input(self, which, data):
        World.now = self.now
        if which == "write" and self.server.is_leader():
            self.server.lsn += BYTES
            for server in world.servers.values():
                server.pull()
        elif which == "switchover" and not world.is_out and world.get("leader"):
            self.ha.dcs.manual_failover(world.get("leader"), self.server.name)
        elif which in ("outage", "store_back"):
            world.is_out = which == "outage"

    def observe(self):
        World.now = self.now
        role = "primary" if self.server.is_leader() else "replica" if self.server.is_running() else "stopped"
        leaders = sum(bool(other.ha.is_leader()) and other.server.is_leader() for other in world.loops.values())
        newest = max(server.timeline for server in world.servers.values())
        has_lock = role == "primary" and world.get("leader") == self.server.name
        return {"postgres": role, "timeline": self.server.timeline, "leaders": leaders, "behind": (newest - self.server.timeline) * has_lock,
                "for_nobody": self.for_nobody}


corridor.run(Patroni)
