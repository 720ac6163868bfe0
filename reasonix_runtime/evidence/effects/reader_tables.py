"""Readers that the table of EL-09 lacks. Data only; `reads_by_arguments` and `probes` say how."""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.evidence.word_lists import words

# Programs that have no option that writes.
READERS: Final = words(
    "nl tac rev fold fmt expand unexpand paste join od hexdump strings md5sum sha1sum sha256sum"
    " sha512sum shasum cksum column seq sleep expr getent arch nproc uptime free groups lscpu lsblk"
    " jq zcat bzcat xzcat zgrep zipinfo nm objdump readelf size lsof netstat pgrep pidof vmstat"
    " wait-on wait-for-it wait-for-it.sh pg_isready"
    " whatis tty stty tput who w cal clear ag ack tokei numfmt factor yes [["
    " test-path write-host write-output select-object sort-object group-object format-table"
    " format-list out-string out-host out-null get-date get-filehash get-service get-member"
    " get-help get-variable join-path split-path convertfrom-json convertto-json dir findstr"
    " tasklist where"
)
# Programs that only read when nothing stands after them: with more they set something.
BARE_READERS: Final = words("env set alias history jobs mount locale ifconfig nvidia-smi")

# Programs with sub-commands, of one or two words, that only list or show.
LISTERS: Final[dict[str, frozenset[str]]] = {
    "pip": words("list show freeze check --version -V")
    | {"config list", "config get", "index versions", "cache list", "cache dir"},
    "pip3": words("list show freeze check --version -V"),
    "uv": words("--version -V")
    | {"pip list", "pip show", "pip freeze", "pip tree", "pip check", "python list", "tool list"},
    "poetry": words("show") | {"env info", "env list"},
    "conda": words("list info") | {"env list"},
    "coverage": words("report"),
    "ruff": words("rule linter version"),
    "golangci-lint": words("linters version"),
    "cargo": words("tree metadata version --version -V pkgid locate-project"),
    "rustup": words("show") | {"toolchain list", "target list", "component list"},
    "rustc": words("-V -vV"),
    "npm": words("why explain root prefix whoami")
    | {"config get", "config list", "config ls", "pkg get"},
    "pnpm": words("ls list why outdated root bin -v"),
    "yarn": words("why list info outdated -v"),
    "java": words("-version"),
    "javac": words("-version"),
    "ruby": words("-v"),
    "php": words("-v -m -i --ini"),
    "gem": words("list info environment env"),
    "bundle": words("list show info outdated -v"),
    "composer": words("show info outdated licenses why depends about"),
    "dotnet": words("--info --list-sdks --list-runtimes") | {"list package", "sln list"},
    "docker": words("top diff history port")
    | {f"compose {verb}" for verb in ("ps", "logs", "config", "ls", "images", "top", "version")}
    | {f"{kind} {verb}" for kind in ("network", "volume", "image") for verb in ("ls", "inspect")}
    | {"container ls", "container inspect", "system df", "context ls"},
    "docker-compose": words("ps logs config ls images top version"),
    "kubectl": words("version top cluster-info events")
    | {"config view", "config current-context", "config get-contexts", "auth can-i"}
    | {"rollout status", "rollout history"},
    "helm": words("list ls version status template get history show env") | {"repo list"},
    "terraform": words("show output version graph")
    | {"state list", "state show", "workspace list", "workspace show"},
    "hg": words("status diff log cat annotate identify parents branches heads summary files")
    | {"st", "id", "ann"},
    "sl": words("status diff log cat annotate smartlog"),
    "jj": words("status st diff log show") | {"file show", "file list", "op log", "bookmark list"},
    "svn": words("status st diff di log cat info blame list ls"),
    "systemctl": words(
        "status list-units list-unit-files is-active is-enabled is-failed show cat --failed"
    ),
    "dpkg": words("-l -s -L -S --list --status --listfiles --search"),
    "apt": words("list show policy search"),
    "apt-cache": words("policy show search depends rdepends"),
    "brew": words("list ls info deps outdated config"),
    "crontab": words("-l"),
    "xcodebuild": words("-list -version -showsdks -showdestinations"),
    "simctl": words("list"),
}
# Options that make a lister write to a file, or go on and open something.
LISTERS_WRITE: Final = words("-o --output --output-dir --output-file --fix --write --web")

