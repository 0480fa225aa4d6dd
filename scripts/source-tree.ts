import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A part of a parsed file, as ESTree with TypeScript nodes. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

export interface SourceFile {
  /** Relative to the repository, with `/`. */
  path: string;
  text: string;
  lines: number;
  nodes: SyntaxNode[];
}

const NOT_OURS = new Set(['node_modules', 'out', '.git', 'data', '.tmp']);

/** Every file below a folder of the repository, relative paths with `/`, sorted. A missing folder is empty. */
export function filesBelow(folder: string): string[] {
  const found: string[] = [];
  for (const entry of entriesOf(folder)) {
    const path = posix.join(folder, entry.name);
    // A linked worktree has a file of the name `.git`.
    if (NOT_OURS.has(entry.name)) continue;
    if (entry.isDirectory()) found.push(...filesBelow(path));
    else if (entry.isFile()) found.push(path);
  }
  return found.sort();
}

/** Names of the folders directly below one, without hidden and ignored ones. */
export function foldersIn(folder: string): string[] {
  const folders = entriesOf(folder).filter((entry) => entry.isDirectory());
  return folders.map((entry) => entry.name).filter((name) => !NOT_OURS.has(name) && !name.startsWith('.'));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(join(ROOT, folder), { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The TypeScript files of the given folders, read and parsed. */
export function sourceFiles(...folders: string[]): SourceFile[] {
  return folders
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => /\.(ts|tsx|mts|cts)$/.test(path))
    .map((path) => parseFile(path, readFileSync(join(ROOT, path), 'utf8')));
}

/** Parses a text as if it stood at the path; throws when it is not TypeScript. */
export function parseFile(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const nodes: SyntaxNode[] = [];
  collect(program, nodes);
  return { path, text, lines: text.split('\n').length - 1, nodes };
}

function collect(value: unknown, nodes: SyntaxNode[]): void {
  if (Array.isArray(value)) {
    for (const entry of value) collect(entry, nodes);
  } else if (isNode(value)) {
    nodes.push(value);
    for (const child of Object.values(value)) collect(child, nodes);
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The line of an offset, from 1. */
export function lineAt(file: SourceFile, offset: number): number {
  return file.text.slice(0, offset).split('\n').length;
}

/**
 * Lists the imports of a file in every form: `import`, `export from`, `import()`, `import('…').Type`, `require` and the
 * `new URL('./worker.ts', import.meta.url)` of workers. Own files are repository paths, others as written.
 */
export function importsOf(file: SourceFile): { target: string; line: number }[] {
  const found: { target: string; line: number }[] = [];
  for (const node of file.nodes) {
    const specifier = specifierOf(node);
    if (specifier === null) continue;
    const own = specifier.startsWith('.');
    const target = own ? posix.join(dirname(file.path), specifier) : specifier;
    found.push({ target, line: lineAt(file, node.start) });
  }
  return found;
}

function specifierOf(node: SyntaxNode): string | null {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return textOf(node['source'] ?? node['argument']);
    case 'CallExpression':
      return isIdentifier(node['callee'], 'require') ? textOf(firstArgument(node)) : null;
    case 'NewExpression': {
      const path = isIdentifier(node['callee'], 'URL') ? textOf(firstArgument(node)) : null;
      return path !== null && /^\.{1,2}\/.*\.[mc]?[jt]s$/.test(path) ? path : null;
    }
    default:
      return null;
  }
}

export function isIdentifier(value: unknown, name: string): boolean {
  return isNode(value) && value.type === 'Identifier' && value['name'] === name;
}

function firstArgument(node: SyntaxNode): unknown {
  return Array.isArray(node['arguments']) ? node['arguments'][0] : undefined;
}

/** The value of a string literal, also within a literal type; null for anything else. */
function textOf(value: unknown): string | null {
  if (!isNode(value)) return null;
  if (value.type === 'TSLiteralType') return textOf(value['literal']);
  return value.type === 'Literal' && typeof value['value'] === 'string' ? value['value'] : null;
}
