// What runs next to tandem, as users have it: a linter that reports one misspelt name, and another provider of ghost text.
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
  // Another provider of ghost text, which offers a word of its own in the function of one scenario.
  const other = { provideInlineCompletionItems: (document, position) => !document.lineAt(Math.max(position.line - 1, 0)).text.includes("firstPart(") ? [] : [new vscode.InlineCompletionItem("zzz", new vscode.Range(position, position))] };
  context.subscriptions.push(vscode.languages.registerInlineCompletionItemProvider({ pattern: "**/semver.go" }, other),
    found, vscode.workspace.onDidChangeTextDocument((e) => lint(e.document)));
};
