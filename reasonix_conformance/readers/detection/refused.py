"""Formats that are recognised and not read, each with what to do instead."""

from __future__ import annotations

_AS_OTLP = "export the spans as OTLP in JSON: a file exporter of the SDK or of a collector does"
REFUSED = {
    "redacted-events": "names, arguments and outputs are replaced in this output, so no gate can "
    "be judged; record with --trajectory or with stream-json output instead",
    "typescript-transcript": "transcripts of the 0.x line carry no evidence; convert them to "
    "neutral events",
    "typescript-events": "event files of the 0.x line carry no evidence; convert them to neutral "
    "events",
    "claude-sdk-objects": "the messages of the Agent SDK for Python are not read as its objects "
    "hold them; write them as the program prints them (`--output-format stream-json`), or convert "
    "them to neutral events",
    "swe-agent": "trajectories of SWE-agent are not read, nor those of mini-swe-agent whose "
    "messages have no `tool_calls`; convert them to neutral events, the latter also to ATIF",
    "openhands": "OpenHands events are not read; log the requests to the model and its answers, or "
    "convert them to neutral events",
    "langsmith": "LangSmith runs are not read; convert them to neutral events",
    "gemini-cli": "sessions of Gemini CLI and the output of its runs are not read; convert them to "
    "neutral events",
    "answers": "these are answers of a model without the requests that they answer, so how a call "
    "ended is not in them; log the requests, too, or use the input file of the batch",
    "converse": "messages of the Converse interface are not read; write them as Anthropic or Chat "
    "Completions messages, or convert them to neutral events",
    "messages-of-parts": "messages of parts (Gemini, user interfaces) are not read; write them as "
    "Chat Completions messages, or convert them to neutral events",
    "agents-sdk-spans": "spans of the OpenAI Agents SDK are not read; write the items of the run, "
    "which its result gives as `to_input_list()` and its session as `get_items()`",
    "ai-sdk-messages": "messages of the AI SDK are not read; write what was sent to the model and "
    "came back, or convert them to neutral events",
    "autogen-messages": "messages of AutoGen are not read; log the requests to the model and its "
    "answers, or convert them to neutral events",
    "cline": "sessions of Cline and the output of its runs are not read; convert them to neutral "
    "events",
    "continue": "sessions of Continue are not read; log the requests to the model and its answers, "
    "or convert them to neutral events",
    "copilot": "sessions of Copilot CLI and the output of its runs are not read; convert them to "
    "neutral events",
    "kimi": "sessions of Kimi CLI are not read; log the requests to the model and its answers, "
    "or convert them to neutral events",
    "pi": "sessions of pi and the output of its runs are not read; log the requests to the model "
    "and its answers, or convert them to neutral events",
    "data-set": "a set of tasks with their right answers is of no session; replay the logs of the "
    "runs on it",
    "crewai": "the output of a crew is not read; write the messages of each of its tasks, which "
    "`tasks_output` holds, a file each, or log the requests to the model and its answers",
    "haystack-messages": "messages of Haystack are not read; write what their "
    "`to_openai_dict_format()` returns",
    "llama-index": "messages and events of LlamaIndex are not read; log the requests to the model "
    "and its answers, or convert them to neutral events",
    "mlflow": "traces of MLflow are not read; log the requests to the model and its answers, or "
    "convert them to neutral events",
    "semantic-kernel": "messages of Semantic Kernel are not read; export its spans, with their "
    "sensitive parts, as OTLP in JSON, or convert them to neutral events",
    "opencode": "sessions of OpenCode and the output of its runs are not read; convert them to "
    "neutral events",
    "pydantic-ai-messages": "messages of Pydantic AI are not read; export its spans as OTLP in "
    "JSON, or convert them to neutral events",
    "qwen-code": "the output of Qwen Code and its sessions look like those of another program and "
    "tell less of how a call ended; log the requests and answers (`--openai-logging`), or convert "
    "them to neutral events",
    "smolagents-memory": "what agents of smolagents remember is not read; log the requests to the "
    "model and its answers, or convert it to neutral events",
    "langchain-messages": "messages of LangChain are not read; write what its "
    "`convert_to_openai_messages` returns",
    "har": "HTTP archives hold their bodies as text and are not read; write the bodies of each "
    'request and its answer as a line {"request": …, "response": …}',
    "otlp-logs": "metrics, and log records without messages of a model, are not read; export the "
    "spans, with the messages in attributes (gen_ai.input.messages)",
    "otel-console": f"what the console exporter prints is not read; {_AS_OTLP}",
    "jaeger": f"the JSON of Jaeger is not read; {_AS_OTLP}",
    "zipkin": f"the JSON of Zipkin is not read; {_AS_OTLP}",
}
