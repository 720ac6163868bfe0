"""Secrets are masked by one set of patterns, whatever form a trace is shown or passed on in."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_conformance.redact import redact, redact_event, redact_json
from reasonix_runtime.masking import MASK
from reasonix_runtime.trace.events import ToolCall

MASKED = [
    ("https://h/x?token=abcdef1234567890abcd", "https://h/x?token=@"),
    ("https://h/x?token=abc&page=2", "https://h/x?token=@&page=2"),
    ("/x?a=1&password=hunter2#top", "/x?a=1&password=@#top"),
    ("?secret=abc", "?secret=@"),
    ("?X-Amz-Signature=00ff&x=1", "?X-Amz-Signature=@&x=1"),
    ("curl 'https://h/?access_token=a.b' -o x", "curl 'https://h/?access_token=@' -o x"),
    ("https://h/?sv=1&sig=abc%3D", "https://h/?sv=1&sig=@"),
    ("curl -u user:hunter2secret https://h", "curl -u user:@ https://h"),
    ("curl -su 'user:hunter2' https://h", "curl -su 'user:@' https://h"),
    ("curl https://h --user user:pw; ls", "curl https://h --user user:@; ls"),
    ('curl --proxy-user="u:long word"', 'curl --proxy-user="u:@"'),
    ("login --password hunter2secret", "login --password @"),
    ("login --password=abc -v", "login --password=@ -v"),
    ("login --db-password 'two words' -v", "login --db-password '@' -v"),
    ("gh --token abc && ls", "gh --token @ && ls"),
    ('["x", "--token", "abc"]', '["x", "--token", "@"]'),
    ('{\\"password\\": \\"hunter2secret\\"}', '{\\"password\\": \\"@\\"}'),
    ("export GITHUB_TOKEN=abcdef1234567890", "export GITHUB_TOKEN=@"),
    ("API_KEY: abcdefgh1", "API_KEY: @"),
    ("https://u:pw@h/x", "https://u:@@h/x"),
]
LEFT = [
    "https://h/x?page=token&next=2",
    "https://h/x?token=$TOKEN",
    "https://h/x?token=",
    "docker run -u 1000:1000 image curl x",
    "docker run -u app:staff image",
    "docker login --password-stdin",
    "docker build --secret id=npm,src=.npmrc .",
    "login --password $PASSWORD",
    "login --password --verbose",
    "pytest --token-file x",
    "token = next(tokens)",
    "-p hunter2",
    "curl -L http://localhost:8080/u",
]


@pytest.mark.parametrize(("text", "shown"), MASKED, ids=[text for text, _ in MASKED])
def test_a_secret_is_masked_where_its_name_tells_it(text: str, shown: str) -> None:
    """Not its length nor a part of it is left, and a second time changes nothing."""
    expected = shown.replace("@", MASK, 1)

    assert expected == redact(text)
    assert expected == redact(expected)


@pytest.mark.parametrize("text", LEFT)
def test_what_is_no_secret_stays(text: str) -> None:
    """A trace that is passed on is judged again; its commands have to be those that ran."""
    assert text == redact(text)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"password": "abc", "user": "u"}, {"password": MASK, "user": "u"}),
        ({"apiKey": "abc", "token": "x y"}, {"apiKey": MASK, "token": MASK}),
        ({"max_tokens": "12", "password": 3}, {"max_tokens": "12", "password": 3}),
        (["login", "--password", "abc"], ["login", "--password", MASK]),
        ([["--token"], "abc", 1], [["--token"], "abc", 1]),
        ({"q": {"url": "/?token=abc"}}, {"q": {"url": f"/?token={MASK}"}}),
    ],
)
def test_json_is_masked_by_its_keys_and_options(value: Any, shown: Any) -> None:
    """Arguments of calls hold the name and the value apart."""
    assert shown == redact_json(value)


@pytest.mark.parametrize(("text", "shown"), MASKED, ids=[text for text, _ in MASKED])
def test_an_event_is_masked_as_every_report_is(text: str, shown: str) -> None:
    """`--format neutral` is the form in which traces are passed on."""
    call = ToolCall(uid="main#1", name="bash", args={"command": text}, turn=1, seq=1)

    assert {"command": shown.replace("@", MASK, 1)} == redact_event(call).args


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/home/bob/x", "/home/[user]/x"),
        ("/Users/bob/x", "/Users/[user]/x"),
        ("/Users/Bob Smith/x", "/Users/[user]/x"),
        ("C:\\Users\\bob\\x", "C:\\Users\\[user]\\x"),
        ("C:\\Users\\Bob Smith\\x", "C:\\Users\\[user]\\x"),
        ("c:/users/bob/x", "c:/users/[user]/x"),
        ("C:/USERS/bob", "C:/USERS/[user]"),
        ("C:\\Documents and Settings\\bob\\x", "C:\\Documents and Settings\\[user]\\x"),
        ("\\\\wsl$\\Ubuntu\\home\\bob\\x", "\\\\wsl$\\Ubuntu\\home\\[user]\\x"),
        ("/mnt/c/users/bob/x", "/mnt/c/users/[user]/x"),
        ("cd /home/bob && ls /tmp", "cd /home/[user] && ls /tmp"),
        ("diff /home/bob Other.txt", "diff /home/[user] Other.txt"),
        ("/a/.claude/projects/-Users-bob-shop/s", "/a/.claude/projects/-Users-[user]-shop/s"),
        ("-home-bob-shop", "-home-[user]-shop"),
        ("cat '-home-bob/s.jsonl'", "cat '-home-[user]/s.jsonl'"),
        ("projects\\C--Users-bob-shop\\s", "projects\\C--Users-[user]-shop\\s"),
        ("/p/-Users-[user]-shop", "/p/-Users-[user]-shop"),
        ("run --home-dir /x; the-home-page", "run --home-dir /x; the-home-page"),
        ("GET /users/7/posts", "GET /users/7/posts"),
        ("https://x.io/users/list", "https://x.io/users/list"),
    ],
)
def test_the_name_in_a_home_folder_is_masked_on_every_system(path: str, shown: str) -> None:
    """Messages tell paths of Windows in small letters; an address has users, too."""
    assert shown == redact(path)
