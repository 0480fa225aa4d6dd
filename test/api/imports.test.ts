import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { falseCount, missingPage } from '../fixtures/make-hostile-pdfs.ts';
import { AccessAdministrator } from '../setup/access-administrator.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { ImportsGateway, LETTER, manifestOf } from './imports-setup.ts';

const OTHER = textPdf(3);
let imports: ImportsGateway;
beforeAll(async () => {
  imports = await ImportsGateway.start();
});
afterAll(() => imports.close());

const faxOf = async (id: string | undefined) =>
  (await imports.list(`?limit=200`)).find((fax) => fax.id === id);

describe('an import', () => {
  test('is a received fax with the facts of its manifest, its document and its evidence', async () => {
    const manifest = {
      source_system: 'Lab bridge',
      operation_id: 'Result #7',
      revision: '2',
      source_received_at: '2026-11-21T09:30:00+01:00',
      to_number: '(202) 555-0100',
      from_number: '+12025550199',
      pages: 5,
    };
    const answer = await imports.imported(manifest);
    expect(answer).toEqual({
      import_id: expect.any(String),
      inbound_id: expect.any(String),
      status: 'received',
    });
    const fax = await faxOf(answer.inbound_id);
    expect(fax).toMatchObject({
      backend: 'import',
      source_system: 'Lab bridge',
      provider_account: expect.stringMatching(/^import:/u),
      provider_fax_id: 'Result \\#7#2',
      fr: '+12025550199',
      to: '+12025550100',
      status: 'received',
      pages: 2,
      size_bytes: LETTER.length,
      source_received_at: '2026-11-21T08:30:00.000Z',
      is_test: false,
      work_item_id: expect.any(String),
      can_fetch_again: false,
      incomplete: true,
      problem: 'Pages may be missing: Lab bridge counted 5 pages, but only 2 arrived.',
      conflicts: 0,
    });
    const [told, document, ...rest] = await imports.evidence(answer.inbound_id);
    expect(rest).toEqual([]);
    expect(told).toMatchObject({
      kind: 'imported',
      checked_by: 'credential',
      text: 'The document was imported from Lab bridge. Its operation ID there is Result #7, revision 2.',
      notification: {
        manifest,
        file: { name: 'result.pdf', size_bytes: LETTER.length, sha256: fax?.sha256 },
      },
    });
    // The page count of the other system is recorded but not trusted.
    expect(document).toMatchObject({
      kind: 'document',
      text: 'The document was checked and stored. Pages may be missing: Lab bridge counted 5 pages, but only 2 arrived.',
    });
    const pdf = await imports.gateway.request('GET', `/inbound/${answer.inbound_id}/pdf`);
    expect(Buffer.from(await pdf.arrayBuffer())).toEqual(LETTER);
    expect(await imports.inWork()).toEqual([]);
    expect(await imports.list('?backend=import&q=Result')).toMatchObject([{ id: answer.inbound_id }]);
  });

  test('has no time of receipt unless its manifest says one', async () => {
    const { inbound_id } = await imports.imported(manifestOf());
    expect(await faxOf(inbound_id)).toMatchObject({ source_received_at: null, fr: 'Unknown', to: 'Unknown' });
  });

  test('goes to the mailbox of its number', async () => {
    const administrator = new AccessAdministrator(imports.gateway);
    const mailbox = await administrator.mailbox('Radiology');
    await administrator.rule('+12025550144', mailbox);
    const { inbound_id } = await imports.imported(manifestOf({ to_number: '2025550144' }));
    expect(await faxOf(inbound_id)).toMatchObject({ mailbox: 'Radiology', to: '+12025550144' });
  });

  test('larger than what is kept in memory is stored byte for byte, also encrypted', async () => {
    const large = Buffer.concat([LETTER, Buffer.from(`\n%${'x'.repeat(2_000_000)}`)]);
    for (const is of ['true', 'false']) {
      await imports.gateway.set({ ENCRYPT_DOCUMENTS: is === 'true' });
      const { inbound_id } = await imports.imported(manifestOf(), large);
      const pdf = await imports.gateway.request('GET', `/inbound/${inbound_id}/pdf`);
      expect(Buffer.from(await pdf.arrayBuffer()).equals(large)).toBe(true);
      const name = (await imports.stored()).find((each) => each.startsWith(inbound_id)) ?? '';
      const kept = await readFile(join(imports.gateway.dataFolder, 'files', 'inbound', name));
      expect(kept.includes('%PDF-')).toBe(is === 'false');
    }
    expect(await imports.inWork()).toEqual([]);
  });
});

