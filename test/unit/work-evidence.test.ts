import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { EVIDENCE_FILES as FILES } from '../../server/features/work/evidence/manifest.ts';
import { verifyEvidence } from '../../server/features/work/evidence/verify-evidence.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { type ZipPart, zipLayout, zipStream } from '../../server/platform/stored-zip.ts';
import {
  chained,
  ORIGINAL,
  sampleArchive,
  sampleFacts,
  sampleParts,
  sampleSigner,
} from '../setup/evidence-sample.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-evidence-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function checked(bytes: Uint8Array, fingerprint?: string) {
  const path = join(folder, 'evidence.zip');
  await writeFile(path, bytes);
  return verifyEvidence(path, { fingerprint });
}

/** The files of an archive in their order, and where everything of it is. */
function layoutOf(archive: Buffer): { files: Map<string, Buffer>; parts: ZipPart[] } {
  const files = new Map<string, Buffer>();
  for (let at = 0; archive.readUInt32LE(at) === 0x04034b50; ) {
    const content = at + 30 + archive.readUInt16LE(at + 26);
    const end = content + archive.readUInt32LE(at + 22);
    files.set(archive.toString('latin1', at + 30, content), archive.subarray(content, end));
    at = end;
  }
  return { files, parts: zipLayout(membersOf([...files])) };
}

const membersOf = (files: readonly (readonly [string, Uint8Array])[]) =>
  files.map(([name, bytes]) => ({ name, sizeBytes: bytes.length, crc32: crc32(bytes) }));

/** A zip of these files with everything right but what they say. */
async function zipOf(files: readonly (readonly [string, Uint8Array])[]): Promise<Buffer> {
  const queue = files.map(([, bytes]) => bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of zipStream(zipLayout(membersOf(files)), () => [queue.shift() ?? Buffer.alloc(0)]))
    chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Parts of an archive whose document carries an original: here the same bytes. */
function withRecovered(file: string) {
  const facts = sampleFacts();
  const carriedOriginal = {
    file,
    name: 'letter.pdf',
    media_type: 'application/pdf',
    sha256: sha256Hex(ORIGINAL),
    size_bytes: ORIGINAL.length,
  };
  const parts = sampleParts({ ...facts, document: { ...facts.document, carriedOriginal } });
  const [[, original] = []] = [...parts.documents];
  if (!original) throw new Error('the sample has no document');
  return { ...parts, documents: new Map([...parts.documents, [file, original]]) };
}

describe('an archive that nobody touched', () => {
  it('is intact, and names the key that signed it', async () => {
    const signer = sampleSigner();
    const archive = await sampleArchive(sampleParts(), signer);
    const { fingerprint } = signer.key;
    const spelled = fingerprint.toUpperCase().replaceAll(/(..)(?=.)/gu, '$1:');
    const found = await checked(archive, spelled);
    expect(found).toMatchObject({ intact: true, faults: [], fingerprint });
    expect(found.manifest?.item.owner).toEqual({ id: 'ada', name: 'Ada' });
    expect([...layoutOf(archive).files.keys()].sort()).toEqual(Object.values(FILES).sort());
  });

  it('is the same bytes again from the same parts and key', async () => {
    const signer = sampleSigner();
    const first = await sampleArchive(sampleParts(), signer);
    expect(await sampleArchive(sampleParts(sampleFacts()), signer)).toEqual(first);
  });

  it('is named as signed by another key than the expected one', async () => {
    const own = sampleSigner();
    const { faults } = await checked(await sampleArchive(sampleParts(), own), sampleSigner().key.fingerprint);
    expect(faults).toEqual([`It was signed with another key: its fingerprint is ${own.key.fingerprint}.`]);
  });

  it('is intact without the original, when it says why', async () => {
    const text = 'The person who exported this archive does not have permission to open the document.';
    const missing = [{ part: FILES.original, reason: 'not_allowed', text } as const];
    const found = await checked(await sampleArchive(sampleParts(sampleFacts(), missing)));
    expect(found).toMatchObject({ intact: true, faults: [] });
    expect(found.missing.map(({ part }) => part)).toEqual([FILES.original]);
    expect(found.manifest?.document).toMatchObject({ file: FILES.original, sha256: sha256Hex(ORIGINAL) });
  });

  it('is intact with the original that was recovered from the pages, which can be of any type', async () => {
    for (const file of ['recovered-original.pdf', 'recovered-original.tif', 'recovered-original.bin']) {
      const archive = await sampleArchive(withRecovered(file));
      const { intact, faults, manifest } = await checked(archive);
      expect([file, intact, faults]).toEqual([file, true, []]);
      expect(manifest?.document.carried_original).toMatchObject({ file, sha256: sha256Hex(ORIGINAL) });
    }
  });
});

describe('what the manifest says', () => {
  it('has its keys in order, also within the report of the source', () => {
    const manifest = JSON.parse(sampleParts().manifest) as object;
    const keys: string[][] = [];
    JSON.stringify(manifest, (_key, value: unknown) => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) keys.push(Object.keys(value));
      return value;
    });
    expect(keys.length).toBeGreaterThan(10);
    for (const each of keys) expect(each).toEqual([...each].sort());
  });

  it('stays the same when an archive is made, and has the earlier archives once the item changed', () => {
    const facts = sampleFacts();
    const exported = { kind: 'exported', text: 'Eve exported it.', owner_id: 'ada', owner: 'Ada' } as const;
    const entries = facts.history.map(({ kind, text, occurred_at, owner_id, owner }) => ({
      kind,
      text,
      occurred_at,
      owner_id,
      owner,
    }));
    const at = '2026-11-23T10:00:00.000Z';
    const history = [
      ...facts.history,
      ...chained(facts.item, [...entries, { ...exported, occurred_at: at }]).slice(2),
    ];
    expect(sampleParts(sampleFacts({ history }))).toEqual(sampleParts());
    const done = { ...exported, kind: 'done', text: 'Done.', occurred_at: at } as const;
    const longer = chained(facts.item, [...entries, { ...exported, occurred_at: at }, done]);
    const told = JSON.parse(sampleParts(sampleFacts({ history: longer })).manifest) as {
      history: { kind: string }[];
    };
    expect(told.history.map(({ kind }) => kind)).toEqual(['created', 'assigned', 'exported', 'done']);
  });
});

