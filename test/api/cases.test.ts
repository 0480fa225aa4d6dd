import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { casesRoutes } from '../../shared/api/cases.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { framedPdf } from '../fixtures/sheet-pdf.ts';
import { type Fax, INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';

type SentPacket = z.infer<(typeof casesRoutes.sendCase)['answer']['schema']>;
type CasePage = z.infer<(typeof casesRoutes.listCases)['answer']['schema']>;
type PacketPage = z.infer<(typeof casesRoutes.getCase)['answer']['schema']>;

const TO = '+12025550123';
const A4 = { width: 595, height: 842 };
const lab = textPdf(2);
const referral = framedPdf(A4);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const pdf = (bytes: Buffer, name: string) =>
  new File([Uint8Array.from(bytes)], name, { type: 'application/pdf' });
const LAB = pdf(lab, 'Lab results.pdf');
const REFERRAL = pdf(referral, 'Referral.PDF');

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly body: SentPacket & { readonly detail: string };
}

describe.each(STORES)('case packets on %s', (store) => {
  let gateway: TestGateway;
  let databaseUrl: string | null;
  beforeAll(async () => {
    databaseUrl = store === 'sqlite' ? null : await newPostgresDatabase();
    gateway = await startTestGateway({ databaseUrl });
  });
  afterAll(async () => {
    await gateway.close();
    if (databaseUrl) await dropPostgresDatabase(databaseUrl);
  });

  async function send(
    caseId: string,
    files: readonly File[],
    fields: Record<string, string | string[]> = {},
    options: { key?: string; headers?: Record<string, string> } = {},
  ): Promise<Sent> {
    const form = new FormData();
    for (const [name, value] of Object.entries({ to: TO, ...fields }))
      for (const one of [value].flat()) form.append(name, one);
    for (const file of files) form.append('documents', file);
    const path = `/cases/${encodeURIComponent(caseId)}/faxes`;
    const response = await gateway.request('POST', path, { form, ...options });
    const body = (await response.json()) as Sent['body'];
    return { status: response.status, headers: response.headers, body };
  }

  async function read<T>(path: string, key?: string): Promise<T> {
    const response = await gateway.request('GET', path, key === undefined ? {} : { key });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  async function deliver(id: string): Promise<void> {
    await gateway.processAll();
    const { provider_sid, document } = await gateway.fax(id);
    gateway.emulator.complete(String(provider_sid), { status: 'success', pages: document.pages });
    gateway.clock.advance(31 * SECOND);
    await gateway.processAll();
    expect((await gateway.fax(id)).delivery_state).toBe('success');
  }

  const countOf = async () => (await read<{ items: Fax[] }>('/fax?limit=200')).items.length;

  test('rule (cases): The documents of a case are one fax, with an index and the title of each document', async () => {
    const { status, body } = await send('4711', [LAB, REFERRAL], { titles: ['Lab results 検査', ''] });
    expect(status).toBe(202);
    expect(body).toEqual({
      case_id: '4711',
      to: TO,
      pages: 6,
      documents: [
        { title: 'Lab results 検査', pages: 2, first_page: 3, sha256: sha256(lab), named: null },
        { title: 'Referral', pages: 1, first_page: 6, sha256: sha256(referral), named: null },
      ],
      fax_id: expect.any(String),
      preview_id: null,
    });
    expect(await gateway.fax(String(body.fax_id))).toMatchObject({
      case_id: '4711',
      titles: ['Lab results 検査', 'Referral'],
      document: { pages: 6, file_name: 'Case 4711.pdf', media_type: 'application/pdf' },
    });
    await deliver(String(body.fax_id));
    const packets = await read<PacketPage>('/cases/4711');
    expect(packets).toMatchObject({
      case_id: '4711',
      next_cursor: null,
      items: [{ fax_id: body.fax_id, status: 'SUCCESS', pages: 6, documents: body.documents }],
    });
  });

  test('a preview records nothing, and its pages are those of the fax', async () => {
    const before = await countOf();
    const { status, body } = await send('preview 1', [LAB], { preview: 'true' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ case_id: 'preview 1', to: TO, pages: 4, fax_id: null });
    const page = await gateway.request('GET', `/fax/preview/${body.preview_id}/4.png`);
    expect(page.headers.get('Content-Type')).toBe('image/png');
    expect(await read(`/fax/preview/${body.preview_id}`)).toMatchObject({ pages: 4, to: TO });
    expect(await countOf()).toBe(before);
    expect((await gateway.request('GET', '/cases/preview%201')).status).toBe(404);
  });

  test('rule (cases): A repeated request for a packet is the same fax, and one with other documents, titles or case is refused', async () => {
    const headers = { 'Idempotency-Key': 'packet-1' };
    const first = await send('4712', [LAB, REFERRAL], {}, { headers });
    const again = await send('4712', [LAB, REFERRAL], {}, { headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    const others = [
      send('4712', [REFERRAL, LAB], {}, { headers }),
      send('4712', [LAB, REFERRAL], { titles: ['Lab', 'Referral'] }, { headers }),
      send('4713', [LAB, REFERRAL], {}, { headers }),
      send('4712', [LAB, REFERRAL], { name_sent: 'true' }, { headers }),
    ];
    for (const { status, body } of await Promise.all(others))
      expect([status, body.detail]).toEqual([409, expect.stringContaining('Idempotency-Key')]);
  });

  test('what cannot be sent is refused with the number and title of the document, and nothing is recorded', async () => {
    const before = await countOf();
    const damaged = pdf(Buffer.from('%PDF-1.7\nnothing'), 'x.pdf');
    const titles = ['Referral', 'Lab results'];
    const refused = await send('4714', [REFERRAL, damaged], { titles });
    expect(refused).toMatchObject({
      status: 400,
      body: { detail: 'Document 2, "Lab results": The PDF is damaged or incomplete.' },
    });
    const text = new File(['text'], 'note.txt', { type: 'text/plain' });
    expect(await send('4714', [REFERRAL, text], { titles, preview: 'true' })).toMatchObject({
      status: 415,
      body: { detail: 'Document 2, "Lab results": Only PDF documents can be sent in a case packet.' },
    });
    expect(await send('4714', [REFERRAL], { titles })).toMatchObject({ status: 400 });
    expect(await send('4714', [])).toMatchObject({ status: 400 });
    expect(await send('4714', [REFERRAL], { to: '12' })).toMatchObject({
      status: 400,
      body: { detail: 'That fax number is incomplete or not valid.' },
    });
    const many = await send(
      '4714',
      Array.from({ length: 51 }, () => REFERRAL),
    );
    expect(many.status).toBe(400);
    expect(await countOf()).toBe(before);
  });

  test('the client of the console takes a preview, which answers 200', async () => {
    const { cases } = createRooms(
      { cases: casesRoutes },
      {
        baseUrl: gateway.url,
        apiKey: INSTALLATION_KEY,
      },
    );
    const drawn = await cases.sendCase({
      params: { case_id: '4799' },
      fields: { to: TO, preview: 'true' },
      files: { documents: [{ name: 'Lab.pdf', content: LAB }] },
    });
    expect(drawn).toMatchObject({ fax_id: null, preview_id: expect.any(String) });
  });

  test('fifty documents are one fax, and together they may be as large as one', async () => {
    const documents = Array.from({ length: 50 }, (_, i) => pdf(referral, `${i}.pdf`));
    const { status, body } = await send('many', documents);
    expect(status).toBe(202);
    expect(body.documents.at(-1)).toMatchObject({ title: '49', pages: 1, first_page: body.pages });
    await gateway.set({ MAX_FILE_SIZE_MB: 1 });
    const large = textPdf(2, { brokenPage: 9 });
    expect(await send('large', [LAB, LAB, LAB, pdf(large, 'a.pdf')])).toMatchObject({ status: 413 });
    await gateway.set({ MAX_FILE_SIZE_MB: 25 });
  });

  test('rule (cases): A document that the recipient has under the case is named instead of sent, where the contact accepts references', async () => {
    const to = '+12025550199';
    const name_sent = 'true';
    const first = await send('4715', [LAB, REFERRAL], { to, name_sent });
    expect(first.body.documents.map(({ named }) => named)).toEqual([null, null]);
    const contact = { name: 'Dr. Reference', fax_number: to, accepts_references: true };
    expect((await gateway.request('POST', '/contacts', { json: contact })).status).toBe(201);
    // Not delivered yet.
    const early = await send('4715', [LAB], { to, name_sent, preview: 'true' });
    expect(early.body.documents[0]?.named).toBeNull();
    await deliver(String(first.body.fax_id));
    const { body } = await send('4715', [LAB, REFERRAL], {
      to,
      name_sent,
      titles: ['Lab', 'Second referral'],
    });
    const { updated_at: sent_at } = await gateway.fax(String(first.body.fax_id));
    const named = { fax_id: first.body.fax_id, sent_at };
    expect(body).toMatchObject({
      pages: 1,
      documents: [
        { title: 'Lab', pages: 2, first_page: null, named },
        { title: 'Second referral', pages: 1, first_page: null, named },
      ],
    });
    // Without the wish, under another case, and to others, everything is sent.
    expect((await send('4715', [LAB], { to, preview: 'true' })).body.pages).toBe(4);
    expect((await send('4716', [LAB], { to, name_sent, preview: 'true' })).body.pages).toBe(4);
    expect((await send('4715', [LAB], { name_sent, preview: 'true' })).body.pages).toBe(4);
  });

  test('rule (crossings): a packet that is sent again stays in its case, in search and in the report', async (context) => {
    const { body } = await send('Müller/7', [LAB], { to: '+12025550188' });
    await deliver(String(body.fax_id));
    const report = await gateway.request('GET', `/fax/${body.fax_id}/report`);
    const path = join(gateway.dataFolder, 'report.pdf');
    writeFileSync(path, Buffer.from(await report.arrayBuffer()));
    const { skip } = unlessMissing('pdftotext');
    if (skip) return context.skip();
    expect(referee('pdftotext', ['-layout', path, '-']).toString()).toMatch(
      /Case +Müller\/7 \(1 document\)\n/u,
    );
    const answer = await gateway.request('POST', `/fax/${body.fax_id}/resend`, { json: {} });
    const again = (await answer.json()) as Fax;
    expect(again.case_id).toBe('Müller/7');
    const { items } = await read<PacketPage>(`/cases/${encodeURIComponent('Müller/7')}`);
    expect(items.map(({ fax_id, documents }) => [fax_id, documents])).toEqual([
      [again.id, body.documents],
      [body.fax_id, body.documents],
    ]);
    const found = await read<{ items: Fax[] }>(`/fax?q=${encodeURIComponent('müller/7')}`);
    expect(found.items.map(({ id }) => id)).toEqual([again.id, body.fax_id]);
    const ofCase = await read<{ items: Fax[] }>(`/fax?case_id=${encodeURIComponent('Müller/7')}`);
    expect(ofCase.items.map(({ id }) => id)).toEqual([again.id, body.fax_id]);
    // A part of a packet is not the packet.
    const part = await gateway.request('POST', `/fax/${body.fax_id}/resend`, { json: { from_page: 3 } });
    const { id } = (await part.json()) as Fax;
    const [newest] = (await read<PacketPage>(`/cases/${encodeURIComponent('Müller/7')}`)).items;
    expect(newest).toMatchObject({ fax_id: id, pages: 2, documents: [] });
  });

  test('rule (cases): Cases list only the packets that the caller may see', async () => {
    const people = new MailboxPeople(gateway, databaseUrl);
    await people.addMailbox('clinic', 'Clinic');
    await people.addMailbox('archive', 'Archive');
    const rights = ['fax:send', 'fax:read'];
    const clerk = await people.addPerson({ 'mailbox:clinic': rights });
    const other = await people.addPerson({ 'mailbox:archive': rights });
    const shared = await send('shared', [REFERRAL], { mailbox: 'clinic' });
    const theirs = await send('shared', [REFERRAL], {}, { key: other.key });
    const own = await send('own', [REFERRAL], {}, { key: clerk.key });
    expect([shared.status, theirs.status, own.status]).toEqual([202, 202, 202]);
    const casesOf = async (key: string) =>
      (await read<CasePage>('/cases', key)).items.map(({ case_id, packets, newest }) => [
        case_id,
        packets,
        newest.fax_id,
      ]);
    expect(await casesOf(clerk.key)).toEqual([
      ['own', 1, own.body.fax_id],
      ['shared', 1, shared.body.fax_id],
    ]);
    expect(await casesOf(other.key)).toEqual([['shared', 1, theirs.body.fax_id]]);
    const all = await read<CasePage>('/cases?q=SHAR');
    expect(all.items).toMatchObject([
      { case_id: 'shared', packets: 2, newest: { fax_id: theirs.body.fax_id } },
    ]);
    const missing = await gateway.request('GET', '/cases/own', { key: other.key });
    expect([missing.status, missing.headers.get('X-Error-Code')]).toEqual([404, 'no_such_case']);
  });

  test('pages of cases continue where the last one ended', async () => {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page: CasePage = await read<CasePage>(`/cases?limit=2${after}`);
      ids.push(...page.items.map(({ case_id }) => case_id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(ids).toEqual((await read<CasePage>('/cases?limit=200')).items.map(({ case_id }) => case_id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(5);
  });
});