# Questions to a service, or to what a project wrote: they change nothing, and still are not run
# without asking.
ASKING_PROGRAMS: Final = words("ping dig nslookup host whois traceroute test-netconnection")
ASKING_COMMANDS: Final[dict[str, frozenset[str]]] = {
    "gh": frozenset({"pr diff", "pr checks", "auth status", "label list"})
    | {
        f"{kind} {verb}"
        for kind in ("pr", "issue", "run", "repo", "release", "workflow")
        for verb in ("view", "list", "status")
    },
    "git": words("ls-remote"),
    "tox": words("list l config c"),
    "mvn": words("dependency:tree dependency:list -v"),
    "./gradlew": words("tasks projects dependencies properties -v"),
    "gradle": words("tasks projects dependencies properties -v"),
    "bazel": words("query cquery aquery version info"),
    "terraform": words("plan providers"),
    "tofu": words("plan providers"),
    "just": words("--list -l --summary --dump --variables"),
    "task": words("--list -l --list-all -a"),
    "mise": words("tasks ls current doctor"),
    "nx": words("show"),
    "vitest": words("list"),
    "cypress": words("verify version info"),
    "redis-cli": words("ping info get keys ttl exists dbsize"),
}
# Clients of databases, and the options behind which stands what they are asked.
QUERY_OPTIONS: Final[dict[str, frozenset[str]]] = {
    "psql": words("-c --command"),
    "mysql": words("-e --execute"),
    "sqlite3": words("-cmd"),
}
DATABASES: Final = frozenset(QUERY_OPTIONS)
DATABASE_VALUES: Final = words("-h --host -p --port -U -d --dbname -u --user -D --database")
DATABASE_FLAGS: Final = re.compile(
    r"-[tAqXwNB]+|-(?:header|json|csv|readonly|column|line)|--(?:host|port|username|dbname|no-psqlrc"
    r"|tuples-only|no-align|csv|user|database|table|batch)(?:=.*)?"
)
# One question, which neither names a function that changes something nor goes on behind it.
QUESTION: Final = re.compile(
    r"(?:(?:select|show|explain|describe|desc)\b(?!.*\b(?:into|analyze|for\s+update|pg_\w+|set\w*"
    r"|nextval|load_\w+|writefile|edit|dblink\w*|lo_\w+)\b)[^;]*;?"
    r"|\\(?:d[a-zA-Z+]*|l\+?|conninfo)(?:\s+[\w.*]+)?|\.(?:schema|tables|indexes|databases)(?:\s+\w+)?)",
    re.IGNORECASE | re.DOTALL,
)
# A service and what it is asked: `aws ec2 describe-instances`; what gets a file names one.
CLOUDS: Final = words("aws")
DESCRIBING: Final = re.compile(
    r"(?:describe|list)-[a-z-]+|ls|get-(?:caller-identity|bucket-[a-z-]+|function(?:-[a-z-]+)?"
    r"|role(?:-[a-z-]+)?|user|policy|parameters?|log-events|rest-apis?)"
)
CURL_LETTERS: Final = frozenset("sSfLiIkvgN46")
CURL_VALUE_LETTERS: Final = frozenset("HAmwueb")
CURL_ALONE: Final = words(
    "--silent --show-error --fail --fail-with-body --location --include --head --insecure --verbose"
    " --compressed --no-progress-meter --retry-connrefused --http1.1 --http2"
)
CURL_VALUES: Final = words(
    "--header --user-agent --max-time --connect-timeout --retry --retry-delay --write-out --user"
    " --referer --cookie --resolve --url"
)
