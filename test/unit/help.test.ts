import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createHelpSearch, MOST_RESULTS } from '../../renderer/features/console-help/help-search.ts';
import { HELP_PLACES, helpPageAt } from '../../renderer/shell/help-places.ts';
import { readHelp } from '../../scripts/console-help.ts';
import { HELP_PAGES, helpIdOf } from '../../scripts/console-help-list.ts';
import { filesBelow } from '../../scripts/source-tree.ts';
import { pageNamesIn } from '../setup/page-names.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { pages } = readHelp();
const search = createHelpSearch(pages);
const PATHS: readonly string[] = Object.values(HELP_PAGES).flat();
/** `page#` and `page#heading` of all pages. */
const PLACES = new Set(
  pages.flatMap(({ id, blocks }) => [
    `${id}#`,
    ...blocks.flatMap((block) => (block.kind === 'heading' ? [`${id}#${block.id}`] : [])),
  ]),
);

/** Reads the help with other text on one page. */
const withPage = (path: string, text: string) => () =>
  readHelp((each) => (each === path ? text : read(`docs/${each}.md`)));

describe('the help', () => {
  it('has a page for every screen inside the frame', () => {
    const routed = [...read('renderer/router.tsx').matchAll(/^ {2}path: '([^']+)',$/gmu)].map(
      ([, path = '']) => path.replace(/\/[{$].*$/u, ''),
    );
    const screens = routed.filter((path) => !['/', '/setup', '/help'].includes(path));
    expect(screens.length).toBeGreaterThan(15);
    expect(screens.filter((path) => helpPageAt(path) === 'getting-around')).toEqual([]);
    const leading = [...new Set(Object.values(HELP_PLACES)), helpPageAt('/help')];
    const ids = pages.map(({ id }) => id);
    expect(leading.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('has a page for every page of the screens with pages', () => {
    const names = Object.entries({
      '/system': 'renderer/features/console-system/page-names.ts',
      '/access': 'renderer/features/access/part-names.ts',
      '/costs': 'renderer/features/routing-costs/page-names.ts',
    }).map(([screen, path]) => [screen, pageNamesIn(read(path)).map((name) => `${screen}/${name}`)] as const);
    const places = Object.keys(HELP_PLACES);
    for (const [screen, known] of names) {
      expect(known.length, screen).toBeGreaterThan(1);
      const named = places.filter((place) => place.startsWith(`${screen}/`));
      expect(named.filter((place) => !known.includes(place))).toEqual([]);
    }
    for (const page of names.find(([screen]) => screen === '/system')?.[1] ?? [])
      expect(places).toContain(page);
  });

  it('has the page, and the part of it, that a dialog names', () => {
    const named = filesBelow('renderer')
      .filter((path) => path.endsWith('.tsx'))
      .flatMap((path) =>
        [...read(path).matchAll(/ helpPage(?:=|: )["']([^"']+)["']/gu)].map(([, page = '']) => page),
      );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((place) => !PLACES.has(place) && !PLACES.has(`${place}#`))).toEqual([]);
  });

  it('leads from a deeper address to the page of its screen', () => {
    expect(helpPageAt('/sent/0198c5')).toBe('sent-faxes');
    expect(helpPageAt('/sent/calendar/0198c5')).toBe('schedule');
    expect(helpPageAt('/settings/cloudone')).toBe('operating-settings');
    expect(helpPageAt('/')).toBe('getting-around');
  });

  it('has every page for receptionists, and each of its pages is in the index of the documentation', () => {
    const own = filesBelow('docs/help').map((path) => path.replace(/^docs\/|\.md$/gu, ''));
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter((path) => !PATHS.includes(path))).toEqual([]);
    const main = read('README.md');
    const operating = read('docs/operating/README.md');
    const isNamed = (path: string) =>
      main.includes(`](docs/${path}.md`) ||
      operating.includes(`](${path.replace('operating/', '')}.md`) ||
      operating.includes(`](../${path}.md`);
    expect(PATHS.filter((path) => !isNamed(path))).toEqual([]);
  });

  it('leads every link to a page and a heading that there are', () => {
    const links = [
      ...JSON.stringify(pages).matchAll(/"kind":"link","page":"([^"]+)","part":(?:null|"([^"]+)")/gu),
    ];
    expect(links.length).toBeGreaterThan(50);
    expect(links.map(([, page, part = '']) => `${page}#${part}`).filter((it) => !PLACES.has(it))).toEqual([]);
  });

  it.each([
    ['a link to no page', '# A\n\n[b](nowhere.md)', 'links to nothing'],
    ['a link to no heading', '# A\n\n[b](covers.md#nowhere)', 'links to no heading'],
    ['a picture that is not there', '# A\n\n![b](screens/nowhere.png)', 'shows a picture that is not there'],
    ['HTML', '# A\n\n<b>b</b>', 'has what the help cannot show'],
    ['HTML in a line', '# A\n\nb <script>c</script>', 'has what the help cannot show'],
    ['no title', 'A\n', 'begins without a heading'],
  ])('refuses %s', (_, text, sentence) => {
    expect(withPage('drafts', text)).toThrow(`docs/drafts.md ${sentence}`);
  });

  it('refuses two pages of one name', () => {
    expect(new Set(PATHS.map(helpIdOf)).size).toBe(PATHS.length);
  });

  it('makes text of everything that Markdown can mark', () => {
    const text =
      '# *A* `b`\n\n<!-- note -->\n\nc **d**\ne [f](../covers.md) <https://x.example>\n\n1. g\n   - h\n\n> i\n';
    const page = withPage('help/your-work', text)().pages.find(({ id }) => id === 'your-work');
    expect(page).toEqual({
      id: 'your-work',
      group: 'daily',
      title: 'A b',
      blocks: [
        {
          kind: 'paragraph',
          of: [
            'c ',
            { kind: 'strong', of: ['d'] },
            ' e ',
            { kind: 'link', page: 'covers', part: null, of: ['f'] },
            ' https://x.example',
          ],
        },
        {
          kind: 'list',
          isOrdered: true,
          items: [
            [
              { kind: 'paragraph', of: ['g'] },
              { kind: 'list', isOrdered: false, items: [[{ kind: 'paragraph', of: ['h'] }]] },
            ],
          ],
        },
        { kind: 'quote', of: [{ kind: 'paragraph', of: ['i'] }] },
      ],
    });
  });
});

