"""Starts one process per slot: arguments, environment and commands."""

import argparse
import shlex

from shardkit.hostfile import parse_hostfile, select_hosts, world_size

DEFAULT_PORT = 29500
EXPORTS = ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH")


def parse_args(argv):
    parser = argparse.ArgumentParser(prog="shardkit")
    parser.add_argument("--hostfile", default="/etc/shardkit/hostfile")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--exclude", action="append", default=[])
    parser.add_argument("--master-port", type=int, default=DEFAULT_PORT)
    parser.add_argument("script")
    parser.add_argument("script_args", nargs=argparse.REMAINDER)
    return parser.parse_args(argv)


def rank_from_env(env):
    """Rank and world size of this process."""
    rank = int(env.get("RANK", 0))
    size = int(env.get("WORLD_SIZE", 1))
    if not 0 <= rank < size:
        raise ValueError(f"rank {rank} is not in a world of {size}")
    return rank, size


def node_env(hosts, host, port=DEFAULT_PORT):
    """The variables that the processes of a host get: their ranks follow those of earlier hosts."""
    first_rank = 0
    for name, count in hosts.items():
        if name == host:
            break
        first_rank += count
    return {
        "MASTER_ADDR": next(iter(hosts)),
        "MASTER_PORT": str(port),
        "WORLD_SIZE": str(world_size(hosts)),
        "FIRST_RANK": str(first_rank),
        "LOCAL_SIZE": str(hosts[host]),
    }


def exports(env):
    """Variables of the user's shell that the remote processes need."""
    return {name: env[name] for name in EXPORTS if name in env}


def quote_env(env):
    return " ".join(f"{name}={shlex.quote(value)}" for name, value in sorted(env.items()))


def build_command(host, script, script_args, env):
    """The ssh command that starts the processes of one host."""
    program = ["python3", "-m", "shardkit.run", script, *script_args]
    return ["ssh", host, f"{quote_env(env)} {shlex.join(program)}"]


def build_commands(args, hostfile_text, env):
    hosts = select_hosts(parse_hostfile(hostfile_text), args.include, args.exclude)
    commands = []
    for host in hosts:
        variables = {**exports(env), **node_env(hosts, host, args.master_port)}
        commands.append(build_command(host, args.script, args.script_args, variables))
    return commands
