import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyEvidence } from '../../server/features/work/offline.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { DAY } from '../setup/manual-clock.ts';
import { needTools } from '../setup/tools.ts';
import { ONE_PAGE } from './inbound-setup.ts';
import { EncodedPages, KEY, PARTNER, sha256 } from './outbound-encoded-setup.ts';

let office: EncodedPages;
let work: string;
/** Pages of one text in clear, encrypted pages of it, and those of a longer document. */
let plain: Buffer;
let encrypted: Buffer;
let long: Buffer;
let text: string;
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'faxdesk-encoded-'));
  const sender = await EncodedPages.start();
  const contact = await sender.contact({ encoded_pages: 'plain' });
  const sent = await sender.sendPages();
  plain = sent.pages;
  text = sent.fax.document.sha256 ?? '';
  const file = new File([new Uint8Array(textPdf(1))], 'long.pdf');
  long = (await sender.sendPages({ page_form: 'encoded' }, [file])).pages;
  await sender.change(contact, 1, { encoded_pages: 'encrypted', shared_key: KEY });
  encrypted = (await sender.sendPages()).pages;
  await sender.close();
});
afterAll(() => rm(work, { recursive: true, force: true }));

beforeEach(async () => {
  office = await EncodedPages.start();
});
afterEach(() => office.close());

/** Runs a program on a PDF and returns the PDF that it writes as `out.pdf`. */
async function changed(pdf: Buffer, run: (file: string, out: string) => void): Promise<Buffer> {
  const folder = await mkdtemp(join(work, 'run-'));
  const [file, out] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
  await writeFile(file, pdf);
  run(file, out);
  return readFile(out);
}

/** Leaves pages out, as when they were lost on the line. */
const onlyPages = (pdf: Buffer, numbers: readonly number[]) =>
  changed(pdf, (file, out) => {
    const pages = numbers.map((number) => {
      execFileSync('pdfseparate', [
        '-f',
        String(number),
        '-l',
        String(number),
        file,
        `${file}-${number}.pdf`,
      ]);
      return `${file}-${number}.pdf`;
    });
    execFileSync('pdfunite', [...pages, out]);
  });

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('a received fax whose pages carry a document', () => {
  test('rule (inbound): the original is opened byte for byte, as a download, in ranges and by its tag', async () => {
    const fax = await office.receive(plain);
    expect(fax).toMatchObject({
      status: 'received',
      decode: {
        state: 'decoded',
        document_name: 'letter.pdf',
        sha256: text,
        document_kept: true,
        sentence: 'The original letter.pdf was recovered from the pages. Its fingerprint matches.',
      },
    });
    const whole = await office.original(fax.id);
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="letter.pdf"');
    expect(whole.headers.get('content-type')).toBe('application/pdf');
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(sha256(bytes)).toBe(text);
    const tag = whole.headers.get('etag') ?? '';
    expect((await office.original(fax.id, { 'If-None-Match': tag })).status).toBe(304);
    const part = await office.original(fax.id, { Range: 'bytes=0-3' });
    expect([part.status, await part.text()]).toEqual([206, '%PDF']);
    const kinds = (await office.inbound.evidence(fax.id)).map(({ kind }) => kind);
    expect(kinds).toEqual(['notification', 'document', 'decoded']);
  });

  test('rule (inbound): a fax of ordinary pages has no original, and nothing of it is recorded', async () => {
    const fax = await office.receive(ONE_PAGE);
    expect(fax.decode).toBeNull();
    const answer = await office.original(fax.id);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([404, expect.anything()]);
    expect((await office.inbound.evidence(fax.id)).map(({ kind }) => kind)).toEqual([
      'notification',
      'document',
    ]);
  });

  test('rule (inbound): encrypted pages wait for their key and are opened when it is added', async () => {
    const fax = await office.receive(encrypted);
    expect(fax).toMatchObject({ status: 'received', decode: { state: 'key_missing', document_name: null } });
    expect((await office.original(fax.id)).status).toBe(404);
    const contact = await office.contact({ shared_key: 'not the key of the sender' });
    await office.inbound.work();
    expect((await office.received(fax.id)).decode).toMatchObject({ state: 'key_wrong_or_altered' });
    await office.change(contact, 1, { shared_key: KEY });
    await office.inbound.work();
    expect((await office.received(fax.id)).decode).toMatchObject({ state: 'decoded', sha256: text });
    const kinds = (await office.inbound.evidence(fax.id)).map(({ kind }) => kind);
    expect(kinds).toEqual(['notification', 'document', 'not_decoded', 'not_decoded', 'decoded']);
  });

  test('a fax from another number is opened with the key of the contact that a person chooses', async () => {
    const contact = await office.contact({ shared_key: KEY });
    const fax = await office.receive(encrypted, '+12025550199');
    expect(fax.decode).toMatchObject({ state: 'key_missing' });
    await office.json('POST', `/inbound/${fax.id}/decode`, { contact_id: contact.id });
    await office.inbound.work();
    expect((await office.received(fax.id)).decode).toMatchObject({ state: 'decoded' });
    const wrong = await office.gateway.request('POST', `/inbound/${fax.id}/decode`, {
      json: { contact_id: fax.id },
    });
    expect(wrong.status).toBe(404);
  });

  test('rule (inbound): pages that were lost are rebuilt as far as the parity pages go, and no further', async (context) => {
    needTools(context, 'pdfseparate', 'pdfunite');
    const { pages } = await office.receive(long);
    const count = pages ?? 0;
    expect(count).toBeGreaterThan(11);
    const whole = await office.receive(await onlyPages(long, [...range(3, count).reverse()]));
    expect(whole.decode).toMatchObject({ state: 'decoded', sha256: sha256(textPdf(1)) });
    const fax = await office.receive(await onlyPages(long, range(6, count)));
    expect(fax).toMatchObject({ status: 'received', decode: { state: 'incomplete', sha256: null } });
    expect(fax.decode?.sentence).toMatch(/^\d+ of the \d+ pages that are needed could be read\./u);
  });

  test.each([
    ['200 dpi in gray', ['-sDEVICE=pdfimage8', '-r200']],
    ['300 dpi in gray', ['-sDEVICE=pdfimage8', '-r300']],
  ])('rule (inbound): pages that a provider drew again are still read [%s]', async (_name, options) => {
    const again = await changed(plain, (file, out) =>
      execFileSync('gs', ['-q', '-dBATCH', '-dNOPAUSE', '-dSAFER', ...options, `-sOutputFile=${out}`, file]),
    );
    expect((await office.receive(again)).decode).toMatchObject({ state: 'decoded', sha256: text });
  });

  test('looks at nothing while that is off, and at one fax when a person asks for it', async () => {
    await office.gateway.set({ INBOUND_DECODE_PAGES: false });
    const fax = await office.receive(plain);
    expect(fax.decode).toBeNull();
    await office.json('POST', `/inbound/${fax.id}/decode`);
    await office.inbound.work();
    expect((await office.received(fax.id)).decode).toMatchObject({ state: 'decoded' });
  });
});

