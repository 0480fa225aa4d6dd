import { appendFile, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { HOUR, SECOND } from '../setup/manual-clock.ts';
import { runWithFault } from '../setup/step-faults.ts';
import { ImportsGateway, LETTER } from './imports-setup.ts';

const OTHER = textPdf(3);
const SCAN_MS = 10 * SECOND;
let imports: ImportsGateway;
let folder: string;

beforeEach(async () => {
  imports = await ImportsGateway.start({ settings: { IMPORT_FOLDER: 'import' } });
  folder = join(imports.gateway.dataFolder, 'import');
  await scan();
});
afterEach(() => imports.close());

async function scan(times = 1): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    imports.gateway.clock.advance(SCAN_MS);
    await imports.work();
  }
}

const dropFile = (name: string, content: string | Uint8Array = LETTER) =>
  writeFile(join(folder, name), content);
const names = async (within = '') => (await readdir(join(folder, within))).sort();
const warnings = async () =>
  (
    (await (await imports.gateway.request('GET', '/health/ready', { key: null })).json()) as {
      warnings: string[];
    }
  ).warnings;
const manifest = (given: object = {}) =>
  JSON.stringify({ source_system: 'Scanner', operation_id: 'S-1', ...given });

describe('a PDF in the import folder', () => {
  test('is imported at the second look that finds it the same, and moved', async () => {
    await dropFile('scan.pdf');
    await scan();
    expect(await imports.list()).toEqual([]);
    await scan();
    const fax = await imports.only();
    expect(fax).toMatchObject({
      backend: 'import',
      source_system: 'folder',
      provider_account: 'import:folder',
      provider_fax_id: fax.sha256,
      pages: 2,
    });
    const [told] = await imports.evidence(fax.id);
    expect(told).toMatchObject({
      kind: 'imported',
      checked_by: 'folder',
      actor: 'Import folder',
      text: 'The document was taken from the import folder, where it was called scan.pdf.',
    });
    expect([await names(), await names('done'), await names('refused')]).toEqual([
      ['done', 'refused'],
      ['scan.pdf'],
      [],
    ]);
    expect(await readFile(join(folder, 'done', 'scan.pdf'))).toEqual(LETTER);
    expect(await imports.inWork()).toEqual([]);
    expect(await warnings()).toEqual([]);
  });

  test('is waited for as long as it grows', async () => {
    await dropFile('scan.pdf', LETTER.subarray(0, 100));
    for (let at = 100; at < 400; at += 100) {
      await scan();
      await appendFile(join(folder, 'scan.pdf'), LETTER.subarray(at, at + 100));
    }
    await scan();
    await appendFile(join(folder, 'scan.pdf'), LETTER.subarray(400));
    await scan();
    expect([await imports.list(), await names('refused')]).toEqual([[], []]);
    await scan();
    expect(await imports.only()).toMatchObject({ pages: 2, size_bytes: LETTER.length });
  });

  test('takes the manifest beside it, which may come a moment later', async () => {
    await dropFile('scan.PDF');
    await scan();
    await dropFile('scan.json', `\uFEFF${manifest({ to_number: '+12025550100', revision: '3' })}`);
    await scan();
    expect(await imports.list()).toEqual([]);
    await scan();
    expect(await imports.only()).toMatchObject({
      source_system: 'Scanner',
      provider_fax_id: 'S-1#3',
      to: '+12025550100',
    });
    expect(await names('done')).toEqual(['scan.json', 'scan.pdf']);
  });

  test('that is there already is moved and not imported again; names that are taken are kept', async () => {
    await dropFile('scan.pdf');
    await scan(2);
    await dropFile('scan.pdf');
    await scan(2);
    await dropFile('scan.pdf', OTHER);
    await scan(2);
    expect((await imports.list()).map(({ pages }) => `${pages} pages`).sort()).toEqual([
      '2 pages',
      '3 pages',
    ]);
    const done = await names('done');
    expect(done).toHaveLength(3);
    const kept = await Promise.all(done.map((name) => readFile(join(folder, 'done', name))));
    const hex = (content: Uint8Array) => Buffer.from(content).toString('hex');
    expect(kept.map(hex).sort()).toEqual([LETTER, LETTER, OTHER].map(hex).sort());
  });

  const refused: [string, string | Uint8Array, string | null, RegExp][] = [
    ['is no PDF', 'Dear colleague', null, /^The file cannot be imported\. It is not a PDF\.\n$/u],
    [
      'has a manifest that is no JSON',
      LETTER,
      'nothing',
      /^The manifest cannot be read\. It is not JSON\.\n$/u,
    ],
    [
      'has a manifest in another encoding',
      LETTER,
      '\xff\xfe',
      /^The manifest cannot be read\. It is not JSON/u,
    ],
    [
      'has a manifest that lacks something',
      LETTER,
      '{"source_system":"a"}',
      /"operation_id" is missing\.\n$/u,
    ],
    ['has a manifest of 9 KB', LETTER, ' '.repeat(9000), /It is larger than 8 KB\.\n$/u],
  ];
  test.each(refused)('that %s is moved aside with the reason', async (_name, content, told, reason) => {
    await dropFile('scan.pdf', content);
    if (told !== null) await writeFile(join(folder, 'scan.json'), told, 'latin1');
    await scan(2);
    expect(await imports.list()).toEqual([]);
    expect([await names(), await names('done')]).toEqual([['done', 'refused'], []]);
    expect(await names('refused')).toEqual([...(told === null ? [] : ['scan.json']), 'scan.pdf', 'scan.txt']);
    expect(await readFile(join(folder, 'refused', 'scan.txt'), 'utf8')).toMatch(reason);
    expect(await warnings()).toEqual([
      '1 document was refused: look in “refused” of the import folder, where a note beside each says why.',
    ]);
    await rm(join(folder, 'refused', 'scan.pdf'));
    await scan();
    expect(await warnings()).toEqual([]);
  });

  test('that is another one under an existing operation is refused, and the first one stays', async () => {
    for (const [name, content] of [
      ['a', LETTER],
      ['b', OTHER],
    ] as const) {
      await dropFile(`${name}.pdf`, content);
      await dropFile(`${name}.json`, manifest());
      await scan(2);
    }
    expect(await imports.only()).toMatchObject({ pages: 2, conflicts: 1 });
    expect([await names('done'), await names('refused')]).toEqual([
      ['a.json', 'a.pdf'],
      ['b.json', 'b.pdf', 'b.txt'],
    ]);
  });
});

