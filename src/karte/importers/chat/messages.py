"""One message of a JSON file: what its keys say, whatever they are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any, Final

from karte.engine.remembering.turns import ASSISTANT, USER, read_zone
from karte.importers.chat.roles import SYSTEM, role_of

# Keys are compared without case and punctuation: sessionId = session_id. Earlier ones win.
TEXT: Final = ("content", "text", "message", "body", "parts", "value", "msg", "utterance")
ROLE: Final = ("role", "authorrole", "senderrole")
SPEAKER: Final = (
    *("sendername", "authorname", "speakername", "speaker", "displayname", "username", "nickname", "fullname"),
    *("author", "sender", "from", "user", "name"),
)
TIME: Final = (
    *("timestamp", "datetime", "ts", "dateunixtime", "createdat", "createtime", "created", "sentat", "timestampms"),
    *("date", "time"),
)
ID: Final = ("messageid", "msgid", "clientmsgid", "uuid", "diaid", "id", "guid")
SESSION: Final = ("session", "sessionid")
CONVERSATION: Final = (
    *("conversationid", "conversation", "chatid", "groupid", "channelid", "threadid", "thread", "sampleid"),
)
ZONE: Final = ("timezone", "defaulttimezone", "tz")
CAPTION: Final = ("blipcaption", "imagecaption", "caption", "alttext")
BOT: Final = ("isbot", "botid")
PAIRS: Final = (
    *(("query", "response"), ("prompt", "response"), ("prompt", "completion"), ("input", "output")),
    *(("user", "assistant"), ("user", "bot"), ("human", "assistant"), ("human", "ai")),
)

_NAMES: Final = ("name", "displayname", "realname", "fullname", "nickname", "username", "globalname", "firstname", "id")
_LOOSE: Final = re.compile(r"[\W_]+")
_MESSAGE_SUBTYPES: Final = ("", "bot_message", "file_share", "me_message", "thread_broadcast")
_UNSAID: Final = ("tool", "thinking", "reasoning", "image")


@dataclass(frozen=True, slots=True)
class Message:
    """A message before its time is read."""

    role: str
    speaker: str | None
    text: str
    time: object
    id: str | None
    session: str | None
    conversation: str | None


class Fields:
    """An object of a JSON file, asked by what a key means."""

    def __init__(self, node: Mapping[str, Any]) -> None:
        self._values: dict[str, Any] = {}
        for key, value in node.items():
            self._values.setdefault(loosely(key), value)

    @classmethod
    def of(cls, node: Mapping[str, Any]) -> Fields:
        """The fields of a message; where it lies inside an envelope, those of both."""
        inner = node.get("message")
        if not isinstance(inner, dict):
            return cls(node)
        return cls({**{key: value for key, value in node.items() if key != "message"}, **inner})

    def has(self, keys: tuple[str, ...]) -> bool:
        """Tell whether one of the keys is there."""
        return any(key in self._values for key in keys)

    def first(self, keys: tuple[str, ...]) -> Any:
        """The value of the first of these keys that says something, or None."""
        return next((value for key in keys if (value := self._values.get(key)) not in (None, "", [], {})), None)

    def name(self, keys: tuple[str, ...]) -> str | None:
        """The first of these values that is, or holds, a name or a number."""
        for key in keys:
            if (name := _name(self._values.get(key))) is not None:
                return name
        return None

    @property
    def zone(self) -> tzinfo | None:
        """The time zone that the object names; raises `InvalidValue` for one that does not exist."""
        named = self.first(ZONE)
        return read_zone(named) if isinstance(named, str) else None

    @property
    def time(self) -> object:
        """When it was: a date and a clock time that stand apart are joined."""
        day, clock = self._values.get("date"), self._values.get("time")
        if isinstance(day, str) and isinstance(clock, str) and ":" in clock and ":" not in day:
            return f"{day.strip()} {clock.strip()}"
        return self.first(TIME)

    @property
    def says_something(self) -> bool:
        """Tell whether this is a message, or a question with its answer."""
        return self._is_message or any(all(isinstance(self._values.get(key), str) for key in pair) for pair in PAIRS)

    @property
    def _is_message(self) -> bool:
        """Whether there is a role, or a text and a speaker."""
        text = self.has(TEXT)
        if self.has(ROLE):
            return text or self.has(("toolcalls", "functioncall"))
        return text and (self.has(SPEAKER[:-1]) or (self.has(SPEAKER) and (self.has(TIME) or self.has(ID))))

    def messages(self) -> Iterator[Message]:
        """The message of this object, or two for a question with its answer."""
        for asked, answered in PAIRS:
            question, answer = self._values.get(asked), self._values.get(answered)
            if isinstance(question, str) and isinstance(answer, str):
                yield self._message(USER, None, question)
                yield self._message(ASSISTANT, None, answer)
                return
        speaker = self.name(SPEAKER)
        yield self._message(self._role(speaker), speaker, self._text())

    def _message(self, role: str, speaker: str | None, text: str) -> Message:
        session = self.name(SESSION)
        return Message(role, speaker, text, self.time, self.name(ID), session, self.name(CONVERSATION))

    def _role(self, speaker: str | None) -> str:
        if self._values.get("type") == "service" or (self._values.get("subtype") or "") not in _MESSAGE_SUBTYPES:
            return SYSTEM
        author = self.first(SPEAKER)
        about = Fields(author) if isinstance(author, dict) else self
        named = self.first(ROLE) or about.first(ROLE)
        return role_of(named if isinstance(named, str) else None, speaker, bot=bool(about.first(BOT)))

    def _text(self) -> str:
        texts = (flatten(self._values.get(key)) for key in TEXT)
        text = next((text for text in texts if text.strip()), "")
        caption = self.first(CAPTION)
        return f"{text} [image: {caption.strip()}]".strip() if isinstance(caption, str) and caption.strip() else text


def loosely(key: str) -> str:
    """A key without case and punctuation."""
    return _LOOSE.sub("", key).lower()


def flatten(value: object) -> str:
    """The text of a content: a text itself, or the texts of its parts; other parts (images, calls) say nothing."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [text for part in value if (text := flatten(part))]
        return ("" if _is_inline(value) else "\n").join(parts)
    if isinstance(value, dict) and not str(value.get("type", "")).startswith(_UNSAID):
        return flatten(value.get("parts") or value.get("text") or "")
    return ""


def _is_inline(parts: list[Any]) -> bool:
    """Whether parts are pieces of one line: plain texts among links and the like."""
    return len({isinstance(part, str) for part in parts}) > 1


def _name(value: object) -> str | None:
    """A name as text: of a text or number as it is, of an object by its own names."""
    if isinstance(value, dict):
        return Fields(value).name(_NAMES)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(value) if str(value).strip() else None
