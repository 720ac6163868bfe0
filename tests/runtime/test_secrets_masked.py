"""Secrets are hidden wherever they stand, and nothing else is."""

from __future__ import annotations

import base64
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reasonix_runtime.masking import MASK, mask

# No secrets: what keys are made of, so that no scanner takes this file for a leak.
MIXED = "q7Rt2mXz9Lp4Kv8Bn3Wd6Ys1Hf5Jc0Ga"
HEX = "3f9a1c7e5b2d8046"
UPPER = "Q7RT2MXZ9LP4KV8B"

MARKED = [
    *(f"{mark}-{MIXED}" for mark in ("sk", "rk", "sk-ant-api03", "sk-or-v1", "sk-proj", "csk")),
    *(f"{mark}_{MIXED}" for mark in ("ghp", "gho", "ghs", "ghr", "ghu", "github_pat")),
    *(f"{mark}-{MIXED}" for mark in ("glpat", "gldt", "glrt", "glcbt", "glptt")),
    *(f"{mark}-1234567890-{MIXED}" for mark in ("xoxb", "xoxp", "xapp-1-A0")),
    *(f"{mark}_{MIXED}" for mark in ("sk_live", "sk_test", "rk_live", "whsec", "npm", "hf", "gsk")),
    *(
        f"{mark}_{MIXED}"
        for mark in ("lin_api", "dckr_pat", "pscale_tkn", "ntn", "figd", "sbp", "secret")
    ),
    *(f"{mark}_{HEX * 2}" for mark in ("shpat", "shpss", "dop_v1", "doo_v1", "rubygems")),
    *(f"{mark}.{MIXED}" for mark in ("hvs", "hvb", "ya29", "dp.pt")),
    *(f"{mark}-{MIXED}" for mark in ("GOCSPX", "pplx", "xai", "tskey-auth-k1", "NRAK", "PMAK")),
    *(f"{mark}{UPPER}" for mark in ("AKIA", "ASIA")),
    *(f"{mark}{MIXED}" for mark in ("AIza", "pypi-AgEIcHlwaS5vcmc", "ATATT3xFfGF0", "glsa_")),
    f"SG.{MIXED[:22]}.{MIXED}{MIXED[:11]}",
    f"dapi{HEX * 2}",
    f"SK{HEX * 2}",
    f"key-{HEX * 2}",
    f"{HEX * 2}-us12",
    f"1234567890:AA{MIXED}x",
    f"AGE-SECRET-KEY-1{UPPER * 3}",
    f"{MIXED[:14]}.atlasv1.{MIXED}{MIXED}",
    f"eyJ{MIXED}.eyJ{MIXED}.{MIXED}",
]
FRAMES = ("{}", "say {} now", '"{}"', "(it is {})", "X={}", "/tmp/{}/x", "%3D{}", "\\n{}", "_{},")


@pytest.mark.parametrize("secret", MARKED)
def test_a_key_is_known_by_the_mark_of_its_maker_wherever_it_stands(secret: str) -> None:
    """Nothing of it is left: neither its length nor its last characters."""
    for frame in FRAMES:
        shown = mask(frame.format(secret))

        assert secret[-12:] not in shown
        assert MASK in shown
        assert len(shown) <= len(frame.format(MASK))


