"""Compiles files to byte code that is valid for their very text: root, out folder, a file of paths.
Runs nothing of them. Writes OUT/<n>.pyc for the n-th path."""
import os
import py_compile
import sys

root, out, names = sys.argv[1:4]
with open(names, encoding="utf-8") as file:
    for number, name in enumerate(file.read().split("\n")):
        if not name:
            continue
        try:
            py_compile.compile(os.path.join(root, name), cfile="%s/%d.pyc" % (out, number), doraise=True,
                               invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
        except (py_compile.PyCompileError, OSError, ValueError):
            pass
