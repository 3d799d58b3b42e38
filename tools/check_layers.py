#!/usr/bin/env python3
"""Fails on an #include that the layer table does not allow. usage: check_layers.py [ROOT]"""

import os
import re
import sys

ENGINE = ["engine/base", "engine/core", "engine/syntax", "engine/platform", "engine/issue"]
ENGINE += ["engine/locate", "engine/journal", "engine/report"]

# folder: the folders whose headers it may include, beside its own.
LAYERS = {
    "engine/base": [],
    "engine/core": ["engine/base"],
    "engine/syntax": ["engine/base", "engine/core"],
    "engine/platform": ["engine/base", "engine/core"],
    "engine/issue": ["engine/base", "engine/core"],
    "engine/locate": ["engine/base", "engine/core", "engine/syntax"],
    "engine/journal": ["engine/base", "engine/core"],
    "engine/report": ["engine/base", "engine/core"],
    "templates": ["engine/base", "engine/core", "engine/syntax"],
    "oracles": ["engine/base", "engine/core"],
    "llm": ["engine/base", "engine/core"],
    "corpus": [*ENGINE, "templates", "oracles"],
    "app": [*ENGINE, "templates", "oracles", "llm", "corpus", "app"],
    "tests": [*ENGINE, "templates", "oracles", "llm", "corpus", "app", "tests"],
    "bench": [*ENGINE, "templates", "oracles", "llm", "corpus", "bench"],
}

# Headers of libraries that only one folder may see.
WRAPPED = {
    r"git2|seccomp|curl/|boost/process": "engine/platform",
    r"tree_sitter/|clang-c/": "engine/syntax",
    r"yaml-cpp/|re2/": "templates",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(path):
    return next((layer for layer in LAYERS if path.startswith(layer + "/")), None)


def problem(path, bracket, header):
    """Why a file may not include a header; None if it may."""
    layer = layer_of(path)
    for pattern, owner in WRAPPED.items():
        if re.match(pattern, header) and layer != owner:
            return f"only {owner} may include <{header}>"
    if bracket == "<":
        return None
    target = layer_of(header)
    if layer is None:
        return f"its folder is not in the table of {os.path.basename(__file__)}"
    if target is None:
        return f'"{header}" is not the path of a layer\'s header from the root'
    if target not in (layer, *LAYERS[layer]):
        return f"{layer} may not include {target} ({header})"
    return None


def sources(root):
    for folder, folders, files in os.walk(root):
        at_root = os.path.samefile(folder, root)
        skip = {"build", "node_modules", "runs", "third_party"} if at_root else set()
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in skip)
        yield from (os.path.join(folder, f) for f in sorted(files) if f.endswith((".h", ".cc")))


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..")
    problems, count = [], 0
    for source in sources(root):
        path, count = os.path.relpath(source, root), count + 1
        with open(source, encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                include = INCLUDE.match(line)
                why = problem(path, *include.groups()) if include else None
                if why:
                    problems.append(f"{path}:{number}: {why}")
    if count == 0:
        problems.append(f"no sources in {root}")
    print("\n".join(problems) if problems else f"layers: {count} files keep to the table")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
