import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  filesBelow,
  foldersIn,
  isIdentifier,
  isNode,
  lineAt,
  parseFile,
  ROOT,
  type SourceFile,
  type SyntaxNode,
} from './source-tree.ts';

/** Rule of the product, held by the test that has it as its title. */
interface Rule {
  /** Name of a room, or of another group of `GROUPS`. */
  group: string;
  /** Sentence without a period. */
  text: string;
  /** Path of the test file. */
  path: string;
}

const BEGINNING = /^\W*rules?\b\W/iu;
/** Group and sentence; parameters of the test may follow in square brackets. */
const TITLE = /^rule \(([a-z-]+)\): ([^[\]]+?)(?: \[.+\])?$/su;
const PLACEHOLDER = /%[a-z]|\$/u;

const BEFORE_ROOMS = { source: 'Sources', api: 'HTTP API' };
const AFTER_ROOMS = {
  documents: 'Documents',
  database: 'Database and queue',
  installation: 'Installation',
  screens: 'Screens',
  cli: 'Command line',
  desktop: 'Desktop application and build',
  crossings: 'Between rooms',
};

/** Headings of the groups in the order of the page, by name. */
const GROUPS: Record<string, string> = {
  ...BEFORE_ROOMS,
  ...Object.fromEntries(foldersIn('server/features').map((room) => [room, `Room \`${room}\``])),
  ...AFTER_ROOMS,
};

/** Lists the rules in the titles of a test file. Throws for a title that begins like a rule and is none. */
export function rulesIn(file: SourceFile): Rule[] {
  return file.nodes.filter(isTestCall).flatMap((node) => {
    const title = titleOf(file, node);
    if (title === null || !BEGINNING.test(title)) return [];
    const [, group = '', text = ''] = TITLE.exec(title) ?? [];
    if (!(group in GROUPS) || PLACEHOLDER.test(text))
      throw new Error(
        `${file.path}:${lineAt(file, node.start)}: "${title}" is not "rule (group): sentence [parameters]"`,
      );
    return [{ group, text, path: file.path }];
  });
}

/** Returns true for `test(…)`, `it.skipIf(…)(…)`, `describe.each(…)(…)` and the like. */
function isTestCall(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression') return false;
  let callee: unknown = node['callee'];
  while (isNode(callee) && callee.type !== 'Identifier') callee = callee['callee'] ?? callee['object'];
  return ['describe', 'it', 'test'].some((name) => isIdentifier(callee, name));
}

/** Returns the first argument when it is a text, as written between its quotes; null otherwise. */
function titleOf(file: SourceFile, node: SyntaxNode): string | null {
  const [first] = node['arguments'] as SyntaxNode[];
  if (first?.type === 'Literal') return typeof first['value'] === 'string' ? first['value'] : null;
  return first?.type === 'TemplateLiteral' ? file.text.slice(first.start + 1, first.end - 1) : null;
}

/** Returns the page of all rules, each with the tests that hold it, by group in the order of the test files. */
export function describeRules(): string {
  const rules = filesBelow('test')
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
    .filter(({ text }) => text.includes('rule ('))
    .flatMap(({ path, text }) => rulesIn(parseFile(path, text)));
  return Object.entries(GROUPS)
    .map(([group, heading]) => ({ heading, own: rules.filter((rule) => rule.group === group) }))
    .filter(({ own }) => own.length > 0)
    .map(({ heading, own }) => `## ${heading}\n\n| Rule | Test |\n|---|---|\n${rowsOf(own).join('\n')}\n`)
    .join('\n');
}

function rowsOf(rules: Rule[]): string[] {
  return [...new Set(rules.map(({ text }) => text))].map((text) => {
    const paths = new Set(rules.filter((rule) => rule.text === text).map(({ path }) => path));
    const links = [...paths].map((path) => `[${path.replace(/^test\/|\.test\.ts$/gu, '')}](../${path})`);
    return `| ${text.charAt(0).toUpperCase()}${text.slice(1)} | ${links.join(', ')} |`;
  });
}
