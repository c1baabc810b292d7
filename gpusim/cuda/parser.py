"""The parser: its pages put together, and all that it remembers while it reads a text."""

from __future__ import annotations

from .cpp.calls import Calls
from .cpp.collectives import Collectives
from .cpp.groups import Groups
from .cpp.lambdas import Lambdas
from .cpp.lanes import Lanes
from .cpp.methods import Methods
from .cpp.namespaces import Namespaces
from .cpp.structs import Structs
from .cpp.templates import Templates
from .cpp.wmma import Matrices
from .parse.cursor import Cursor
from .parse.declarations import Declarations
from .parse.expressions import Expressions
from .parse.functions import Functions
from .parse.globals import Globals
from .parse.headers import Headers
from .parse.kernels import Kernels
from .parse.locals import Locals
from .parse.names import Names
from .parse.outline import Outline
from .parse.postfix import Postfix
from .parse.statements import Statements
from .parse.switch import Switches
from .parse.types import Types
from .parse.values import Values
from .tree.types import VOID
from .typing.scope import BASE


class Parser(
    Cursor,
    Types,
    Structs,
    Values,
    Names,
    Postfix,
    Expressions,
    Locals,
    Statements,
    Switches,
    Headers,
    Functions,
    Templates,
    Methods,
    Calls,
    Groups,
    Lanes,
    Collectives,
    Matrices,
    Lambdas,
    Outline,
    Namespaces,
    Globals,
    Declarations,
    Kernels,
):
    """A recursive-descent parser that types what it reads at once.

    A template or a device function is kept as the place of its tokens and read anew for each specialisation,
    in the scopes where it was written, with template parameters bound.
    """

    def __init__(self, tokens, overrides=None):
        end = tokens[-1]
        self.tokens = [*tokens, end, end, end]
        self.texts = [token.text for token in self.tokens]
        self.i = 0  # the place of the current token
        self.half = False  # the first > of a >> is taken
        self.nesting = 0  # brackets and statements around
        self.height = 0  # of the expression tree read last
        self.no_greater = False  # inside template arguments, where > ends them

        self.file_names = {}
        self.scopes = [BASE, self.file_names]  # from outside to inside
        self.open_spaces, self.depths = [], []  # namespaces around, and how many scopes each found
        self.numbers = 0  # variables so far
        self.missing = []  # (line, name) of quoted includes that were not read
        self.unread = {}  # names of declarations taken for host code, and why they could not be read
        self.overrides, self.used = overrides or {}, set()  # {name: tokens}, and which were met

        self.kernels = {}  # Overloads by name
        self.devices = []  # Declarations of device functions
        self.variables, self.initial, self.skipped = [], {}, []  # as in tree.Unit
        self.struct_scopes, self.initials = {}, {}  # methods and constants, and default values, by struct
        self.made_from = {}  # {struct's name: (template's name, arguments)}

        self.queue = []  # function bodies still to read
        self.called_by = {}  # {caller: {callee: True}}
        self.function_here = None  # the Function whose body is read
        self.result = VOID  # its result type
        self.loops = self.switches = 0  # around, inside it
        self.returns_this = False  # it ends in return *this
        self.constructed_symbol = None  # the object that a constructor makes
        self.auto_types = {}  # of a lambda's auto parameters, by place
        self.align = None  # of the last __align__
