"""Making room for scratch and tidying it up changes nothing of the work; all else does."""

from __future__ import annotations

import pytest
from command_kinds import kind

from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS, classify
from reasonix_runtime.evidence.effects.shell_edits import cleared_by, edit_of

APART, UNTOLD, IN_TMP = map(CONTRACT_COMMANDS.in_workspace, ("/srv/app", "", "/tmp/ws"))
NEW = 'd=$(mktemp -d); ls "$d"'


@pytest.mark.parametrize(
    ("command", "apart", "untold", "in_tmp"),
    [
        ("rm -rf /tmp/x", "read", "change", "read"),
        ("rm -rf /tmp/x /var/tmp/y 2>/dev/null || true", "read", "change", "read"),
        ("rm -f /tmp/out.txt", "read", "read", "read"),
        ("rm -rf /tmp/ws/build", "read", "change", "change"),
        ("rm -rf /tmp/x src", "change", "change", "change"),
        ("rm -rf -- /tmp/x", "read", "change", "read"),
        ("rm -rf '/tmp/x'", "read", "change", "read"),
        ("rm /tmp/x", "read", "change", "read"),
        ("rmdir /tmp/x && unlink /tmp/y", "read", "change", "read"),
        ("rm -rf /tmp/x > out.txt", "change", "change", "change"),
        ("rm -rf /a /tmp/x", "change", "change", "change"),
        ("sudo rm -rf /tmp/x", "read", "change", "read"),
        ("docker exec app rm -rf /tmp/x", "change", "change", "change"),
        ("mkdir -p /tmp/x && touch /tmp/x/a", "read", "change", "read"),
        ("mkdir -m 700 /tmp/x && mkdir --mode 700 /tmp/y", "read", "change", "read"),
        ("touch -t 01010000 /tmp/x", "read", "change", "read"),
        ("touch -d now /tmp/x && touch --date now /tmp/y", "read", "change", "read"),
        ("mkdir -p build", "change", "change", "change"),
        ("cp src/app.py /tmp/app.py.bak", "read", "change", "read"),
        ("cp /tmp/app.py.bak src/app.py", "change", "change", "change"),
        ("unzip clone -d src /tmp/x", "change", "change", "change"),
        ("cp /tmp/x", "change", "change", "change"),
        ("cp -t src a /tmp/x", "change", "change", "change"),
        ("cp -s $PWD/a.py /tmp/x", "change", "change", "change"),
        ("cp --symbolic-link src/a.py /tmp/x", "change", "change", "change"),
        ("cp -al src /tmp/x", "change", "change", "change"),
        ("cp -rt src a /tmp/x", "change", "change", "change"),
        ("cp -rvt src a /tmp/x", "change", "change", "change"),
        ("cp a-t /tmp/x", "read", "change", "read"),
        ("mv -S .b /tmp/a /tmp/b && mv --suffix .c /tmp/a /tmp/b", "read", "change", "read"),
        ("mv src/app.py /tmp/app.py", "change", "change", "change"),
        ("mv --target-directory=src /tmp/a", "change", "change", "change"),
        ("mv -tsrc /tmp/a /tmp/b", "change", "change", "change"),
        ("echo x > /tmp/run.py", "change", "change", "change"),
        ("cat > /tmp/run.py <<'EOF'\nx\nEOF", "change", "change", "change"),
        ("cat > /tmp/run.py <<< 'x = 1'", "change", "change", "change"),
        ("git show HEAD:a.py > /tmp/old.py && diff /tmp/old.py a.py", "read", "change", "read"),
        ("git show HEAD:a.py > old.py", "change", "change", "change"),
        ("rm src 2> /tmp/a.py", "change", "change", "change"),
        ("rm -rf /tmp/x-$$ /tmp/log-$(date +%s)", "read", "change", "read"),
        ("rm -rf /tmp/$RANDOM /tmp/${UID}-$USER /tmp/$(id -u)", "read", "change", "read"),
        ("rm -rf /tmp/$NAME", "change", "change", "change"),
        ("rm -rf /tmp/`cat name`", "change", "change", "change"),
        ('rm -rf "$/x" /tmp/y', "change", "change", "change"),
        ("rm -rf /tmp/$(cat name)", "change", "change", "change"),
        # where a program is told to put what it makes
        ("mv /tmp/a /tmp/b && chmod +x /tmp/b", "read", "change", "read"),
        ("chmod +x run.sh", "change", "change", "change"),
        ("rsync -a --delete src/ /tmp/kept/", "read", "change", "read"),
        ("rsync -a -e ssh --exclude x --include y src /tmp/kept/", "read", "change", "read"),
        ("rsync -a /tmp/kept/ src/", "change", "change", "change"),
        ("rsync -a --remove-source-files src/ /tmp/kept/", "change", "change", "change"),
        ("rsync -a --only-write-batch=x src/ /tmp/kept/", "change", "change", "change"),
        ("rsync -a --log-file=x src/ /tmp/kept/", "change", "change", "change"),
        ("rsync -a --backup-dir=x src/ /tmp/kept/", "change", "change", "change"),
        ("tar czf /tmp/a.tgz src", "read", "change", "read"),
        ("tar -zvcjvf /tmp/a.tgz src", "read", "change", "read"),
        ("tar -zvxkvC /tmp/a -f a.tgz", "read", "change", "read"),
        ("tar xf a.tgz --directory /tmp/a", "read", "change", "read"),
        ("tar czf a.tgz src", "change", "change", "change"),
        ("tar czf /tmp/a.tgz --remove-files src", "change", "change", "change"),
        ("tar xzf a.tgz -C /tmp/a", "read", "change", "read"),
        ("tar xzPf a.tgz -C /tmp/a", "change", "change", "change"),
        ("tar xf a.tar -C /tmp/a -C src", "change", "change", "change"),
        ("tar xf a.tar -C /tmp/a -g kept", "change", "change", "change"),
        ("tar xgf kept a.tar -C /tmp/a", "change", "change", "change"),
        ("tar xzgf kept a.tgz -C /tmp/a", "change", "change", "change"),
        ("tar xFf kept a.tar -C /tmp/a", "change", "change", "change"),
        ("tar cJf /tmp/a.txz src", "read", "change", "read"),
        ("tar czf /tmp/a.tgz config", "read", "change", "read"),
        ("zip -qr /tmp/a.zip src", "read", "change", "read"),
        ("zip -qr /tmp/a.zip a-m -x a/b", "read", "change", "read"),
        ("zip -x b -i a -r /tmp/a.zip src", "read", "change", "read"),
        ("zip -X src /tmp/a.zip", "change", "change", "change"),
        ("zip -qr a.zip src", "change", "change", "change"),
        ("zip -qrm /tmp/a.zip src", "change", "change", "change"),
        ("unzip -qo a.zip -d /tmp/a", "read", "change", "read"),
        ("unzip -qo a.zip", "change", "change", "change"),
        ("curl -fsSL https://a/b -o /tmp/b", "read", "change", "read"),
        ("curl -fsSLo /tmp/b https://a/b", "read", "change", "read"),
        ("curl -s --retry 3 https://a/b --output /tmp/b", "read", "change", "read"),
        ("curl -sXPOST https://a/b -o /tmp/b", "change", "change", "change"),
        ("curl -fsSLo b https://a/b", "change", "change", "change"),
        ("curl -sSo/tmp/b https://a/b && rm /tmp/b", "read", "change", "read"),
        ("curl -s --output=/tmp/b https://a/b", "read", "change", "read"),
        ("wget -q -O/tmp/b https://a/b", "read", "change", "read"),
        ("wget -q --output-document=/tmp/b https://a/b", "read", "change", "read"),
        ("curl -osrc/b.py https://a/b", "change", "change", "change"),
        ("curl -o/tmp/../srv/b https://a/b", "change", "change", "change"),
        ("curl -o/tmp/ws/b https://a/b", "read", "change", "change"),
        ("curl -o/tmp/b -osrc/c https://a/b https://a/c", "change", "change", "change"),
        ("curl -XPOST -o/tmp/b https://a/b", "change", "change", "change"),
        ("wget --output-document=b https://a/b", "change", "change", "change"),
        ("curl -X POST https://a/b -o /tmp/b", "change", "change", "change"),
        ("curl --libcurl x.c https://a/b -o /tmp/b", "change", "change", "change"),
        ("wget -qO /tmp/b https://a/b", "read", "change", "read"),
        ("wget -qcO /tmp/b https://a/b", "read", "change", "read"),
        ("wget https://a/b --output-document /tmp/b", "read", "change", "read"),
        ("wget -qO /tmp/b -o log https://a/b", "change", "change", "change"),
        ("git archive HEAD -o /tmp/a.tar", "read", "change", "read"),
        ("git archive HEAD --output /tmp/a.tar", "read", "change", "read"),
        ("git archive --remote=x HEAD -o /tmp/a.tar", "change", "change", "change"),
        ("git format-patch -1 -o /tmp/p", "read", "change", "read"),
        ("git format-patch -1 -o patches", "change", "change", "change"),
        ("git clone -q --depth 1 https://a/b /tmp/b", "read", "change", "read"),
        ("git clone https://a/b", "change", "change", "change"),
        ("git clone /tmp/a", "change", "change", "change"),
        ("git clone -u ./x https://a/b /tmp/b", "change", "change", "change"),
        ("git clone --upload-pack=./x https://a/b /tmp/b", "change", "change", "change"),
        ("git clone --config x=y https://a/b /tmp/b", "change", "change", "change"),
        ("git clone --template=x https://a/b /tmp/b", "change", "change", "change"),
        # by the surroundings, unless the text sets them
        ('rm -rf "$TMPDIR/x"', "read", "change", "change"),
        ('rm -rf "${TMPDIR:-/tmp}/x"', "read", "change", "change"),
        ("rm -rf ${TMPDIR-/tmp/}/x", "read", "change", "change"),
        ('rm -rf "$TMPDIR"', "change", "change", "change"),
        ('rm -rf "$TMPDIR/"', "change", "change", "change"),
        ("read TMPDIR; rm -rf $TMPDIR/x", "change", "change", "change"),
        ("env TMPDIR=src bash -c 'rm -rf $TMPDIR/x'", "change", "change", "change"),
        ('TMPDIR=$PWD/t; rm -rf "$TMPDIR/x"', "change", "change", "change"),
        (': "${TMPDIR:=$PWD}"; rm -rf "$TMPDIR/x"', "change", "change", "change"),
        ("Remove-Item -Recurse $env:TEMP\\x -ErrorAction Ignore", "read", "change", "change"),
        ("Remove-Item -ErrorAction Ignore $env:TEMP\\x C:\\w", "change", "change", "change"),
        ("$env:TEMP='C:\\w'; Remove-Item -Recurse $env:TEMP\\x", "change", "change", "change"),
        ("$env:TEMP = 'C:\\w'; Remove-Item -Recurse $env:TEMP\\x", "change", "change", "change"),
        ("Remove-Item -ea Ignore $env:TEMP\\x", "read", "change", "change"),
        ("Remove-Item -Recurse $env:TEMP\\", "change", "change", "change"),
        ("del /f /s /q %TEMP%\\x", "read", "change", "change"),
        ("rd /s /q %X%\\x", "change", "change", "change"),
        ("del /q %TEMP%\\out.txt", "read", "change", "change"),
        ("erase %TEMP%\\out.txt", "read", "change", "change"),
        ("rd /s /q %TEMP%\\x", "read", "change", "change"),
        ("ri $env:TMP\\x", "read", "change", "change"),
        # what `mktemp` made is nobody's work, wherever the work stands
        (f'{NEW}; rm -rf "$d"', "read", "read", "read"),
        (f'{NEW}; rm -rf "${{d:?}}/x"', "read", "read", "read"),
        (f'{NEW}; rm -rf "$d/.."', "change", "change", "change"),
        (f'{NEW}; rm -rf "$d/$x"', "change", "change", "change"),
        (f'{NEW}; rm -rf "$e"', "change", "change", "change"),
        (f'{NEW}; echo "d: $d"; cat a/d.txt x.d; rm -rf "$d"', "read", "read", "read"),
        ('d="$(mktemp -d)/../x"; rm -rf "$d"', "change", "change", "change"),
        ('rm -rf "$(mktemp -d)/a"', "read", "read", "read"),
        ('rm -rf "$(mktemp -d -p .)"', "change", "change", "change"),
        ('rm -rf "$(mktemp -d)$x"', "change", "change", "change"),
        ('rm -rf "src/$(mktemp -d)"', "change", "change", "change"),
        ('d="$(mktemp -d)/a"; mkdir "$d" && rm -rf "$d"', "read", "read", "read"),
        ("d=`mktemp -d`; e=$d/x; rm -rf $e", "read", "read", "read"),
        ("f=$(mktemp -t log.XXXX) || exit 1; rm -f $f", "read", "read", "read"),
        ("d=$(mktemp -d -p /tmp app.XX); rm -rf $d", "read", "read", "read"),
        ("d=$(mktemp -d /tmp/app.XX); rm -rf $d", "read", "read", "read"),
        ("d=$(mktemp -d app.XX); rm -rf $d", "change", "change", "change"),
        ("f=$(mktemp /tmp/a/b.XXXX); rm -f $f", "read", "change", "read"),
        ("f=$(mktemp -p /tmp/a); rm -f $f", "read", "change", "read"),
        ("f=$(mktemp --tmpdir=/tmp/a b.XXXX); rm -f $f", "read", "change", "read"),
        ("f=$(mktemp -p /tmp/ws/src); rm -f $f", "read", "change", "change"),
        ("f=$(mktemp /tmp/../src/b.XXXX); rm -f $f", "change", "change", "change"),
        ("f=$(mktemp -d -p src); rm -rf $f", "change", "change", "change"),
        # what a program prints is put aside
        ("pytest -q > /tmp/log", "check", "check", "check"),
        (
            "pytest -q &> /tmp/pytest_output && tail -3 /tmp/pytest_output",
            "check",
            "check",
            "check",
        ),
        ("(cd web && pytest -q) > /tmp/web.log 2>&1", "check", "check", "check"),
        ("pytest -q > /tmp/run/out.log 2>&1", "check", "change", "check"),
        ("pytest -q > /tmp/ws/log", "check", "change", "change"),
        ("pytest -q > app.py", "change", "change", "change"),
        ("pytest -q > src/log", "change", "change", "change"),
        ("pytest -q > ../log", "change", "change", "change"),
        ("pytest -q > /etc/log", "change", "change", "change"),
        ("echo x > /tmp/log", "change", "change", "change"),
        ("cat > /tmp/log < a", "change", "change", "change"),
        ("(cd web && pytest -q) > web.log", "change", "change", "change"),
        ("git show HEAD:a > /tmp/pytest; /tmp/pytest -q", "change", "change", "change"),
        ("d=$(mktemp app.XX -d); rm -rf $d", "change", "change", "change"),
        ("d=$(mktemp -dqut app.XX); rm -rf $d", "read", "read", "read"),
        ("d=$(mktemp -d --tmpdir app.XX); rm -rf $d", "read", "read", "read"),
        ("d=/tmp/x; rm -rf $d", "read", "change", "read"),
        ("d=/dev/shm/x; rm -rf $d", "read", "change", "read"),
        ("export TMPDIR=src; mktemp", "change", "change", "change"),
        ("TMPDIR=/tmp; read TMPDIR; d=$(mktemp -d); rm -rf $d", "change", "change", "change"),
        ("TMPDIR=$PWD; f=$(mktemp); cat a > $f", "change", "change", "change"),
        ("export TMPDIR=src; d=$(mktemp -d)", "change", "change", "change"),
        ("export TMPDIR=/tmp; d=$(mktemp -d); rm -rf $d", "read", "read", "read"),
        ("export TMPDIR=src; cat a > $(mktemp)", "change", "change", "change"),
        ("export TMPDIR=/tmp/a; d=$(mktemp -d); rm -rf $d", "read", "change", "read"),
        ("d=$(mktemp -d -p .); rm -rf $d", "change", "change", "change"),
        ("export T=$(mktemp -d); rm -r $T", "read", "read", "read"),
        ("bash -c 'd=$(mktemp -d); rm -rf $d'", "read", "read", "read"),
        ('d=$PWD; d=$(mktemp -d); rm -rf "$d"', "change", "change", "change"),
        ('d=$(mktemp -d); for d in src; do rm -rf "$d"; done', "change", "change", "change"),
        ('d=$(mktemp -d); read d; rm -rf "$d"', "change", "change", "change"),
        ('f=$(mktemp); git show HEAD:a > "$f"; diff "$f" a; rm "$f"', "read", "read", "read"),
        ('f=/tmp/a; git show HEAD:a > "$f"', "read", "read", "read"),
        ("git show HEAD:a > /tmp/a", "read", "read", "read"),
        ('f=/tmp/a.sh; echo x > "$f"', "change", "change", "change"),
        ('pytest > "$TMPDIR/log"', "check", "both", "both"),
        ('pytest 2> "$TMPDIR/a/log.err"', "check", "both", "both"),
        ('echo x > "$TMPDIR/a.sh"', "change", "change", "change"),
        # what is kept at the end of a pipe
        ("pytest | tee /tmp/log", "check", "check", "check"),
        ("pytest 2>&1 | tee -a /tmp/a/log | tail -3", "check", "both", "check"),
        ('f=$(mktemp); pytest | tee "$f"', "check", "check", "check"),
        ('pytest | tee "$(mktemp)"', "check", "check", "check"),
        ("(pytest | tee /tmp/log) && ls", "check", "check", "check"),
        ("npm test | Tee-Object -FilePath $env:TEMP\\t.log", "check", "both", "both"),
        ("echo x | tee /tmp/run", "change", "change", "change"),
        ("echo x | cat | tee /tmp/run", "change", "change", "change"),
        ("pytest | tee src/a.py", "change", "change", "change"),
        ("pytest | tee /tmp/log src/a.py", "change", "change", "change"),
        ("tee /tmp/run < a", "change", "change", "change"),
        ("'x' | Tee-Object -FilePath $env:TEMP\\t.ps1", "change", "change", "change"),
        ("{ echo x; pytest; } | tee /tmp/run", "both", "both", "both"),
        # what a check is told to put there
        ("pytest --basetemp=/tmp/b", "check", "both", "check"),
        ('d=$(mktemp -d); pytest --basetemp="$d" --junitxml=$d/r.xml', "check", "both", "check"),
        ("pytest --cov-report=xml:/tmp/c/r.xml", "check", "both", "check"),
        ("pytest --basetemp=/tmp/ws/b", "check", "both", "both"),
        ("pytest --basetemp=src", "both", "both", "both"),
        ("pytest --basetemp=$x", "both", "both", "both"),
        ("mkdocs build --site-dir /tmp/site --strict", "read", "change", "read"),
        ("mkdocs build", "change", "change", "change"),
        ("hugo -d /tmp/site", "read", "change", "read"),
        ("mkdocs gh-deploy -d /tmp/site", "change", "change", "change"),
        ('d=$(mktemp -d); TMPDIR="$d" pytest; rm -rf $d', "check", "check", "check"),
        ("d=$(mktemp -d); TMPDIR=src pytest; rm -rf $d", "both", "both", "both"),
        ('f=$(mktemp); rm src > "$f"', "change", "change", "change"),
        ("erase /q %TEMP%\\out.txt", "read", "change", "change"),
        ("rmdir /s /q %TEMP%\\x", "read", "change", "change"),
        ("d=$(mktemp -d app-x.XX); rm -rf $d", "change", "change", "change"),
        ("d=$(mktemp -d .XXX); rm -rf $d", "change", "change", "change"),
        ("d=$(mktemp X -d); rm -rf $d", "change", "change", "change"),
        ("Remove-Item $env:\\x $env:TEMP\\y", "change", "change", "change"),
        ("del %%\\x %TEMP%\\y", "change", "change", "change"),
        ('d=$(mktemp -d); rm -rf "${d:?unset}/x" "${d?}/y" "${d}/z"', "read", "read", "read"),
        ('rm -rf "$(mktemp -d)/"', "read", "read", "read"),
        ("f=`mktemp`; rm -f $f", "read", "read", "read"),
        ("rm -rf /tmp/$EPOCHSECONDS /tmp/a-$(date +%Y-%m-%d)", "read", "change", "read"),
        ('_d=$(mktemp -d); rm -rf "$_d"', "read", "read", "read"),
        ("d=$(mktemp -d); echo d-1; rm -rf $d", "read", "read", "read"),
        ("rd /s /q /tmp/%DIR%", "change", "change", "change"),
        ("read TEMP; rm -rf $TEMP/x", "change", "change", "change"),
        ("env TEMP=src bash -c 'rm -rf $TEMP/x'", "change", "change", "change"),
        ('export TMPDIR="/tmp"; d=$(mktemp -d); rm -rf $d', "read", "read", "read"),
        ("rm -rf /tmp/$$/'..'/'..'/w", "change", "change", "change"),
        ('d=$(mktemp -d "/tmp/app.XX"); rm -rf $d', "read", "read", "read"),
        ("d=$(mktemp -d '/tmp/app.XX'); rm -rf $d", "read", "read", "read"),
        ('git show HEAD:a > "src/$x"', "change", "change", "change"),
        ("rm -rf /tmp/%X%", "change", "change", "change"),
        ("rm -rf /tmp/!X!/a", "change", "change", "change"),
        ("git show HEAD:a > /tmp/%X%.log", "change", "change", "change"),
        ("TEMP=src bash -c 'rm -rf $TEMP/x'", "change", "change", "change"),
        ("TEMP=/tmp/a bash -c 'rm -rf $TEMP/x'", "read", "change", "change"),
        ("CI=1 bash -c 'rm -rf $TEMP/x'", "read", "change", "change"),
        # at the end of the shell
        ("d=$(mktemp -d); trap 'rm -rf \"$d\"' EXIT; pytest -q", "check", "check", "check"),
        ('d=$(mktemp -d); trap "rm -rf $d" EXIT; pytest -q', "check", "check", "check"),
        ("trap - EXIT; pytest -q", "check", "check", "check"),
        ("trap 'kill $PID' EXIT; pytest -q", "check", "check", "check"),
        ("trap 'rm -rf src' EXIT; pytest -q", "both", "both", "both"),
        ("trap 'ls() { rm src; }; ls' EXIT; pytest -q", "both", "both", "both"),
        ("trap 'rm -rf \"$d\"' EXIT; pytest -q", "both", "both", "both"),
        # beside a check
        ("pytest -q && rm -rf /tmp/x", "check", "both", "check"),
    ],
)
def test_what_is_done_in_scratch_alone_changes_nothing(
    command: str, apart: str, untold: str, in_tmp: str
) -> None:
    """To tidy up after the checks is a good habit; they would all have to run again after it."""
    found = [kind(command, rules).replace("both", "change") for rules in (APART, UNTOLD, IN_TMP)]

    assert [one.replace("both", "change") for one in (apart, untold, in_tmp)] == found


