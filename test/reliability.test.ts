import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow, ROOT } from '../scripts/source-tree.ts';
import { OUTCOME_SENTENCES } from '../server/backup/finish-restore.ts';
import { mismatchSentence } from '../server/features/storage/errors.ts';
import { CONNECTION_SENTENCES } from '../server/platform/connection-trouble.ts';
import { DAMAGED_PROBLEM, STORE_SENTENCES } from '../server/platform/store-trouble.ts';
import { transientErrorSentence } from '../server/platform/transient-errors.ts';
import { httpErrors } from '../shared/errors/http.ts';
import { EPISODES } from './endure/episodes/all.ts';

const PAGE = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');
const TABLE = PAGE.slice(PAGE.indexOf('| Fault |'));
const ROWS = [
  ...TABLE.matchAll(/^\| (?!Fault|-)([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]*) \| ([^|]+) \|$/gmu),
].map(([, fault = '', , read = '', said = '', tried = '']) => ({ fault, read, said, tried }));
const SENTENCES = ROWS.flatMap(({ read }) => /^\*(.+)\*$/u.exec(read)?.[1] ?? []);

const linksOf = (text: string) => [...text.matchAll(/\]\(\.\.\/([^)#]+)\)/gu)].map(([, file = '']) => file);
/** Returns the fixed text between the variable parts of a sentence. */
const fixedPartsOf = (sentence: string) => sentence.split('…').filter((part) => part.trim().length > 1);

describe('the table of faults', () => {
  test('is read as it was written', () => {
    expect(ROWS.length).toBeGreaterThan(40);
    expect(ROWS.length).toBe(TABLE.trim().split('\n').length - 2);
  });

  test.each(ROWS.filter(({ read }) => read !== 'nothing'))(
    'has the sentence of the code: $fault',
    ({ read, said }) => {
      const sentence = SENTENCES.find((each) => `*${each}*` === read) ?? '';
      const files = linksOf(said);
      expect(files).not.toEqual([]);
      const code = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
      for (const part of fixedPartsOf(sentence)) expect(code).toContain(part.trim());
    },
  );

  test('says of each fault by what it is tried', () => {
    const names = EPISODES.map(({ name }) => name);
    const untried = ROWS.filter(({ tried }) => {
      const episodes = [...tried.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name);
      const isKnown = episodes.every((name) => names.includes(name));
      const tests = linksOf(tried);
      const isThere = tests.every((file) => file.endsWith('.test.ts') && existsSync(join(ROOT, file)));
      return episodes.length + tests.length === 0 || !isKnown || !isThere;
    });
    expect(untried).toEqual([]);
  });

  /** The sentences in the table, each whole, with anything or nothing where the table leaves a sentence out. */
  const told = SENTENCES.map((sentence) => {
    const fixed = sentence.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
    const whole = fixed.replaceAll(' … ', ' (?:.+ )?').replace(/ …$/u, '(?: .+)?').replaceAll('…', '.+');
    return new RegExp(String.raw`^${whole}(?: \p{Lu}|$)`, 'su');
  });
  const isTold = (sentence: string) => told.some((whole) => whole.test(sentence));

  test.each([
    ...Object.values(OUTCOME_SENTENCES),
    ...Object.values(STORE_SENTENCES),
    ...Object.values(CONNECTION_SENTENCES),
    DAMAGED_PROBLEM,
    ...['EMFILE', 'EACCES', 'EIO'].map(
      (code) => transientErrorSentence(Object.assign(new Error(code), { code })) ?? code,
    ),
    ...(['new', 'older', 'another', 'elsewhere'] as const).map((kind) =>
      mismatchSentence(kind, { folder: '/data/files', store: 'the store', mark: null }),
    ),
    ...(
      [
        'disk_full',
        'database_damaged',
        'database_read_only',
        'disk_failing',
        'database_away',
        'database_connections_refused',
        'database_connections_in_use',
      ] as const
    ).map((code) => httpErrors[code].sentence),
    httpErrors.files_unavailable.sentence,
    httpErrors.files_not_allowed.sentence,
    httpErrors.files_read_only.sentence,
    httpErrors.other_data_key.sentence,
    httpErrors.stopping.sentence,
  ])('has a row for: %s', (sentence) => {
    expect(isTold(sentence)).toBe(true);
  });
});

describe('the page about reliability', () => {
  test('names every episode with what it does', () => {
    const named = [...PAGE.matchAll(/^\| `([a-z-]+)` \|/gmu)].map(([, name = '']) => name);
    expect(named).toEqual(EPISODES.map(({ name }) => name));
  });

  test('leads to files that are there', () => {
    const files = new Set(filesBelow('.'));
    const wrong = linksOf(PAGE).filter((file) => !files.has(file));
    expect(wrong).toEqual([]);
  });
});
