# SPDX-License-Identifier: GPL-3.0-or-later
"""The structs of corridor/plugin.h and corridor/module.h for ctypes, written by hand; a test holds sizes and offsets
against what a compiler makes of the headers."""
import ctypes
import operator
import struct
from ctypes import POINTER, Structure, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p

MAGIC, MAJOR, MINOR = 0x31524F43, 1, 7
NO_LIMIT = NO_BLOCK = 0xFFFFFFFF
FAILED, CONTINUE, DONE, STAGNATED = -1, 0, 1, 2
ANYTIME, KEEPS, LIMITS, COVERS, NESTS, AIMS, COMES_AND_GOES, AIMS_BY_BLOCK = 1, 2, 4, 8, 16, 32, 64, 128
ORGANIZED = ("partitioning", "covering", "overlapping", "hierarchy", "tree")


def checked(kind):
    """A kind of number for what a host's functions are given by users: ctypes would cut what is too large or below 0 to another."""
    def from_param(value):
        if not 0 <= operator.index(value) < 1 << 8 * ctypes.sizeof(kind):
            raise ValueError(f"{value} is no number from 0 to {(1 << 8 * ctypes.sizeof(kind)) - 1}")
        return kind(operator.index(value))

    return type(kind.__name__, (kind,), {"from_param": staticmethod(from_param)})


number, long_number = checked(c_uint32), checked(c_uint64)


class Random(Structure):
    _fields_ = [("next", c_void_p), ("end", c_void_p), ("refill", c_void_p)]


class ValueColumn(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("type", c_uint32), ("word_count", c_uint32), ("words", POINTER(c_char_p)),
                ("min", c_double), ("max", c_double)]


class Rules(Structure):
    _fields_ = [("struct_size", c_uint32), ("value_count", c_uint32), ("size_min", c_uint32), ("size_max", c_uint32),
                ("count_min", c_uint32), ("count_max", c_uint32), ("fault", c_uint32), ("parameter_count", c_uint32),
                ("parameters", c_void_p), ("threshold", c_double), ("budget", c_uint64), ("organized", c_uint32),
                ("reserved", c_uint32), ("columns", c_void_p)]


class ObjectiveStep(Structure):
    _fields_ = [("what", c_uint32), ("by_block", c_uint32), ("left", c_uint32), ("right", c_uint32), ("column", c_uint32),
                ("filter", c_uint32), ("constant", c_double)]


class Objective(Structure):
    _fields_ = [("step_count", c_uint32), ("filter_count", c_uint32), ("steps", c_void_p), ("filters", c_void_p)]


class Task(Structure):
    _fields_ = [("struct_size", c_uint32), ("agent_count", c_uint32), ("rules", c_void_p), ("values", c_void_p),
                ("block_count", c_uint32), ("kept_size", c_uint32), ("block_start", c_void_p), ("members", c_void_p),
                ("kept", c_void_p), ("block_parent", c_void_p), ("objective", c_void_p)]


class Agent(Structure):
    _fields_ = [("id", c_uint32), ("reserved", c_uint32), ("values", c_void_p), ("random", c_void_p), ("state", c_void_p)]


class Message(Structure):
    _fields_ = [("from", c_uint32), ("kind", c_uint32), ("size", c_uint32), ("reserved", c_uint32), ("payload", c_void_p)]


class FaultCounts(Structure):
    _fields_ = [("reached", c_uint64), ("held", c_uint64), ("activated", c_uint64), ("in_result", c_uint64)]


ALLOC = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_size_t)
MOVE = ctypes.CFUNCTYPE(c_int, c_void_p, number, number)
COST = ctypes.CFUNCTYPE(c_double, c_void_p, c_uint32, c_void_p, c_void_p)
KEEP = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, number)
SEND = ctypes.CFUNCTYPE(c_int, c_void_p, number, number, c_char_p, number)
COMPLAIN = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)


class Host(Structure):
    _fields_ = [("struct_size", c_uint32), ("minor", c_uint32), ("self", c_void_p), ("random", c_void_p * 2), ("alloc", ALLOC),
                ("resize", c_void_p), ("put_block", c_void_p), ("move", MOVE), ("cost", COST), ("keep", KEEP), ("agent", c_void_p),
                ("send", SEND), ("complain", COMPLAIN), ("spent", POINTER(c_uint64)), ("fault", POINTER(FaultCounts)),
                ("counters", POINTER(c_uint64)), ("counter_start", POINTER(c_uint32)), ("hang", MOVE), ("put_edge", c_void_p)]


class Parameter(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("meaning", c_char_p), ("value", c_double), ("min", c_double),
                ("max", c_double), ("is_integer", c_int)]


class Counter(Structure):
    _fields_ = [("name", c_char_p), ("meaning", c_char_p), ("bucket_count", c_uint32)]


class Fault(Structure):
    _fields_ = [("name", c_char_p), ("meaning", c_char_p)]


THREE = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)           # begin, wake, result, adopt, restart
STEP = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_uint64)  # step
FOUR = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p)  # receive
END = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)


class Algorithm(Structure):
    _fields_ = [("magic", c_uint32), ("major", c_uint32), ("minor", c_uint32), ("struct_size", c_uint32), ("name", c_char_p),
                ("version", c_char_p), ("summary", c_char_p), ("budget_unit", c_char_p), ("capabilities", c_uint32),
                ("reserved", c_uint32), ("state_size", c_size_t), ("agent_size", c_size_t), ("parameters", POINTER(Parameter)),
                ("constraints", POINTER(c_char_p)), ("counters", POINTER(Counter)), ("faults", POINTER(Fault)), ("begin", THREE),
                ("step", STEP), ("wake", THREE), ("receive", FOUR), ("result", THREE), ("adopt", THREE), ("end", END),
                ("restart", THREE), ("needs", POINTER(c_char_p)), ("messages", c_void_p),
                ("garble", c_void_p), ("graph", c_void_p)]


_CODES = {c_uint32: "I", c_int: "i", c_uint64: "Q", c_double: "d", c_size_t: "N"}


def unpacker(kind):
    """What reads all fields of a struct at once: a struct.Struct and its names."""
    return struct.Struct("@" + "".join(_CODES.get(type_, "P") for _, type_ in kind._fields_))


UNPACK_TASK, UNPACK_RULES, UNPACK_AGENT, UNPACK_MESSAGE = map(unpacker, (Task, Rules, Agent, Message))
BY_NAME = {"cor_random": Random, "cor_value_column": ValueColumn, "cor_rules": Rules, "cor_objective_step": ObjectiveStep,
           "cor_objective": Objective, "cor_task": Task, "cor_agent": Agent, "cor_message": Message, "cor_fault_counts": FaultCounts,
           "cor_host": Host, "cor_parameter": Parameter, "cor_counter": Counter, "cor_fault": Fault, "cor_algorithm": Algorithm}