test('the history is one sentence for each event, in the time zone of the installation or in UTC', () => {
  expect(sampleParts().history).toBe(
    [
      'Work item item-1 of the received fax fax-1',
      `Document: SHA-256 ${sha256Hex(ORIGINAL)}`,
      'Times are in UTC.',
      '',
      'Nov 23, 2026, 9:00:00 AM UTC  Phaxio told of it.',
      'Nov 23, 2026, 9:00:00 AM UTC  The document arrived.',
      'Nov 23, 2026, 9:30:00 AM UTC  Ada took it.',
      '',
    ].join('\n'),
  );
});

/** Every byte beside the files is tried, and of the files every thirteenth and their ends. */
const isTried = (part: ZipPart, at: number) =>
  'bytes' in part || (at - part.at) % 13 === 0 || at === part.at + part.sizeBytes - 1;

test('one altered byte in an archive is found, and named by what it belongs to', async () => {
  const archive = await sampleArchive();
  const { parts } = layoutOf(archive);
  let tried = 0;
  for (const part of parts) {
    const name = 'bytes' in part ? part.what : part.contentOf;
    const fileName = name.replace(/^the (?:header|directory entry) of /u, '');
    for (let at = part.at; at < part.at + part.sizeBytes; at += 1) {
      if (!isTried(part, at)) continue;
      const altered = Buffer.from(archive);
      altered[at] = (altered[at] ?? 0) ^ (1 << (at % 8));
      const { intact, faults } = await checked(altered);
      expect(intact, `byte ${at}, ${name}`).toBe(false);
      expect(faults.join(' '), `byte ${at}, ${name}`).toContain(
        'bytes' in part ? fileName : `${name} was altered.`,
      );
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(archive.length / 8);
}, 60_000);

test('a header that names more bytes than any archive has is found, and breaks nothing', async () => {
  const archive = await sampleArchive();
  const { parts } = layoutOf(archive);
  const last = parts.findLast((part) => 'bytes' in part && part.what.startsWith('the header of'));
  const altered = Buffer.from(archive);
  altered.writeUInt32LE(0xffffffff, (last?.at ?? 0) + 22);
  const { intact, faults } = await checked(altered);
  expect(intact).toBe(false);
  expect(faults.join(' ')).toContain(FILES.original);
});

describe('an archive that was put together anew', () => {
  const ofArchive = async () => [...layoutOf(await sampleArchive()).files];
  const replaced = (files: [string, Buffer][], name: string, change: (text: string) => string) =>
    files.map(
      ([each, bytes]) => [each, each === name ? Buffer.from(change(bytes.toString())) : bytes] as const,
    );

  it.each([FILES.manifest, FILES.history, FILES.original])('shows that %s was replaced', async (name) => {
    const files = replaced(await ofArchive(), name, (text) => text.replace('9', '8').replace('o', 'x'));
    expect((await checked(await zipOf(files))).faults).toEqual([`${name} was altered.`]);
  });

  it('shows that a file and its digest were replaced', async () => {
    const files = new Map<string, Uint8Array>(await ofArchive());
    files.set(FILES.history, Buffer.from('Nothing happened.\n'));
    const sums = Buffer.from(files.get(FILES.sums) ?? []).toString();
    const digest = sha256Hex(files.get(FILES.history) ?? '');
    files.set(FILES.sums, Buffer.from(sums.replace(/^.*(?= {2}history\.txt$)/mu, digest)));
    const { faults } = await checked(await zipOf([...files]));
    expect(faults).toEqual([
      'The signature does not match: SHA256SUMS, SHA256SUMS.sig or signing-key.pem was replaced.',
    ]);
  });

  const faultsOf = async (changed: readonly (readonly [string, Uint8Array])[]) =>
    (await checked(await zipOf(changed))).faults;

  it('shows files that were added, doubled, taken out or hidden', async () => {
    const files = await ofArchive();
    const note = ['notes.txt', Buffer.from('a note')] as const;
    expect(await faultsOf([...files, note])).toEqual([
      '"notes.txt" does not belong in an evidence archive; it was added or renamed.',
    ]);
    expect(await faultsOf([...files, files[0] as [string, Buffer]])).toEqual([
      'manifest.json is in the archive more than once.',
    ]);
    expect(await faultsOf(files.filter(([name]) => name !== FILES.history))).toEqual([
      'history.txt is missing.',
    ]);
    expect(await faultsOf(files.filter(([name]) => name !== FILES.original))).toEqual([
      'original.pdf was removed: SHA256SUMS lists it.',
      'original.pdf is missing, but manifest.json says otherwise.',
    ]);
    const hiding = await zipOf([...files, note]);
    const { parts } = layoutOf(hiding);
    const entry = parts.find((part) => 'bytes' in part && part.what === 'the directory entry of notes.txt');
    const at = entry?.at ?? 0;
    const hidden = Buffer.concat([hiding.subarray(0, at), hiding.subarray(at + (entry?.sizeBytes ?? 0))]);
    hidden.writeUInt16LE(files.length, hidden.length - 22 + 8);
    hidden.writeUInt16LE(files.length, hidden.length - 22 + 10);
    hidden.writeUInt32LE(
      hidden.readUInt32LE(hidden.length - 22 + 12) - (entry?.sizeBytes ?? 0),
      hidden.length - 10,
    );
    expect((await checked(hidden)).faults).toEqual([
      '"notes.txt" does not belong in an evidence archive; it was added or renamed.',
    ]);
  });

  it('shows that the recovered original was removed, renamed, replaced or added', async () => {
    const name = 'recovered-original.pdf';
    const files = [...layoutOf(await sampleArchive(withRecovered(name))).files];
    expect(await faultsOf(files.filter(([each]) => each !== name))).toEqual([
      `${name} was removed: SHA256SUMS lists it.`,
      `${name} is missing, but manifest.json says otherwise.`,
    ]);
    expect(
      await faultsOf(files.map(([each, bytes]) => [each === name ? 'recovered-original.bin' : each, bytes])),
    ).toContain(`${name} was removed: SHA256SUMS lists it.`);
    expect(
      await faultsOf(files.map(([each, bytes]) => [each, each === name ? Buffer.from('other') : bytes])),
    ).toEqual([`${name} was altered.`]);
    const without = [...layoutOf(await sampleArchive()).files];
    expect(await faultsOf([...without, [name, ORIGINAL]])).toEqual([
      `${name} was altered.`,
      `${name} is there, but manifest.json says otherwise.`,
    ]);
  });

  it('rule (work): an evidence archive has no byte outside its signed files', async () => {
    const archive = await sampleArchive();
    expect((await checked(Buffer.concat([archive, Buffer.from('more')]))).faults).toEqual([
      '4 bytes were added after its end.',
    ]);
    expect((await checked(Buffer.concat([Buffer.from('more'), archive]))).intact).toBe(false);
    const cut = await checked(archive.subarray(0, -5));
    expect(cut.faults).toEqual([
      'The archive itself was altered: the end of the archive.',
      'It was cut off.',
    ]);
    expect((await checked(archive.subarray(0, 100))).intact).toBe(false);
    expect((await checked(Buffer.alloc(0))).faults).toEqual([
      'This is not an evidence archive, or its beginning and its end were altered.',
    ]);
    const second = layoutOf(archive).parts.find(
      (part) => 'bytes' in part && part.what.endsWith('history.txt'),
    );
    const at = second?.at ?? 0;
    const between = Buffer.concat([archive.subarray(0, at), Buffer.from('more'), archive.subarray(at)]);
    expect((await checked(between)).intact).toBe(false);
  });
});

describe('an archive of what had been altered in the store', () => {
  const faultsOf = async (facts: ReturnType<typeof sampleFacts>) =>
    (await checked(await sampleArchive(sampleParts(facts)))).faults;
  const { item, history } = sampleFacts();

  it('shows an altered, a missing and a moved entry of the history', async () => {
    const [first, second] = history as [(typeof history)[0], (typeof history)[0]];
    expect(await faultsOf(sampleFacts({ history: [first, { ...second, text: 'Bob took it.' }] }))).toEqual([
      'Entry 2 of the history of work item item-1 was altered or moved.',
    ]);
    const missing = ['Entry 1 of the history of work item item-1 is missing.'];
    expect(await faultsOf(sampleFacts({ history: [second] }))).toEqual(missing);
    expect(await faultsOf(sampleFacts({ history: [second, first] }))).toEqual(missing);
    expect(await faultsOf(sampleFacts({ history: [] }))).toEqual(missing);
  });

  it('shows an altered work item', async () => {
    expect(await faultsOf(sampleFacts({ item: { ...item, owner_id: 'bob' } }))).toEqual([
      'Work item item-1 was altered: it does not match its history.',
    ]);
  });

  it('shows an altered document', async () => {
    const text = 'The stored document is not the one that was received.';
    const missing = [{ part: FILES.original, reason: 'altered', text } as const];
    expect(await faultsOf(sampleFacts({ missing }))).toEqual([text]);
  });
});
