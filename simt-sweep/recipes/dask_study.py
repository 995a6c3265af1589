"""Runs all points of a study on the workers of Dask: dask_study.py STUDY FOLDER [SCHEDULER]

Without the address of a scheduler, on two workers on this computer. All workers must see the study and the folder.
"""

import subprocess
import sys

from distributed import Client, LocalCluster

BATCH = 25


def run(study, folder, ids):
    command = [study, "run", "--quiet", "--threads", "1", "--folder", folder, *ids]
    return subprocess.run(command, stdin=subprocess.DEVNULL).returncode


def main(study, folder, scheduler=None):
    listed = subprocess.run([study, "points", "--ids"], check=True, capture_output=True, text=True)
    ids = listed.stdout.split()
    batches = [ids[at : at + BATCH] for at in range(0, len(ids), BATCH)]
    with Client(scheduler or LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)) as client:
        # Not pure: a batch that is asked for again runs again, which costs nothing for points that are known.
        codes = client.gather([client.submit(run, study, folder, batch, pure=False) for batch in batches])
    return max(codes, default=0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
