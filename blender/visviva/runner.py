"""The program at work beside Blender: started, watched, ended. Nothing here knows of Blender."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path


class Job:
    """A run and the export of its motion, one process after the other."""

    def __init__(self, program: str, scene_file: Path, frame_count: int):
        self.folder = scene_file.parent
        self.run_folder = self.folder / "run"
        self.frame_count = frame_count
        self.ended = False
        self.cancelled = False
        self.error = ""
        self._log = self.folder / "visviva.log"
        self._commands = [
            [program, "run", str(scene_file), "--out", str(self.run_folder)],
            [program, "export", str(self.run_folder), "--to", "pc2"],
        ]
        shutil.rmtree(self.run_folder, ignore_errors=True)  # Its frames would count as progress.
        self._started = time.monotonic()
        self._process = None
        self._next()

    def poll(self) -> bool:
        """Looks after the processes; true while there is something to wait for."""
        if self.ended or self._process.poll() is None:
            return not self.ended
        if self.cancelled:
            self.ended = True
        elif self._process.returncode != 0:
            self.error = self._words() or f"visviva ended with code {self._process.returncode}"
            self.ended = True
        elif self._commands:
            self._next()
        else:
            self.ended = True
        return not self.ended

    def cancel(self):
        """Asks the program to end after its step, as Ctrl-C does."""
        self.cancelled = True
        if self._process.poll() is None:
            if os.name == "nt":
                self._process.terminate()
            else:
                self._process.send_signal(signal.SIGINT)

    def wait(self):
        """Until all is done."""
        while self.poll():
            time.sleep(0.02)

    @property
    def progress(self) -> float:
        """Part of the frames that are there."""
        frames = self.run_folder / "frames"
        written = sum(1 for _ in frames.glob("*.npy")) if frames.is_dir() else 0
        return min(written / self.frame_count, 1.0)

    @property
    def in_words(self) -> str:
        if self.cancelled:
            return "Ending after this step"
        if not self._commands:
            return "Fetching the motion"
        progress = self.progress
        if progress * self.frame_count < 2:
            return "Preparing"
        left = (time.monotonic() - self._started) * (1 / progress - 1)
        return f"Frame {round(progress * self.frame_count)} of {self.frame_count}, about {_duration(left)} left"

    @property
    def warnings(self) -> list[str]:
        """What the run's summary warns of, in words."""
        try:
            summary = json.loads((self.run_folder / "summary.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return [str(warning) for warning in summary.get("warnings", [])]

    def _next(self):
        # A file takes any amount of words without anybody reading; a pipe would block the program.
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._commands.pop(0), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, cwd=self.folder,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )

    def _words(self) -> str:
        """The program's error, without its progress and warnings, and without the folder that nobody looks into."""
        text = self._log.read_text(encoding="utf-8", errors="replace").replace(f"{self.folder}{os.sep}", "")
        lines = text.splitlines()
        starts = [number for number, line in enumerate(lines) if line.startswith("error:")]
        words = "\n".join(lines[starts[0]:] if starts else lines[-6:]).removeprefix("error:").strip()
        return words.removeprefix("scene.toml: ")


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