describe('the same operation', () => {
  test('with the same document is a duplicate that creates nothing', async () => {
    const manifest = manifestOf();
    const first = await imports.imported(manifest);
    const before = [await imports.list('?limit=200'), await imports.stored()];
    // Whatever else it says now.
    const again = await imports.imported({ ...manifest, to_number: '+12025550111', pages: 9 });
    expect(again).toEqual({ ...first, status: 'duplicate' });
    expect([await imports.list('?limit=200'), await imports.stored()]).toEqual(before);
    expect(await imports.evidence(first.inbound_id)).toHaveLength(2);
  });

  test('with another document is refused and recorded, and the first one stays', async () => {
    const manifest = manifestOf();
    const first = await imports.imported(manifest);
    const stored = await imports.stored();
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await imports.import(manifest, OTHER);
      expect([status, body]).toEqual([
        409,
        {
          detail:
            'This operation ID and revision were imported before with another document. The first one is kept.',
        },
      ]);
    }
    expect(await imports.stored()).toEqual(stored);
    expect(await faxOf(first.inbound_id)).toMatchObject({ conflicts: 1, pages: 2 });
    const conflicts = (await imports.evidence(first.inbound_id)).filter(({ kind }) => kind === 'conflict');
    expect(conflicts).toMatchObject([
      {
        text: 'Lab bridge delivered another document for this fax. The first one is kept.',
        size_bytes: OTHER.length,
      },
    ]);
    // The first one is still the same.
    expect(await imports.imported(manifest)).toMatchObject({ status: 'duplicate' });
  });

  test('with a file that is no PDF records nothing', async () => {
    const manifest = manifestOf();
    const { inbound_id } = await imports.imported(manifest);
    expect((await imports.import(manifest, Buffer.from('no PDF'))).status).toBe(400);
    expect(await faxOf(inbound_id)).toMatchObject({ conflicts: 0 });
  });

  test('as another revision is a document of its own, and so is that of another account', async () => {
    const manifest = manifestOf();
    const ids = [
      await imports.imported(manifest),
      await imports.imported({ ...manifest, revision: '1' }),
      await imports.imported({ ...manifest, revision: '2' }, OTHER),
      // IDs that look the same to people stay distinct.
      await imports.imported({ ...manifest, operation_id: `${String(manifest['operation_id'])}#1` }),
    ];
    const answer = await imports.gateway.request('POST', '/admin/api-keys', {
      json: { name: 'Another bridge', scopes: ['work:import'] },
    });
    const { token } = (await answer.json()) as { token: string };
    const theirs = await imports.import(manifest, OTHER, { key: token });
    expect(theirs).toMatchObject({ status: 200, body: { status: 'received' } });
    expect(new Set([...ids, theirs.body].map(({ inbound_id }) => inbound_id)).size).toBe(5);
    // A key sees of it nothing but the answer.
    expect((await imports.gateway.request('GET', '/inbound', { key: token })).status).toBe(403);
  });

  test('of one account is the same with whichever of its keys it comes', async () => {
    const administrator = new AccessAdministrator(imports.gateway);
    const bridge = await administrator.integration('Bridge');
    const role = await administrator.role('Imports', ['work:import']);
    await administrator.assign(bridge, role, 'installation');
    const keys = [
      await administrator.key(bridge, ['work:import']),
      await administrator.key(bridge, ['work:import']),
    ];
    const manifest = manifestOf();
    const statuses: unknown[] = [];
    for (const { token } of keys)
      statuses.push((await imports.import(manifest, LETTER, { key: token })).body.status);
    expect(statuses).toEqual(['received', 'duplicate']);
  });
});