test('the name of a file is shown without what nobody sees, and is in no log', async () => {
  const name = 'Jane\u202e Quillfeather\n1.pdf';
  await dropFile(name);
  await dropFile('Quillfeather 2.pdf', 'no PDF');
  const busy = Object.assign(new Error(`busy: ${name}`), { code: 'EBUSY', path: join(folder, name) });
  await runWithFault({ at: /^rename [^]*1\.pdf$/u, with: busy }, () => scan(3));
  await scan();
  const [told] = await imports.evidence((await imports.only()).id);
  expect(told?.text).toBe(
    'The document was taken from the import folder, where it was called Jane Quillfeather1.pdf.',
  );
  expect(await names('done')).toEqual([name]);
  expect(imports.gateway.logLines.filter((line) => line.includes('Quillfeather'))).toEqual([]);
  expect(imports.gateway.logLines.filter((line) => line.includes('could not be imported yet'))).toHaveLength(
    1,
  );
});

test.skipIf(process.platform !== 'linux')(
  'a file whose name is no text stays, and is counted with those that are not imported',
  async () => {
    await writeFile(
      Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from('.pdf')]),
      LETTER,
    );
    await scan(2);
    imports.gateway.clock.advance(HOUR);
    await imports.work();
    expect([await imports.list(), (await warnings()).length]).toEqual([[], 1]);
  },
);

