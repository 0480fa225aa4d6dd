import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Cover } from '../../shared/api/covers.ts';
import { formPdf } from '../fixtures/form-pdf.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';

type CoverAnswer = z.infer<typeof Cover>;
/** Parts of the answers that are read here. */
type Answer = Omit<Fax, 'kind' | 'version'> &
  Omit<CoverAnswer, 'kind'> & {
    readonly policy_version: number;
    readonly mailbox: { readonly id: string; readonly cover_id: string };
    readonly used_by: object;
    readonly items: readonly { readonly name: string }[];
  };
const TO = '+12025550123';
const LETTER = new File([Uint8Array.from(textPdf(2))], 'letter.pdf', { type: 'application/pdf' });
const text = unlessMissing('pdftotext');

describe.each(STORES)('cover pages on %s', (store) => {
  let gateway: TestGateway;
  let databaseUrl: string | null;
  beforeAll(async () => {
    databaseUrl = store === 'sqlite' ? null : await newPostgresDatabase();
    gateway = await startTestGateway({ databaseUrl, settings: { FAX_ORGANIZATION: 'Hill Clinic' } });
  });
  afterAll(async () => {
    await gateway.close();
    if (databaseUrl) await dropPostgresDatabase(databaseUrl);
  });

  async function post(path: string, fields: Record<string, string>, file?: File, headers = {}) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    if (file) form.append('file', file);
    const response = await gateway.request('POST', path, { form, headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }
  async function send(fields: Record<string, string>, headers = {}): Promise<{ status: number; body: Fax }> {
    const { status, body } = await post('/fax', { to: TO, ...fields }, LETTER, headers);
    return { status, body: body as Fax };
  }
  async function json(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Answer }> {
    const response = await gateway.request(method, path, body ? { json: body } : {});
    return { status: response.status, body: (await response.json()) as Answer };
  }
  async function create(fields: Record<string, string>, file?: File): Promise<CoverAnswer> {
    const { status, body } = await post('/covers', fields, file);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as CoverAnswer;
  }
  async function textOf(id: string): Promise<string> {
    const response = await gateway.request('GET', `/fax/${id}/document`);
    const path = join(gateway.dataFolder, `${id}.pdf`);
    writeFileSync(path, Buffer.from(await response.arrayBuffer()));
    return referee('pdftotext', ['-layout', path, '-']).toString('utf8');
  }
  async function deliver(fax: Fax): Promise<void> {
    await gateway.processAll();
    const { provider_sid, document } = await gateway.fax(fax.id);
    gateway.emulator.complete(String(provider_sid), { status: 'success', pages: document.pages });
    gateway.clock.advance(31 * SECOND);
    await gateway.processAll();
  }

  test('rule (covers): A cover page is the first page of its fax, and the fax keeps what it says', async () => {
    const { status, body } = await send({
      cover: 'confidential',
      cover_fields: JSON.stringify({ attention: 'Dr. Müller 検査', note: 'First line\nSecond line' }),
      subject: 'Knee X-ray',
      reference: 'Case 4711',
    });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      document: { pages: 3, file_name: 'letter.pdf', media_type: 'application/pdf' },
      cover: {
        id: 'confidential',
        name: 'Confidential',
        fields: {
          to: '+1 202 555 0123',
          attention: 'Dr. Müller 検査',
          pages: '3',
          subject: 'Knee X-ray',
          reference: 'Case 4711',
          note: 'First line\nSecond line',
        },
      },
    });
    expect(body.cover?.fields['from']).toContain('Hill Clinic');
    await deliver(body);
    expect(await gateway.fax(body.id)).toMatchObject({ delivery_state: 'success', cover: body.cover });
    const report = await gateway.request('GET', `/fax/${body.id}/report`);
    expect(report.status).toBe(200);
    const again = await json('POST', `/fax/${body.id}/resend`, {});
    expect(again.body).toMatchObject({ document: { pages: 3 }, cover: body.cover });
    const rest = await json('POST', `/fax/${body.id}/resend`, { from_page: 2 });
    expect(rest.body).toMatchObject({ document: { pages: 2 }, cover: null });
  });

  test.skipIf(text.skip)(`prints the values in the PDF${text.reason}`, async () => {
    const { body } = await send({
      cover: 'plain',
      cover_fields: '{"attention":"Dr. Müller 検査","note":"Call us"}',
      subject: 'Knee X-ray',
    });
    const printed = await textOf(body.id);
    for (const part of ['Dr. Müller 検査', 'Call us', 'Knee X-ray', 'Hill Clinic', 'Attention'])
      expect(printed).toContain(part);
    expect(printed).toMatch(/Pages\s+3/u);
  });

  test('rule (covers): The cover page of the contact goes before that of the mailbox, and a named one before both', async () => {
    const contact = await json('POST', '/contacts', {
      name: 'Dr. Ann Lee',
      fax_number: '+12025550177',
      cover_id: 'short',
    });
    expect(contact.status).toBe(201);
    const { body: policy } = await json('GET', '/access/mailboxes');
    const { body: made } = await json('POST', '/access/mailboxes', {
      label: `Records ${store}`,
      cover_id: 'plain',
      expected_policy_version: policy.policy_version,
    });
    expect(made.mailbox.cover_id).toBe('plain');
    const coverOf = async (fields: Record<string, string>) => (await send(fields)).body.cover?.id ?? null;
    const box = { mailbox: made.mailbox.id };
    expect(await coverOf({ to: '+12025550177', ...box })).toBe('short');
    expect(await coverOf(box)).toBe('plain');
    expect(await coverOf({ ...box, cover: 'confidential' })).toBe('confidential');
    expect(await coverOf({ to: '+12025550177', ...box, cover: 'none' })).toBeNull();
    expect(await coverOf({})).toBeNull();
    const used = await json('GET', '/covers/short');
    expect(used.body.used_by).toEqual({ contacts: 1, mailboxes: 0 });
  });

  test('rule (covers): A repeated request with another cover page or other values is refused', async () => {
    const headers = { 'Idempotency-Key': 'covered' };
    const fields = { cover: 'plain', cover_fields: '{"note":"One"}' };
    const first = await send(fields, headers);
    expect((await send(fields, headers)).body.id).toBe(first.body.id);
    const others: Record<string, string>[] = [
      { cover: 'short' },
      { ...fields, cover_fields: '{"note":"Two"}' },
      {},
    ];
    for (const other of others) expect((await send(other, headers)).status).toBe(409);
  });

  test('a template is created, changed, used and removed; built-in ones stay as they are', async () => {
    const cover = await create({
      name: 'Law firm',
      title: 'Telefax',
      fields: 'to,from,note',
      text: 'Appointment: {appointment}',
      notice: 'Privileged.',
    });
    expect(cover).toMatchObject({
      kind: 'page',
      built_in: false,
      fields: ['to', 'from', 'note'],
      version: 1,
    });
    const { body: fax } = await send({ cover: cover.id, cover_fields: '{"appointment":"Monday"}' });
    expect(fax.cover).toMatchObject({ name: 'Law firm', fields: { appointment: 'Monday' } });
    expect(fax.cover?.fields['date']).toBeUndefined();
    const changed = await json('PATCH', `/covers/${cover.id}`, { name: 'Firm', version: 1 });
    expect(changed.body).toMatchObject({ name: 'Firm', version: 2 });
    expect((await json('PATCH', `/covers/${cover.id}`, { name: 'X', version: 1 })).status).toBe(409);
    expect((await json('PATCH', '/covers/plain', { name: 'X', version: 1 })).status).toBe(409);
    expect((await post('/covers', { name: 'firm' })).status).toBe(409);
    expect((await post('/covers', { name: 'Plain' })).status).toBe(409);
    const { body: list } = await json('GET', '/covers');
    expect(list.items.map(({ name }) => name).slice(0, 4)).toEqual([
      'Plain',
      'Confidential',
      'Short',
      'Firm',
    ]);
    expect((await json('POST', `/covers/${cover.id}/remove`, { version: 2 })).status).toBe(200);
    expect((await json('GET', `/covers/${cover.id}`)).status).toBe(404);
    expect((await send({ cover: cover.id })).status).toBe(400);
    expect(await gateway.fax(fax.id)).toMatchObject({ cover: { name: 'Law firm' } });
  });

  test('a PDF with form fields is filled in, on its own layout', async () => {
    const file = new File([Uint8Array.from(formPdf(['to', 'pages', 'note', 'bed']))], 'form.pdf');
    const cover = await create({ name: 'Form' }, file);
    expect(cover).toMatchObject({ kind: 'pdf', form_fields: ['to', 'pages', 'note', 'bed'] });
    const values = { note: 'Line one\nLine two 検査', bed: '12 B', other: 'not on the form' };
    const { body } = await send({ cover: cover.id, cover_fields: JSON.stringify(values) });
    expect(body.cover?.fields).toEqual({
      to: '+1 202 555 0123',
      pages: '3',
      note: 'Line one\nLine two 検査',
      bed: '12 B',
    });
    expect(body.document.pages).toBe(3);
    if (text.skip) return;
    const printed = await textOf(body.id);
    for (const part of ['OUR OWN FORM', 'Line two 検査', '12 B', '+1 202 555 0123'])
      expect(printed).toContain(part);
  });

  test('a preview is a picture of what the receiving machine prints, also of a page that is not saved', async () => {
    const of = async (body: object) => gateway.request('POST', '/covers/preview', { json: body });
    const saved = await of({ cover: 'plain', to: TO, pages: 4, cover_fields: { note: 'Hello' } });
    expect(saved.headers.get('Content-Type')).toBe('image/png');
    const bytes = Buffer.from(await saved.arrayBuffer());
    expect(bytes.readUInt32BE(16)).toBe(1728);
    const drawn = await of({ design: { title: 'Mine', fields: ['to'], text: 'Free', notice: '' }, to: '20' });
    expect(drawn.status).toBe(200);
    const named = await of({ cover: 'plain', to: TO, to_name: 'Hill Clinic', pages: null });
    const given = await of({
      cover: 'plain',
      cover_fields: { to: 'Hill Clinic, +1 202 555 0123' },
      pages: null,
    });
    const counted = await of({ cover: 'plain', to: TO, to_name: 'Hill Clinic' });
    const [unpaged, same, paged] = await Promise.all(
      [named, given, counted].map((each) => each.arrayBuffer()),
    );
    expect(Buffer.from(unpaged as ArrayBuffer)).toEqual(Buffer.from(same as ArrayBuffer));
    expect(Buffer.from(unpaged as ArrayBuffer)).not.toEqual(Buffer.from(paged as ArrayBuffer));
    expect((await of({ cover: 'nothing' })).status).toBe(400);
    const design = { title: '', fields: [], text: '', notice: '' };
    const logo = await (await logoPicture(600, 200)).arrayBuffer();
    const typed = async (base64: string) => of({ design: { ...design, logo: base64 } });
    const [bare, withLogo] = [await of({ design }), await typed(Buffer.from(logo).toString('base64'))];
    expect(Buffer.from(await withLogo.arrayBuffer())).not.toEqual(Buffer.from(await bare.arrayBuffer()));
    const other = await typed(Buffer.from('hello').toString('base64'));
    expect(((await other.json()) as { detail: string }).detail).toMatch(/must be a PNG or JPEG/u);
    expect((await typed('not base64')).status).toBe(400);
  });

  test('a logo is printed, and each wrong file, value and letter is refused with one sentence', async () => {
    const cover = await create({ name: 'With logo' }, await logoPicture(600, 200));
    expect(cover.has_logo).toBe(true);
    expect((await send({ cover: cover.id })).status).toBe(202);
    const bytes = (given: Buffer | string) => new File([Uint8Array.from(Buffer.from(given))], 'file');
    const files: readonly [File, RegExp][] = [
      [bytes('hello'), /must be a PNG or JPEG/u],
      [await logoPicture(9000, 3000), /too many pixels/u],
      [bytes(Buffer.alloc(500_000, 1)), /larger than 400 KB/u],
      [bytes(textPdf(2)), /has one page; this PDF has 2/u],
      [bytes(textPdf(1)), /no form fields/u],
      [bytes(formPdf(['to'], '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>')), /script/u],
      [bytes(formPdf(['to']).subarray(0, 400)), /damaged/u],
    ];
    for (const [file, sentence] of files) {
      const { status, body } = await post('/covers', { name: 'Wrong' }, file);
      expect([status, (body as { detail: string }).detail]).toEqual([400, expect.stringMatching(sentence)]);
    }
    const values: readonly [Record<string, string>, RegExp][] = [
      [{ cover_fields: '{"note":"ok"}' }, /no such cover page/u],
      [{ cover: 'plain', cover_fields: 'note' }, /JSON/u],
      [{ cover: 'plain', cover_fields: '{"pages":"9"}' }, /counted/u],
      [{ cover: 'plain', cover_fields: JSON.stringify({ note: 'x'.repeat(10_000) }) }, /2000|2,000/u],
      [{ cover: 'plain', cover_fields: JSON.stringify({ note: 'a\u0007b' }) }, /control/u],
      [{ cover: 'plain', cover_fields: JSON.stringify({ note: 'שלום' }) }, /“ש” \(U\+05E9\)/u],
      [{ cover: 'plain', cover_fields: JSON.stringify({ note: 'x\n'.repeat(900) }) }, /do not fit/u],
    ];
    const before = (await json('GET', '/fax?limit=200')).body.items.length;
    for (const [fields, sentence] of values) {
      const { status, body } = await send(fields);
      expect([status, (body as unknown as { detail: string }).detail]).toEqual([
        400,
        expect.stringMatching(sentence),
      ]);
    }
    expect((await json('GET', '/fax?limit=200')).body.items).toHaveLength(before);
  });
});

async function logoPicture(width: number, height: number): Promise<File> {
  const { default: sharp } = await import('sharp');
  const picture = sharp({ create: { width, height, channels: 3, background: '#035' } });
  return new File([Uint8Array.from(await picture.png().toBuffer())], 'logo.png');
}