describe('is refused with one sentence, and records nothing:', () => {
  const refused: [string, string | object | null, Uint8Array | null, RegExp][] = [
    ['no file', manifestOf(), null, /^Attach the PDF as "file"\.$/u],
    ['no manifest', null, LETTER, /^The manifest cannot be read\. Send it as JSON text/u],
    ['an empty file', manifestOf(), Buffer.alloc(0), /^The file cannot be imported\. It is not a PDF\.$/u],
    ['a text file', manifestOf(), Buffer.from('Dear colleague'), /It is not a PDF\.$/u],
    ['a PDF with a damaged page', manifestOf(), missingPage(), /^The file cannot be imported\. .*PDF/u],
    ['a PDF that lies about its pages', manifestOf(), falseCount(), /^The file cannot be imported\. /u],
    ['half a PDF', manifestOf(), LETTER.subarray(0, 300), /^The file cannot be imported\. /u],
    ['no JSON', '{"source_system":', LETTER, /^The manifest cannot be read\. It is not JSON\.$/u],
    ['an empty manifest', '', LETTER, /Send it as JSON text in the field "manifest"\.$/u],
    ['a list', '[]', LETTER, /^The manifest cannot be read\. It must be a JSON object\.$/u],
    ['null', 'null', LETTER, /must be a JSON object/u],
    ['nothing in it', '{}', LETTER, /is missing\.$/u],
    ['9 KB', JSON.stringify({ a: 'x'.repeat(9000) }), LETTER, /It is larger than 8 KB\.$/u],
    ['8 KB of other letters', JSON.stringify({ a: 'ü'.repeat(4200) }), LETTER, /larger than 8 KB/u],
    ['deep nesting', '['.repeat(4000), LETTER, /It is not JSON\.$/u],
    ['an unknown field', manifestOf({ color: 'red' }), LETTER, /"color" is not a field/u],
    ['__proto__', '{"__proto__":1,"source_system":"a","operation_id":"b"}', LETTER, /is not a field/u],
    ['no system', manifestOf({ source_system: undefined }), LETTER, /"source_system" is missing/u],
    ['an empty system', manifestOf({ source_system: '' }), LETTER, /"source_system" must not be empty/u],
    ['a long system', manifestOf({ source_system: 'x'.repeat(65) }), LETTER, /at most 64 characters/u],
    ['no operation', manifestOf({ operation_id: null }), LETTER, /"operation_id" must be text/u],
    ['a long operation', manifestOf({ operation_id: 'x'.repeat(101) }), LETTER, /at most 100 characters/u],
    ['an operation that is a number', manifestOf({ operation_id: 7 }), LETTER, /must be text/u],
    ['a line break', manifestOf({ operation_id: 'a\nb' }), LETTER, /no control or invisible characters/u],
    ['NUL', manifestOf({ operation_id: 'a\0b' }), LETTER, /no control or invisible characters/u],
    ['a turned direction', manifestOf({ source_system: 'a\u202eb' }), LETTER, /invisible characters/u],
    ['half a character', '{"source_system":"a\\ud800","operation_id":"b"}', LETTER, /invisible characters/u],
    ['an empty revision', manifestOf({ revision: '' }), LETTER, /"revision" must not be empty/u],
    ['a long revision', manifestOf({ revision: 'x'.repeat(101) }), LETTER, /at most 100 characters/u],
    [
      'a time without an offset',
      manifestOf({ source_received_at: '2026-11-21T09:30:00' }),
      LETTER,
      /must be a time/u,
    ],
    ['a day', manifestOf({ source_received_at: '2026-11-21' }), LETTER, /must be a time/u],
    [
      'a time that is none',
      manifestOf({ source_received_at: '2026-02-30T09:30:00Z' }),
      LETTER,
      /must be a time/u,
    ],
    [
      'a time after all years',
      manifestOf({ source_received_at: '9999-12-31T23:59:59-10:00' }),
      LETTER,
      /"source_received_at" must be a time/u,
    ],
    ['a number in seconds', manifestOf({ source_received_at: 1764000000 }), LETTER, /must be text/u],
    [
      'an incomplete number',
      manifestOf({ to_number: '55501' }),
      LETTER,
      /"to_number" is not a complete fax number/u,
    ],
    [
      'a word as number',
      manifestOf({ from_number: 'anonymous' }),
      LETTER,
      /"from_number" is not a complete/u,
    ],
    ['half a page', manifestOf({ pages: 1.5 }), LETTER, /"pages" must be a whole number/u],
    ['pages as a text', manifestOf({ pages: '2' }), LETTER, /"pages" must be a whole number/u],
    ['fewer than no pages', manifestOf({ pages: -1 }), LETTER, /"pages" must be at least 0/u],
  ];
  test.each(refused)('%s', async (_name, manifest, file, sentence) => {
    const before = [await imports.list('?limit=200'), await imports.stored()];
    const { status, body } = await imports.import(manifest, file);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(sentence)]);
    expect(Object.keys(body)).toEqual(['detail']);
    expect([await imports.list('?limit=200'), await imports.stored()]).toEqual(before);
    expect(await imports.inWork()).toEqual([]);
  });

  test('a second file, and a field that it does not have', async () => {
    const form = new FormData();
    form.append('manifest', JSON.stringify(manifestOf()));
    for (let i = 0; i < 2; i += 1) form.append('file', new File([new Uint8Array(LETTER)], 'a.pdf'));
    const two = await imports.gateway.request('POST', '/imports', { form });
    expect([two.status, await two.text()]).toEqual([400, expect.stringContaining('only one file')]);
    const other = new FormData();
    other.append('note', 'x');
    const unknown = await imports.gateway.request('POST', '/imports', { form: other });
    expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('\\"note\\"')]);
  });

  test('what is larger than the limit', async () => {
    await imports.gateway.set({ MAX_FILE_SIZE_MB: 1 });
    expect(await imports.import(manifestOf(), Buffer.alloc(1_100_000))).toEqual({
      status: 413,
      body: { detail: 'The upload is larger than the limit.' },
    });
    await imports.gateway.set({ MAX_FILE_SIZE_MB: null });
  });
});

