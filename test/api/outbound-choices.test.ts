import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { flate, onePage } from '../fixtures/pdf-parts.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());
afterEach(() => gateway.set({ FAX_DISABLED: null }));

const inFuture = (ms: number) => new Date(gateway.clock.now() + ms).toISOString();
const pdfFile = (bytes: Uint8Array, name: string) =>
  new File([new Uint8Array(bytes)], name, { type: 'application/pdf' });
const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail;
const submissions = () => gateway.emulator.counts.accepted;

async function accepted(response: Response): Promise<Fax> {
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Fax;
}

async function stateAfter(id: string, ms: number): Promise<string> {
  gateway.clock.advance(ms);
  await gateway.processAll();
  return (await gateway.fax(id)).delivery_state;
}

async function preview(files: File[], fields: Record<string, string> = {}): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const file of files) form.append('file', file);
  const response = await gateway.request('POST', '/fax/preview', { form });
  return ((await response.json()) as { preview_id: string }).preview_id;
}

const pageOf = async (id: string, page: number) =>
  Buffer.from(await (await gateway.request('GET', `/fax/preview/${id}/${page}.png`)).arrayBuffer());

describe('a fax that is sent later', () => {
  test('waits until its time, also over a restart, and then goes by itself', async () => {
    const before = submissions();
    const send_at = inFuture(2 * HOUR);
    const fax = await gateway.send({ send_at: send_at.replace('Z', '+00:00') });
    expect(fax).toMatchObject({ send_at, status: 'queued', delivery_state: 'ready', delivery_version: 1 });
    expect((await gateway.history(fax.id)).map((event) => event.text)).toEqual([
      expect.stringMatching(/^Accepted. It will be sent on November 21, 2026 at \d+:00 [AP]M UTC\.$/u),
    ]);
    expect(await stateAfter(fax.id, HOUR)).toBe('ready');
    gateway = await gateway.restart();
    expect(await stateAfter(fax.id, HOUR - SECOND)).toBe('ready');
    expect(submissions()).toBe(before);
    expect(await stateAfter(fax.id, SECOND)).toBe('in_progress');
    expect(submissions()).toBe(before + 1);
  });

  test('is not sent early because a clock was set back', async () => {
    const fax = await gateway.send({ send_at: inFuture(2 * HOUR) });
    expect(await stateAfter(fax.id, -3 * HOUR)).toBe('ready');
    expect(await stateAfter(fax.id, 4 * HOUR)).toBe('ready');
    const warnings = gateway.logLines.filter((line) => line.includes('the clock was set back'));
    expect(warnings.join('\n')).not.toContain('fax.wait');
    expect(await stateAfter(fax.id, HOUR)).toBe('in_progress');
  });

  test('can be cancelled while it waits', async () => {
    const { id, delivery_version } = await gateway.send({ send_at: inFuture(HOUR) });
    const json = { delivery_version };
    expect((await gateway.request('POST', `/fax/${id}/cancel`, { json })).status).toBe(200);
    expect(await stateAfter(id, 2 * HOUR)).toBe('cancelled');
    expect((await gateway.fax(id)).attempt).toBeNull();
  });

  const move = (id: string, delivery_version: number, send_at: string | null) =>
    gateway.request('POST', `/fax/${id}/schedule`, { json: { delivery_version, send_at } });

  test('can be moved to another time, and goes only then', async () => {
    const { id, delivery_version } = await gateway.send({ send_at: inFuture(HOUR) });
    const later = inFuture(3 * HOUR);
    const moved = await move(id, delivery_version, later.replace('Z', '+00:00'));
    expect(moved.status).toBe(200);
    expect(await moved.json()).toMatchObject({
      send_at: later,
      delivery_state: 'ready',
      delivery_version: delivery_version + 1,
    });
    expect((await gateway.history(id)).at(-1)).toMatchObject({
      kind: 'rescheduled',
      text: expect.stringMatching(/^Moved to another time. It will be sent on [A-Z]/u),
    });
    expect(await stateAfter(id, 2 * HOUR)).toBe('ready');
    expect(await stateAfter(id, HOUR + SECOND)).toBe('in_progress');
    expect((await move(id, delivery_version, null)).status).toBe(409);
  });

  test('can be sent now', async () => {
    const { id, delivery_version } = await gateway.send({ send_at: inFuture(HOUR) });
    expect((await move(id, delivery_version, null)).status).toBe(200);
    expect(await stateAfter(id, 0)).toBe('in_progress');
    expect((await gateway.history(id)).map(({ kind }) => kind)).toContain('rescheduled');
  });

  test('is moved to no time that is past or too far, and not sent now while sending is off', async () => {
    const { id, delivery_version } = await gateway.send({ send_at: inFuture(HOUR) });
    const code = async (send_at: string | null) =>
      (await move(id, delivery_version, send_at)).headers.get('x-error-code');
    expect(await code(inFuture(-HOUR))).toBe('send_time_past');
    expect(await code(inFuture(31 * DAY))).toBe('send_time_too_far');
    await gateway.set({ FAX_DISABLED: true });
    expect(await code(null)).toBe('sending_is_off');
    await gateway.set({ FAX_DISABLED: false });
  });

  test('is moved by one of two people, and a fax that waits for nothing is not moved', async () => {
    const { id, delivery_version } = await gateway.send({ send_at: inFuture(HOUR) });
    const answers = await Promise.all([move(id, delivery_version, null), move(id, delivery_version, null)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const other = await gateway.send();
    const refused = await move(other.id, other.delivery_version, inFuture(HOUR));
    expect(refused.headers.get('x-error-code')).toBe('not_scheduled');
  });

  test.each([
    ['before its time waits on', 30 * MINUTE, 'ready'],
    ['after its time goes at once', 2 * HOUR, 'in_progress'],
  ])('and was held, released %s', async (_when, later, state) => {
    await gateway.set({ FAX_DISABLED: true });
    const { id, delivery_version } = await gateway.send({ send_at: inFuture(HOUR) });
    expect(await stateAfter(id, later)).toBe('held');
    await gateway.set({ FAX_DISABLED: false });
    const json = { delivery_version };
    expect((await gateway.request('POST', `/fax/${id}/release`, { json })).status).toBe(200);
    expect(await stateAfter(id, 0)).toBe(state);
    expect(await stateAfter(id, HOUR)).toBe('in_progress');
  });

  test('takes a time that has just passed, and no other', async () => {
    const fax = await gateway.send({ send_at: inFuture(-5 * MINUTE) });
    expect(await stateAfter(fax.id, 0)).toBe('in_progress');
    const refused = async (send_at: string) => {
      const response = await gateway.sendForm({ to: '+12025550123', send_at }, [textFile()]);
      expect(response.status).toBe(400);
      return detailOf(response);
    };
    expect(await refused(inFuture(-11 * MINUTE))).toBe(
      'The scheduled time has passed. Choose a later one. Nothing was sent.',
    );
    expect(await refused(inFuture(30 * DAY + MINUTE))).toMatch(/at most 30 days ahead/u);
    expect(await refused('tomorrow')).toMatch(/^"send_at" must be a time such as/u);
  });
});

describe('a fax with cleaned greys', () => {
  const grey = onePage(flate('', '0.5 g 60 60 400 300 re f 0 g 100 500 200 2 re f 120 600 3 90 re f'), '');

  test('is sent as its preview showed it', async () => {
    const fax = await accepted(
      await gateway.sendForm({ to: '+12025550123', clean_greys: 'true' }, [pdfFile(grey, 'grey.pdf')]),
    );
    expect(fax).toMatchObject({ clean_greys: true, document: { pages: 1, media_type: 'application/pdf' } });
    const response = await gateway.request('GET', `/fax/${fax.id}/document`);
    const sent = Buffer.from(await response.arrayBuffer());
    expect(sent.length).toBe(fax.document.size_bytes);
    expect(sent.toString('latin1')).toContain('/BitsPerComponent 1 /Filter /CCITTFaxDecode');
    const shown = await pageOf(await preview([pdfFile(grey, 'grey.pdf')], { clean_greys: 'true' }), 1);
    expect(await pageOf(await preview([pdfFile(sent, 'sent.pdf')]), 1)).toEqual(shown);
    expect(await pageOf(await preview([pdfFile(grey, 'grey.pdf')]), 1)).not.toEqual(shown);
    expect(await stateAfter(fax.id, 0)).toBe('in_progress');
  });

  test('is the same document when it is sent again', async () => {
    const fields = { to: '+12025550123', clean_greys: 'true', titles: 'Plan' };
    const first = await accepted(await gateway.sendForm(fields, [pdfFile(grey, 'grey.pdf')]));
    const json = { delivery_version: first.delivery_version };
    await gateway.request('POST', `/fax/${first.id}/cancel`, { json });
    const again = await accepted(await gateway.request('POST', `/fax/${first.id}/resend`));
    expect(again).toMatchObject({ clean_greys: true, titles: ['Plan'], send_at: null });
    expect(again.document.sha256).toBe(first.document.sha256);
  });

  test('has every page of every file', async () => {
    const files = [textFile('one\ftwo\n'), pdfFile(grey, 'grey.pdf')];
    const fax = await accepted(await gateway.sendForm({ to: '+12025550123', clean_greys: 'true' }, files));
    expect(fax.document.pages).toBe(3);
  });
});

describe('titles', () => {
  const files = [textFile('one\n', 'a.txt'), textFile('two\n', 'b.txt')];
  const send = (titles: string[]) => {
    const form = new FormData();
    form.append('to', '+12025550123');
    for (const title of titles) form.append('titles', title);
    for (const file of files) form.append('file', file);
    return gateway.request('POST', '/fax', { form });
  };

  test('belong to the files in order and are found', async () => {
    const fax = await accepted(await send(['Überweisung', 'Befund vom Mai']));
    expect(fax.titles).toEqual(['Überweisung', 'Befund vom Mai']);
    for (const q of ['überweis', 'vom MAI', 'b.txt']) {
      const response = await gateway.request('GET', `/fax?q=${encodeURIComponent(q)}`);
      expect(((await response.json()) as { items: Fax[] }).items.map(({ id }) => id)).toEqual([fax.id]);
    }
  });

  test('are as many as the files, or none', async () => {
    expect((await accepted(await send([]))).titles).toEqual([]);
    const response = await send(['Only one']);
    expect([response.status, await detailOf(response)]).toEqual([
      400,
      'Enter a title for each file, or none.',
    ]);
    expect((await send(['x'.repeat(201), 'y'])).status).toBe(400);
  });
});

describe('one Idempotency-Key', () => {
  const send = (key: string, fields: Record<string, string>) =>
    gateway.sendForm({ to: '+12025550123', ...fields }, [textFile()], { 'Idempotency-Key': key });

  test('is one fax with one time and one choice of greys', async () => {
    const send_at = inFuture(HOUR);
    const fields = { send_at, clean_greys: 'true' };
    const { id } = await accepted(await send('later', fields));
    expect(
      (await accepted(await send('later', { ...fields, send_at: send_at.replace('Z', '+00:00') }))).id,
    ).toBe(id);
    const others: Record<string, string>[] = [
      { clean_greys: 'true' },
      { send_at },
      { ...fields, send_at: inFuture(2 * HOUR) },
    ];
    for (const other of others) expect((await send('later', other)).status).toBe(409);
    // Repeating it is safe long after its time.
    gateway.clock.advance(DAY);
    expect((await accepted(await send('later', fields))).id).toBe(id);
  });

  test('is one fax whether its files come with it or came with a preview', async () => {
    const preview_id = await preview([textFile()]);
    const headers = { 'Idempotency-Key': 'previewed' };
    const { id } = await accepted(await gateway.sendForm({ to: '+12025550123', preview_id }, [], headers));
    expect((await accepted(await send('previewed', {}))).id).toBe(id);
  });
});

describe('a fax of the files of a preview', () => {
  test.each([
    ['small', () => textFile('small\n', 'small.txt')],
    ['large', () => pdfFile(textPdf(3), 'large.pdf')],
  ])('needs no other upload, and keeps its document: %s', async (name, file) => {
    const preview_id = await preview([file()]);
    const fax = await accepted(await gateway.sendForm({ to: '+12025550123', preview_id }, []));
    expect(fax.document.file_name).toMatch(name);
    const once = await accepted(await gateway.sendForm({ to: '+12025550123', preview_id }, []));
    expect(once.document.sha256).toBe(fax.document.sha256);
    await gateway.request('DELETE', `/fax/preview/${preview_id}`);
    expect(await stateAfter(fax.id, 0)).toBe('in_progress');
    expect((await gateway.request('GET', `/fax/${fax.id}/document`)).status).toBe(200);
  });

  test('is refused with a sentence when the preview is gone, and when files come as well', async () => {
    const preview_id = await preview([textFile()]);
    const both = await gateway.sendForm({ to: '+12025550123', preview_id }, [textFile()]);
    expect([both.status, await detailOf(both)]).toEqual([
      400,
      'Attach files, or name a preview in "preview_id", but not both. Nothing was sent.',
    ]);
    gateway.clock.advance(10 * MINUTE);
    const late = await gateway.sendForm({ to: '+12025550123', preview_id }, []);
    expect([late.status, await detailOf(late)]).toEqual([
      409,
      'The preview with these files has expired. Attach the files again. Nothing was sent.',
    ]);
  });
});
