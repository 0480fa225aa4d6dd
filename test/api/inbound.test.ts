import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';
import { fileRequests, InboundGateway, ONE_PAGE, OWN_NUMBER, SENDER } from './inbound-setup.ts';

const SHA = createHash('sha256').update(ONE_PAGE).digest('hex');

describe('a received fax', () => {
  let inbound: InboundGateway;
  beforeEach(async () => {
    inbound = await InboundGateway.start();
  });
  afterEach(() => inbound.close());

  test('whose document came along is held at once, checked and under its own digest', async () => {
    const fax = inbound.arrive();
    expect(await inbound.notify(fax)).toEqual({ status: 200, body: '{"status":"ok"}' });
    const held = await inbound.only();
    expect(held).toMatchObject({
      fr: SENDER,
      to: OWN_NUMBER,
      status: 'received',
      status_text: 'Received',
      backend: 'cloudone',
      pages: 1,
      size_bytes: ONE_PAGE.length,
      sha256: SHA,
      media_type: 'application/pdf',
      provider_fax_id: String(fax.id),
      source_received_at: '2026-11-21T09:00:00.000Z',
      retry_at: null,
      problem: null,
      can_fetch_again: false,
      read_at: null,
    });
    expect(held.provider_account).toMatch(/^cloudone:[0-9a-f]{12}$/u);
    expect(await inbound.stored()).toEqual([`${held.id}-${SHA.slice(0, 12)}.pdf`]);
    expect(await inbound.inWork()).toEqual([]);
    const pdf = await inbound.gateway.request('GET', `/inbound/${held.id}/pdf`);
    expect(Buffer.from(await pdf.arrayBuffer())).toEqual(ONE_PAGE);
    expect(fileRequests(inbound.gateway)).toBe(0);
    await inbound.work();
    expect(fileRequests(inbound.gateway)).toBe(0);
  });

  test('without its document waits, is fetched by its id, and is then the same fax', async () => {
    expect((await inbound.notifyBare(inbound.arrive())).status).toBe(200);
    const waiting = await inbound.only();
    expect(waiting).toMatchObject({
      status: 'waiting',
      status_text: 'Waiting for the document',
      retry_at: '2026-11-21T09:00:00.000Z',
      sha256: null,
      can_fetch_again: true,
    });
    const refused = await inbound.gateway.request('GET', `/inbound/${waiting.id}/pdf`);
    expect([refused.status, await refused.json()]).toEqual([
      404,
      { detail: 'The document has not been received yet.' },
    ]);
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ id: waiting.id, status: 'received', sha256: SHA });
    expect((await inbound.evidence(waiting.id)).map(({ kind }) => kind)).toEqual([
      'notification',
      'document',
    ]);
  });

  test('keeps a copy of its notification without secrets and contents', async () => {
    const extraFields = [
      ['api_secret', 'hush'],
      ['note', 'x'.repeat(20_000)],
      ['address', 'https://user:word@example.com/x'],
    ] as const;
    await inbound.notify(inbound.arrive(), { extraFields });
    const [first] = await inbound.evidence((await inbound.only()).id);
    const copy = JSON.stringify(first?.notification);
    expect(Buffer.byteLength(copy)).toBeLessThanOrEqual(8192);
    expect(first).toMatchObject({ kind: 'notification', checked_by: 'signature' });
    for (const hidden of ['hush', 'word', 'PDF', 'ignature']) expect(copy).not.toContain(hidden);
    expect(copy).toContain(SENDER);
  });

  test.each([
    ['that failed', { fax: { status: 'failure' } }, 'the call ended after 1 page.'],
    ['with more pages', { fax: { num_pages: 5 } }, 'Phaxio counted 5 pages, but only 1 arrived.'],
  ])('%s of which a document came says that pages may be missing', async (_case, options, sentence) => {
    await inbound.notify(inbound.arrive(), options);
    const problem = `Pages may be missing: ${sentence}`;
    expect(await inbound.only()).toMatchObject({ status: 'received', pages: 1, incomplete: true, problem });
  });

  test('that is reported again stays one fax, and its copy is kept once', async () => {
    const fax = inbound.arrive();
    for (let i = 0; i < 3; i += 1) await inbound.notifyBare(fax);
    await inbound.work();
    await inbound.notify(fax);
    await inbound.notify(fax);
    const { id, version } = await inbound.only();
    expect((await inbound.evidence(id)).filter(({ kind }) => kind === 'notification')).toHaveLength(2);
    await inbound.notify(fax);
    expect((await inbound.only()).version).toBe(version);
  });

  test('of which another document comes later keeps the first one and records the conflict', async () => {
    const fax = inbound.arrive();
    await inbound.notify(fax);
    const other = textPdf(2);
    expect((await inbound.notify(fax, { file: other })).status).toBe(200);
    expect((await inbound.notify(fax, { file: other })).status).toBe(200);
    const held = await inbound.only();
    expect(held).toMatchObject({ status: 'received', sha256: SHA, pages: 1, conflicts: 1 });
    const conflict = (await inbound.evidence(held.id)).find(({ kind }) => kind === 'conflict');
    expect(conflict).toMatchObject({
      sha256: createHash('sha256').update(other).digest('hex'),
      size_bytes: other.length,
    });
    expect(await inbound.stored()).toHaveLength(1);
  });

  test('that cannot be fetched is tried after 1, 2, 4, 8, 16 and 32 minutes, then hourly for a day, then fails', async () => {
    inbound.gateway.emulator.setFault({ kind: 'refused', status: 404, count: 1000, path: /\/file$/u });
    await inbound.notifyBare(inbound.arrive());
    const waits: number[] = [];
    for (;;) {
      await inbound.work();
      const { status, retry_at, problem } = await inbound.only();
      if (status === 'failed') break;
      expect(problem).toBe('Phaxio does not have the document of this fax, or does not have it yet.');
      const wait = Date.parse(retry_at ?? '') - inbound.gateway.clock.now();
      waits.push(wait / MINUTE);
      inbound.gateway.clock.advance(wait - SECOND);
      const before = fileRequests(inbound.gateway);
      await inbound.work();
      expect(fileRequests(inbound.gateway)).toBe(before);
      inbound.gateway.clock.advance(SECOND);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, ...Array<number>(24).fill(60)]);
    expect(await inbound.only()).toMatchObject({ status_text: 'Not received', can_fetch_again: true });
    inbound.gateway.clock.advance(2 * DAY);
    await inbound.work();
    expect(fileRequests(inbound.gateway)).toBe(31);
  });

  test('that failed is tried anew when the provider reports it again, or a person requests it', async () => {
    inbound.gateway.emulator.setFault({ kind: 'refused', status: 404, count: 31 * 2, path: /\/file$/u });
    const fax = inbound.arrive();
    await inbound.notifyBare(fax);
    const exhaust = async () => {
      for (let i = 0; i < 31; i += 1) {
        await inbound.work();
        inbound.gateway.clock.advance(HOUR);
      }
      expect((await inbound.only()).status).toBe('failed');
    };
    await exhaust();
    await inbound.notifyBare(fax);
    expect((await inbound.only()).status).toBe('waiting');
    await exhaust();
    const { id } = await inbound.only();
    const answer = await inbound.gateway.request('POST', `/inbound/${id}/fetch`);
    expect([answer.status, ((await answer.json()) as { status: string }).status]).toEqual([202, 'waiting']);
    await inbound.work();
    expect((await inbound.only()).status).toBe('received');
    const again = await inbound.gateway.request('POST', `/inbound/${id}/fetch`);
    expect([again.status, await again.json()]).toEqual([
      409,
      { detail: 'The document is already here. There is nothing to fetch.' },
    ]);
  });

  test('goes on after a restart in the middle of its attempts', async () => {
    inbound.gateway.emulator.setFault({ kind: 'refused', status: 404, count: 2, path: /\/file$/u });
    await inbound.notifyBare(inbound.arrive());
    await inbound.work();
    const { id } = await inbound.only();
    inbound = new InboundGateway(await inbound.gateway.restart());
    inbound.gateway.clock.advance(MINUTE);
    await inbound.work();
    expect(await inbound.only()).toMatchObject({
      id,
      status: 'waiting',
      retry_at: '2026-11-21T09:03:00.000Z',
    });
    inbound.gateway.clock.advance(2 * MINUTE);
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ id, status: 'received' });
  });

  test('leaves no document behind that nobody holds, and loses none that is held', async () => {
    await inbound.notify(inbound.arrive());
    await inbound.notifyBare(inbound.arrive());
    const [waiting, held] = await inbound.list();
    const folder = join(inbound.gateway.dataFolder, 'files', 'inbound');
    const orphan = (id = '') => join(folder, `${id}-0123456789ab.pdf`);
    for (const id of ['00000000-0000-7000-8000-000000000000', held?.id, waiting?.id])
      await writeFile(orphan(id), ONE_PAGE);
    // Files have the time of the computer.
    const { clock } = inbound.gateway;
    clock.advance(Date.now() + 7 * HOUR - clock.now());
    inbound = new InboundGateway(await inbound.gateway.restart());
    await inbound.work();
    // A document that a waiting fax may still be filed with is kept until then.
    expect((await inbound.stored()).sort()).toEqual(
      [
        `${held?.id}-${SHA.slice(0, 12)}.pdf`,
        `${waiting?.id}-${SHA.slice(0, 12)}.pdf`,
        `${waiting?.id}-0123456789ab.pdf`,
      ].sort(),
    );
    inbound = new InboundGateway(await inbound.gateway.restart());
    await inbound.work();
    expect(await inbound.stored()).toHaveLength(2);
  });
});
