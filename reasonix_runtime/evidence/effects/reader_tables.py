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
    " whatis tty stty tput who w cal clear tokei numfmt factor yes [["
    " test-path write-host write-output select-object sort-object group-object format-table"
    " format-list out-string out-host out-null get-date get-filehash get-service get-member"
    " get-help get-variable join-path split-path convertfrom-json convertto-json dir findstr"
    " otool c++filt addr2line mdls dust duf eza exa lsd glow colordiff delta difft pstree"
    " getconf atq jps jstack format-hex tracepath"
    " tasklist where ldd javap iostat mpstat pidstat getfacl lsb_release sw_vers last pdfinfo"
    " csvlook csvstat csvcut csvgrep csvsort csvjson readelf lspci lsusb lsmod systeminfo"
    " pkg-config pkgconf gocloc onefetch jless ipconfig"
)
# Programs that only read when nothing stands after them: with more they set something.
BARE_READERS: Final = words(
    "env set alias history jobs mount locale ifconfig hostnamectl timedatectl loginctl"
    " kubectx kubens ver"
)

# Programs that only read unless they are given one of these options; letters may stand together. A
# star stands for whatever follows.
READERS_UNLESS: Final[dict[str, frozenset[str]]] = {
    "ag": words("--pager*"),
    "ack": words("--pager*"),
    "tcpdump": words("-w -z -W -C -G"),
    "tshark": words("-w -G -b --export-objects"),
    "dmesg": words("-C -c -n -D -E --clear --read-clear --console-*"),
    "iconv": words("-o --output"),
    "identify": words("-write"),
    "ffprobe": words("-o -report"),
    "mediainfo": words("--LogFile* --Output-File*"),
    "pandoc": words(
        "-o --output -F --filter -L --lua-filter --extract-media --log --pdf-engine* -d"
    ),
    # what else it sets is of the machine
    "nvidia-smi": words("-f --filename*"),
    "scc": words("-o --output --format-multi"),
    "xmllint": words("-o --output --shell"),
    "pg_dump": words("-f --file"),
    # they print how files would be laid out, unless they are told to write it
    "prettier": words("--write -w --plugin* --config*"),
    "shfmt": words("-w --write"),
    "clang-format": words("-i"),
    "yapf": words("-i --in-place"),
    "autopep8": words("-i --in-place"),
    "ast-grep": words("-U --update-all -i --interactive new"),
    "cppcheck": words(
        "--output-file* --dump --cppcheck-build-dir* --plist-output* --addon* --check*"
    ),
    "mysqldump": words("-r --result-file -T --tab --master-data* --flush-* -F"),
    "fzf": words("--bind* --preview* --execute* --listen* --become*"),
}
_NEVER: Final[frozenset[str]] = frozenset()
# Programs that only read with one of these options, and none by which they write or run more.
READERS_WITH: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    "xz": (words("-l --list -t --test -dc -c --stdout"), words("-k --files* --suffix*")),
    "zstd": (words("-l --list -t --test -dc -c --stdout"), words("-o --rm --output-dir*")),
    "ctags": (words("-x --list-*"), words("-f -o --options*")),
    "fzf": (words("--filter -f"), READERS_UNLESS["fzf"]),
    "gpg": (
        words("--list-* -k -K --verify --fingerprint --show-keys --version"),
        words("-o --output --import* --delete* --edit* --gen* --export* --sign* --encrypt"),
    ),
    "ssh-keygen": (words("-l -lf -F -lvf -lE"), words("-R -p -H -D")),
    "lipo": (words("-info -detailed_info -archs -verify_arch"), words("-output -create")),
    "black": (words("--diff"), _NEVER),
    "isort": (words("--diff"), _NEVER),
    "nginx": (words("-t -T -v -V"), words("-s")),
    "apachectl": (words("configtest -t -S -v"), _NEVER),
    "sshd": (words("-t -T"), _NEVER),
    "visudo": (words("-c -cf"), _NEVER),
    "logrotate": (words("-d --debug"), words("-f --force")),
    "iptables": (words("-L -S -nL -nvL"), words("-A -D -I -F -X -P -N -Z")),
    "arp": (words("-a -n"), words("-s -d")),
    "route": (words("-n"), words("add del")),
    "schtasks": (words("/query"), _NEVER),
    "certutil": (words("-hashfile"), _NEVER),
    "plutil": (words("-p -lint"), words("-o -replace -remove -insert -convert")),
    "code": (words("--list-extensions --version --status"), words("--install* --uninstall*")),
}