GIVEN = [
    *(
        "PASSWORD={}",
        "export DB_PASSWORD='{}'",
        'password: "{}"',
        "MYSQL_PWD={} mysql",
        "passwd={}",
    ),
    *(
        '{{"apiKey": "{}"}}',
        '{{\\"api_key\\": \\"{}\\"}}',
        "accessToken => '{}'",
        "a_secret := '{}'",
    ),
    *("AccountKey={};EndpointSuffix=x", "SharedAccessKey={}", "//registry/:_authToken={}"),
    *("--password {} -v", "--api-key={}", '["--token", "{}"]', "--db-password \\\n  '{}'"),
    *("sshpass -p {} ssh h", "mysql -uroot -p{} db", "docker login -u me -p {}", "redis-cli -a {}"),
    *("curl -u me:{} https://h", "curl -su 'me:{}' https://h", "login me password {}"),
    *("https://me:{}@host/x", "redis://:{}@host", "/x?token={}&page=2", "?X-Amz-Signature={}"),
    *("<password>{}</password>", "Authorization: Basic {}", "authorization: {}", "Cookie: sid={}"),
    *(
        "sshpass -p{} ssh h",
        "docker login -p{} h",
        "podman login -u me -p={} h",
        "zip -P{} a.zip b",
    ),
    *("mongodump -p{}", "ldapsearch -w{} -D x", "redis-cli --pass {} ping", "7z x -p{} a.7z"),
    *("htpasswd -b .htpasswd me {}", "htpasswd -nbB me {}", "htpasswd -c -b f me '{}'"),
    *("openssl pkcs12 -password pass:{}", "openssl enc -aes-256-cbc -k {} -in f", "rar a -hp{} x"),
    *("sqlcmd -U sa -P {} -Q x", "mosquitto_pub -u me -P {} -t t", "plink -pw {} me@h"),
    *("smbclient //h/s -U me%{}", "keytool -storepass {} -list", "twine upload -u me -p {} d/*"),
    *("http -a me:{} GET h", "ab -A me:{} h", "mysqladmin -u root password {}"),
    *("ALTER USER me IDENTIFIED BY '{}'", "CREATE ROLE me LOGIN PASSWORD '{}'"),
    *("aws configure set aws_secret_access_key {}", "npm config set //r/:_authToken {}"),
    *(
        "openssl -passin pass:{}",
        "client_secret={}",
        "$env:API_TOKEN = '{}'",
        "proxy-authorization={}",
    ),
]


@pytest.mark.parametrize("frame", GIVEN)
@pytest.mark.parametrize("secret", ["hunter2x", MIXED, "Tr0ub4dor!3"])
def test_a_secret_without_a_mark_is_known_by_what_stands_before_it(frame: str, secret: str) -> None:
    """Most passwords look like nothing at all."""
    shown = mask(frame.format(secret))

    assert secret not in shown
    assert MASK in shown
    assert mask(shown) == shown


@pytest.mark.parametrize(
    "frame", ["token: {}", "token={}", '"auth": "{}"', "THE_KEY={}", "bearer {}"]
)
def test_a_name_that_is_a_word_too_hides_what_no_word_looks_like(frame: str) -> None:
    """An error about an unexpected token is none."""
    assert MIXED not in mask(frame.format(MIXED))
    assert frame.format("identifier") == mask(frame.format("identifier"))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "sk-learn-pipelines-and-more",
            "npm_config_ignore_scripts=true npm test",
            "pk-constraint-name",
        ),
        *("tokens_used: 900", "max_tokens=128000", '"completionTokens": 119', "token_count = 5"),
        *(
            "Basic verification of what it does",
            "the basic strategy",
            "Bearer authentication-scheme",
        ),
        *("password = getpass.getpass(prompt)", "passwd = settings.password", "secret=self._key"),
        *("password: str = None", "password=None", "SECRET = 'secret'", "prompt='Password: ', x=1"),
        *("password: the word that is asked for", "PASSWORD=$OTHER", "PASSWORD=${{ secrets.X }}"),
        *(
            "go test ./secret/...",
            "src/auth/password.py",
            "--token-file x",
            "docker login --password-stdin",
        ),
        *("secret_name: my-secret", "password_file=/run/x", "api_key_id=5", "cache-key-linux-node"),
        *(f"sha256:{HEX * 4}", f"{HEX * 2}{HEX[:8]}", "4f2c1d9e-1111-4222-8333-abcdefabcdef"),
        *(
            "call_00_q7Rt2mXz9Lp4Kv8Bn3Wd6Ys1",
            "toolu_01A09q90qw90lq917835lq9",
            "msg_01XFDUDYJgAACzvnptvVoYEL",
        ),
        *(
            "ssh://git@host/x.git",
            "https://host:8080/@scope/pkg",
            "git log --author=me",
            "-p hunter2",
        ),
        *("7z x -o/tmp a.7z", "mkdir -p hunter2", "openssl s_client -key k.pem -connect h:443"),
        *("htpasswd -D .htpasswd me", "smbclient -L host", "ab -n 5 -c 1 h", "zip -r a.zip b"),
        *("git config user.name me", "npm config get //r/:_authToken", "identified by the name"),
        *("docker login -u me", "unzip -p a.zip b", "https -a is short", "config set key-repeat 5"),
        *("Cookie: a small file", "authorization: required", "cd basic-tutorial && make"),
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    """A message whose commands are unreadable helps nobody."""
    assert text == mask(text)


