# SPDX-License-Identifier: MIT
"""Who runs where in a cluster of three nodes, planned by Pacemaker's scheduler (libpacemaker1 of Debian 12, unchanged), while nodes rest, die and
come back, resources fail, and an administrator says where they are to run. After each change the cluster does what is planned for it."""
import ctypes
import functools
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as etree

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.append(str(FOLDER.parent / "processes"))
import corridor_process as corridor

LIBRARY, PACKAGE, VERSION = "libpacemaker.so.1", "pacemaker-cli-utils", "2.1.5"
NEWER = FOLDER.parents[2] / "build/registries/pacemaker/lib" / LIBRARY
NODES, RESOURCES = ("n1", "n2", "n3"), ("ip", "web")  # web is a clone: one instance per node at most
CALLED = {"ip": "ip", "web": "webs"}  # in constraints
NEVER, PREFERRED = -1000000, 100  # scores
FEATURES, MAGIC = "3.16.1", "00000000-0000-0000-0000-000000000000"
DIGESTS = {0: "f2317cad3d54cec5d7d7aa7d0bf35cf8", 10000: "4811cef7f7f94e3a35a70be7916cb2fd"}  # of actions without parameters, by their interval
FLAGS = 0x01800000  # as pacemaker-schedulerd asks: without counts, not as before 2.0


class WorkingSet(ctypes.Structure):
    """struct pe_working_set_s of crm/pengine/pe_types.h, up to what is planned."""
    _fields_ = [("before", ctypes.c_void_p * 6), ("flags", ctypes.c_ulonglong), ("options", ctypes.c_int * 2), ("lists", ctypes.c_void_p * 13),
                ("counts", ctypes.c_int * 4), ("graph", ctypes.c_void_p)]


def version():
    """What the installed program says of itself, if it is there."""
    there = shutil.which("crm_simulate", path="/usr/sbin:/usr/bin")
    said = subprocess.run([there, "--version"], capture_output=True, text=True, check=False).stdout.split() if there else []
    return said[1] if len(said) > 1 else None


@functools.cache
def loaded(library):
    """The library, in the version that its page speaks of; a newer one, which was built, is a mend."""
    made = ctypes.CDLL(str(library))
    it = ctypes.c_void_p
    for name, result, *arguments in (("string2xml", it, ctypes.c_char_p), ("dump_xml_unformatted", it, it), ("pe_new_working_set", it),
                                     ("pe_free_working_set", None, it), ("free", None, it),
                                     ("pcmk__schedule_actions", None, it, ctypes.c_ulonglong, it)):
        function = getattr(made, name)
        function.restype, function.argtypes = result, arguments
    made.crm_log_init(b"corridor", 2, 0, 0, 0, None, 1)
    return made


@functools.lru_cache(maxsize=10000)
def planned(library, asked):
    """What the scheduler plans for a cluster, as pacemaker-schedulerd and crm_simulate ask it: (what, of which resource, at which node)."""
    there = loaded(library)
    working_set = there.pe_new_working_set()
    there.pcmk__schedule_actions(there.string2xml(asked.encode()), FLAGS, working_set)
    text = there.dump_xml_unformatted(WorkingSet.from_address(working_set).graph)
    graph = etree.fromstring(ctypes.string_at(text))
    there.free(text)
    there.pe_free_working_set(working_set)
    rows = graph.iterfind("synapse/action_set/rsc_op")
    return [(row.get("operation"), row.find("primitive").get("id").split(":")[0], row.get("on_node")) for row in rows]


def element(tag, attributes, *inside):
    """An element of XML."""
    made = etree.Element(tag, {name: str(value) for name, value in attributes.items()})
    made.extend(inside)
    return made


def options(tag, name, values):
    """A set of named values."""
    pairs = [element("nvpair", {"id": f"{name}-{key}", "name": key, "value": value}) for key, value in values.items()]
    return element(tag, {"id": name}, *pairs)


def agent(name):
    """A resource that is started and stopped, and does nothing."""
    return {"id": name, "class": "ocf", "provider": "pacemaker", "type": "Dummy"}