test('links, folders, hidden and unfinished files are left alone, and what is neither is said after an hour', async () => {
  const outside = join(imports.gateway.dataFolder, 'outside.pdf');
  await writeFile(outside, LETTER);
  await symlink(outside, join(folder, 'link.pdf'));
  await mkdir(join(folder, 'folder.pdf'));
  await writeFile(join(folder, 'folder.pdf', 'inner.pdf'), LETTER);
  for (const name of ['.hidden.pdf', '~scan.pdf', 'scan.pdf.part']) await dropFile(name);
  await dropFile('empty.pdf', '');
  await dropFile('letter.docx', 'x');
  await dropFile('lone.json', manifest());
  const before = await names();
  await scan(3);
  expect([await imports.list(), await names(), await warnings()]).toEqual([[], before, []]);
  imports.gateway.clock.advance(HOUR);
  await imports.work();
  expect([await imports.list(), await names()]).toEqual([[], before]);
  expect(await warnings()).toEqual([
    '3 files in the import folder are not imported: it accepts PDF files, each with or without a manifest (.json) of the same name.',
  ]);
  expect(await readFile(outside)).toEqual(LETTER);
});

test('what was imported and not moved before a kill is moved and not imported again, with its manifest', async () => {
  const back = async (...files: string[]) => {
    for (const name of files) await rename(join(folder, 'done', name), join(folder, name));
  };
  await dropFile('scan.pdf');
  await dropFile('scan.json', manifest());
  await scan(2);
  // Killed before both moves.
  await back('scan.pdf', 'scan.json');
  await scan(3);
  expect(await names('done')).toEqual(['scan.json', 'scan.pdf']);
  // Killed between them.
  await back('scan.json');
  await scan(3);
  expect(await names()).toContain('scan.json');
  imports.gateway.clock.advance(HOUR);
  await imports.work();
  expect([await names(), await names('done')]).toEqual([
    ['done', 'refused'],
    ['scan.json', 'scan.pdf'],
  ]);
  expect(await imports.only()).toMatchObject({ conflicts: 0 });
});

describe('the folder', () => {
  const AWAY =
    'Nothing is imported from the import folder, because Faxdesk cannot read and write there. Check that the folder exists and that Faxdesk has access to it.';

  test('that is away is a sentence until it is back, and nothing is lost', async () => {
    const elsewhere = join(imports.gateway.dataFolder, 'drive');
    await rm(folder, { recursive: true });
    await writeFile(folder, 'in the way');
    await scan();
    expect(await warnings()).toEqual([AWAY]);
    await rm(folder);
    await mkdir(elsewhere);
    await scan();
    expect(await warnings()).toEqual([]);
    await dropFile('scan.pdf');
    await scan(2);
    expect(await imports.list()).toHaveLength(1);
  });

  test.skipIf(process.platform === 'win32')('whose own folders are links is not used', async () => {
    await rm(join(folder, 'done'), { recursive: true });
    await symlink(imports.gateway.dataFolder, join(folder, 'done'));
    await dropFile('scan.pdf');
    await scan(3);
    expect([await imports.list(), await names()]).toEqual([[], ['done', 'refused', 'scan.pdf']]);
    expect(await warnings()).toEqual([AWAY]);
  });

  test('is looked at while receiving is off as well', async () => {
    await imports.gateway.set({ INBOUND_ENABLED: false });
    await dropFile('scan.pdf');
    await scan(3);
    expect([await imports.list(), await warnings()]).toEqual([[expect.any(Object)], []]);
    await imports.gateway.set({ INBOUND_ENABLED: true });
  });

  test('is not looked at when none is set', async () => {
    await imports.gateway.set({ IMPORT_FOLDER: null });
    await dropFile('scan.pdf');
    await scan(3);
    expect([await imports.list(), await warnings()]).toEqual([[], []]);
    expect(await names()).toContain('scan.pdf');
  });
});

test('a document that cannot be moved yet is imported once, holds up no other, and is moved when it can be', async () => {
  await dropFile('a.pdf', OTHER);
  await dropFile('b.pdf');
  const path = join(folder, 'a.pdf');
  const busy = Object.assign(new Error('the file is open elsewhere'), { code: 'EBUSY', path });
  await runWithFault({ at: /^rename .*a\.pdf$/u, with: busy }, () => scan(4));
  expect([(await imports.list()).length, await names('done'), await names()]).toEqual([
    2,
    ['b.pdf'],
    ['a.pdf', 'done', 'refused'],
  ]);
  expect(await warnings()).toEqual([
    'A document in the import folder could not be imported yet. It is tried again automatically; the log has the details.',
  ]);
  await scan();
  expect([(await imports.list()).length, await names('done')]).toEqual([2, ['a.pdf', 'b.pdf']]);
  expect(await warnings()).toEqual([]);
});
