import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow, ROOT } from '../scripts/source-tree.ts';

/** Number of requirements of levels 1 and 2 in each section of ASVS 5.0.0; they are numbered from 1 without gaps. */
const SECTIONS: Readonly<Record<string, readonly number[]>> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
};
const REQUIREMENTS = Object.entries(SECTIONS).flatMap(([chapter, sections]) =>
  sections.flatMap((most, section) =>
    numbersUpTo(most).map((number) => `${chapter}.${section + 1}.${number}`),
  ),
);

const PAGE = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8');
const LINES = [...PAGE.matchAll(/^\| (\d[^|]*) \| ([^|]+) \| ([^|]*) \| ([^|]*) \|(.*) \|$/gmu)].map(
  ([, numbers = '', , status = '', , shown = '']) => ({ numbers: numbersIn(numbers), status, shown }),
);
const numbersThatAre = (...wanted: string[]) =>
  LINES.filter(({ status }) => wanted.includes(status)).flatMap(({ numbers }) => numbers);

describe('the table of the verification standard', () => {
  test('has each requirement of levels 1 and 2 once', () => {
    expect(REQUIREMENTS).toHaveLength(253);
    expect(LINES.flatMap(({ numbers }) => numbers)).toEqual(REQUIREMENTS);
  });

  test('says of each line whether it is met, and shows by a test or a page what is', () => {
    const known = ['met', 'partly', 'not met', 'does not apply'];
    expect(LINES.filter(({ status }) => !known.includes(status))).toEqual([]);
    const isShown = (shown: string) =>
      /\]\((?:\.\.\/test\/[^)]+\.test\.ts|[^):]+\.md(?:#[^)]*)?)\)/u.test(shown);
    expect(LINES.filter(({ status, shown }) => status === 'met' && !isShown(shown))).toEqual([]);
  });

  test('begins with what is not met, and counts right', () => {
    const listed = [...PAGE.matchAll(/^- ([\d.]+) \(/gmu)].map(([, number]) => number);
    expect(listed).toEqual([...numbersThatAre('not met'), ...numbersThatAre('partly')]);
    const counts = ['met', 'partly', 'not met', 'does not apply'].map(
      (status) => numbersThatAre(status).length,
    );
    const [met, partly, notMet, doesNotApply] = counts;
    expect(PAGE).toContain(
      `**Met** ${met}, **partly** ${partly}, **not met** ${notMet}, **does not apply** ${doesNotApply}.`,
    );
  });
});

const FILES = new Set(filesBelow('.'));

test('nothing binary stands outside the folders of pictures and samples, such as a backup with its keys', () => {
  const kept = ['docs/', 'resources/', 'test/fixtures/'];
  const elsewhere = filesBelow('.').filter((path) => !kept.some((folder) => path.startsWith(folder)));
  expect(elsewhere.filter((path) => readFileSync(join(ROOT, path)).includes(0))).toEqual([]);
  expect(elsewhere.length).toBeGreaterThan(1000);
});

test.each(['SECURITY.md', 'docs/asvs.md'])(
  'every link of %s leads to a file, and to a heading of it',
  (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/gu)];
    expect(links.length).toBeGreaterThan(50);
    const wrong = links.filter(([, file = '', heading]) => {
      const path = file === '' ? page : posix.join(posix.dirname(page), file);
      if (!FILES.has(path)) return true;
      return heading !== undefined && !headingsOf(path).includes(heading);
    });
    expect(wrong.map(([link]) => link)).toEqual([]);
  },
);

/** The headings of a page as its links name them. */
function headingsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The numbers of a cell such as `1.2.3` or `9.1.1–9.1.3, 9.2.1`. */
function numbersIn(cell: string): string[] {
  return cell.split(', ').flatMap((part) => {
    const [first = '', last = first] = part.split('–');
    const [chapter, section, from] = first.split('.');
    const to = Number(last.split('.').at(-1));
    return numbersUpTo(to).flatMap((number) =>
      number < Number(from) ? [] : [`${chapter}.${section}.${number}`],
    );
  });
}

function numbersUpTo(most: number): number[] {
  return Array.from({ length: most }, (_none, index) => index + 1);
}
