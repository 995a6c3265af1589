#!/bin/sh
# Runs a shard of a study for each task of an array: sbatch --array=1-8 slurm.sh STUDY FOLDER
#SBATCH --job-name=sweep
#SBATCH --ntasks=1
#SBATCH --requeue
set -eu
exec "$1" run --quiet --threads "${SLURM_CPUS_PER_TASK:-1}" --folder "$2" \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
