"""tandem serve, driven by pytest-lsp's client: every message of the server is decoded by lsprotocol's
types and held against what the client announced, which pytest-lsp knows of its own recorded editors
and we of ours. TANDEM and SCRIPTED name the programs."""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import warnings

import pytest
import pytest_lsp
from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

ROOT = pathlib.Path(__file__).resolve().parents[3]
OURS = sorted((ROOT / "testdata" / "clients").glob("*.json"))
THEIRS = ["visual_studio_code", "neovim", "emacs"]
TEXT = "package a\n\n// ?? what does it give\nfunc Sum() int {\n\treturn 1\n}\n"
ANSWER = "a.go\n<<<<<<< SEARCH\nfunc Sum() int {\n=======\n// Sum is one.\nfunc Sum() int {\n>>>>>>> REPLACE\n"


@pytest.fixture(scope="session", autouse=True)
def models(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    script = "".join(f"[[rules]]\ncontains = {json.dumps(c)}\nanswer = '''\n{a}'''\n" for c, a in (
        ("Request: Document", ANSWER), ("Request: Write a test", ANSWER), ("Request:", "It gives one.\n")))
    (home / "models.toml").write_text(script + '[[rules]]\nmodel = "scripted-fast"\nanswer = "one\\n"\n')
    server = subprocess.Popen([os.environ["SCRIPTED"], "--script", home / "models.toml"], stdout=subprocess.PIPE, text=True)
    address = server.stdout.readline().split()[-1]
    (home / "tandem").mkdir()
    (home / "tandem" / "config.toml").write_text(f"""fast = "quick"
models.quick = {{ provider = "scripted", model = "scripted-fast", context_window = 128000, max_output_tokens = 4096, edit_format = "search_replace" }}
[providers.scripted]
base_url = "{address}/v1"
wire_api = "responses"
""")
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        os.environ[name] = str(home)
    yield
    server.kill()
    server.wait()


def announced(name):
    for file in OURS:
        if file.stem == name:
            return get_converter().structure(json.loads(file.read_text())["capabilities"], types.ClientCapabilities)
    return client_capabilities(name)


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[os.environ["TANDEM"], "serve"]),
    params=THEIRS + [f.stem for f in OURS],
)
async def client(request, lsp_client: LanguageClient, tmp_path):
    lsp_client.folder = tmp_path
    lsp_client.edits = []

    @lsp_client.feature(types.WORKSPACE_APPLY_EDIT)
    def apply(params: types.ApplyWorkspaceEditParams):
        lsp_client.edits.append(params.edit)
        return types.ApplyWorkspaceEditResult(applied=False, failure_reason="not now")

    for method in (types.CLIENT_REGISTER_CAPABILITY, types.WORKSPACE_CODE_LENS_REFRESH, types.WINDOW_SHOW_MESSAGE_REQUEST):
        lsp_client.feature(method)(lambda params: None)  # which pytest-lsp's client has not

    (tmp_path / "a.go").write_text(TEXT)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what pytest-lsp's newest recorded version is
        capabilities = announced(request.param)
    await lsp_client.initialize_session(types.InitializeParams(
        capabilities=capabilities,
        workspace_folders=[types.WorkspaceFolder(uri=tmp_path.as_uri(), name="w")],
    ))
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
@pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning")
async def test_what_a_client_can_ask_for(client: LanguageClient):
    uri = (client.folder / "a.go").as_uri()
    document = types.TextDocumentIdentifier(uri=uri)
    client.text_document_did_open(types.DidOpenTextDocumentParams(
        text_document=types.TextDocumentItem(uri=uri, language_id="go", version=1, text=TEXT)))
    at = types.Position(line=3, character=6)
    place = types.Range(start=at, end=at)

    async def menu():
        return await client.text_document_code_action_async(types.CodeActionParams(
            text_document=document, range=place, context=types.CodeActionContext(diagnostics=[]))) or []

    assert [a.title for a in await menu() if a.title.startswith("Document")], "nothing to document"
    for command in ("tandem.document", "tandem.test", "tandem.explain", "tandem.review", "tandem.status", "tandem.tasks"):
        argument = {"uri": uri, "range": get_converter().unstructure(place)}
        try:
            await asyncio.wait_for(client.workspace_execute_command_async(
                types.ExecuteCommandParams(command=command, arguments=[argument])), 60)
        except Exception as e:  # what it refuses is said in words
            assert "made an error" not in str(e) and "-32603" not in str(e), e
        await menu()
    for line in (2, 3):
        await client.text_document_hover_async(types.HoverParams(
            text_document=document, position=types.Position(line=line, character=6)))
    await client.text_document_code_lens_async(types.CodeLensParams(text_document=document))
    await client.text_document_inline_completion_async(types.InlineCompletionParams(
        text_document=document, position=types.Position(line=4, character=9),
        context=types.InlineCompletionContext(trigger_kind=types.InlineCompletionTriggerKind.Invoked)))
    can = client.capabilities.workspace
    assert bool(client.edits) == bool(can and can.apply_edit), "edits go to clients that apply them, and to no other"
    assert client.error is None


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", __file__]))