@pytest.mark.parametrize(
    "inner", ["PASSWORD=hunter2x make", f"key ghp_{MIXED}", "https://me:hunter2x@h/"]
)
def test_base64_hides_nothing(inner: str) -> None:
    """It is how secrets are kept in manifests, and passed on by those who would not show them."""
    coded = base64.b64encode(inner.encode()).decode()

    assert f"echo {MASK} | base64 -d" == mask(f"echo {coded} | base64 -d")


def test_base64_of_ordinary_text_stays() -> None:
    """Most of it is no secret."""
    coded = base64.b64encode(b"an ordinary sentence about a build").decode()

    assert coded == mask(coded)


@pytest.mark.parametrize("kind", ["", "RSA ", "OPENSSH ", "EC ", "ENCRYPTED "])
def test_a_private_key_is_hidden_as_a_block_also_where_its_end_was_cut_off(kind: str) -> None:
    """Its lines look like nothing that is known."""
    begin, end = f"-----BEGIN {kind}PRIVATE KEY-----", f"-----END {kind}PRIVATE KEY-----"
    lines = "\n".join([MIXED * 2] * 3)

    assert f"a {MASK} b" == mask(f"a {begin}\n{lines}\n{end} b")
    assert f"a {MASK}" == mask(f"a {begin}\n{lines}")
    assert f"a {MASK} b" == mask(f"a {begin}\n{lines}\n{end} b".replace("\n", "\\n"))


@given(st.text(alphabet="aAzZ09-_=:/.@\"'\\ \nskghp&?", max_size=80))
@example("password: '[secret]'")
@example("-----BEGIN PRIVATE KEY----- password=x")
def test_what_is_masked_stays_when_it_is_masked_again(text: str) -> None:
    """A trace that is passed on is shown again."""
    once = mask(text)

    assert mask(once) == once


_PIECES = (
    *(
        "secret_sk-",
        "xoxb-sk-a-",
        "token=",
        "password",
        "://",
        "://a:",
        "?a=",
        "--token ",
        "curl -u ",
    ),
    *(
        "mysql -p",
        "htpasswd -a -b ",
        "identified by 'x",
        "config token ",
        "docker login ",
        "<token",
        "authorization: ",
        "cookie: a=",
        "eyJaaaaaaaa.",
        "key_",
    ),
    *(
        "-----BEGIN PRIVATE KEY-----",
        "/home/a ",
        "a",
        "_",
        "\\",
        '"',
        "dG9rZW46",
        "aaaaaaaaaaaaaaa-",
    ),
)


@pytest.mark.parametrize("piece", _PIECES)
def test_masking_takes_time_that_grows_with_the_text(piece: str) -> None:
    """Whoever writes a trace writes what is searched."""

    def took(size: int) -> float:
        text = piece * (size // len(piece))
        return min(_seconds(text) for _ in range(3))

    assert took(64_000) < 40 * max(took(8_000), 0.002)


def _seconds(text: str) -> float:
    begin = time.process_time()
    mask(text)
    return time.process_time() - begin
