"""``lanescope mcp`` as the protocol's own Python client speaks to it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the protocol's client is not installed: pip install mcp")

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent

COLUMN = """__global__ void column(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = out[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
"""


async def ask(calls: list[tuple[str, Mapping[str, Any]]]) -> tuple[list[str], list[Any]]:
    """The tools that the server has, and its answers to the calls."""
    command = ["-m", "lanescope", "mcp"]
    server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        answers = []
        for name, arguments in calls:
            answer = await session.call_tool(name, dict(arguments))
            assert not answer.is_error, answer.content
            (content,) = answer.content
            assert isinstance(content, TextContent)
            answers.append(json.loads(content.text))
        return [tool.name for tool in tools], answers


def test_the_client_of_the_protocol_counts_and_mends_a_kernel() -> None:
    kernel = {"kernel": COLUMN, "block": [32, 32]}
    layout = {"layout": "(16,64):(64,1)\nldmatrix.x4", "find": True}
    tools, (counted, fixed, found) = asyncio.run(ask([("analyse", kernel), ("fix", kernel), ("layout", layout)]))
    assert {"analyse", "fix", "layout", "devices"} <= set(tools)
    assert counted["status"] == "counted"
    assert counted["totals"]["shared_load_wavefronts"] == 32 * 32
    assert fixed["fixes"][0]["source"] == "tile[32][33]"
    assert fixed["fixes"][0]["after"]["shared_wavefronts"] == 64
    assert found["finding"]["proof"] == "cheapest"
