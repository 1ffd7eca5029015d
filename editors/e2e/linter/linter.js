// A linter that runs next to tandem, as users have it: it reports one misspelt name.
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
  context.subscriptions.push(found, vscode.workspace.onDidChangeTextDocument((e) => lint(e.document)));
};
