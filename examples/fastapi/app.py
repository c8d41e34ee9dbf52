"""The ways in which FastAPI services run a graph for a client, one endpoint each; what is left when it leaves differs.

    python app.py                                   # once: makes the saver's tables
    uvicorn app:app --port 8001 & uvicorn app:app --port 8002

Every endpoint takes {"thread_id", "run", "input"} and answers with server-sent events, one a superstep, but for
/response-task, which answers at once.
"""

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, StreamingResponse
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool
from pydantic import BaseModel
from starlette.background import BackgroundTask

from graph import compile_graph

DSN = os.environ["DSN"]
# /policy: what becomes of a run whose client has left; `abandon` or `complete`.
ON_DISCONNECT = os.environ.get("ON_DISCONNECT", "complete")
# When LangGraph saves: `async`, `sync` or `exit`.
DURABILITY = os.environ.get("DURABILITY", "async")

# The loop holds tasks weakly: a run that nobody refers to may be collected in its middle.
detached: set[asyncio.Task[Any]] = set()


def pool() -> AsyncConnectionPool:
    # The settings that AsyncPostgresSaver.from_conn_string gives its one connection.
    settings = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    return AsyncConnectionPool(DSN, min_size=1, max_size=10, kwargs=settings, open=False)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with pool() as connections:
        app.state.graph = compile_graph(AsyncPostgresSaver(connections))
        yield
        # After SIGTERM uvicorn ends here: detached runs are waited for before the pool closes under them.
        await asyncio.gather(*detached, return_exceptions=True)


app = FastAPI(lifespan=lifespan)


class Run(BaseModel):
    thread_id: str
    run: str
    input: dict[str, Any] | None = None


def chunks(request: Request, run: Run) -> AsyncIterator[Any]:
    config = {"configurable": {"thread_id": run.thread_id, "run": run.run}, "metadata": {"run_id": run.run}}
    return request.app.state.graph.astream(run.input, config, stream_mode="updates", durability=DURABILITY)


def event(chunk: Any) -> str:
    return f"data: {json.dumps(chunk)}\n\n"


def answer(events: AsyncIterator[str], **more: Any) -> StreamingResponse:
    return StreamingResponse(events, media_type="text/event-stream", **more)


def detach(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    task = asyncio.create_task(work)
    detached.add(task)
    task.add_done_callback(ended)
    return task


def ended(task: asyncio.Task[Any]) -> None:
    detached.discard(task)
    if not task.cancelled() and (error := task.exception()) is not None:
        logging.error("a detached run failed", exc_info=error)


async def run_into(queue: asyncio.Queue[Any], request: Request, run: Run) -> None:
    """Runs to the end whether or not somebody reads; None ends the queue, also after an error."""
    try:
        async for chunk in chunks(request, run):
            queue.put_nowait(chunk)
    finally:
        queue.put_nowait(None)


async def read_from(queue: asyncio.Queue[Any]) -> AsyncIterator[str]:
    while (chunk := await queue.get()) is not None:
        yield event(chunk)


@app.post("/inline")
async def inline(request: Request, run: Run) -> StreamingResponse:
    """The run lives in the response: Starlette cancels it when the client leaves."""

    async def events() -> AsyncIterator[str]:
        async for chunk in chunks(request, run):
            yield event(chunk)

    return answer(events())


@app.post("/background")
async def background(request: Request, run: Run) -> StreamingResponse:
    """The run is a task of its own; the response only reads its queue."""
    queue: asyncio.Queue[Any] = asyncio.Queue()
    detach(run_into(queue, request, run))
    return answer(read_from(queue))


@app.post("/shielded")
async def shielded(request: Request, run: Run) -> StreamingResponse:
    """Cancellation waits for the superstep under way, and for no other."""

    async def events() -> AsyncIterator[str]:
        stream = chunks(request, run)
        while True:
            step = detach(anext(stream, None))
            try:
                chunk = await asyncio.shield(step)
            except asyncio.CancelledError:
                # Every further await in here would be cancelled as well.
                detach(close_after(step, stream))
                raise
            if chunk is None:
                return
            yield event(chunk)

    async def close_after(step: asyncio.Task[Any], stream: Any) -> None:
        await asyncio.wait([step])
        await stream.aclose()

    return answer(events())


@app.post("/policy")
async def policy(request: Request, run: Run) -> StreamingResponse:
    """What becomes of the run is written down, and obeyed where the response is torn down."""
    queue: asyncio.Queue[Any] = asyncio.Queue()
    task = detach(run_into(queue, request, run))

    async def events() -> AsyncIterator[str]:
        try:
            async for text in read_from(queue):
                yield text
        finally:
            if ON_DISCONNECT == "abandon":
                task.cancel()

    return answer(events())


@app.post("/polling")
async def polling(request: Request, run: Run) -> StreamingResponse:
    """Asks between supersteps whether the client is still there.

    Where the server speaks ASGI's HTTP 2.3, as uvicorn does, Starlette cancels the response before the question is
    asked, so this stops as /inline does.
    """

    async def events() -> AsyncIterator[str]:
        async for chunk in chunks(request, run):
            if await request.is_disconnected():
                break
            yield event(chunk)

    return answer(events())


@app.post("/response-task")
async def response_task(request: Request, run: Run) -> JSONResponse:
    """Accepted with 202; the run starts when the answer has been sent, and ends with this process."""

    async def work() -> None:
        async for _ in chunks(request, run):
            pass

    return JSONResponse({"run": run.run}, status_code=202, background=BackgroundTask(work))


async def make_tables() -> None:
    # Apart from the workers: CREATE INDEX CONCURRENTLY of one waits for the transactions of the others.
    async with pool() as connections:
        await AsyncPostgresSaver(connections).setup()


if __name__ == "__main__":
    asyncio.run(make_tables())
