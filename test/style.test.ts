import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow, ROOT } from '../scripts/source-tree.ts';

/** A clause used as a noun at the beginning of a comment has to be decoded before the code can be read. */
const NOUN_CLAUSE = /^(?:What|Whether|How|Who|Whom|Whose|Where|Which|Why|That|When)\b/u;
const SUBJECT_LENGTH = 72;
/** The commit that added the style guide; earlier subjects stay as they are. */
const STYLE_GUIDE = 'docs/style.md';

const SOURCES = ['server', 'shared', 'renderer', 'main', 'scripts', 'test']
  .flatMap((folder) => filesBelow(folder))
  .filter((path) => /\.(?:ts|tsx|mjs)$/u.test(path));

/** The text of each documentation comment, on one line, with its line number. */
function docComments(text: string): { line: number; text: string }[] {
  return [...text.matchAll(/(?<=^|\s)\/\*\*(?!\/)([\s\S]*?)\*\//gu)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    text: (match[1] ?? '').replaceAll(/\s*\n\s*\*?\s?/gu, ' ').trim(),
  }));
}

const startsWithNounClause = (text: string) =>
  docComments(text).filter((comment) => NOUN_CLAUSE.test(comment.text));

function subjectsSinceStyleGuide(): string[] | null {
  if (!existsSync(join(ROOT, '.git'))) return null;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const [added] = git('log', '--diff-filter=A', '--format=%H', '--', STYLE_GUIDE).split('\n');
  return added ? git('log', '--format=%s', `${added}~1..HEAD`).split('\n') : null;
}

describe('style', () => {
  test('no comment opens with a clause used as a noun', () => {
    expect(SOURCES.length).toBeGreaterThan(1000);
    const found = SOURCES.flatMap((path) =>
      startsWithNounClause(readFileSync(join(ROOT, path), 'utf8')).map(
        ({ line, text }) => `${path}:${line}: ${text.slice(0, 60)}`,
      ),
    );
    expect(found).toEqual([]);
  });

  test('a comment that opens with such a clause is found on one line and on several', () => {
    const text =
      '/** Whether it is there. */\nconst a = 1;\n/**\n * What is known\n * of it.\n */\n/** Returns it. */';
    expect(startsWithNounClause(text)).toEqual([
      { line: 1, text: 'Whether it is there.' },
      { line: 3, text: 'What is known of it.' },
    ]);
  });

  test(`commit subjects name their area and have at most ${SUBJECT_LENGTH} characters`, (context) => {
    const subjects = subjectsSinceStyleGuide();
    if (subjects === null) return context.skip('the history of the repository is not here');
    const wrong = subjects.filter(
      (subject) => subject.length > SUBJECT_LENGTH || !/^(?:[a-z0-9-]+: \p{Lu}|Merge )/u.test(subject),
    );
    expect(wrong).toEqual([]);
  });
});
