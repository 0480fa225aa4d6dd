import { readFile, stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { rulesIn } from '../scripts/describe-rules.ts';
import { generatedPages } from '../scripts/generated-pages.ts';
import { filesBelow, parseFile } from '../scripts/source-tree.ts';
import type { IntakeChannel } from '../shared/credential-kinds.ts';

const root = new URL('../', import.meta.url);
const docs = new URL('docs/', root);

const OWN_PAGES = filesBelow('.').filter(
  (path) => /^(docs\/.*|[^/]+)\.md$/u.test(path) && !/^docs\/(settings|api|curl|commands)\.md$/u.test(path),
);
const PAGES_WITH_PATHS = OWN_PAGES.filter((path) =>
  /^(CONTRIBUTING|docs\/architecture|docs\/decisions\/.*)\.md$/u.test(path),
);

/** Page that describes each intake channel. */
const CHANNEL_PAGES: Readonly<Record<IntakeChannel, string>> = {
  send_folder: 'docs/folders.md',
  send_mailbox: 'docs/email-to-fax.md',
  assistant: 'docs/assistants.md',
};

describe('the documentation', () => {
  test('rule (source): settings, routes, commands and rules are defined once, and their pages are generated from the definitions', async () => {
    for (const [name, text] of Object.entries(await generatedPages()))
      expect(await readFile(new URL(name, docs), 'utf8'), `docs/${name}: run npm run docs`).toBe(text);
  });

  test.each(OWN_PAGES)('%s has no link that leads nowhere', async (page) => {
    const url = new URL(page, root);
    const links = [...(await readFile(url, 'utf8')).matchAll(/\]\((?!https?:)([^)#]+)/gu)];
    for (const [, target = ''] of links)
      await expect(stat(new URL(target, url)), `${page}: ${target}`).resolves.toBeDefined();
  });

  test.each(Object.values(CHANNEL_PAGES))(
    'SECURITY.md lists the channel of %s among the ways in',
    async (page) => {
      const security = await readFile(new URL('SECURITY.md', root), 'utf8');
      const [, table = ''] = security.split('Nothing but these lets anybody in');
      expect(table.split('\n## ')[0]).toMatch(new RegExp(`^\\| \\[[^\\]]+\\]\\(${page}\\)`, 'mu'));
    },
  );

  test('checks the paths of the how-tos and of the architecture', () => {
    expect(PAGES_WITH_PATHS).toEqual(
      expect.arrayContaining(['CONTRIBUTING.md', 'docs/architecture.md', 'docs/decisions/README.md']),
    );
  });

  test.each(PAGES_WITH_PATHS)('%s names only files and folders that there are', async (page) => {
    const paths = pathsIn(await readFile(new URL(page, root), 'utf8'));
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  test('names for what reaches other rooms only tests that there are', async () => {
    const page = await readFile(new URL('rules.md', docs), 'utf8');
    const crossings = page.slice(page.indexOf('## Between rooms'));
    const named = [...crossings.matchAll(/^\| ([^|]+) \| \[[^\]]+\]\(\.\.\/([^)]+)\) \|$/gmu)];
    expect(named.length).toBeGreaterThan(20);
    for (const [, rule = '', path = ''] of named)
      expect(await readFile(new URL(path, root), 'utf8'), path).toContain(
        `rule (crossings): ${rule.charAt(0).toLowerCase()}${rule.slice(1)}`,
      );
  });

  test('lists every decision in its index', async () => {
    const index = await readFile(new URL('decisions/README.md', docs), 'utf8');
    const pages = OWN_PAGES.filter((path) => /^docs\/decisions\/\d/u.test(path));
    expect(pages.length).toBeGreaterThan(0);
    const names = pages.map((path) => path.replace('docs/decisions/', ''));
    expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });

  test('takes rules from titles of every form, without their parameters', () => {
    const text = [
      "describe.each(STORES)('rule (work): one [on %s]', () => { test('is not one', () => {}); });",
      'it.skipIf(a)(`rule (api): two [${b}]`, () => {});',
      "test('rule (source): three', () => {}); other('rule (source): four');",
    ].join('\n');
    const rules = rulesIn(parseFile('test/a.test.ts', text));
    expect(rules.map(({ group, text: rule }) => [group, rule])).toEqual([
      ['work', 'one'],
      ['api', 'two'],
      ['source', 'three'],
    ]);
  });

  test.each([
    'rule: no group',
    'rule (nowhere): no such group',
    'Rules (work): one',
    'rule (work): on %s',
    'rule (work): ${a}',
  ])('takes no rule from a title that is almost one: %s', (title) => {
    expect(() => rulesIn(parseFile('test/a.test.ts', `test(\`${title}\`, () => {});`))).toThrow(
      'test/a.test.ts:1',
    );
  });

  test('with a path that is gone is found', () => {
    const text = 'See `server/gone.ts`, `test/gone/`, `gone-too.ts` and `server/gone/<room>.ts:12`.';
    expect(pathsIn(text).filter((path) => !isThere(path))).toHaveLength(4);
    const kept =
      '`server/http/app.ts`, `test/setup`, `app.ts`, `server/features/<room>/`, `<data>/work`, `/fax`, `a/b c`';
    expect(pathsIn(kept)).toHaveLength(4);
    expect(pathsIn(kept).filter((path) => !isThere(path))).toEqual([]);
  });
});

/**
 * Lists the backquoted paths of this repository in a text: those that begin with one of our folders, or are the bare
 * name of a source file. `<room>` stands for any one name.
 */
function pathsIn(text: string): string[] {
  const spans = [...text.matchAll(/`([^`\s]+)`/gu)].map(([, span = '']) => span.replace(/:\d+$/u, ''));
  const isPath =
    /^(?:(?:shared|main|renderer|server|scripts|resources|test|docs)\/\S*|[\w-][\w.-]*\.(?:ts|tsx|mjs|md))$/u;
  return spans.filter((span) => isPath.test(span));
}

const FILES = filesBelow('.');

function isThere(path: string): boolean {
  const pattern = path
    .replace(/\/$/u, '')
    .replaceAll(/[.+()[\]]/gu, '\\$&')
    .replaceAll(/<[^>]+>/gu, '[^/]+');
  const found = path.includes('/')
    ? new RegExp(`^${pattern}(/|$)`, 'u')
    : new RegExp(`(^|/)${pattern}$`, 'u');
  return FILES.some((file) => found.test(file));
}
