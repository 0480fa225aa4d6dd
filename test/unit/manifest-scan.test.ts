import { describe, expect, it } from 'vitest';
import { DamagedBackupError } from '../../server/backup/errors.ts';
import { type Manifest, manifestText, readManifest } from '../../server/backup/manifest.ts';
import { scanManifest } from '../../server/backup/manifest-scan.ts';

const KNOWN = { release: '0.1.0', migrations: ['001-first-release'] };
const FACTS: Manifest = {
  product: 'faxdesk',
  format: 1,
  release: '0.1.0',
  created_at: '2025-03-04T12:00:00.000Z',
  database: 'sqlite',
  migrations: ['001-first-release'],
  tables: [{ name: 'fax_job', rows: 3 }],
  missing: ['fax/{"[ä\\.pdf', 'entries'],
};
const ENTRIES = ['tables/fax_job.ndjson', 'files/a"}],{.pdf', 'files/ä.pdf'].map((name) => ({
  name,
  size: 5,
  sha256: '0'.repeat(64),
}));

/** Scans a text that arrives in pieces of so many bytes. */
async function scan(text: string, pieceBytes = 1 << 20) {
  const bytes = Buffer.from(text);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  };
  const entries: unknown[] = [];
  let rest = '';
  for await (const entry of scanManifest(pieces(), (text) => (rest = text))) entries.push(JSON.parse(entry));
  return { entries, rest };
}

describe('A manifest', () => {
  const { missing, ...before } = FACTS;
  const written = Buffer.concat([
    ...manifestText(
      FACTS,
      ENTRIES.map((entry) => JSON.stringify(entry)),
    ),
  ]).toString();

  it('is one JSON with its entries, so that the releases before read it', () => {
    expect(JSON.parse(written)).toEqual({ ...FACTS, entries: ENTRIES });
    const none = Buffer.concat([...manifestText(FACTS, [])]).toString();
    expect(JSON.parse(none)).toEqual({ ...FACTS, entries: [] });
  });

  it.each([
    ['as it is written', written],
    ['of the first builds', JSON.stringify({ ...before, entries: ENTRIES, missing }, null, 2)],
    ['without spaces', JSON.stringify({ entries: ENTRIES, ...FACTS })],
  ])('is read in pieces of any length [%s]', async (_, text) => {
    for (const pieceBytes of [1, 2, 3, 7, 64, 100_000]) {
      const { entries, rest } = await scan(text, pieceBytes);
      expect(entries).toEqual(ENTRIES);
      expect(readManifest(rest, KNOWN)).toEqual(FACTS);
    }
  });

  it.each([
    ['[1]', 'numbers'],
    ['["a","b"]', 'texts'],
    ['[[]]', 'lists'],
    ['[,]', 'a lone comma'],
    ['[{},]', 'a comma at the end'],
    ['[{},,{}]', 'two commas'],
    ['[{}{}]', 'no comma'],
    ['[{},1]', 'a number beside an entry'],
    ['{}', 'no list'],
    ['[{}', 'no end'],
  ])('is refused with entries %s: %s', async (list) => {
    const text = `{"entries":${list},${JSON.stringify(FACTS).slice(1)}`;
    const { rest } = await scan(text);
    expect(() => readManifest(rest, KNOWN)).toThrow(DamagedBackupError);
  });

  it('is refused without entries', async () => {
    const { rest } = await scan(JSON.stringify(FACTS));
    expect(() => readManifest(rest, KNOWN)).toThrow(DamagedBackupError);
  });

  it('keeps no entry of any length in memory', async () => {
    const text = `{"entries":[{"name":"${'x'.repeat(10_000)}"}]}`;
    await expect(scan(text)).rejects.toThrow(DamagedBackupError);
  });
});
