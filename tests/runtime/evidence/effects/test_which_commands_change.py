"""Which commands change something, and which only read."""

from __future__ import annotations

import pytest
from command_kinds import both_ways

READING = """
exiftool -json f.jpg
nmap -sT -p 80,443 localhost
strace -c -f ls
Get-ChildItem | Where-Object { $_.Length -gt 5 } | Select-Object Name
Get-ChildItem | Where-Object { ($_.Name -like '*.py') -and !$_.PSIsContainer }
Get-ChildItem | ForEach-Object { $_.FullName }
./gradlew tasks --all
./gradlew -q tasks
nx graph --print
ruby -wc a.rb
opam lint x.opam
nmap -nv localhost
duckdb -readonly f.db "select 1"
dbt ls && xsv stats f.csv && jstack 123
rsync -avn --delete src/ host:dst/
tcpdump -nn -r f
tshark -r f.pcap -Y tcp
openssl x509 -text -noout -in f
openssl version
make -n test
make -qp
/usr/bin/cat f && /bin/ls
ssh -p 22 host 'ls /srv | head -3'
ssh -V
ssh -q host ls
kubectl apply -f k8s --dry-run=client -o yaml
helm upgrade web ./chart --dry-run
ansible-playbook site.yml --check --diff
npm publish --dry-run
rsync -avn src/ dst/
gh api repos/o/r/pulls --jq .x
gcloud compute instances list
gcloud run services describe web --region x
az vm show -n web
mongosh --quiet --eval 'db.users.find({}).limit(5)'
psql -l
pg_dump --schema-only app
Invoke-WebRequest -Uri http://localhost:3000 -UseBasicParsing
Get-Module | Select-Object -First 3
Test-Path .\\a.py
http GET example.com q==1
cloc --by-file src
mlr --icsv --ojson cat f.csv
pandoc -t plain a.md
pdftotext f.pdf -
ip addr
sysctl -a
gpg --verify a.sig a
ssh-keygen -lf key.pub
xz -l f.xz && zstd -dc f.zst
ctags -x a.c
fzf --filter x
jar tf a.jar && javap -c A.class && 7z l a.7z
skopeo inspect docker://alpine
kustomize build overlays/dev
rails routes && php artisan route:list && mix phx.routes
python manage.py showmigrations && alembic current
twine check dist/*
swift package describe
podman ps -a
cppcheck src
go tool pprof -top cpu.prof
opam list && pipx list && dnf info git
fly apps list && eas build:list && vault kv get secret/a
gcloud run jobs list
wget -qO- http://localhost
black --diff src && isort --diff .
npx prettier src/a.ts && shfmt a.sh && clang-format a.c
nginx -t
docker buildx ls && dotnet tool list
tree -L 2 src && shuf -n 3 f && gzip -l f.gz
yq -ojson .a f.yml && yq -I 4 . f.yml
gofmt -d a.go && lipo -info a.o
terraform providers schema -json
mise tasks ls && mise tasks
mvn dependency:tree -pl web -Dverbose
rails routes -c users
bin/rails routes
oc get pods -o jsonpath='{.items[0].metadata.name}'
az vm list --output table
make -pq test
dnf history info 3
mysql -e 'select * from t\\G'
pip list --outdated && dotnet list package --outdated
git fetch --dry-run origin && git ls-remote origin
"""
CHANGING = """
exiftool -Artist=me f.jpg
exiftool -if 'system("x")' f
tcpdump -nw out.pcap
openssl x509 -in f -out src/a.py
openssl req -new -newkey rsa:2048 -keyout k
make -n SHELL=./x test
make -n -f evil.mk
./ls && bin/cat f
/tmp/bin/ls
ssh host rm -rf /srv
ssh host ls '>' a
ssh -o ProxyCommand=./x host ls
kubectl exec web -- rm --dry-run=client
kubectl apply -f k8s --dry-run=none
npm run deploy -- --dry-run
rsync -en src dst
gh api -X DELETE repos/o/r
gh api repos/o/r/issues -f title=x
gcloud run deploy list
az vm delete show
mongosh --eval 'db.users.find(); db.users.drop()'
psql -l -c 'drop table x'
pg_dump -f src/a.sql app
Invoke-WebRequest http://x -OutFile a.py
Invoke-RestMethod http://x -Method Post
Get-Module -OutFile x
get-deps src
Measure-Command { rm x }
http POST example.com a=b
http example.com a=b
cloc --out=src/a.py src
mlr -I --csv cat f.csv
pandoc -o a.md b.md
pdftotext f.pdf
ip link set eth0 down
sysctl a=1
gpg --output a --verify x
ssh-keygen -t rsa -f key
zstd -o a --rm -c f
ctags -x -o tags a.c
fzf --filter x --preview ./x
skopeo copy a b
php artisan migrate
twine upload dist/*
swift package update
cppcheck --dump src
dnf install tree
heroku run ls
oc rsh web ls
cargo run list
gcloud run jobs execute list
vault kv put secret/a list
wget http://x
wget -qO- --post-file=x http://x
npx prettier --config ./x src
nginx -s reload
iptables -L -F
lipo -create a.o b.o -output src/lib.a
tree -ao src/x.py
shuf -eo src/a.py x y
shuf -osrc/a.py f
yq -Pi '.a=1' f.yml
gzip -S.tgz f
gofmt --w a.go
goimports -w=true a.go
git ls-remote --upload-pack=./x .
git fetch --dry-run --upload-pack=./x .
git apply --stat --app p.diff
docker compose config -ocompose.yml
kubectl cluster-info dump --output-directory=out
helm template web . --post-renderer ./x
terraform plan -generate-config-out=gen.tf
nmap -oN src/a.py localhost
nmap -oA=f localhost
nmap --script ./x.nse localhost
nmap -sVC localhost
nmap -nA localhost
nmap --scr x localhost
nx graph --file=a.html
ruby -c -r./x a.rb
ruby a.rb -c
./gradlew -q tasks publish
./gradlew -I x.gradle tasks
dbt ls --target-path src
rsync -n -e ./x a b:
rsync -ne ./x a b:
rsync -n --rsh=./x a b:
rsync -n --log-file=src/a.py a b
git config user.name -e
git config --global user.email --edit
strace -o src/a.py ls
strace -c rm f
Get-ChildItem | Where-Object { Remove-Item $_ }
Get-ChildItem | Where-Object { $_.Delete() }
Get-ChildItem | Where-Object { & ./x.ps1 }
Get-ChildItem | Where-Object { $_.Name -eq $(rm f) }
Get-ChildItem | ForEach-Object { $_.Name; rm f }
Get-ChildItem | ForEach-Object { $_.Name > f }
./gradlew tasks publish
duckdb f.db "copy t to 'f.csv'"
terraform providers lock
ruby -v gen.rb
oci os object get --name f --file src/a.py
eas build:inspect --stage archive --output src
firebase remoteconfig:get -o=remoteconfig.json
dnf history undo 3
mvn dependency:tree versions:use-latest-releases
mise tasks run build
vitest list --json=src/f.json
rails db:version db:migrate
mix xref graph --format dot
deno doc --html mod.ts
pulumi preview --save-plan=p.json
npm version patch --dry-run
make -p
mysql -e 'select 1\\G drop table t'
mongosh --eval 'db.a.count()' drop.js
ssh host ./deploy.sh -G
openssl rsa -in k --out f
http example.com name=a==b
ack --pager=./x foo
"""