_OF_CONTAINERS: Final = (
    words("top diff history port")
    | {"buildx ls", "buildx inspect", "manifest inspect"}
    | {f"compose {verb}" for verb in ("ps", "logs", "config", "ls", "images", "top", "version")}
    | {f"{kind} {verb}" for kind in ("network", "volume", "image") for verb in ("ls", "inspect")}
    | {"container ls", "container inspect", "system df", "context ls"}
)
# Of PowerShell those whose verb says that they look, written as they mostly are.
LOOKING_CMDLET: Final = re.compile(
    r"(?:Get|Test(?!-(?:Net)?Connection)|Find|Resolve|ConvertTo|ConvertFrom|Compare|Select)-[A-Z]\w+"
)
CMDLET_WRITES: Final = re.compile(r"-(?:out(?:f|v)|filep|dest).*", re.IGNORECASE)
# Programs that count lines, by the options with which they print what they count.
COUNTING: Final = re.compile(
    r"--(?:by-file|by-file-by-lang|json|csv|yaml|md|xml|quiet|git|vcs|hide-rate|fullpath|show-lang"
    r"|(?:exclude|include)-(?:dir|lang|ext)|(?:not-)?match-[df]|timeout|version|diff)(?:=.*)?"
)
# Programs with sub-commands, of one or two words, that only list or show.
LISTERS: Final[dict[str, frozenset[str]]] = {
    "pip": words("list show freeze check --version -V")
    | {"config list", "config get", "index versions", "cache list", "cache dir"},
    "pip3": words("list show freeze check --version -V"),
    "uv": words("--version -V tree")
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
    "php": words("-v -m -i --ini"),
    "gem": words("list info environment env"),
    "bundle": words("list show info outdated -v"),
    "composer": words("show info outdated licenses why depends about"),
    "dotnet": words("--info --list-sdks --list-runtimes")
    | {"list package", "sln list"}
    | {f"{kind} list" for kind in ("tool", "nuget", "workload")},
    "docker": _OF_CONTAINERS,
    "podman": _OF_CONTAINERS | words("ps images inspect logs stats info version"),
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
    "nvm": words("ls list current version which ls-remote"),
    "fnm": words("list ls current"),
    "asdf": words("current list where"),
    "pyenv": words("versions version which root"),
    "rbenv": words("versions version which root"),
    "jar": words("tf tvf -tf -tvf --list"),
    "7z": words("l t"),
    "unrar": words("l t v lb"),
    "xmlstarlet": words("sel val el pyx c14n"),
    "reg": words("query"),
    "sc": words("query"),
    "pipdeptree": frozenset({""}),
    "kind": words("get"),
    "openssl": words(
        "x509 verify version dgst asn1parse rsa pkey ec crl pkcs7 ciphers list errstr req"
    ),
}
# Options that make a lister write to a file, or go on and open something.
LISTERS_WRITE: Final = words("-o* --output* --fix --write --web --post-renderer*")
# The same of those whose options of that name tell something else.
LISTERS_WRITE_OWN: Final[dict[str, frozenset[str]]] = {
    "openssl": words(
        "-out -keyout -newkey -new -x509toreq -signkey -CA -CAcreateserial -CAserial -writerand"
        " -sess_out -keylogfile -msgfile -engine -config -sign"
    ),
}

