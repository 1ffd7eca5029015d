// The bindings of scripts by TypeScript's own checker, one file a line: node bindings.mjs FILES < paths
import { createWriteStream, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const ts = createRequire(process.env.TYPESCRIPT + '/')('typescript')
const { SymbolFlags: F } = ts
const bound = F.Variable | F.Function | F.Class | F.Enum | F.Interface | F.TypeAlias | F.TypeParameter | F.Alias | F.NamespaceModule | F.ValueModule
const member = F.Property | F.Method | F.Accessor | F.EnumMember | F.Constructor

/** The symbol of a name as a reference; none for a name of another module's. */
function symbolOf(checker, node) {
  const { parent } = node
  if (ts.isShorthandPropertyAssignment(parent) && parent.name === node) return checker.getShorthandAssignmentValueSymbol(parent)
  if (ts.isExportSpecifier(parent)) {
    const own = !parent.parent.parent.moduleSpecifier && (parent.propertyName ?? parent.name) === node
    return own ? checker.getExportSpecifierLocalTargetSymbol(parent) : undefined
  }
  if ((ts.isImportSpecifier(parent) || ts.isBindingElement(parent)) && parent.propertyName === node) return undefined
  return checker.getSymbolAtLocation(node)
}

function bindings(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const host = {
    getSourceFile: (name) => (name === path ? source : undefined), fileExists: (name) => name === path, readFile: () => undefined, writeFile() {},
    getDefaultLibFileName: () => 'lib.d.ts', getCurrentDirectory: () => '/', getCanonicalFileName: (name) => name, useCaseSensitiveFileNames: () => true, getNewLine: () => '\n',
  }
  const checker = ts.createProgram([path], { noLib: true, noResolve: true, allowJs: true, jsx: 1, target: 99 }, host).getTypeChecker()
  const groups = new Map()
  const visit = (node) => {
    const symbol = ts.isIdentifier(node) ? symbolOf(checker, node) : undefined
    const own = symbol?.declarations?.length && symbol.declarations.every((d) => d.getSourceFile() === source)
    if (own && symbol.flags & bound && (!(symbol.flags & member) || symbol.flags & F.Variable)) {
      const key = symbol.exportSymbol ?? symbol
      if (!groups.has(key)) groups.set(key, { Name: symbol.name, At: [] })
      groups.get(key).At.push(node.getStart(source))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...groups.values()]
}

const out = createWriteStream(process.argv[2])
for (const path of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const text = readFileSync(path, 'utf8')
  if (/[^\x00-\x7f]/.test(text)) continue // offsets are bytes
  out.write(`${JSON.stringify({ Path: path, Groups: bindings(path, text) })}\n`)
}
