#!/bin/sh
# Starts Slurm on this computer alone, on the loopback, as root, to try `slurm.sh`: one-node-slurm.sh start | stop
# On Debian: apt-get install slurm-wlm
set -eu
state=/var/tmp/one-node-slurm
configuration=/etc/slurm/slurm.conf

case ${1:-} in
start)
    mkdir -p "$state/controller" "$state/node" /etc/slurm /run/munge
    if [ -e "$configuration" ] && ! grep -q "ClusterName=one-node-slurm" "$configuration"; then
        echo "$configuration is of another Slurm: this one would replace it" >&2
        exit 1
    fi
    # A key is made by Debian's package, too.
    [ -s /etc/munge/munge.key ] || mungekey --create
    chown -R munge: /etc/munge /run/munge
    if ! pgrep -x munged >/dev/null; then
        runuser -u munge -- munged --pid-file=/run/munge/one-node-slurm.pid
    fi
    host=$(hostname -s)
    cat >"$configuration" <<END
ClusterName=one-node-slurm
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$state/controller
SlurmdSpoolDir=$state/node
SlurmctldPidFile=$state/controller.pid
SlurmdPidFile=$state/node.pid
SlurmctldLogFile=$state/controller.log
SlurmdLogFile=$state/node.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
    slurmctld
    slurmd
    for _ in $(seq 30); do
        if sinfo --noheader --format=%t 2>/dev/null | grep -q idle; then
            exit 0
        fi
        sleep 1
    done
    echo "Slurm does not start: see $state/controller.log and $state/node.log" >&2
    exit 1
    ;;
stop)
    for pid in "$state/node.pid" "$state/controller.pid" /run/munge/one-node-slurm.pid; do
        if [ -s "$pid" ]; then
            kill "$(cat "$pid")" || true
            # It writes its state first.
            while [ -s "$pid" ] && kill -0 "$(cat "$pid")" 2>/dev/null; do
                sleep 1
            done
        fi
    done
    rm -rf "$configuration" "$state"
    ;;
*)
    echo "write one-node-slurm.sh start, or stop" >&2
    exit 2
    ;;
esac