@pytest.mark.parametrize("command", READING.strip().splitlines())
def test_programs_of_daily_work_only_read(command: str) -> None:
    """Whoever looks around with them owes nothing for it."""
    assert ("change", "read") == both_ways(command)


@pytest.mark.parametrize("command", CHANGING.strip().splitlines())
def test_the_same_programs_change_something_with_other_words(command: str) -> None:
    """A file that is written, another program that runs, another machine that is changed."""
    assert ("change", "change") == both_ways(command)


@pytest.mark.parametrize(
    ("command", "classic", "contract"),
    [
        # arguments decide
        ("git tag v1", "read", "change"),
        ("pytest -q > -", "change", "change"),
        ("git tag -l", "read", "read"),
        ("npm audit fix", "read", "change"),
        ("npm audit", "read", "read"),
        ("npm audit --json", "read", "read"),
        ("date -s now", "read", "change"),
        ("date 01011200", "read", "change"),
        ("date +%s", "read", "read"),
        ("date -d tomorrow +%F", "read", "read"),
        ("date -d tomorrow 01011200", "read", "change"),
        ("date -I", "read", "read"),
        ("date -I 01011200", "read", "change"),
        ("git reflog expire --all", "read", "change"),
        ("git reflog", "read", "read"),
        ("hostname newname", "read", "change"),
        ("uniq a b", "read", "change"),
        ("rg --pre p x", "read", "change"),
        ("rg x", "read", "read"),
        ("git diff --output=o", "change", "change"),
        ("git branch -D b", "change", "change"),
        ("git branch -a", "change", "read"),
        ("git branch --contains HEAD", "change", "read"),
        ("git branch topic", "change", "change"),
        ("git symbolic-ref HEAD", "change", "read"),
        ("git symbolic-ref HEAD refs/heads/topic", "change", "change"),
        ("git grep -O foo", "read", "change"),
        ("go mod graph", "change", "read"),
        ("go mod tidy", "change", "change"),
        ("git stash list", "change", "read"),
        ("git stash", "change", "change"),
        ("git stash -m wip", "change", "change"),
        ("sed -n 1,5p f", "change", "read"),
        ("sed -n 1p -i f", "change", "change"),
        ("sed -n -e 1,5p f", "change", "read"),
        ("sed -ne 1,5p f", "change", "read"),
        ("sed -n -e 1p -e '2w out' f", "change", "change"),
        ("sed -n --expression=1p f", "change", "read"),
        ("sed -n --expression='1w out' f", "change", "change"),
        ("sed -n '1w out' f", "change", "change"),
        ("awk '{print $1}' f", "change", "read"),
        ("awk -F , '{print $1}' f", "change", "read"),
        ("awk -F, '{print $1}' f", "change", "read"),
        ("awk -F , '{print > \"x\"}' f", "change", "change"),
        ("awk -f program.awk f", "change", "change"),
        ("awk '{print > \"x\"}' f", "change", "change"),
        ("echo $HOME", "change", "read"),
        ("find . -delete; pytest", "both", "change"),
        ("GIT_EXTERNAL_DIFF=./x git diff", "change", "change"),
        ("git -c diff.external=./x diff", "change", "change"),
        ("git -C sub status", "change", "read"),
        ("echo $(pwd)", "change", "read"),
        ("nvidia-smi", "change", "read"),
        ("tsc --showConfig -p .", "change", "read"),
        ("fdfind x -x rm", "change", "change"),
        ("fdfind -e py", "change", "read"),
        ("batcat -p a.py", "change", "read"),
        ("ast-grep run -p 'f($A)' -l ts", "change", "read"),
        ("ast-grep run -p a -r b -U", "change", "change"),
        ('echo "$(pwd)"', "read", "read"),
        ('rm "$(pwd)"', "change", "change"),
        ("hostname $NAME", "change", "change"),
        ("rg $WHAT src", "change", "change"),
        ("file $WHAT", "change", "change"),
        ("git DIFF", "read", "read"),
        ("git DIFF --output=x", "change", "change"),
        ('git log "$(pwd)"', "read", "read"),
        ('git log "--output=$(pwd)"', "change", "change"),
        ('type "$(pwd)"', "change", "read"),
        ('git push "$(pwd)"', "change", "read"),
        ('git push "$(cat f)"', "change", "change"),
        ("ruff check $(git ls-files)", "change", "read"),
        ("ruff check --fix $(git ls-files)", "change", "change"),
        ('pytest --junitxml="$PWD/x.py"', "change", "change"),
        ("A=$(rm x) ls", "change", "change"),
        ("$env:OUT = Remove-Item app.py", "change", "change"),
        ("$env:OUT = Get-Content app.py", "change", "read"),
        # PowerShell runs what stands in a text between double quotes
        ('Write-Host "gone: $(Remove-Item app.py)"', "change", "change"),
        ('Write-Host "gone: $( (Remove-Item app.py) )"', "change", "change"),
        ("Write-Host 'gone: $(Remove-Item app.py)'", "change", "read"),
        ('Write-Host "gone: `$(Remove-Item app.py)"', "change", "read"),
        ('Write-Host "$($found.Count) at $(Get-Date)"', "change", "read"),
        ("npx cat a.txt", "change", "change"),
        ("ls >&out.txt", "change", "change"),
        ("(ls) > out.txt", "change", "change"),
        ("(ls) > /dev/null", "change", "read"),
        ("(pytest) > out.txt", "change", "change"),
        ("bash -c ls > out.txt", "change", "change"),
        ("bash -c '(ls) > out.txt'", "change", "change"),
        ("bash -c '(pytest) > out.txt'", "change", "change"),
        ("bash -c 'ls() { rm a; }; ls'", "change", "change"),
        ("bash -c pytest > out.txt", "change", "change"),
        ("cat <<EOF > f\nx\nEOF", "change", "change"),
        # more that only reads
        ("find . -name '*.py' | xargs grep -n foo", "change", "read"),
        ("find . -name '*.py' -exec grep -l foo {} +", "change", "read"),
        ("find . -name '*.py' -exec rm {} +", "change", "change"),
        ("find . -exec sh -c 'rm x' {} \\;", "change", "change"),
        ("awk 'NR>=10 && NR<=20' f", "change", "read"),
        ("awk '/a|b/ || $3 > 1 {print $1}' f", "change", "read"),
        ("awk '{print | \"sh\"}' f", "change", "change"),
        ("sed 's/a/b/; s|c|d|g' f", "change", "read"),
        ("sed '/^#/d;/^$/d' f", "change", "read"),
        ("sed -n '5{p;q}' f", "change", "read"),
        ("sed 's/a/b/; w out' f", "change", "change"),
        ("sed 's/a/b/w out' f", "change", "change"),
        ("sed 's/a/b/e' f", "change", "change"),
        ("sed -Ei 's/a/b/' f", "change", "change"),
        ("sed --in-place 's/a/b/' f", "change", "change"),
        ("sed --quiet 5p f", "change", "read"),
        ("sort -uo a a", "read", "change"),
        ("tar tzf a.tgz", "change", "read"),
        ("tar tzf a.tgz --to-command=./x", "change", "change"),
        ("gunzip -c a.gz", "change", "read"),
        ("gunzip a.gz", "change", "change"),
        ("fd -e py", "change", "read"),
        ("fd -HXrm", "change", "change"),
        ("./gradlew tasks", "change", "read"),
        ("./gradlew tasks build", "change", "change"),
        ("mvn dependency:tree -DoutputFile=x", "change", "change"),
        ("terraform -chdir=infra plan -input=false", "change", "read"),
        ("terraform plan -out=tf.plan", "change", "change"),
        ("just --list", "change", "read"),
        ("just list", "change", "change"),
        ("task --list", "change", "read"),
        ("mise tasks", "change", "read"),
        ("npx vitest list", "check", "read"),
        ("npx nx show projects", "change", "read"),
        ("npx cypress verify", "change", "read"),
        ("xcodebuild -list", "change", "read"),
        ("xcrun simctl list", "change", "read"),
        ("xcrun simctl erase all", "change", "change"),
        ("redis-cli ping", "change", "read"),
        ("psql -h db -U shop -c 'select count(*) from carts'", "change", "read"),
        ("psql -tAc 'select 1'", "change", "read"),
        ("psql -foc 'select 1'", "change", "change"),
        ("psql -c 'select 1; drop table carts'", "change", "change"),
        ("psql -c 'select * into b from a'", "change", "change"),
        ("psql -c 'delete from carts'", "change", "change"),
        ("psql -f dump.sql", "change", "change"),
        (f"psql -c 'select {' ' * 20000};;'", "change", "change"),
        ("psql -o out.txt -c 'select 1'", "change", "change"),
        ("psql -c '\\dt'", "change", "read"),
        ("psql -c '\\! rm a.py'", "change", "change"),
        ("mysql -e 'show tables'", "change", "read"),
        ("sqlite3 app.db .schema", "change", "read"),
        ("sqlite3 -readonly app.db 'SELECT 1;'", "change", "read"),
        ("sqlite3 app.db '.import a.csv b'", "change", "change"),
        ("sqlite3 app.db", "change", "change"),
        ("sqlite3 app.db .schema '.output a.py'", "change", "change"),
        ("aws sts get-caller-identity", "change", "read"),
        ("aws ec2 describe-instances --region eu-west-1", "change", "read"),
        ("aws s3 ls", "change", "read"),
        ("aws s3 cp s3://a/b .", "change", "change"),
        ("aws s3api get-object --bucket a --key b c.py", "change", "change"),
        ("redis-cli flushall", "change", "change"),
        ("git merge-base main HEAD", "change", "read"),
        ("git clean -nd", "change", "read"),
        ("git clean -fd", "change", "change"),
        ("git apply --check a.patch", "change", "read"),
        ("git apply --check --apply a.patch", "change", "change"),
        ("git config user.name", "change", "read"),
        ("git config user.name x", "change", "read"),
        ("git config --global user.email a@b", "change", "read"),
        ("git config core.hooksPath x", "change", "change"),
        ("git config alias.st '!rm x'", "change", "change"),
        ("git remote add origin host:a", "change", "read"),
        ("git gc --prune=now", "change", "read"),
        ("git fsck && git lfs ls-files && git bundle verify a", "change", "read"),
        ("git lfs track '*.bin'", "change", "change"),
        ("git diff-tree --output=o HEAD", "change", "change"),
        ("docker compose logs app", "change", "read"),
        ("docker compose config -o out.yml", "change", "change"),
        ("kubectl -n x get pods", "change", "read"),
        ("npm config get registry", "change", "read"),
        ("npm config set registry x", "change", "change"),
        ("env", "change", "read"),
        ("mount /dev/x /mnt", "change", "change"),
        ("curl -fsSL http://localhost/x | jq .", "change", "read"),
        ("curl -s -o /dev/null -w '%{http_code}' http://localhost", "change", "read"),
        ("curl -sSLo f http://localhost", "change", "change"),
        ('curl -s "http://localhost:$PORT/health"', "change", "read"),
        ('curl -s "$OPTIONS" http://localhost', "change", "change"),
        ("curl -s http://localhost:$PORT", "change", "change"),
        ('curl -s "http://localhost/$(rm a)"', "change", "change"),
        ('sed "s/a/$B/" f', "change", "change"),
        ("curl -sd a=b http://localhost", "change", "change"),
        ("curl -X DELETE http://localhost", "change", "change"),
        # what is said to a forge changes nothing of the work
        ("gh pr create --fill", "change", "read"),
        ("gh pr create -d -t x --body \"$(cat <<'EOF'\n- a\nEOF\n)\"", "change", "read"),
        ('gh pr create -t x --body "$(rm a)"', "change", "change"),
        ("gh pr comment 3 -b ok", "change", "read"),
        ("gh pr edit 3 --title x", "change", "read"),
        ("glab ci run", "change", "read"),
        ("supabase start", "change", "read"),
        ("gh run watch 12", "change", "read"),
        ("glab mr create --fill", "change", "read"),
        ("gh pr close 3", "change", "read"),
        ("gh pr close 3 -d", "change", "change"),
        ("gh pr create --web", "change", "change"),
        ("gh pr checkout 3", "change", "change"),
        ("gh pr merge 3 --squash", "change", "change"),
        ("gh repo clone a/b", "change", "change"),
        ("gh pr create --fill > out", "change", "change"),
        ("gcc --version", "change", "read"),
        # what is taken back from the index alone leaves the work as it is
        ("git restore --staged a.py", "change", "read"),
        ("git restore -S .", "change", "read"),
        ("git restore -S -W a.py", "change", "change"),
        ("git restore a.py", "change", "change"),
        ("git reset", "change", "read"),
        ("git reset -q HEAD src/a.py", "change", "read"),
        ("git reset @ src/a.py", "change", "read"),
        ("git reset -- Makefile", "change", "read"),
        ("git reset HEAD~1", "change", "change"),
        ("git reset main", "change", "change"),
        ("git reset --hard", "change", "change"),
        ("git reset --soft HEAD~1", "change", "change"),
        # what a variable keeps the output of may change something as well
        ("out=$(pytest -q 2>&1); rc=$?; exit $rc", "change", "check"),
        ("v=$(sed -i s/a/b/ a.py)", "change", "change"),
        ("v=$(cat VERSION)", "change", "read"),
        # caches are no work
        ("rm -rf .pytest_cache src/__pycache__/ ./.mypy_cache", "change", "read"),
        ("rm -f .coverage && rm -rf htmlcov", "change", "read"),
        ("rm -rf .pytest_cache src", "change", "change"),
        ("rm -rf build", "change", "change"),
        ("rm -rf", "change", "change"),
        ("touch .coverage", "change", "change"),
        # readers that keep what they read, or run what they are given
        ("less -N f && man -k sort && sort --check f", "read", "read"),
        ("less -o f g", "read", "change"),
        ("less +!./x f", "read", "change"),
        ("less +G f && less +/x f && less +20 f", "read", "read"),
        ("less +v f", "read", "change"),
        ("less '+s a.py' f", "read", "change"),
        ("less '+|^rm a.py' f", "read", "change"),
        ("man --pag=./x ls", "read", "change"),
        ("man -P ./x ls", "read", "change"),
        ("man --pager=./x ls", "read", "change"),
        ("sort --compress-program=./x f", "read", "change"),
        ("find . -type d -name __pycache__ -exec rm -rf {} +", "change", "read"),
        ("find . -name __pycache__ -exec rm -rf {} + ; pytest", "both", "check"),
        ("find . -type d -name __pycache__ -prune -exec rm -r {} \\; ; pytest", "both", "check"),
        ("find src tests -name '*.pyc' -delete && pytest", "both", "check"),
        ("find . -name '*.py' -delete && pytest", "both", "change"),
        ("find . -name '*.pyc' -o -name a -delete && pytest", "both", "change"),
        ("find / -name '*.pyc' -delete && pytest", "both", "change"),
        # a hook for white space checks nothing of the work
        ("pre-commit run trailing-whitespace -a", "change", "read"),
        ("pre-commit run trailing-whitespace ruff -a", "change", "check"),
        ("pre-commit run trailing-whitespace -a || true", "change", "change"),
        ("pytest -q <<< ''", "change", "check"),
        ("pytest -q <<< y", "change", "change"),
        ("./gcc --version", "change", "change"),
        ("tr a b < f", "change", "read"),
        ("bash < f", "change", "change"),
        ("diff <(sort a) <(sort b)", "change", "read"),
        ('echo "$(cat a | head -1)"', "change", "read"),
        ('echo "$(cat a | tee b)"', "change", "change"),
        ("V=$(cat VERSION) && echo $V", "change", "read"),
        # control structures of readers
        ('for f in *.py; do wc -l "$f"; done', "change", "read"),
        ("for i in $(seq 1 5); do sleep 1; done", "change", "read"),
        ('while read l; do echo "$l"; done < a', "change", "read"),
        ("if [[ -f a ]]; then cat a; else echo no; fi", "change", "read"),
        ("if [ -d tests ]; then pytest; fi", "change", "check"),
        ("for f in $(rm a); do echo $f; done", "change", "change"),
        ("for f in a b; do echo $f; done > out", "change", "change"),
        ("while read l; do rm $l; done < a", "change", "change"),
        ("while read l; do echo $l; done < <(rm a)", "change", "change"),
        ("case $(rm a) in x) ls;; esac", "change", "change"),
        ("[[ -n $(rm a) ]]", "change", "change"),
        ("ls; (( $(rm a) ))", "change", "change"),
        ("if true; then ls() { rm a; }; fi; ls", "change", "change"),
        ("(ls() { rm a; }; ls)", "change", "change"),
        # the record of the repository
        ("git commit -m x", "change", "read"),
        ("git commit -am x", "change", "change"),
        ("git commit --amend -m x", "change", "change"),
        ("git push", "change", "read"),
        ("git commit -m x && git push -u origin work", "change", "read"),
        ("git push --force", "change", "change"),
        ("git checkout -b work", "change", "read"),
        ("git switch -c work", "change", "read"),
        ("git worktree add -b fix ../fix", "change", "read"),
        ("git worktree list", "change", "read"),
        ("git worktree remove ../fix", "change", "change"),
        ("hg diff", "change", "read"),
        ("hg diff --output x", "change", "change"),
        ("jj new", "change", "change"),
        ("git checkout -b work main", "change", "change"),
        ("git checkout work", "change", "change"),
        ("git fetch origin", "change", "read"),
        ("git fetch --upload-pack=./x", "change", "change"),
        ("git commit -s -m x --no-verify", "change", "read"),
        ("git commit -m x -m y -- src/a.py b.py", "change", "read"),
        ("git commit src/a.py --message=x", "change", "read"),
        ("git commit -F msg.txt", "change", "read"),
        ("git commit --author='A <a@b.c>' src/a.py", "change", "change"),
        ("git commit -m x -- src", "change", "change"),
        ("git commit -m x .", "change", "change"),
        ("git commit -sam x", "change", "change"),
        ("git commit -m x --amend", "change", "change"),
        ("git commit", "change", "change"),
        ("git push --receive-pack=./x origin", "change", "change"),
        ("git push --exec ./x origin main", "change", "change"),
        ("git push --recurse-submodules=check origin main:main", "change", "read"),
        ("git fetch origin main:main", "change", "change"),
        ("git fetch origin +pull/1/head:one", "change", "change"),
        ("git fetch --refmap=main:main origin", "change", "change"),
        ("git fetch --filter=blob:none origin main", "change", "read"),
        ("git fetch https://host/a main", "change", "read"),
        ("git fetch git@host:a main", "change", "read"),
        ("git fetch origin main:refs/remotes/origin/main", "change", "read"),
        ("git push --force-with-lease=main", "change", "change"),
        ("git push origin +main", "change", "change"),
        ("git push origin :old", "change", "change"),
        ("git push origin --delete old", "change", "change"),
    ],
)
def test_what_a_command_does_to_its_arguments_decides(
    command: str, classic: str, contract: str
) -> None:
    """Not the program alone but what it is told to do makes a change."""
    assert (classic, contract) == both_ways(command)
