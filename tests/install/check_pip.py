#!/usr/bin/env python3
"""Installs the Python package by pip from a copy of the tree, as its README shows, and editable; nothing is downloaded.

usage: check_pip.py DOCUMENT SOURCE

The Python that runs this must have meson-python, pip, numpy and cffi, and be the first python3 of the PATH; else it says
what is missing. The commands of the document run as they stand, in a new virtual environment, which finds what pip would
download in that Python: its setting include-system-site-packages is changed once it is there.
"""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap

SKIP = 77
NEEDED = ("mesonpy", "pip", "ensurepip", "numpy", "cffi")
TREE = ("meson.build", "meson_options.txt", "LICENSE", "include", "src")
WHERE = "import widephase, widephase._library as library; print(widephase.__file__, library._name, sep='\\n')"
# The text of an error, which stands in a C source.
REFUSED = """
import widephase as wp
try:
    wp.contact_pair(wp.Shape.sphere(1), wp.Pose(), wp.Shape.box(1, 1, 1), wp.Pose(), max_separation=-1)
except wp.Error as error:
    print(error.reason)
"""


class Place:
    """A copy of the tree, in which commands run as a user's do, but for less optimisation and fewer variants, which compile sooner."""

    def __init__(self, folder, source):
        self.tree = folder / "tree"
        for name in TREE:
            copy = shutil.copytree if (source / name).is_dir() else shutil.copy2
            self.tree.mkdir(exist_ok=True)
            copy(source / name, self.tree / name)
        self.environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_ROOT_USER_ACTION": "ignore", "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
        self.environment["CFLAGS"] = "-O1"
        # By the name that pip gives the option: the variant of one lane alone.
        self.environment["PIP_CONFIG_SETTINGS"] = "setup-args=-Dvariants=scalar"
        for name in ("PYTHONPATH", "WIDEPHASE_LIBRARY", "LDFLAGS", "DESTDIR", "PIP_FIND_LINKS", "VIRTUAL_ENV"):
            self.environment.pop(name, None)

    def run(self, *command, folder=None):
        done = subprocess.run([str(part) for part in command], cwd=folder or self.tree, env=self.environment,
            capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def see_installed(self, environment):
        """Let a virtual environment find what is installed outside of it."""
        settings = environment / "pyvenv.cfg"
        text = settings.read_text(encoding="utf-8")
        if "include-system-site-packages = false" not in text:
            sys.exit(f"{settings}: not a clean virtual environment\n{text}")
        settings.write_text(text.replace("site-packages = false", "site-packages = true"), encoding="utf-8")


def expect(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: {found!r}, not {wanted!r}")


def check_wheel(place, commands):
    """The document's commands; then all examples of the documentation, by what they installed."""
    outputs = []
    for command in commands:
        outputs.append(place.run("sh", "-ec", command))
        if " -m venv " in command:
            place.see_installed(place.tree / "env")
    expect(outputs[-1], "2.0\n", commands[-1])
    python = place.tree / "env" / "bin" / "python"
    package = next((place.tree / "env").rglob("site-packages/widephase"))
    paths = place.run(python, "-c", WHERE, folder=package.parent.parent).splitlines()
    expect(pathlib.Path(paths[0]).parent, package, "where the package is")
    expect(pathlib.Path(paths[1]).parent, package, "where its library is")
    built = place.run(python, "-c", "import widephase; print(*widephase.variants(), sep=',')", folder=package.parent.parent)
    expect(built.strip(), "scalar", "variants")
    strange = [path.name for path in package.iterdir() if path.suffix not in (".py", ".typed") and path.name != "__pycache__"
        and not path.name.startswith("libwidephase")]
    expect(strange, [], "other files of the package")
    if importlib.util.find_spec("pytest"):
        place.run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules", package, folder=package)
    place.run(python, "-m", "pip", "uninstall", "-y", "widephase")
    expect(package.exists() and any(package.rglob("*.py")), False, "files after pip uninstall")


def check_editable(place):
    """Sources of Python count at once, sources of C when they are built."""
    environment = place.tree.parent / "editable"
    place.run(sys.executable, "-m", "venv", environment)
    place.see_installed(environment)
    python = environment / "bin" / "python"
    place.run(python, "-m", "pip", "install", "--editable", "src/bindings/python")
    folder = place.tree.parent
    expect(place.run(python, "-c", REFUSED, folder=folder), "is NaN or negative\n", "an answer")
    paths = place.run(python, "-c", WHERE, folder=folder).splitlines()
    for path in paths:
        expect(pathlib.Path(path).parent.parent, place.tree / "build-editable" / "package", "where the package is")
    with open(place.tree / "src/bindings/python/widephase/_status.py", "a", encoding="utf-8") as source:
        source.write("EDITED = 7\n")
    expect(place.run(python, "-c", "from widephase._status import EDITED; print(EDITED)", folder=folder), "7\n", "an edit of Python")
    texts = place.tree / "src/core/text.c"
    texts.write_text(texts.read_text(encoding="utf-8").replace("is NaN or negative", "is EDITED"), encoding="utf-8")
    place.run("ninja", "-C", "build-editable", "--quiet")
    expect(place.run(python, "-c", REFUSED, folder=folder), "is EDITED\n", "an edit of C")


def main(arguments):
    document, source = (pathlib.Path(name).resolve() for name in arguments)
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(f"Python has no {', '.join(missing)}")
        return SKIP
    blocks = document.read_text(encoding="utf-8").split("```sh\n")[1:]
    blocks = [block.partition("```")[0] for block in blocks if "pip install src/bindings/python" in block]
    if len(blocks) != 1:
        sys.exit(f"{document}: {len(blocks)} blocks with pip install")
    commands = textwrap.dedent(blocks[0]).strip().splitlines()
    expect(len(commands), 3, "lines of shell to a first call")
    with tempfile.TemporaryDirectory() as folder:
        place = Place(pathlib.Path(folder).resolve(), source)
        check_wheel(place, commands)
        check_editable(place)
    print("a wheel and an editable installation")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
