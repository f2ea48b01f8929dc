"""Restores an archive into a folder, by way of a folder beside it."""

import lzma
import os
import shutil
import stat
import tarfile
import tempfile
import zipfile
import zlib
from pathlib import Path

from coldstore.limits import Limits
from coldstore.report import Report

BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, ValueError)


class RestoreError(Exception):
    """An archive cannot be restored."""


def restore(archive, destination, limits=Limits()):
    archive, destination = Path(archive), Path(destination)
    report = Report()
    top = destination.absolute()
    while not top.exists():
        top = top.parent
    stage = Path(os.path.realpath(tempfile.mkdtemp(dir=top.parent, prefix=".restore")))
    try:
        try:
            if zipfile.is_zipfile(archive):
                unzip(archive, stage, limits, report)
            else:
                untar(archive, stage, limits, report)
        except BROKEN as error:
            raise RestoreError(f"{archive.name} is not an archive: {error}") from error
        for path in stage.rglob("*"):
            if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(stage):
                raise RestoreError(f"{path.relative_to(stage)} leads outside")
        new = stage.with_name(stage.name + ".new")
        old = stage.with_name(stage.name + ".old")
        if destination.exists():
            shutil.copytree(destination, new, symlinks=True)
        try:
            lay_over(stage, new)
            if destination.exists():
                os.rename(destination, old)
            destination.parent.mkdir(parents=True, exist_ok=True)
            os.rename(new, destination)
        finally:
            shutil.rmtree(new, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    return report


def place_for(stage, name):
    pure = Path(name)
    if pure.is_absolute() or ".." in pure.parts:
        raise RestoreError(f"{name} leads outside")
    path = stage / pure
    parent = path.parent
    while parent != stage and stage in parent.parents:
        if parent.is_symlink():
            raise RestoreError(f"{name} goes through a link")
        parent = parent.parent
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        path.unlink()
    return path


def make_link(stage, path, name, target):
    os.symlink(target, path)
    if not Path(os.path.realpath(path)).is_relative_to(stage):
        raise RestoreError(f"{name} leads outside")


def untar(archive, stage, limits, report):
    left, count, modes = limits.max_bytes, 0, []
    with tarfile.open(archive) as tar:
        for member in tar:
            count += 1
            left -= member.size
            if left < 0 or count > limits.max_files:
                raise RestoreError(f"{member.name}: too much")
            path = place_for(stage, member.name)
            if member.isdir():
                path.mkdir(exist_ok=True)
                modes.append((path, member.mode))
                report.add("folder", 0)
            elif member.issym():
                make_link(stage, path, member.name, member.linkname)
                report.add("link", 0)
            elif member.islnk():
                source = place_for(stage, member.linkname)
                if not source.is_file():
                    raise RestoreError(f"{member.name} is a link to nothing")
                os.link(source, path)
                report.add("link", 0)
            elif member.isreg():
                with tar.extractfile(member) as source, open(path, "wb") as file:
                    shutil.copyfileobj(source, file, 65536)
                path.chmod(member.mode & 0o777)
                os.utime(path, (member.mtime, member.mtime))
                report.add("file", member.size)
            else:
                raise RestoreError(f"{member.name} is a special file")
    for path, mode in modes:
        path.chmod(mode & 0o777)


def unzip(archive, stage, limits, report):
    left = limits.max_bytes
    with zipfile.ZipFile(archive) as file:
        infos = file.infolist()
        if len(infos) > limits.max_files or sum(info.file_size for info in infos) > left:
            raise RestoreError("too much")
        for info in infos:
            mode = info.external_attr >> 16
            path = place_for(stage, info.filename)
            if info.is_dir():
                path.mkdir(exist_ok=True)
                report.add("folder", 0)
            elif stat.S_ISLNK(mode):
                make_link(stage, path, info.filename, os.fsdecode(file.read(info)))
                report.add("link", 0)
            else:
                with file.open(info) as source, open(path, "wb") as target:
                    while block := source.read(65536):
                        left -= len(block)
                        if left < 0:
                            raise RestoreError("too much")
                        target.write(block)
                if mode:
                    path.chmod(mode & 0o777)
                report.add("file", info.file_size)


def lay_over(stage, new):
    new.mkdir(exist_ok=True)
    for entry in os.scandir(stage):
        place = new / entry.name
        if entry.is_dir(follow_symlinks=False):
            if place.is_symlink():
                raise RestoreError(f"{entry.name} is a link already")
            lay_over(Path(entry.path), place)
            place.chmod(stat.S_IMODE(entry.stat().st_mode))
        else:
            place.unlink(missing_ok=True)
            if entry.is_symlink():
                os.symlink(os.readlink(entry.path), place)
            else:
                shutil.copy2(entry.path, place)
