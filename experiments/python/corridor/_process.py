# SPDX-License-Identifier: GPL-3.0-or-later
"""The structs of corridor/process.h for ctypes, written by hand; a test holds sizes and offsets against what a compiler
makes of the header."""
import ctypes
from ctypes import POINTER, Structure, Union, c_char_p, c_double, c_size_t, c_uint32, c_uint64, c_void_p

from ._plugin import long_number, number

MAGIC, MAJOR, MINOR = 0x314F5250, 1, 4
COUNT, REAL, WORD, SET = range(4)
DONE, FAILED = 0, 1  # how calls end
FORGETS, NEVER = 0x80000000, 0xFFFFFFFFFFFFFFFF
PROCESSES_MAX = 255


class Name(Structure):
    _fields_ = [("name", c_char_p), ("meaning", c_char_p)]


class Attribute(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("type", c_uint32), ("word_count", c_uint32), ("words", POINTER(c_char_p)),
                ("meaning", c_char_p)]


class Value(Union):
    _fields_ = [("count", c_uint64), ("real", c_double)]


class Message(Structure):
    _fields_ = [("name", c_char_p), ("meaning", c_char_p), ("ballot", c_uint32), ("reserved", c_uint32)]


class Input(Structure):
    _fields_ = [("name", c_char_p), ("meaning", c_char_p), ("weight", c_uint32), ("bytes", c_uint32)]


class Record(Structure):
    _fields_ = [("operation", c_uint32), ("size", c_uint32), ("bytes", c_void_p)]


class Stored(Structure):
    _fields_ = [("cells", POINTER(Record)), ("writes", POINTER(Record)), ("cell_count", c_uint32), ("write_count", c_uint32)]


NOW = ctypes.CFUNCTYPE(c_uint64, c_void_p)
SEND = ctypes.CFUNCTYPE(None, c_void_p, number, number, c_char_p, number)
ALARM = ctypes.CFUNCTYPE(None, c_void_p, number, long_number)
CELL = ctypes.CFUNCTYPE(None, c_void_p, number, c_char_p, number)
WRITE = ctypes.CFUNCTYPE(None, c_void_p, long_number, number, c_char_p, number)
TELL = ctypes.CFUNCTYPE(None, c_void_p, number, long_number, long_number)
COMPLAIN = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)
CALL = ctypes.CFUNCTYPE(None, c_void_p, number, long_number, c_char_p, c_char_p, c_char_p)
ANSWERED = ctypes.CFUNCTYPE(None, c_void_p, long_number, number, c_char_p)


class Host(Structure):
    _fields_ = [("struct_size", c_uint32), ("minor", c_uint32), ("self", c_uint32), ("count", c_uint32), ("fault", c_uint32),
                ("reserved", c_uint32), ("data", c_void_p), ("now", NOW), ("random", NOW), ("send", SEND), ("set_alarm", ALARM),
                ("cell", CELL), ("write", WRITE), ("alloc", c_void_p), ("resize", c_void_p), ("release", c_void_p), ("tell", TELL),
                ("complain", COMPLAIN), ("choose", c_void_p), ("neighbours", POINTER(c_uint32)), ("neighbour_count", c_uint32),
                ("reserved_2", c_uint32), ("call", CALL), ("answered", ANSWERED), ("say", COMPLAIN), ("there", c_uint64 * 4)]


START = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)
RECEIVE = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_uint32, c_uint32, c_void_p, c_uint32)
DUE = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_uint32)
COMPLETED = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_uint64, c_uint32)
ASKED = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_uint32, c_void_p, c_uint32)
OBSERVE = ctypes.CFUNCTYPE(None, c_void_p, c_void_p)


class Process(Structure):
    _fields_ = [("magic", c_uint32), ("major", c_uint32), ("minor", c_uint32), ("struct_size", c_uint32), ("name", c_char_p),
                ("version", c_char_p), ("meaning", c_char_p), ("state_size", c_size_t), ("attributes", POINTER(Attribute)),
                ("channels", POINTER(Name)), ("messages", POINTER(Message)), ("inputs", POINTER(Input)), ("faults", POINTER(Name)),
                ("attribute_count", c_uint32), ("channel_count", c_uint32), ("message_count", c_uint32), ("input_count", c_uint32),
                ("fault_count", c_uint32), ("leader_attribute", c_uint32), ("leader_value", c_uint32), ("start", START),
                ("receive", RECEIVE), ("alarm", DUE), ("completed", COMPLETED), ("input", ASKED), ("observe", OBSERVE),
                ("alarms", POINTER(Name)), ("alarm_count", c_uint32), ("reserved", c_uint32),
                ("variables", POINTER(Name)), ("variable_count", c_uint32), ("reserved_2", c_uint32), ("domain", c_void_p),
                ("reads", c_void_p), ("rule", c_void_p), ("save", c_void_p), ("restore", c_void_p), ("mail", c_void_p)]


BY_NAME = {"cor_process_name": Name, "cor_process_attribute": Attribute, "cor_process_message": Message, "cor_process_input": Input,
           "cor_process_record": Record, "cor_process_stored": Stored, "cor_process_host": Host, "cor_process": Process}