describe('the search of the help', () => {
  it.each([
    ['cover page', 'covers'],
    ['forgot password', 'your-settings'],
    ['scaner', 'scan-to-fax'],
    ['hand over', 'your-work'],
    ['junk', 'received-faxes'],
  ])('finds “%s”', (query, page) => {
    expect(
      search(query)
        .slice(0, 5)
        .map((result) => result.page),
    ).toContain(page);
  });

  it('shows the text around what it found, with the words marked', () => {
    const [first] = search('temporary password sign-in');
    const marked = first?.snippet.filter((_, at) => at % 2 === 1).map((word) => word.toLowerCase());
    expect(marked?.length).toBeGreaterThan(0);
    for (const word of marked ?? []) expect('temporary password sign in').toContain(word.slice(0, 4));
  });

  it('lists as much as fits, and nothing for what no page has', () => {
    expect(search('fax')).toHaveLength(MOST_RESULTS);
    expect(search('zzqqxxyy')).toEqual([]);
    expect(search('   ')).toEqual([]);
  });

  it('reads only the beginning of a text that is pasted', () => {
    const ids = (query: string) => search(query).map(({ id }) => id);
    expect(ids(`cover page ${'x'.repeat(89)} junk ${'fax '.repeat(100_000)}`)).toEqual(
      ids(`cover page ${'x'.repeat(89)}`),
    );
    expect(ids('one two three four five six seven eight junk')).toEqual(
      ids('one two three four five six seven eight'),
    );
  });
});
