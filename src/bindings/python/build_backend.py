"""How pip builds the package: by meson-python, but editable installations here, which meson-python has from 0.13 on.

meson-python needs pyproject.toml beside the meson.build of the project, whose folder is not this one: it builds in a tree
of links to both. An editable installation is a folder of links, build-editable/package: to the sources, so that their
changes count at once, and to what `ninja -C build-editable` makes anew.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import tempfile
import zipfile
from typing import Any, Dict, Iterator, Optional

import mesonpy
from mesonpy import get_requires_for_build_wheel

__all__ = ["build_editable", "build_sdist", "build_wheel", "get_requires_for_build_editable", "get_requires_for_build_wheel"]

OWN = pathlib.Path(__file__).resolve().parent
ROOT = OWN.parents[2]
PLACE = ROOT / "build-editable"


@contextlib.contextmanager
def work_in(tree: pathlib.Path) -> Iterator[None]:
    """Work in a tree of links: to the project's files, and to this folder's two that pip reads."""
    tree.mkdir(exist_ok=True)
    sources = [ROOT / name for name in ("meson.build", "meson_options.txt", "LICENSE", "include", "src")]
    for source in [*sources, OWN / "pyproject.toml", OWN / "README.md"]:
        link = tree / source.name
        if not link.is_symlink():
            link.symlink_to(source)
    before = os.getcwd()
    os.chdir(tree)
    try:
        yield
    finally:
        os.chdir(before)


def build_wheel(wheel_directory: str, config_settings: Optional[Dict[str, Any]] = None,
        metadata_directory: Optional[str] = None) -> str:
    folder = os.path.abspath(wheel_directory)
    with tempfile.TemporaryDirectory() as scratch, work_in(pathlib.Path(scratch)):
        name: str = mesonpy.build_wheel(folder, config_settings, metadata_directory)
    return name


def build_sdist(_directory: str, _settings: Optional[Dict[str, Any]] = None) -> str:
    raise NotImplementedError("the source of the package is the project's")


def get_requires_for_build_editable(config_settings: Optional[Dict[str, Any]] = None) -> Any:
    return get_requires_for_build_wheel(config_settings)


def link_package(place: pathlib.Path) -> pathlib.Path:
    """A folder of links to the files of the wheel, wherever meson has them."""
    folder = place / "package"
    shutil.rmtree(folder, ignore_errors=True)
    plan = json.loads((place / "meson-info" / "intro-install_plan.json").read_text(encoding="utf-8"))
    for files in plan.values():
        for source, details in files.items():
            link = folder.joinpath(*pathlib.PurePath(details["destination"]).parts[-2:])
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(source)
    return folder


def build_editable(wheel_directory: str, config_settings: Optional[Dict[str, Any]] = None,
        metadata_directory: Optional[str] = None) -> str:
    """The wheel with the name of that folder in the place of the package."""
    PLACE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, work_in(PLACE / "tree"):
        name: str = mesonpy.build_wheel(scratch, {**(config_settings or {}), "builddir": str(PLACE)}, metadata_directory)
        with zipfile.ZipFile(pathlib.Path(scratch, name)) as wheel:
            kept = {one: wheel.read(one) for one in wheel.namelist()
                if ".dist-info/" in one and not one.endswith(("/", "/RECORD"))}
    kept["widephase.pth"] = f"{link_package(PLACE)}\n".encode()
    lines = [f"{one},sha256={digest(data)},{len(data)}\n" for one, data in kept.items()]
    record = next(one for one in kept if one.endswith("/METADATA")).replace("METADATA", "RECORD")
    kept[record] = "".join([*lines, f"{record},,\n"]).encode()
    with zipfile.ZipFile(pathlib.Path(wheel_directory, name), "w") as wheel:
        for one, data in kept.items():
            wheel.writestr(one, data)
    return name


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