def operation(name, call, what, interval, code):
    """What is known of an action of a resource."""
    key = f"{call}:1:{code if what == 'monitor' and not interval else 0}:{MAGIC}"
    called = f"{name}_{what}_{interval}"
    return element("lrm_rsc_op", {"id": called, "operation_key": called, "operation": what, "interval": interval, "call-id": call,
                                  "rc-code": code, "op-status": 0, "transition-key": key, "transition-magic": f"0:{code};{key}",
                                  "op-digest": DIGESTS[interval], "crm_feature_set": FEATURES})


class Cluster(corridor.Process):
    name = "pacemaker"
    version = VERSION
    meaning = "a scheduler says which resource runs at which node"
    attributes = {"nodes": int, "running": int, "forbidden": int, "surplus": int, "apart": int, "idle": int, "moved": int, "spared": int,
                  "again": int}
    inputs = {**{f"{node}_{does}": {"meaning": meaning, "weight": 2} for node in NODES for does, meaning in
                 (("rests", "it is put on standby"), ("dies", "it is gone, and what ran there"), ("works", "it is there again"))},
              **{f"{resource}_{how}_{node}": "where it is to run" for resource in RESOURCES for how in ("prefers", "avoids") for node in NODES},
              **{f"{resource}_anywhere": "no preference of it is left" for resource in RESOURCES},
              **{f"web_fails_{node}": "its instance there has failed, if there is one" for node in NODES},
              "ip_with_web": "where one of web is", "ip_without_web": "where none of web is", "ip_alone": "whatever web does",
              "web_twice": "two instances at most", "web_thrice": "three instances at most"}
    faults = {"newer": "no fault but a mend: a newer version of the library, built into build/registries/pacemaker"}

    def start(self, stored):
        self.library = NEWER if self.fault == "newer" else LIBRARY
        self.is_up = dict.fromkeys(NODES, "works")
        self.scores = {(resource, node): 0 for resource in RESOURCES for node in NODES}
        self.maximum, self.together = {"ip": 1, "web": 3}, 0
        self.runs = {resource: set() for resource in RESOURCES}  # at which nodes
        self.failed = set()
        self.settle(self.maximum["web"])

    def asked(self):
        """The cluster, as its scheduler is asked about it."""
        monitor = {name: element("op", {"id": f"{name}-monitor", "name": "monitor", "interval": "10s"}) for name in RESOURCES}
        ip, web = (element("primitive", agent(name), element("operations", {}, monitor[name])) for name in RESOURCES)
        webs = element("clone", {"id": "webs"}, options("meta_attributes", "webs-meta", {"clone-max": self.maximum["web"], "interleave": "true"}), web)
        rules = [element("rsc_location", {"id": f"{name}-{node}", "rsc": CALLED[name], "node": node, "score": "-INFINITY" if score == NEVER else score})
                 for (name, node), score in self.scores.items() if score]
        if self.together:
            score = "INFINITY" if self.together > 0 else "-INFINITY"
            rules.append(element("rsc_colocation", {"id": "near", "rsc": "ip", "with-rsc": "webs", "score": score}))
        rests = {node: {"standby": "on" if does == "rests" else "off"} for node, does in self.is_up.items()}
        nodes = [element("node", {"id": number, "uname": node}, options("instance_attributes", f"{node}-is", rests[node]))
                 for number, node in enumerate(NODES, 1)]
        configuration = element("configuration", {}, element("crm_config", {}, options("cluster_property_set", "all", {"stonith-enabled": "false"})),
                                element("nodes", {}, *nodes), element("resources", {}, ip, webs), element("constraints", {}, *rules),
                                element("rsc_defaults", {}, options("meta_attributes", "defaults", {"resource-stickiness": 1})))
        status = element("status", {}, *[self.state(*node) for node in enumerate(NODES, 1)])
        cib = {"validate-with": "none", "crm_feature_set": FEATURES, "have-quorum": 1, "admin_epoch": 0, "epoch": 1, "num_updates": 0}
        return etree.tostring(element("cib", cib, configuration, status), encoding="unicode")

    def state(self, number, node):
        """A node, with what is known to run there and what not."""
        there = self.is_up[node] != "dies"
        known = []
        for name in RESOURCES if there else []:
            code = 7 if (name, node) in self.failed else 0
            seen = [("start", 0, 0), ("monitor", 10000, code)] if node in self.runs[name] else [("monitor", 0, 7)]
            known.append(element("lrm_resource", agent(name), *[operation(name, call, *one) for call, one in enumerate(seen, 1)]))
        is_member = ("true", "online", "member", "member") if there else ("false", "offline", "down", "down")
        return element("node_state", {"id": number, "uname": node, **dict(zip(("in_ccm", "crmd", "join", "expected"), is_member))},
                       element("lrm", {"id": number}, element("lrm_resources", {}, *known)))

    def settle(self, wanted):
        """The cluster does what is planned for it; what it plans again when that is done. So many of web were wanted before."""
        before = {name: set(nodes) for name, nodes in self.runs.items()}
        plan = planned(self.library, self.asked())
        for what, name, node in sorted(plan, reverse=True):  # stops come before starts
            if what in ("start", "stop"):
                (self.runs[name].add if what == "start" else self.runs[name].discard)(node)
        needless = self.moves(before, {(name, node) for what, name, node in plan if what == "stop"} - self.failed)
        self.moved, self.spared = (0, needless) if self.maximum["web"] < wanted else (needless, 0)
        self.failed = set()
        self.again = len(planned(self.library, self.asked()))

    def allowed(self, name):
        """Where it may run, whatever runs beside it."""
        return {node for node in NODES if self.is_up[node] == "works" and self.scores[name, node] != NEVER}

    def beside(self):
        """Where ip may run, as web runs now."""
        near = self.runs["web"] if self.together > 0 else set(NODES) - self.runs["web"] if self.together < 0 else set(NODES)
        return self.allowed("ip") & near

    def moves(self, before, stopped):
        """How many were stopped where they were to run all the same, or went where they like it no better."""
        needless = sum(node in self.runs[name] for name, node in stopped)
        for name in RESOURCES:
            if self.together and (name == "web" or self.runs["web"] != before["web"]):
                continue  # each is where the other likes it, too
            may = self.beside() if name == "ip" else self.allowed(name)
            left, taken = (before[name] - self.runs[name]) & may, self.runs[name] - before[name]
            needless += bool(left and taken) and min(self.scores[name, node] for node in taken) <= max(self.scores[name, node] for node in left)
        return needless

    def input(self, which, data):
        name, does, *node = which.split("_")
        wanted = self.maximum["web"]
        if name in NODES:
            self.is_up[name] = does
            if does == "dies":
                for nodes in self.runs.values():
                    nodes.discard(name)
        elif does == "fails":
            self.failed = {(name, node[0])} & {(name, there) for there in self.runs[name]}
        elif does in ("with", "without", "alone"):
            self.together = {"with": 1, "without": -1, "alone": 0}[does]
        elif does in ("twice", "thrice"):
            self.maximum[name] = 2 if does == "twice" else 3
        else:
            self.scores.update({(name, there): {"prefers": PREFERRED, "avoids": NEVER, "anywhere": 0}[does] for there in node or NODES})
        self.settle(wanted)

    def observe(self):
        web, ip = self.runs["web"], self.runs["ip"]
        wanted = {"web": min(self.maximum["web"], len(self.allowed("web"))), "ip": min(1, len(self.beside()))}
        return {"nodes": sum(does == "works" for does in self.is_up.values()), "running": len(web) + len(ip),
                "forbidden": sum(len(self.runs[name] - self.allowed(name)) for name in RESOURCES),
                "surplus": sum(max(0, len(self.runs[name]) - self.maximum[name]) for name in RESOURCES),
                "apart": len(ip - self.beside()), "idle": sum(max(0, wanted[name] - len(self.runs[name])) for name in RESOURCES),
                "moved": self.moved, "spared": self.spared, "again": self.again}


there = version()
if there != VERSION:
    sys.exit(f"pacemaker {there} is installed, and {VERSION} is what is tested here: {PACKAGE} of Debian 12" if there else
             f"crm_simulate is not there: make subjects, or {PACKAGE} of Debian 12")
corridor.run(Cluster)