test('documents are imported and received faxes read while receiving is off', async () => {
  await imports.gateway.set({ INBOUND_ENABLED: false });
  const { inbound_id: id } = await imports.imported(manifestOf());
  const paths = [
    '',
    '/page',
    '/counts',
    ...['', '/evidence', '/pdf', '/pages/1.png', '/readers'].map((it) => `/${id}${it}`),
  ];
  for (const path of paths) {
    const answer = await imports.gateway.request('GET', `/inbound${path}`);
    await answer.arrayBuffer();
    expect([path, answer.status]).toEqual([path, 200]);
  }
  const fetched = await imports.gateway.request('POST', `/inbound/${id}/fetch`);
  expect([fetched.status, fetched.headers.get('X-Error-Code')]).toEqual([404, 'receiving_off']);
  await imports.gateway.set({ INBOUND_ENABLED: true });
});

test('a number is read with the country of the installation', async () => {
  await imports.gateway.set({ FAX_DEFAULT_COUNTRY: 'DE' });
  const { inbound_id } = await imports.imported(manifestOf({ to_number: '030 123456', from_number: ' ' }));
  expect(await faxOf(inbound_id)).toMatchObject({ to: '+4930123456', fr: 'Unknown' });
  await imports.gateway.set({ FAX_DEFAULT_COUNTRY: null });
});

test('who may import for one mailbox imports nothing else', async () => {
  const administrator = new AccessAdministrator(imports.gateway);
  const people = new MailboxPeople(imports.gateway, null);
  const [own, others] = [await administrator.mailbox('Own'), await administrator.mailbox('Others')];
  await administrator.rule('+12025550151', own);
  await administrator.rule('+12025550152', others);
  const { key } = await people.addPerson({ [`mailbox:${own.id}`]: ['work:import'] });
  const tryNumber = async (to_number: string | null) =>
    (await imports.import(manifestOf({ to_number }), LETTER, { key })).status;
  expect(await tryNumber('+12025550151')).toBe(200);
  expect(await tryNumber('+12025550152')).toBe(403);
  expect(await tryNumber('+12025550153')).toBe(403);
  expect(await tryNumber(null)).toBe(403);
});
