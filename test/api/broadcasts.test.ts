import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { sha256Hex } from '../../server/platform/hash.ts';
import type { broadcastsRoutes } from '../../shared/api/broadcasts.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { framedPdf } from '../fixtures/sheet-pdf.ts';
import { eventually } from '../setup/eventually.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl, STORES, withoutPostgres } from '../setup/stores.ts';
import { listen } from './console-stream.ts';

type Sent = z.infer<(typeof broadcastsRoutes.sendBroadcast)['answer']['schema']>;
type Broadcast = z.infer<(typeof broadcastsRoutes.getBroadcast)['answer']['schema']>;
type Recipients = z.infer<(typeof broadcastsRoutes.listRecipients)['answer']['schema']>;
type Given = Record<string, string | File>;

const numberOf = (at: number) => `+1202555${String(at).padStart(4, '0')}`;
const listOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => numberOf(from + at)).join('\n');

describe.each(STORES)('broadcasts on %s', (store) => {
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

  async function send(given: Given, options: { key?: string; headers?: Record<string, string> } = {}) {
    const form = new FormData();
    for (const [name, value] of Object.entries(given)) form.append(name, value);
    const response = await gateway.request('POST', '/broadcasts', { form, ...options });
    const body = (await response.json()) as Sent & { readonly detail: string };
    return { status: response.status, headers: response.headers, body };
  }

  async function sent(given: Given, options: { key?: string; headers?: Record<string, string> } = {}) {
    const { status, body } = await send({ file: textFile(), ...given }, options);
    expect(body).toMatchObject({ broadcast: expect.anything() });
    expect(status).toBe(202);
    return body.broadcast as Broadcast;
  }

  async function read<T>(path: string, key?: string): Promise<T> {
    const response = await gateway.request('GET', path, key === undefined ? {} : { key });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  const get = (id: string) => read<Broadcast>(`/broadcasts/${id}`);
  const recipients = async (id: string, query = 'limit=200') =>
    (await read<Recipients>(`/broadcasts/${id}/recipients?${query}`)).items;
  const faxesOf = async (id: string) =>
    (await read<{ items: Fax[] }>(`/fax?broadcast_id=${id}&limit=200`)).items;
  const act = (id: string, name: string, key?: string) =>
    gateway.request('POST', `/broadcasts/${id}/${name}`, key === undefined ? {} : { key });
  const blocked = (name: string, fax_number: string, more: Record<string, unknown>) =>
    gateway.request('POST', '/contacts', { json: { name, fax_number, ...more } });

  async function outcome(id: string, of: (at: number) => 'success' | 'failure'): Promise<void> {
    await gateway.processAll();
    for (const [at, fax] of (await faxesOf(id)).entries())
      if (fax.delivery_state === 'in_progress')
        gateway.emulator.complete(String(fax.provider_sid), { status: of(at) });
    gateway.clock.advance(31 * SECOND);
    await gateway.processAll();
  }

  test('rule (broadcasts): Each recipient gets one fax of its own, and the counts follow the faxes', async () => {
    const csv = 'Practice,Fax,Room\nHill Street Clinic,(202) 555-1001,12\nDr. Lee,+1 202 555 1002,\n';
    const { id } = await sent({
      recipients_file: new File([csv], 'list.csv'),
      name: 'Holiday hours',
      subject: 'Closed on Friday',
    });
    expect(await get(id)).toMatchObject({ recipients: 2, state: 'sending', counts: { waiting: 2 } });
    await gateway.processAll();
    const faxes = await faxesOf(id);
    expect(faxes.map(({ to }) => to).sort()).toEqual(['+12025551001', '+12025551002']);
    expect(faxes[0]).toMatchObject({
      broadcast_id: id,
      subject: 'Closed on Friday',
      created_by: { name: 'Installation key' },
    });
    await outcome(id, () => 'success');
    expect(await get(id)).toMatchObject({
      state: 'finished',
      counts: { delivered: 2, waiting: 0, sending: 0 },
    });
    expect(await recipients(id)).toMatchObject([
      {
        position: 1,
        line: 2,
        to: '+12025551001',
        name: 'Hill Street Clinic',
        fields: { Practice: 'Hill Street Clinic', Room: '12' },
        state: 'delivered',
      },
      { position: 2, line: 3, to: '+12025551002', name: 'Dr. Lee', state: 'delivered' },
    ]);
  });

  test('rule (broadcasts): Duplicates, wrong numbers, blocked and opted-out recipients are named with their line before anything is sent', async () => {
    await blocked('Blocked Clinic', '+12025551101', { blocked: true });
    await blocked('Quiet Clinic', '+12025551102', { opted_out: true });
    await blocked('Voice Clinic', '+12025551103', { voice_number: '+12025551104' });
    const list = '+12025551105\n202 555 1105\n12\n+12025551101\n+12025551102\n+12025551104\n';
    const preview = await send({ recipients: list, preview: 'true' });
    expect(preview.status).toBe(200);
    expect(preview.body).toMatchObject({ broadcast: null, recipients: 1, left_out: 5 });
    expect(preview.body.checked.map(({ line, problem }) => [line, problem])).toEqual([
      [1, null],
      [2, 'This number is already in line 1.'],
      [3, 'This fax number is incomplete or not valid.'],
      [4, 'Faxes to this number are blocked in the contacts.'],
      [5, 'This recipient opted out of faxes.'],
      [6, 'This is the telephone number of Voice Clinic, not a fax number.'],
    ]);
    const before = (await read<{ items: unknown[] }>('/broadcasts')).items.length;
    const refused = await send({ recipients: list, file: textFile() });
    expect(refused.status).toBe(400);
    expect(refused.body.detail).toBe(
      '5 of 6 lines have a problem. Line 2: This number is already in line 1. Line 3: This fax number is incomplete or not valid. Line 4: Faxes to this number are blocked in the contacts. Nothing was sent.',
    );
    expect((await read<{ items: unknown[] }>('/broadcasts')).items.length).toBe(before);
    const { body } = await send({ recipients: list, file: textFile(), leave_out: 'true' });
    expect(body).toMatchObject({ recipients: 1, left_out: 5 });
    expect(body.checked).toHaveLength(5);
    await gateway.processAll();
  });

  test('a list comes in one way, and within its limits', async () => {
    for (const [given, detail] of [
      [{}, 'Name the recipients in exactly one way: "recipients", "recipients_file" or "tag".'],
      [{ recipients: '+12025550123', tag: 'x' }, 'Name the recipients in exactly one way'],
      [{ tag: 'nobody' }, 'The list of recipients is empty. Nothing was sent.'],
      [{ recipients: listOf(0, 1001) }, 'A broadcast goes to at most 1,000 recipients.'],
      [{ recipients: 'abc' }, 'Nobody in the list can get a fax. Line 1: This fax number is incomplete'],
    ] as const) {
      const { status, body } = await send({ ...given, file: textFile() });
      expect([status, body.detail]).toEqual([400, expect.stringContaining(detail)]);
    }
    const pasted = await send({ recipients: '+12025551201; +12025551202, +12025551203', preview: 'true' });
    expect(pasted.body.recipients).toBe(3);
    await blocked('Tagged', '+12025551210', { tags: ['Partners'] });
    expect((await send({ tag: 'partners', preview: 'true' })).body.checked).toMatchObject([
      { line: 1, to: '+12025551210', name: 'Tagged', problem: null },
    ]);
  });

  test('requests with one Idempotency-Key are one broadcast', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const given = { recipients: listOf(1300, 3), file: textFile() };
    const first = await send(given, { headers });
    const again = await send(given, { headers });
    expect(again.body.broadcast?.id).toBe(first.body.broadcast?.id);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect((await send({ ...given, recipients: listOf(1300, 4) }, { headers })).status).toBe(409);
    await gateway.processAll();
    expect(await faxesOf(String(first.body.broadcast?.id))).toHaveLength(3);
  });

  test('rule (broadcasts): A paused broadcast makes no further faxes, and canceling the rest ends what is not being sent', async () => {
    const { id } = await sent({ recipients: listOf(1400, 30) });
    await gateway.set({ FAX_DISABLED: true });
    await gateway.processAll();
    // While sending is off nothing is made that somebody would have to release.
    expect(await faxesOf(id)).toEqual([]);
    expect((await act(id, 'pause')).status).toBe(200);
    await gateway.set({ FAX_DISABLED: false });
    await gateway.processAll();
    expect(await get(id)).toMatchObject({ state: 'paused', counts: { waiting: 30 } });
    expect((await act(id, 'pause')).status).toBe(409);
    expect((await act(id, 'continue')).status).toBe(200);
    await gateway.processAll();
    expect(await get(id)).toMatchObject({ state: 'sending', counts: { waiting: 0, sending: 30 } });
    expect((await act(id, 'cancel')).status).toBe(409);

    const later = await sent({ recipients: listOf(1450, 30) });
    expect((await act(later.id, 'cancel')).status).toBe(200);
    await gateway.processAll();
    expect(await get(later.id)).toMatchObject({ state: 'cancelled', counts: { cancelled: 30 } });
    expect(await faxesOf(later.id)).toEqual([]);
    const history = await read<{ events: { text: string }[] }>(`/broadcasts/${later.id}/history`);
    expect(history.events.map(({ text }) => text)).toEqual([
      'Accepted for 30 recipients.',
      'Canceled the rest: 30 faxes.',
    ]);
  });

  test('rule (broadcasts): Failed faxes are sent again once, and delivered ones never', async () => {
    const { id } = await sent({ recipients: listOf(1500, 10) });
    await outcome(id, (at) => (at % 2 === 0 ? 'failure' : 'success'));
    expect(await get(id)).toMatchObject({ state: 'finished', counts: { delivered: 5, failed: 5 } });
    const failed = await recipients(id, 'state=failed');
    expect(failed).toHaveLength(5);
    expect(failed[0]?.reason).toEqual(expect.any(String));
    const answers = await Promise.all([act(id, 'retry'), act(id, 'retry')]);
    // The second one changes nothing, or is refused because the first one was in the way.
    expect(answers.map(({ status }) => status)).toContain(200);
    await outcome(id, () => 'success');
    expect(await get(id)).toMatchObject({ state: 'finished', counts: { delivered: 10, failed: 0 } });
    expect(await faxesOf(id)).toHaveLength(15);
    expect((await act(id, 'retry')).status).toBe(409);
  });

  test('rule (broadcasts): Single faxes go before those of a broadcast', async () => {
    const { id } = await sent({ recipients: listOf(1600, 60) });
    const single = await gateway.send({ to: '+12025551699' });
    await gateway.processAll();
    const order = [...gateway.emulator.faxes.values()].map(({ recipients: [one] }) =>
      String(one?.phone_number).replace(/^\+?/u, '+'),
    );
    const at = order.lastIndexOf('+12025551699');
    const ahead = order
      .slice(0, at)
      .filter((to) => to.startsWith('+1202555160') || to.startsWith('+12025551'));
    expect((await gateway.fax(single.id)).delivery_state).toBe('in_progress');
    expect(order.filter((to) => /^\+120255516[0-5]/u.test(to))).toHaveLength(60);
    // Those that were taken at the same moment may be ahead of it.
    expect(ahead.filter((to) => /^\+120255516[0-5]/u.test(to)).length).toBeLessThan(8);
    expect(await get(id)).toMatchObject({ counts: { sending: 60 } });
  });

  test('rule (broadcasts): The document is stored once, and given up when no recipient waits for it', async () => {
    const { id } = await sent({ recipients: listOf(1700, 5) });
    const folder = join(gateway.dataFolder, 'files');
    const kept = await stat(join(folder, 'broadcast', `${id}.pdf`));
    await gateway.processAll();
    const [fax] = await faxesOf(id);
    const own = await stat(join(folder, 'fax', `${fax?.id}.pdf`));
    expect(own.ino).toBe(kept.ino);
    expect(await readdir(join(folder, 'broadcast'))).not.toContain(`${id}.pdf`);
  });

  test('rule (broadcasts): Only people of its mailbox and its sender see a broadcast, and test keys their own', async () => {
    const people = new MailboxPeople(gateway, databaseUrl);
    await people.addMailbox('b-one', 'Broadcasts One');
    await people.addMailbox('b-two', 'Broadcasts Two');
    const rights = ['fax:send', 'fax:read'];
    const one = await people.addPerson({ 'mailbox:b-one': rights });
    const two = await people.addPerson({ 'mailbox:b-two': rights });
    const reader = await people.addPerson({ 'mailbox:b-one': ['fax:read'] });
    const { id } = await sent({ recipients: listOf(1800, 2) }, { key: one.key });
    expect(await read(`/broadcasts/${id}`, one.key)).toMatchObject({ mailbox: 'Broadcasts One' });
    expect((await gateway.request('GET', `/broadcasts/${id}`, { key: two.key })).status).toBe(404);
    expect((await gateway.request('GET', `/broadcasts/${id}/recipients`, { key: two.key })).status).toBe(404);
    expect((await read<{ items: unknown[] }>('/broadcasts', two.key)).items).toEqual([]);
    expect((await read<{ items: unknown[] }>('/broadcasts', reader.key)).items).toHaveLength(1);
    expect((await act(id, 'pause', two.key)).status).toBe(404);
    expect((await act(id, 'pause', reader.key)).status).toBe(403);
    await gateway.processAll();
    expect(await faxesOf(id)).toMatchObject([{ mailbox: 'Broadcasts One' }, { mailbox: 'Broadcasts One' }]);
  });

  test('rule (broadcasts): Its changes are reported about once a second, the last one always, to those who see it', async () => {
    const people = new MailboxPeople(gateway, databaseUrl);
    await people.addMailbox('b-three', 'Broadcasts Three');
    await people.addMailbox('b-four', 'Broadcasts Four');
    const sender = await people.addPerson({ 'mailbox:b-three': ['fax:send', 'fax:read'] });
    const reader = await people.addPerson({ 'mailbox:b-three': ['fax:read'] });
    const other = await people.addPerson({ 'mailbox:b-four': ['fax:read'] });
    const streams = await Promise.all([sender, reader, other].map(({ key }) => listen(gateway, { key })));
    const began = performance.now();
    const { id } = await sent({ recipients: listOf(1850, 30) }, { key: sender.key });
    const reported = () =>
      streams.map(({ events }) =>
        events.filter(({ kind }) => kind === 'broadcast.changed').map(({ data }) => data),
      );
    const isLast = async () => {
      const { version } = await get(id);
      const [own = [], read = [], others = []] = reported();
      expect([own.at(-1), read.at(-1), others]).toEqual([{ id, version }, { id, version }, []]);
      return version;
    };
    await eventually(isLast);
    expect((await act(id, 'pause', sender.key)).status).toBe(200);
    await eventually(isLast);
    expect((await act(id, 'continue', sender.key)).status).toBe(200);
    await gateway.processAll();
    await eventually(isLast);
    await outcome(id, () => 'success');
    await eventually(isLast);
    expect(await isLast()).toBeGreaterThan(60);
    // The first one comes at once.
    const seconds = (performance.now() - began) / 1_000;
    expect(reported()[0]?.length).toBeLessThanOrEqual(Math.ceil(seconds) + 2);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  test('rule (broadcasts): The opt-out line is on the page of the setting, in what is stored and sent, and in the report', async (context) => {
    const { skip } = unlessMissing('pdftotext');
    if (skip) return context.skip();
    const file = new File([textPdf(3)], 'hours.pdf', { type: 'application/pdf' });
    const folder = join(gateway.dataFolder, 'files');
    const lineOf = async (page: 'first' | 'last', line: string, from: number) => {
      await gateway.set({ OPT_OUT_LINE: line, OPT_OUT_PAGE: page });
      const broadcast = await sent({ recipients: listOf(from, 1), file });
      expect(broadcast).toMatchObject({ opt_out_line: line, document: { pages: 3 } });
      await gateway.processAll();
      const [fax] = await faxesOf(broadcast.id);
      expect(fax).toMatchObject({ document: { pages: 3, sha256: broadcast.document.sha256 } });
      const path = join(folder, 'fax', `${fax?.id}.pdf`);
      const pages = referee('pdftotext', ['-layout', path, '-']).toString().split('\f');
      expect(pages.slice(0, 3).map((text, at) => text.includes(`Page ${at + 1}, line 1 `))).toEqual([
        true,
        true,
        true,
      ]);
      const report = await gateway.request('GET', `/broadcasts/${broadcast.id}/report`);
      expect(report.status).toBe(200);
      return pages.slice(0, 3).map((text) => text.includes(line));
    };
    const text = 'To stop faxes from us, call 202 555 0100.';
    expect(await lineOf('first', text, 1950)).toEqual([true, false, false]);
    const long = `To stop faxes from us, ${'call or write to us at any time, '.repeat(3)}say so.`;
    expect(await lineOf('last', long, 1951)).toEqual([false, false, true]);
    await gateway.set({ OPT_OUT_LINE: 'اكتب لنا' });
    const { status, body } = await send({ recipients: listOf(1952, 1), file });
    expect([status, body.detail]).toEqual([
      415,
      expect.stringMatching(/^The opt-out line cannot be printed with /u),
    ]);
    expect((await readdir(join(folder, 'broadcast'))).filter((name) => name.includes('plain'))).toEqual([]);
    await gateway.set({ OPT_OUT_LINE: null });
  });

  test('rule (broadcasts): Each recipient gets the cover page with the columns of its own line', async (context) => {
    const { skip } = unlessMissing('pdftotext');
    if (skip) return context.skip();
    const recipients = 'Name,Fax,Room\nHill Clinic,+12025551960,12\nDr. Lee,+12025551961,\n';
    const fields = (note: string) => ({ cover: 'plain', cover_fields: JSON.stringify({ note }) });
    const file = new File([textPdf(2)], 'hours.pdf', { type: 'application/pdf' });
    const wrong = await send({ recipients, file, ...fields('Room {Rooom}') });
    expect([wrong.status, wrong.body.detail]).toEqual([
      400,
      'No line of the list has a value in a column “Rooom”. Correct the cover page. Nothing was sent.',
    ]);
    await gateway.set({ OPT_OUT_LINE: 'Call 202 555 0100 to stop faxes.', OPT_OUT_PAGE: 'first' });
    const order = { recipients, file, ...fields('For {Name}, room {room}') };
    const by = new Date(gateway.clock.now() + 3_600_000).toISOString();
    const { id } = await sent({ ...order, send_by: by });
    await gateway.set({ OPT_OUT_LINE: null });
    await gateway.processAll();
    const texts = (await faxesOf(id)).map((fax) => {
      expect(fax).toMatchObject({ send_by: by, document: { pages: 3 } });
      const path = join(gateway.dataFolder, 'files', 'fax', `${fax.id}.pdf`);
      const [cover = '', next = ''] = referee('pdftotext', ['-layout', path, '-']).toString().split('\f');
      expect(next).toContain('Page 1, line 1 ');
      expect(cover).toContain('Call 202 555 0100 to stop faxes.');
      return [fax.to, /Hill Clinic, \+1 202/u.test(cover), /For [^\n]+/u.exec(cover)?.[0].trim()];
    });
    const byNumber = texts.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
    expect(byNumber).toEqual([
      ['+12025551960', true, 'For Hill Clinic, room 12'],
      ['+12025551961', false, 'For Dr. Lee, room'],
    ]);
    expect(await get(id)).toMatchObject({
      send_by: by,
      send_when: 'now',
      cover: { id: 'plain', name: 'Plain' },
    });
  });

  test('rule (broadcasts): Each fax shows the changes to its pages and keeps the original, like a single one', async () => {
    const original = framedPdf({ width: 595, height: 842 });
    const redact = { kind: 'redact', box: { x: 0.1, y: 0.1, width: 0.5, height: 0.1 } };
    const page_edits = JSON.stringify([[{ page: 1, marks: [redact] }]]);
    const file = () => new File([Uint8Array.from(original)], 'scan.pdf', { type: 'application/pdf' });
    const edits = { redacted: 1, original: { sha256: sha256Hex(original), pages: 1 } };
    const changed = 'Pages were changed before sending: 1 place blacked out.';
    const historyOf = async (path: string) =>
      (await read<{ events: { text: string }[] }>(`${path}/history`)).events[0]?.text;
    const wrong = await send({ recipients: listOf(2100, 2), file: file(), page_edits: '[null, null]' });
    expect(wrong.status).toBe(400);
    const ways: Given[] = [{ page_form: 'ordinary' }, { cover: 'plain' }, {}];
    for (const [at, given] of ways.entries()) {
      await gateway.set({ OPT_OUT_LINE: at === 2 ? 'Call 202 555 0100.' : null });
      const order = { recipients: listOf(2100 + 10 * at, 2), file: file(), page_edits, ...given };
      const { id } = await sent(order);
      expect(await get(id)).toMatchObject({ edits, page_form: at === 0 ? 'ordinary' : 'automatic' });
      expect(await historyOf(`/broadcasts/${id}`)).toBe(`Accepted for 2 recipients. ${changed}`);
      await gateway.processAll();
      const faxes = await faxesOf(id);
      expect(faxes).toMatchObject([{ edits }, { edits }]);
      for (const fax of faxes) {
        expect(fax).toMatchObject({ page_form: at === 0 ? 'ordinary' : 'automatic' });
        expect(await historyOf(`/fax/${fax.id}`)).toContain(changed);
        const kept = await (await gateway.request('GET', `/fax/${fax.id}/original`)).arrayBuffer();
        expect(sha256Hex(new Uint8Array(kept))).toBe(edits.original.sha256);
      }
      const left = await readdir(join(gateway.dataFolder, 'files', 'broadcast'));
      expect(left.filter((name) => name.startsWith(id))).toEqual([]);
    }
    await gateway.set({ OPT_OUT_LINE: null });
  });

  test('a broadcast at a time begins then, and a recipient who opted out meanwhile gets nothing', async () => {
    const at = new Date(gateway.clock.now() + 3_600_000).toISOString();
    const { id } = await sent({ recipients: listOf(1900, 2), send_at: at });
    await gateway.processAll();
    const scheduled = async () =>
      (await read<{ items: Broadcast[] }>('/broadcasts?scheduled=true')).items.map((each) => each.id);
    expect(await scheduled()).toEqual([id]);
    expect(await get(id)).toMatchObject({ state: 'scheduled', counts: { waiting: 2 } });
    await act(id, 'pause');
    await act(id, 'continue');
    await gateway.processAll();
    expect(await get(id)).toMatchObject({ state: 'scheduled', counts: { waiting: 2 } });
    await blocked('Opted out', numberOf(1900), { opted_out: true });
    gateway.clock.advance(3_600_000);
    await gateway.processAll();
    expect(await scheduled()).toEqual([]);
    expect(await get(id)).toMatchObject({ counts: { refused: 1, sending: 1 } });
    expect(await recipients(id, 'state=refused')).toMatchObject([
      { to: numberOf(1900), reason: 'This recipient opted out of faxes.', fax_id: null },
    ]);
  });
});

test.skipIf(postgresUrl === null)(
  `a change of a broadcast by one gateway is reported by another on its database${withoutPostgres}`,
  async () => {
    const databaseUrl = await newPostgresDatabase();
    const one = await startTestGateway({ databaseUrl });
    const two = await startTestGateway({ databaseUrl, clock: one.clock, emulator: one.emulator });
    try {
      const stream = await listen(two);
      // Its first look only reads the present position.
      await eventually(() => expect(stream.comments.length).toBeGreaterThan(0));
      const form = new FormData();
      form.append('file', textFile());
      form.append('recipients', listOf(2000, 3));
      const answer = await one.request('POST', '/broadcasts', { form });
      const { broadcast } = (await answer.json()) as Sent;
      expect((await one.request('POST', `/broadcasts/${broadcast?.id}/pause`)).status).toBe(200);
      await eventually(() =>
        expect(stream.events.findLast(({ kind }) => kind === 'broadcast.changed')?.data).toEqual({
          id: broadcast?.id,
          version: 2,
        }),
      );
      await stream.close();
    } finally {
      await two.stop();
      await one.close();
      await dropPostgresDatabase(databaseUrl);
    }
  },
);
