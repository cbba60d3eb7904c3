"""Messages that the SDK cannot read are answered instead of dropped: a client would wait for ever.

The SDK's parser refuses a lone surrogate (half of an emoji, which clients in JavaScript send when they cut a text),
a number of thousands of digits and deep nesting, and leaves the client without a word. Python's own parser reads the
first: such a call of a tool goes on, and the tool refuses it with a sentence. Anything else is answered with the error
that JSON-RPC has for it, without an id, because none can be relied on.
"""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any, Self

import mcp_types as types
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

Message = SessionMessage | Exception


class AnsweringStream:
    """A stream of messages in which none is unreadable; `answers` is where the client hears of those that were."""

    def __init__(self, messages: ReadStream[Message], answers: WriteStream[SessionMessage]) -> None:
        self._messages, self._answers = messages, answers

    @property
    def last_context(self) -> Any:
        """The context that the last message was sent in, where the transport knows it."""
        return getattr(self._messages, "last_context", None)

    async def __anext__(self) -> Message:
        async for message in self._messages:
            readable = _read_again(message) if isinstance(message, ValidationError) else message
            if readable is not None:
                return readable
            await self._answers.send(SessionMessage(_unreadable()))
        raise StopAsyncIteration

    async def receive(self) -> Message:
        """The next message; raises as the transport does at the end."""
        return await self._messages.receive()

    async def aclose(self) -> None:
        """Close the stream behind."""
        await self._messages.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def _read_again(refused: ValidationError) -> SessionMessage | None:
    """The message, where lone surrogates in the arguments of a tool are all that is wrong with it."""
    line = refused.errors()[0]["input"]
    try:
        message = json.loads(line)
        rest = {**message, "params": {**message["params"], "arguments": None}}
        json.dumps(rest, ensure_ascii=False).encode()
        without = json.dumps(message, ensure_ascii=False).encode(errors="replace")
        types.jsonrpc_message_adapter.validate_json(without, by_name=False)
        return SessionMessage(types.jsonrpc_message_adapter.validate_python(message, by_name=False))
    except (KeyError, TypeError, ValueError, RecursionError):
        return None


def _unreadable() -> types.JSONRPCError:
    error = types.ErrorData(code=types.PARSE_ERROR, message="The message is no JSON-RPC message that can be read.")
    return types.JSONRPCError(jsonrpc="2.0", id=None, error=error)