# Questions to a service, or to what a project wrote: they change nothing, and still are not run
# without asking.
ASKING_PROGRAMS: Final = words(
    "ping dig nslookup host whois traceroute test-netconnection test-connection"
)
ASKING_COMMANDS: Final[dict[str, frozenset[str]]] = {
    "gh": frozenset({"pr diff", "pr checks", "auth status", "label list"})
    | {
        f"{kind} {verb}"
        for kind in ("pr", "issue", "run", "repo", "release", "workflow", "gist", "cache", "secret")
        for verb in ("view", "list", "status")
    }
    | {f"search {what}" for what in ("code", "issues", "prs", "repos", "commits")},
    "glab": frozenset({"mr diff", "ci status", "ci trace", "auth status"})
    | {
        f"{kind} {verb}"
        for kind in ("mr", "issue", "ci", "repo", "release")
        for verb in ("view", "list")
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
    "nx": words("show") | {"graph --print"},
    "opam": words("lint"),
    "vitest": words("list"),
    "cypress": words("verify version info"),
    "redis-cli": words("ping info get keys ttl exists dbsize"),
    "rails": words("routes stats about middleware notes db:version db:migrate:status"),
    "artisan": words(
        "about list env route:list migrate:status config:show event:list schedule:list model:show"
        " db:show db:table"
    ),
    "mix": words("deps deps.tree help phx.routes hex.outdated hex.info xref"),
    "manage.py": words("showmigrations sqlmigrate diffsettings inspectdb help version"),
    "flask": words("routes"),
    "alembic": words("current history heads branches show check"),
    "twine": words("check"),
    "site": words("--user-site --user-base") | {""},
    "sysconfig": frozenset({""}),
    "platform": frozenset({""}),
    "dis": frozenset({""}),
    "tsc": words("--showConfig"),
    "ollama": words("list ls ps show"),
    "swift": frozenset({"package describe", "package show-dependencies", "package dump-package"}),
    "flutter": words("doctor devices emulators") | {"pub outdated", "pub deps"},
    "dart": frozenset({"pub outdated", "pub deps"}),
    "adb": words("devices version get-state logcat"),
    "deno": words("info doc"),
    "cargo": words("expand"),
    "pulumi": words("preview about") | {"stack ls", "stack output", "config get"},
    "ansible-inventory": words("--list --graph --host"),
    "ansible-doc": words("-l --list"),
    "ansible-config": words("dump list view"),
    "ansible-galaxy": words("list info search"),
    "argocd": frozenset({"app get", "app list", "app diff", "app history"}),
    "kubectl": words("diff"),
    "fly": words("status logs releases version") | {"apps list", "secrets list"},
    "flyctl": words("status logs releases version") | {"apps list", "secrets list"},
    "heroku": words("logs ps releases apps config addons info"),
    "vercel": words("ls list inspect logs whoami"),
    "netlify": words("status") | {"sites:list"},
    "kustomize": words("build version"),
    "dbt": words("ls list debug"),
    "xsv": words("count headers stats frequency table select slice search"),
    "parquet-tools": words("schema meta head cat show rowcount inspect"),
    "skopeo": words("inspect list-tags"),
    "crane": words("ls manifest digest config"),
    "choco": words("list search info outdated"),
    "winget": words("list search show"),
    "scoop": words("list search info status"),
    "pod": words("outdated list") | {"repo list"},
    "minikube": words("status ip profile"),
    "openssl": words("s_client"),
    "gsutil": words("ls stat du cat version"),
}
# Those that go on with each further word as one more task, or one more sub-command.
ASKING_ON: Final[dict[str, frozenset[str]]] = {
    "mvn": ASKING_COMMANDS["mvn"],
    "rails": ASKING_COMMANDS["rails"],
    "mise": words("tasks"),
    "terraform": words("providers"),
    "tofu": words("providers"),
}
# What may follow there, and the options that have a value of their own.
GOES_ON_LOOKING: Final = words("ls list info deps schema")
ASKING_VALUES: Final = words(
    "-pl --projects -f --file -P -T -s -c -g --controller --annotations -a"
)
# With a word that begins like one of these a question writes a file, or runs a program.
ASKING_WRITES: Final[dict[str, tuple[str, ...]]] = {
    "git": ("--upl", "--exec", "ext::"),
    "terraform": ("-generate-c", "--generate-c"),
    "tofu": ("-generate-c", "--generate-c"),
    "vitest": ("--json=",),
    "dbt": ("--target-p", "--log-p", "--config-d"),
    "mix": ("dot", "--format=dot"),
    "deno": ("--html",),
    "pulumi": ("--save-p", "--import-f"),
    "sysconfig": ("--generate",),
}
# Sub-commands, "" where none is needed, and options by which they only say what they would do.
TRYING: Final[dict[str, tuple[frozenset[str], re.Pattern[str]]]] = {
    "make": (
        frozenset({""}),
        re.compile(r"-[Bkpq]*n[Bkpq]*|-[kp]*q[kp]*|--(?:dry-run|just-print|recon)"),
    ),
    "kubectl": (words("apply create delete patch run"), re.compile(r"--dry-run=(?:client|server)")),
    "helm": (
        words("install upgrade uninstall rollback"),
        re.compile(r"--dry-run(?:=client|=server)?"),
    ),
    "ansible-playbook": (
        frozenset({""}),
        re.compile(r"-C|-CD|--check|--list-(?:tasks|hosts|tags)"),
    ),
    "npm": (words("install i ci update uninstall publish pack"), re.compile(r"--dry-run")),
    "rsync": (
        frozenset({""}),
        re.compile(r"-[avzrhiutlpgoDcSHAXP]*n[avzrhiutlpgoDcSHAXP]*|--dry-run"),
    ),
    "composer": (words("install update require remove"), re.compile(r"--dry-run")),
    "pip": (words("install"), re.compile(r"--dry-run")),
    "apt-get": (frozenset({""}), re.compile(r"-s|--(?:dry-run|simulate|just-print)")),
    "apt": (frozenset({""}), re.compile(r"-s|--(?:dry-run|simulate)")),
    "brew": (words("upgrade install cleanup"), re.compile(r"-n|--dry-run")),
}
# With one of these a trial runs, or keeps, something all the same: make is told of other rules, or
# of another shell, rsync of the program by which it speaks, or of a file.
TRIES_MORE: Final[dict[str, re.Pattern[str]]] = {
    "make": re.compile(r"-[fI].*|--(?:file|makefile|eval|include-dir).*|.*SHELL.*=.*"),
    "rsync": re.compile(
        r"-(?!-)[^M]*[eM].*|--(?:rsh|rsync-path|remote-option|log-file|write-batch|only-write-batch)"
        r".*|--[rlw][a-z-]*=.*"
    ),
}
# Clients of databases, and the options behind which stands what they are asked.
QUERY_OPTIONS: Final[dict[str, frozenset[str]]] = {
    "psql": words("-c --command"),
    "mysql": words("-e --execute"),
    "mongosh": words("--eval"),
    "sqlite3": words("-cmd"),
    "duckdb": words("-c -s -cmd"),
}
LISTING_DATABASES: Final = words("-l --list")
DATABASES: Final = frozenset(QUERY_OPTIONS)
DATABASE_VALUES: Final = words("-h --host -p --port -U -d --dbname -u --user -D --database")
DATABASE_FLAGS: Final = re.compile(
    r"-[tAqXwNB]+|-(?:header|json|csv|readonly|column|line)|--(?:host|port|username|dbname|no-psqlrc"
    r"|tuples-only|no-align|csv|user|database|table|batch|quiet)(?:=.*)?"
)
# One question, which neither names a function that changes something nor goes on behind it.
QUESTION: Final = re.compile(
    r"(?:(?:select|show|explain|describe|desc)\b(?!.*\b(?:into|analyze|for\s+update|pg_\w+|set\w*"
    r"|nextval|load_\w+|writefile|edit|dblink\w*|lo_\w+)\b)[^;\\]*(?:;|\\G)?"
    r"|\\(?:d[a-zA-Z+]*|l\+?|conninfo)(?:\s+[\w.*]+)?|\.(?:schema|tables|indexes|databases)(?:\s+\w+)?"
    r"|db\.(?:\w+\.)?(?:find|findOne|count(?:Documents)?|estimatedDocumentCount|distinct|stats|getIndexes"
    r"|getCollectionNames|version|serverStatus)\([^()]*\)"
    r"(?:\.(?:limit|sort|skip|count|toArray|pretty)\([^()]*\))*;?)",
    re.IGNORECASE | re.DOTALL,
)
# A service and what it is asked: `aws ec2 describe-instances`; what gets a file names one.
CLOUDS: Final = words("aws")
# Those whose verb stands behind nouns: `gcloud compute instances list`, `fly apps list`.
LOOKING_BEHIND_NOUNS: Final = words(
    "gcloud az bq doctl firebase supabase wrangler vault hub oci ibmcloud hcloud scw fly flyctl"
    " heroku vercel netlify railway pulumi argocd istioctl k3d eksctl velero flux linkerd tkn oc"
    " openstack eas nmcli helm"
)
# Those whose verb stands first: whatever stands behind it may be the name of anything.
LOOKING_FIRST: Final = words(
    "volta pipx mamba micromamba rye opam luarocks conan vcpkg avdmanager etcdctl vagrant multipass"
    " lxc virsh tmux pm2 supervisorctl snap flatpak dnf yum zypper ufw caddy rebar3 stack molecule"
    " gem buildah crictl nerdctl minikube kind nomad consul helmfile cargo"
)
LOOKING_VERBS: Final = words(
    "list ls describe show read get get-value info version status search whoami outdated tree"
    " history inspect view list-sessions list-sizes members validate ls-remote"
)
DOING_VERBS: Final = re.compile(
    r"(?:new|init|build|push|pull|publish|create|delete|update|set|add|remove|deploy|start|stop|restart"
    r"|run|apply|import|export|copy|cp|mv|rm|upload|download|patch|enable|disable|attach|detach|invoke"
    r"|ssh|rsh|scp|reset|resize|login|submit|rollback|rollout|move|call|exec|execute|install|use"
    r"|activate|grant|revoke|up|down|destroy|restore|reload|refresh|rename|revert|scale|drain|cordon"
    r"|prune|clean|migrate|seed|debug|tag|sign|put|write|upgrade|uninstall|connect|modify|label"
    r"|annotate|edit|replace|promote|merge|approve|cancel|kill|purge|undo|sync|test|tunnel|proxy)"
    r"(?:-.*)?"
)
# How an answer is laid out; any other value of such an option is a file.
LOOK_TO: Final = words("-o --output --file --out-file")
LAYOUT: Final = re.compile(
    r"(?:json|yaml|table|tsv|csv|text|wide|name|none|plain|value|shell|id|custom-columns|jsonpath"
    r"|go-template)\w*(?:[=-].*)?"
)
DESCRIBING: Final = re.compile(
    r"(?:describe|list)-[a-z-]+|ls|get-(?:caller-identity|bucket-[a-z-]+|function(?:-[a-z-]+)?"
    r"|role(?:-[a-z-]+)?|user|policy|parameters?|log-events|rest-apis?)"
)
FORGE_SENDS: Final = words("--field --raw-field --input --method")
GETTING_CMDLETS: Final = words("invoke-webrequest invoke-restmethod iwr irm")
CMDLET_GETS: Final = words(
    "-uri -usebasicparsing -headers -timeoutsec -method -skipcertificatecheck -maximumredirection"
)
HTTPIE: Final = words("http https xh xhs")
HTTPIE_FLAGS: Final = words(
    "-v --verbose -h --headers -b --body --follow -F --check-status -p --json -j"
)
WGET_PRINTS: Final = re.compile(r"-q?O-|--spider|--output-document=-")
WGET_TELLS: Final = re.compile(
    r"-(?:q|S|nv|[Tt]\d*)|--(?:quiet|timeout|tries|header|no-check-certificate)(?:=.*)?"
)
SCANS_MORE: Final = re.compile(
    r"-[46dFnRrvV]*(?:o.*|A|s\w*C\w*|iL)"
    r"|--?(?:sc|datad|ser|versiond|sty|res|ap|priv|int)[\w-]*(?:=.*)?"
)
SSH_VALUES: Final = words("-p -i -o -l -J -F")
SSH_FLAGS: Final = re.compile(r"-[qTtn46vAC]+")
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
