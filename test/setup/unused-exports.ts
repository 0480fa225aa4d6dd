import { dirname, posix } from 'node:path';
import { isNode, type SourceFile, type SyntaxNode } from '../../scripts/source-tree.ts';

/** An exported name that no other file imports. */
interface UnusedExport {
  readonly path: string;
  /** `default` for the default export. */
  readonly name: string;
}

/**
 * Lists the exported names that no other of the files imports, in the order of the files. A file that loads another one
 * whole (`* as`, `import()`, `typeof import()`) imports the names that it writes as identifiers or texts, and
 * `export *` passes on what is imported of it.
 */
export function unusedExports(files: readonly SourceFile[]): UnusedExport[] {
  const imported = importedNames(files);
  return files.flatMap(({ path, nodes }) => {
    const used = imported.get(path);
    const names = new Set(topLevel(nodes).flatMap(exportedNames));
    return [...names].filter((name) => used?.has(name) !== true).map((name) => ({ path, name }));
  });
}

/** Returns the names that other files import, by the path of the file that exports them. */
function importedNames(files: readonly SourceFile[]): Map<string, Set<string>> {
  const imported = new Map(files.map(({ path }) => [path, new Set<string>()]));
  const passing: { from: string; target: string }[] = [];
  for (const file of files) {
    const written = writtenNames(file);
    for (const node of file.nodes) {
      const target = targetOf(file, node);
      if (target === null) continue;
      if (node.type === 'ExportAllDeclaration') passing.push({ from: file.path, target });
      for (const name of namesOf(node, written)) imported.get(target)?.add(name);
    }
  }
  // Once for each file of a chain of `export *`.
  for (let round = 0; round < passing.length; round += 1)
    for (const { from, target } of passing)
      for (const name of imported.get(from) ?? []) imported.get(target)?.add(name);
  return imported;
}

/** Returns the names that a node imports from its target; all that the file writes where it loads the target whole. */
function namesOf(node: SyntaxNode, written: () => Set<string>): Iterable<string> {
  switch (node.type) {
    case 'ImportDeclaration':
      return specifiersOf(node).flatMap((specifier) => {
        if (specifier.type === 'ImportNamespaceSpecifier') return [...written()];
        return [specifier.type === 'ImportSpecifier' ? nameOf(specifier['imported']) : 'default'];
      });
    case 'ExportNamedDeclaration':
      return specifiersOf(node).map((specifier) => nameOf(specifier['local']));
    case 'TSImportType':
      return isNode(node['qualifier']) ? [nameOf(node['qualifier'])] : written();
    case 'ImportExpression':
      return ['default', ...written()];
    default:
      return [];
  }
}

function exportedNames(node: SyntaxNode): string[] {
  if (node.type === 'ExportDefaultDeclaration') return ['default'];
  if (node.type !== 'ExportNamedDeclaration') return [];
  const { declaration } = node;
  if (!isNode(declaration)) return specifiersOf(node).map((specifier) => nameOf(specifier['exported']));
  const declared = declaration['declarations'] ?? [declaration];
  return (declared as SyntaxNode[]).flatMap(({ id }) => boundNames(id));
}

/** Returns the names that a declaration binds, also by destructuring. */
function boundNames(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === 'Identifier') return [nameOf(pattern)];
  const parts = (pattern['properties'] ?? pattern['elements'] ?? []) as SyntaxNode[];
  return parts.flatMap((part) => boundNames(part['value'] ?? part['argument'] ?? part['left'] ?? part));
}

/** Returns a function that collects every identifier and text of a file, once. */
function writtenNames({ nodes }: SourceFile): () => Set<string> {
  let names: Set<string> | null = null;
  return () => {
    names ??= new Set(
      nodes.flatMap((node) => {
        const { name, value } = node;
        return [name, value].filter((word) => typeof word === 'string');
      }),
    );
    return names;
  };
}

/** Returns the path of our file that a node imports from or loads; null when it does neither. */
function targetOf(file: SourceFile, node: SyntaxNode): string | null {
  const source = node['source'] ?? (node.type === 'TSImportType' ? node['argument'] : null);
  const literal = isNode(source) && isNode(source['literal']) ? source['literal'] : source;
  const specifier = isNode(literal) ? literal['value'] : null;
  if (typeof specifier !== 'string' || !specifier.startsWith('.')) return null;
  return posix.join(dirname(file.path), specifier);
}

function topLevel(nodes: readonly SyntaxNode[]): SyntaxNode[] {
  return nodes[0]?.type === 'Program' ? (nodes[0]['body'] as SyntaxNode[]) : [];
}

function specifiersOf(node: SyntaxNode): SyntaxNode[] {
  return (node['specifiers'] ?? []) as SyntaxNode[];
}

/** Returns the name of an identifier or of a quoted name. */
function nameOf(node: unknown): string {
  const { name, value } = node as { name?: string; value?: string };
  return name ?? value ?? '';
}