CURL, WGET = "curl https://a/b -o /tmp/b", "wget https://a/b -O /tmp/b"
UNTAR, TAR = "tar xf a.tar -C /tmp/a", "tar czf /tmp/a.tgz src"


@pytest.mark.parametrize(
    ("command", "more", "no_more"),
    [
        (CURL, "-X -d -F -T -O -K -J -c -D -sX", "-fksSLg"),
        (CURL, "--data --form --upload-file --remote-name --config", "--location --silent"),
        (CURL, "--cookie-jar --dump-header --locationx", "--show-error --insecure --compressed"),
        (CURL, '$OPTS "$CURL_ARGS" ${FLAGS} "${extra[@]}" $@ "$*"', "$URL ${TOKEN:-x}"),
        (WGET, "$WGET_OPTS", "$URL"),
        (CURL, "--libcurl", "--max-time --connect-timeout --fail --fail-with-body --retry"),
        (WGET, "-i -a -o -qi", "-q -c -N"),
        (WGET, "--post-file=x --quietly --continued", "--quiet --continue --tries=3 --timeout=3"),
        (UNTAR, "-P -I -F -g -vP -vg", "-v -p"),
        (UNTAR, "--remove-files --gzipx", "--strip-components=1 --exclude=x --gzip"),
        (TAR, "-P -g --remove-files", "-v --exclude=x"),
        ("zip -r /tmp/a.zip src", "-m -O -T -b -qm --out=x", "-q"),
        ("unzip a.zip -d /tmp/a", "-x:", "-o -q"),
        ("git archive HEAD -o /tmp/a.tar", "--exec=x --remote=x", "--format=tar"),
    ],
)
def test_an_option_may_have_a_program_reach_more_than_where_it_is_told_to_write(
    command: str, more: str, no_more: str
) -> None:
    """It sends something away, takes files along or writes others beside."""
    assert {"read"} == {kind(f"{command} {option}", APART) for option in ("", *no_more.split())}
    assert {"change"} == {kind(f"{command} {option}", APART) for option in more.split()}


