"""Servers that are started, and processes that are ended."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CLASSIC_COMMANDS, CONTRACT_COMMANDS, classify


@pytest.mark.parametrize(
    "command",
    [
        *("npm run dev", "npm start", "npm run start:api", "pnpm dev", "yarn dev", "make serve"),
        *("python -m http.server 8000", "flask run --port 5000", "uvicorn app:app --reload"),
        *("poetry run uvicorn app.main:app", "python manage.py runserver 0.0.0.0:8000"),
        *("bundle exec rails server", "php -S localhost:8000 -t public", "php artisan serve"),
        *("next dev", "npx vite", "npx vite preview --port 4173", "PORT=3001 npm run dev"),
        *("docker compose up -d db", "docker compose down", "docker-compose stop"),
        *("kill %1", "kill $!", "kill -9 1234", "pkill -f runserver", "npx kill-port 3000"),
        *("kill $(lsof -ti:3000)", "taskkill /F /PID 12", "Stop-Process -Name node"),
        "nohup npm run dev >/dev/null 2>&1 &",
        "for i in 1 2 3; do curl -sf http://localhost:4000/ && break; sleep 1; done",
        "while ! nc -z localhost 5432; do sleep 1; done",
        "npx wait-on http://localhost:3000",
    ],
)
def test_a_server_and_its_end_change_nothing(command: str) -> None:
    """The checks of what is served need one, and would be old when it is stopped."""
    assert not classify(command, CONTRACT_COMMANDS).mutates
    assert classify(command, CLASSIC_COMMANDS).mutates


@pytest.mark.parametrize(
    "command",
    [
        *("npm run dev:seed", "npm run start:migrate", "npm run start:test", "npm run deploy"),
        *("node server.js", "vite build", "mix phx.gen.html", "flask db upgrade", "docker rm x"),
        *("docker compose down -v", "npm run dev > src/log.txt", "kill 1 > src/a.py"),
        *("PATH=/tmp/fake:$PATH npm run dev", "php -S localhost:8000 -l", "nc -l 80"),
    ],
)
def test_what_may_do_more_than_serve_is_a_change(command: str) -> None:
    """What a program of the work does when it is simply run nobody knows."""
    assert classify(command, CONTRACT_COMMANDS).mutates
