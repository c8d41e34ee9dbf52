"""The four-node graph that forkscope's own workers run, and an effect log in forkscope's format.

Each node does its one thing at the end of its delay and says so in a line of the log. Unlike a node of LangGraph JS, a
Python coroutine is stopped by cancellation at its next await: what is cancelled in its delay never takes effect.
"""

import asyncio
import itertools
import json
import operator
import os
import time
from typing import Annotated, Any, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

EFFECTS = os.environ.get("EFFECTS", "effects.jsonl")
SCALE = float(os.environ.get("SCALE", "1"))
DELAYS = {"plan": 0.3, "charge": 0.3, "notify": 1.5, "finish": 0.5}

# How many records this process has written: gaps in the numbers show lost ones.
sequence = itertools.count(1)


class State(TypedDict, total=False):
    steps: Annotated[list[str], operator.add]
    receipts: Annotated[list[str], operator.add]


def record(name: str, config: RunnableConfig, runtime: Runtime) -> str:
    """Appends one line; `O_APPEND` keeps lines of several processes apart."""
    configurable = config["configurable"]
    metadata = config.get("metadata") or {}
    thread, run = configurable["thread_id"], configurable["run"]
    info = runtime.execution_info
    # A node's namespace ends in its own segment, which the row's does not have.
    namespace = (info.checkpoint_ns if info else "").rpartition("|")[0]
    line = {
        "run": run,
        "thread": thread,
        "node": name,
        "worker": str(os.getpid()),
        "parent_checkpoint_id": info.checkpoint_id if info else None,
        "task_id": info.task_id if info else None,
        "checkpoint_ns": namespace,
        "step": metadata.get("langgraph_step"),
        "attempt": info.node_attempt if info else None,
        "wall_ms": int(time.time() * 1000),
        "monotonic_ms": time.monotonic() * 1000,
        "seq": next(sequence),
        "business_key": f"{thread}:charge" if name == "charge" else None,
    }
    log = os.open(EFFECTS, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(log, (json.dumps(line) + "\n").encode())
    finally:
        os.close(log)
    return run


def node(name: str) -> Any:
    async def body(state: State, config: RunnableConfig, runtime: Runtime) -> State:
        await asyncio.sleep(DELAYS[name] * SCALE)
        # The effect: in a service of yours, right behind the call that charges the card.
        run = record(name, config, runtime)
        return {"steps": [name], "receipts": [f"{name}@{run}"]}

    return body


def compile_graph(saver: Any) -> Any:
    builder = StateGraph(State)
    for name in DELAYS:
        builder.add_node(name, node(name))
    for source, target in itertools.pairwise([START, *DELAYS, END]):
        builder.add_edge(source, target)
    return builder.compile(checkpointer=saver)
