// What a driver needs to know and do inside the editor, over HTTP: the answers of the
// project's language server, the cursor, and the texts that differ from the disk.
// SERIES_SERVER, where it is set, is started as its own extension would start it.
const http = require("node:http");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const at = (p) => new vscode.Position(p.line, p.character);
const plain = (r) => ({ line: r.start.line, character: r.start.character, endLine: r.end.line, endCharacter: r.end.character });
const flat = (list) => (list ?? []).flatMap((s) => [{ name: s.name, kind: s.kind, ...plain(s.selectionRange ?? s.location.range) }, ...flat(s.children)]);

async function ask(command, path, ...rest) {
  try {
    return await vscode.commands.executeCommand(command, vscode.Uri.file(path), ...rest);
  } catch {
    return undefined; // what is no name cannot be renamed
  }
}

const places = async (command, path, p) => ((await ask(command, path, at(p))) ?? []).map((l) => ({ path: (l.uri ?? l.targetUri).fsPath, ...plain(l.targetSelectionRange ?? l.targetRange ?? l.range) }));

const does = {
  async open({ path, ...from }) {
    const document = await vscode.workspace.openTextDocument(path);
    const range = new vscode.Range(from.line, from.character, from.line, from.endCharacter ?? from.character);
    await vscode.window.showTextDocument(document, { preview: false, selection: range });
  },
  symbols: async ({ path }) => flat(await ask("vscode.executeDocumentSymbolProvider", path)),
  definition: ({ path, ...p }) => places("vscode.executeDefinitionProvider", path, p),
  references: ({ path, ...p }) => places("vscode.executeReferenceProvider", path, p),
  async rename({ path, name, ...p }) {
    const edit = await ask("vscode.executeDocumentRenameProvider", path, at(p), name);
    return edit?.entries().map(([uri, edits]) => ({ path: uri.fsPath, edits: edits.map((e) => ({ ...plain(e.range), text: e.newText })) }));
  },
  cursor() {
    const editor = vscode.window.activeTextEditor;
    return { path: editor?.document.uri.fsPath, version: editor?.document.version, ...plain(editor?.selection ?? new vscode.Range(0, 0, 0, 0)) };
  },
  changed: () => vscode.workspace.textDocuments.filter((d) => d.isDirty).map((d) => ({ path: d.uri.fsPath, text: d.getText() })),
  async restore() {
    for (const document of vscode.workspace.textDocuments.filter((d) => d.isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("workbench.action.files.revert");
    }
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  },
};

exports.activate = async (context) => {
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const part of request) {
      body += part;
    }
    try {
      response.end(JSON.stringify((await does[request.url.slice(1)](JSON.parse(body))) ?? null));
    } catch (e) {
      response.writeHead(500).end(String(e.stack));
    }
  });
  server.listen(Number(process.env.SERIES_PORT), "127.0.0.1");
  context.subscriptions.push({ dispose: () => server.close() });
  const [command, ...args] = (process.env.SERIES_SERVER ?? "").split(" ");
  if (command) {
    const language = process.env.SERIES_FILETYPE;
    const client = new LanguageClient("other", "other", { command, args }, { documentSelector: [{ scheme: "file", language }] });
    await client.start();
  }
};