describe('what the original reaches', () => {
  const stored = async () => (await office.inbound.stored()).map((name) => name.replace(/^.*\./u, '')).sort();

  test('rule (crossings): the original goes with the document of its fax when its time ends', async () => {
    const fax = await office.receive(plain);
    expect(await stored()).toEqual(['org', 'pdf']);
    await office.gateway.set({ INBOUND_RETENTION_DAYS: 1 });
    for (let day = 0; day < 3; day += 1) {
      office.gateway.clock.advance(DAY);
      await office.inbound.work();
    }
    expect(await stored()).toEqual([]);
    expect((await office.received(fax.id)).decode).toMatchObject({ state: 'decoded', document_kept: false });
    expect((await office.original(fax.id)).status).toBe(404);
  });

  test('rule (crossings): a legal hold keeps the document and the original of a fax beyond their time, and the original from being replaced', async () => {
    const fax = await office.receive(plain);
    const hold = await office.json<{ id: string; version: number }>('POST', '/legal-holds', {
      name: 'Smith v. Harbor Clinic',
      reason: 'Letter',
      fax_ids: [fax.id],
    });
    const again = await office.gateway.request('POST', `/inbound/${fax.id}/decode`);
    expect([again.status, again.headers.get('x-error-code')]).toEqual([409, 'kept_for_legal_hold']);
    expect(await again.text()).toContain('kept under the legal hold Smith v. Harbor Clinic');
    await office.gateway.set({ INBOUND_RETENTION_DAYS: 1 });
    for (let day = 0; day < 3; day += 1) {
      office.gateway.clock.advance(DAY);
      await office.inbound.work();
    }
    expect(await stored()).toEqual(['org', 'pdf']);
    await office.json('POST', `/legal-holds/${hold.id}/release`, { version: hold.version });
    expect(await stored()).toEqual(['org', 'pdf']);
    office.gateway.clock.advance(DAY);
    await office.inbound.work();
    expect(await stored()).toEqual([]);
    await office.gateway.set({ INBOUND_RETENTION_DAYS: 0 });
  });

  test('rule (crossings): the security audit records who downloaded the original', async () => {
    const fax = await office.receive(plain);
    await (await office.original(fax.id)).arrayBuffer();
    const { items } = await office.json<{ items: { details: { document: string } }[] }>(
      'GET',
      '/access/audit?operation=document.downloaded',
    );
    expect(items.map(({ details }) => details.document)).toContain('original of a received fax');
  });

  test('rule (crossings): the evidence archive contains the original byte for byte, until it is deleted with its fax', async () => {
    const fax = await office.receive(plain);
    const path = join(await mkdtemp(join(work, 'evidence-')), 'evidence.zip');
    const exported = async () => {
      const answer = await office.gateway.request('GET', `/work/${fax.work_item_id}/export`);
      const archive = Buffer.from(await answer.arrayBuffer());
      await writeFile(path, archive);
      return { archive, check: await verifyEvidence(path) };
    };
    const original = Buffer.from(await (await office.original(fax.id)).arrayBuffer());
    const { archive, check } = await exported();
    expect(check).toMatchObject({
      intact: true,
      missing: [],
      manifest: {
        document: {
          file: 'original.pdf',
          carried_original: { file: 'recovered-original.pdf', name: 'letter.pdf', sha256: text },
        },
      },
    });
    expect(archive.includes(original)).toBe(true);
    const downloads = await office.json<{ items: { details: { document: string } }[] }>(
      'GET',
      '/access/audit?operation=document.downloaded',
    );
    expect(
      downloads.items
        .map(({ details }) => details.document)
        .slice(0, 2)
        .sort(),
    ).toEqual(['original of a received fax', 'received fax']);
    await office.gateway.set({ INBOUND_RETENTION_DAYS: 1 });
    for (let day = 0; day < 3; day += 1) {
      office.gateway.clock.advance(DAY);
      await office.inbound.work();
    }
    const later = await exported();
    expect(later.check).toMatchObject({
      intact: true,
      missing: [
        { part: 'original.pdf', reason: 'expired' },
        { part: 'recovered-original.pdf', reason: 'expired' },
      ],
      manifest: { document: { file: null, carried_original: { file: null, sha256: text } } },
    });
    expect(later.archive.includes(original)).toBe(false);
  });

  test('rule (contacts): the shared key is in no answer, export, audit entry, log or store', async () => {
    const contact = await office.contact({ encoded_pages: 'encrypted', shared_key: KEY });
    expect(contact).toMatchObject({
      encoded_pages: 'encrypted',
      shared_key_fingerprint: expect.stringMatching(/^[0-9a-f]{4} [0-9a-f]{4}$/u),
    });
    await office.receive(encrypted);
    const seen = [JSON.stringify(contact), ...office.gateway.logLines];
    for (const path of ['/contacts', '/contacts/export', '/access/audit', `/contacts/${contact.id}`])
      seen.push(await (await office.gateway.request('GET', path)).text());
    const { dataFolder } = office.gateway;
    for (const name of (await readdir(dataFolder)).filter((each) => each.startsWith('faxdesk.sqlite')))
      seen.push(await readFile(join(dataFolder, name), 'latin1'));
    expect(seen.filter((each) => each.includes(KEY))).toEqual([]);
    expect(seen.join()).toContain('Encoded pages');
    const removed = await office.change(contact, 1, { shared_key: null, encoded_pages: 'off' });
    expect(removed).toMatchObject({ shared_key_fingerprint: null, encoded_pages: 'off' });
  });

  test('the form of the pages is exported and imported again, and the key stays', async () => {
    await office.contact({ encoded_pages: 'encrypted', shared_key: KEY });
    const csv = await (await office.gateway.request('GET', '/contacts/export')).text();
    const [names = '', values = ''] = csv.split('\r\n').map((line) => line.split(','));
    expect(values[names.indexOf('Encoded pages')]).toBe('encrypted');
    const form = new FormData();
    form.append('existing', 'update');
    form.append('file', new File([csv.replace('Mill Valley', 'Mill Valley Clinic')], 'contacts.csv'));
    await office.gateway.request('POST', '/contacts/import', { form });
    const { items } = await office.json<{ items: object[] }>('GET', `/contacts?has_key=true`);
    expect(items).toEqual([
      expect.objectContaining({
        name: 'Mill Valley Clinic',
        fax_number: PARTNER,
        encoded_pages: 'encrypted',
      }),
    ]);
  });
});
