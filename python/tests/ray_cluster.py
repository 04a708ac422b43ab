"""A Ray cluster of several nodes on this machine, and a hand that kills its workers."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

#: What Ray calls a process that runs a point
_WORKER = b"ray::_run_point"


class Cluster:
    """A head that runs nothing and so many nodes with a CPU each, for as long as the block lasts."""

    def __init__(self, nodes: int):
        self._nodes = nodes

    def __enter__(self):
        # Ray's workers give way to all others, and on a busy machine they stand still.
        os.environ["RAY_worker_niceness"] = "0"
        import ray
        from ray.cluster_utils import Cluster as Nodes

        memory = {"object_store_memory": 100_000_000}
        self._cluster = Nodes(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, **memory})
        for _ in range(self._nodes):
            self._cluster.add_node(num_cpus=1, **memory)
        ray.init(address=self._cluster.address, logging_level="error", log_to_driver=False)
        return self

    def __exit__(self, *_):
        import ray

        ray.shutdown()
        self._cluster.shutdown()


def kill_a_worker(patience: float = 60) -> int:
    """Kills the first process of this cluster that is seen to run a point; its number."""
    begun = time.monotonic()
    while time.monotonic() - begun < patience:
        workers = [pid for pid in _processes() if _command(pid).startswith(_WORKER) and _is_ours(pid)]
        if workers:
            os.kill(workers[0], signal.SIGKILL)
            return workers[0]
        time.sleep(0.02)
    raise RuntimeError("no worker was seen to run a point")


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _is_ours(pid: int) -> bool:
    """Begun by this process, through others."""
    while pid > 1:
        if pid == os.getpid():
            return True
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            return False
    return False
