// What runs next to tandem, as users have it: a linter that reports one misspelt name, a
// completion list with one name, another provider of suggestions at the cursor, and a formatter.
const vscode = require("vscode");

exports.activate = (context) => {
  const found = vscode.languages.createDiagnosticCollection("e2e");
  const lint = (document) => {
    const text = document.getText();
    const list = [...text.matchAll(/\bparsse\b/g)].map((m) => {
      const range = new vscode.Range(document.positionAt(m.index), document.positionAt(m.index + m[0].length));
      const d = new vscode.Diagnostic(range, "undefined: parsse", vscode.DiagnosticSeverity.Error);
      d.source = "e2e";
      return d;
    });
    found.set(document.uri, list);
  };
  const upTo = (document, position) => document.lineAt(position.line).text.slice(0, position.character);
  const names = vscode.languages.registerCompletionItemProvider("go", {
    provideCompletionItems: (document, position) => upTo(document, position).endsWith("len(ne") ? [new vscode.CompletionItem("nearby", vscode.CompletionItemKind.Variable)] : [],
  });
  const other = vscode.languages.registerInlineCompletionItemProvider("go", {
    provideInlineCompletionItems: (document, position) => {
      const text = "if len(otherList) > 9 {";
      const begun = /if len\(ot$/.exec(upTo(document, position))?.[0];
      return begun && text.startsWith(begun) ? [new vscode.InlineCompletionItem(text.slice(begun.length), new vscode.Range(position, position))] : [];
    },
  });
  const formatter = vscode.languages.registerDocumentFormattingEditProvider("go", {
    provideDocumentFormattingEdits: (document) => [...document.getText().matchAll(/[ \t]+$/gm)].map((m) => vscode.TextEdit.delete(new vscode.Range(document.positionAt(m.index), document.positionAt(m.index + m[0].length)))),
  });
  context.subscriptions.push(found, names, other, formatter, vscode.workspace.onDidChangeTextDocument((e) => lint(e.document)));
};
