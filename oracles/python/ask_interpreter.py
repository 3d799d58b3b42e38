"""Prints what the sandbox has to show of this interpreter, as JSON on the last line."""
import json
import os
import site
import sys

places = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, os.path.dirname(sys.executable)]
places += [p for p in sys.path if p]
places += site.getsitepackages() if hasattr(site, "getsitepackages") else []
print(json.dumps({
    "executable": sys.executable,
    "version": list(sys.version_info[:3]),
    "cache_tag": sys.implementation.cache_tag,
    "places": sorted({os.path.abspath(p) for p in places if os.path.isdir(p)}),
}))
