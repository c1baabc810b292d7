"""The rows of the launch table, a module a subject: which kernel, in which settings, on which data.

To measure a new kernel, add one row to the module of its subject; tools/launches.py says what goes in.
"""

from . import attention, elementwise, matmul, memory, reduction, scheduling, sparse, transpose, warps  # noqa: F401
