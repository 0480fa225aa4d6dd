import { dirname, posix } from 'node:path';
import { isNode, type SourceFile, type SyntaxNode } from '../../scripts/source-tree.ts';

/** All files and packages that are loaded when one of the entries is, sooner or later in the same process. */
export function listReachableImports(files: readonly SourceFile[], entries: readonly string[]): Set<string> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const visit = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    const file = byPath.get(path);
    if (file) for (const target of listLoadedImports(file)) visit(target);
  };
  for (const entry of entries) visit(entry);
  return reached;
}

/** Types are not loaded, and a file that is only named is loaded by another thread or process. */
function listLoadedImports(file: SourceFile): string[] {
  return file.nodes.flatMap((node) => {
    const specifier = specifierOf(node);
    if (specifier === null) return [];
    return [specifier.startsWith('.') ? posix.join(dirname(file.path), specifier) : specifier];
  });
}

function specifierOf(node: SyntaxNode): string | null {
  const loads = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression'];
  if (!loads.includes(node.type) || node['importKind'] === 'type' || node['exportKind'] === 'type')
    return null;
  const { source } = node;
  return isNode(source) && typeof source['value'] === 'string' ? source['value'] : null;
}