@pytest.mark.parametrize(
    ("command", "owned"),
    [
        ("trap 'rm -rf \"$d\"' EXIT; d=$(mktemp -d); pytest -q", True),
        ("trap 'rm -rf \"$d\"; exit 0' EXIT; d=$(mktemp -d); pytest -q", False),
        ("f=$(mktemp); pytest -q > $f 2>&1; rc=$?; tail $f; rm -f $f; exit $rc", True),
        ("f=$(mktemp); pytest -q > $f 2>&1; tail $f; rm -f $f", False),
    ],
)
def test_tidying_up_leaves_the_status_to_whom_it_belongs(command: str, *, owned: bool) -> None:
    """The shell ends as it was about to, unless what it runs at the end says otherwise."""
    assert owned == classify(command, APART).status_owned


def test_what_is_removed_in_scratch_is_no_file_of_an_edit() -> None:
    """The edit is told by the files of the work alone."""
    assert ("a.py",) == edit_of("sed -i s/a/b/ a.py && rm -rf /tmp/x", APART).paths
    assert ("a.py",) == edit_of("sed -i s/a/b/ a.py && rm /tmp/x", APART).paths
    assert () == edit_of("sed -i s/a/b/ a.py && rm -rf /tmp/x", UNTOLD).paths


def test_what_is_taken_away_in_scratch_is_told_where_it_is_named() -> None:
    """What a word expands to nobody knows, and what is made there is still there."""
    assert ("/tmp/x",) == cleared_by("mkdir /tmp/y; rm -rf /tmp/x /tmp/z-$$", APART)


@pytest.mark.parametrize(
    "command",
    ["rm -rf /tmp/x", "rm -rf /tmp/x-$$", "mktemp -d", "git show HEAD:a > /tmp/a", "rm .coverage"],
)
def test_one_who_may_only_read_writes_in_no_folder(command: str) -> None:
    """That the work stays as it is does not make a reader of a command."""
    assert kind(command, APART) == "read"
    assert not classify(command, APART).permission_readonly
