import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { referee } from '../fixtures/referees.ts';
import type { Fax } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { BUSY, INTERRUPTED, type RouteGateway, startRouteGateway } from '../setup/route-gateway.ts';
import { STORES, withoutPostgres } from '../setup/stores.ts';
import { needTools } from '../setup/tools.ts';

let next = 100;
const number = (prefix: string) => `${prefix}${(next += 1)}`;
const PUBLIC = 'https://fax.example.com';
const REFUSED = { kind: 'refused', status: 422, method: 'POST' } as const;

describe.for(STORES)(`the next route after a definite failure, on %s${withoutPostgres}`, (kind) => {
  let routeGateway: RouteGateway;
  beforeAll(async () => {
    routeGateway = await startRouteGateway(kind);
    await routeGateway.routes('+331', 4);
  });
  // Failures of an earlier test would have its routes asked last.
  beforeEach(() => routeGateway.gateway.clock.advance(HOUR));
  afterAll(() => routeGateway.close());
  const texts = async (id: string) =>
    (await routeGateway.gateway.history(id))
      .filter(({ kind: what }) => what === 'next_step')
      .map(({ text }) => text);

  /** The first account says by a signed callback that it delivered what it had reported as busy. */
  async function deliverAfterAll({ id, provider_sid, attempt }: Fax): Promise<number> {
    const [account] = routeGateway.accounts;
    account?.complete(String(provider_sid), {});
    const path = `/cloudone-callback?job_id=${id}&attempt_id=${attempt?.id}`;
    const addresses = { url: `${routeGateway.gateway.url}${path}`, signedUrl: `${PUBLIC}${path}` };
    const { attempts } = (await account?.sendCallback(String(provider_sid), addresses)) ?? { attempts: [] };
    return attempts[0]?.status ?? 0;
  }

  test('is taken after a busy number, as another attempt of the same fax that says so', async () => {
    const to = number('+331422789');
    const first = await routeGateway.send(to);
    expect(first.route?.name).toBe('One');
    const second = await routeGateway.end(first, BUSY);
    expect(second).toMatchObject({ id: first.id, delivery_state: 'in_progress', route: { name: 'Two' } });
    expect(second.attempt?.number).toBe(2);
    expect(second.attempt?.provider_account).not.toBe(first.attempt?.provider_account);
    expect(await texts(first.id)).toEqual([
      'Route “One” did not deliver it, and no page was sent. The line was busy. Next route: “Two”.',
    ]);
    const done = await routeGateway.end(second, { cost: 7 });
    expect(done).toMatchObject({ delivery_state: 'success', route: { name: 'Two' } });
    expect(routeGateway.countFaxes(to)).toEqual([1, 1, 0, 0]);
  });

  test('is taken at once where the first one refuses the fax', async () => {
    routeGateway.accounts[0]?.setFault(REFUSED);
    const fax = await routeGateway.send(number('+331422789'));
    expect(fax).toMatchObject({ delivery_state: 'in_progress', route: { name: 'Two' } });
    const [text] = await texts(fax.id);
    expect(text).toMatch(/^Route “One” did not accept it\. .+ Next route: “Two”\.$/u);
  });

  test('is taken twice at most, and then the fax has failed', async () => {
    const to = number('+331422789');
    let fax = await routeGateway.send(to);
    for (let tried = 0; tried < 5; tried += 1) fax = await routeGateway.end(fax, BUSY);
    expect(fax).toMatchObject({ delivery_state: 'failed', error: 'The line was busy.' });
    expect([fax.attempt?.number, fax.attempt?.unreached]).toEqual([3, 'busy']);
    expect(routeGateway.countFaxes(to)).toEqual([1, 1, 1, 0]);
  });

  test('is never taken while the outcome of the fax is unknown, whoever decides what', async () => {
    const to = number('+331422789');
    routeGateway.accounts[0]?.setFault({ kind: 'dropped', method: 'POST' });
    const { id, delivery_state, delivery_version } = await routeGateway.send(to);
    expect(delivery_state).toBe('reconciliation_required');
    await routeGateway.requestJson('POST', `/fax/${id}/reconcile`, {
      outcome: 'failed',
      note: 'Not there.',
      delivery_version,
    });
    await routeGateway.gateway.processAll();
    expect((await routeGateway.gateway.fax(id)).delivery_state).toBe('failed');
    expect(routeGateway.countFaxes(to).slice(1)).toEqual([0, 0, 0]);
  });

  test.each(['a signed callback', 'a person who names its ID'])(
    'is never taken once a question to a person was open, though %s shows that it goes on and then was busy',
    async (way) => {
      const to = number('+331422789');
      await routeGateway.gateway.set({ PUBLIC_API_URL: PUBLIC });
      const [account] = routeGateway.accounts;
      account?.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
      const { id, attempt, delivery_state, delivery_version } = await routeGateway.send(to);
      expect(delivery_state).toBe('reconciliation_required');
      const sid = [...(account?.faxes.keys() ?? [])].at(-1) ?? '';
      const path = `/cloudone-callback?job_id=${id}&attempt_id=${attempt?.id}`;
      const addresses = { url: `${routeGateway.gateway.url}${path}`, signedUrl: `${PUBLIC}${path}` };
      const named = { provider_sid: sid, delivery_version };
      if (way === 'a signed callback')
        await account?.sendCallback(sid, { ...addresses, fax: { status: 'inprogress' } });
      else await routeGateway.requestJson('POST', `/fax/${id}/reconcile`, named);
      const going = await routeGateway.gateway.fax(id);
      expect(going).toMatchObject({ delivery_state: 'in_progress', provider_sid: sid });
      expect(await routeGateway.end(going, BUSY)).toMatchObject({
        delivery_state: 'failed',
        attempt: { number: 1, unreached: 'busy' },
      });
      expect(routeGateway.countFaxes(to)).toEqual([1, 0, 0, 0]);
      await routeGateway.gateway.set({ PUBLIC_API_URL: null });
    },
  );

  test('is not taken where a page may have left', async () => {
    const to = number('+331422789');
    expect((await routeGateway.end(await routeGateway.send(to), INTERRUPTED)).delivery_state).toBe('failed');
    expect(routeGateway.countFaxes(to)).toEqual([1, 0, 0, 0]);
  });

  test('is not taken after a route that allows none', async () => {
    await routeGateway.routes('+332', 3, [0]);
    const to = number('+332422789');
    expect((await routeGateway.end(await routeGateway.send(to), BUSY)).delivery_state).toBe('failed');
    expect(routeGateway.countFaxes(to)).toEqual([1, 0, 0, 0]);
  });

  describe.each(['a signed callback', 'the question of its cost'])('is reported by %s', (way) => {
    const reportDelivered = async (fax: Fax): Promise<number> => {
      if (way === 'a signed callback') return deliverAfterAll(fax);
      routeGateway.accounts[0]?.complete(String(fax.provider_sid), {});
      routeGateway.gateway.clock.advance(2 * HOUR);
      await routeGateway.gateway.processAll();
      return 200;
    };

    test('rule (crossings): a late delivery of an earlier attempt reaches the fax, its history and its report', async () => {
      await routeGateway.gateway.set({ PUBLIC_API_URL: PUBLIC });
      const to = number('+331422789');
      const first = await routeGateway.send(to);
      const second = await routeGateway.end(first, BUSY);
      expect(second).toMatchObject({ delivery_state: 'in_progress', arrival_warning: null });
      expect(await reportDelivered(first)).toBe(200);
      const known = `Route “One” reported an earlier attempt as delivered later (ID ${first.provider_sid}).`;
      const warning = `${known} The fax may arrive twice.`;
      const warned = await routeGateway.gateway.fax(first.id);
      expect(warned).toMatchObject({ delivery_state: 'in_progress', arrival_warning: warning });
      expect(await reportDelivered(first)).toBe(200);
      const told = (await routeGateway.gateway.history(first.id)).filter(
        ({ kind: what }) => what === 'late_report',
      );
      expect(told.map(({ text }) => text)).toEqual([warning]);
      expect(await routeGateway.end(warned, BUSY, 15 * MINUTE)).toMatchObject({
        delivery_state: 'success',
        error: null,
        arrival_warning: known,
        attempt: { number: 2, phase: 'failed' },
      });
      expect(routeGateway.countFaxes(to)).toEqual([1, 1, 0, 0]);
      await routeGateway.gateway.set({ PUBLIC_API_URL: null });
    });

    test('that it arrived after all while it waits for the next: it is held with a warning, on the report too', async (context) => {
      needTools(context, 'pdftotext');
      await routeGateway.gateway.set({ PUBLIC_API_URL: PUBLIC });
      const to = number('+331422789');
      const first = await routeGateway.send(to);
      await routeGateway.gateway.set({ FAX_DISABLED: true });
      expect((await routeGateway.end(first, BUSY)).delivery_state).toBe('ready');
      expect(await reportDelivered(first)).toBe(200);
      await routeGateway.gateway.set({ FAX_DISABLED: false });
      const known = `Phaxio now reports the fax (ID ${first.provider_sid}) as delivered.`;
      const held = await routeGateway.gateway.fax(first.id);
      expect(held).toMatchObject({
        delivery_state: 'held',
        arrival_warning: `${known} Check with the recipient before it is sent again.`,
      });
      const { delivery_version } = held;
      await routeGateway.requestJson('POST', `/fax/${first.id}/release`, { delivery_version });
      await routeGateway.gateway.processAll();
      const again = await routeGateway.gateway.fax(first.id);
      expect(again).toMatchObject({
        delivery_state: 'in_progress',
        arrival_warning: `${known} The fax may arrive twice.`,
      });
      const twice = `${known} The fax may have arrived twice.`;
      expect(await routeGateway.end(again, { cost: 7 })).toMatchObject({
        delivery_state: 'success',
        arrival_warning: twice,
      });
      const report = await routeGateway.gateway.request('GET', `/fax/${first.id}/report`);
      const path = join(routeGateway.gateway.dataFolder, 'report.pdf');
      await writeFile(path, Buffer.from(await report.arrayBuffer()));
      const printed = referee('pdftotext', ['-layout', path, '-']).toString();
      expect(printed.replaceAll(/\s+/gu, ' ')).toContain(`Warning ${twice}`);
      await routeGateway.gateway.set({ PUBLIC_API_URL: null });
    });
  });

  test('waits while sending is off', async () => {
    const to = number('+333422789');
    await routeGateway.routes('+333', 2);
    const first = await routeGateway.send(to);
    await routeGateway.gateway.set({ FAX_DISABLED: true });
    const waiting = await routeGateway.end(first, BUSY);
    expect([waiting.delivery_state, routeGateway.countFaxes(to)]).toEqual(['ready', [1, 0, 0, 0]]);
    await routeGateway.gateway.set({ FAX_DISABLED: false });
    const second = await routeGateway.end(waiting, {}, MINUTE);
    expect([second.delivery_state, routeGateway.countFaxes(to)]).toEqual(['in_progress', [1, 1, 0, 0]]);
  });

  test('is not taken a day later, and not after somebody canceled', async () => {
    const late = number('+333422789');
    const first = await routeGateway.send(late);
    await routeGateway.end(first, BUSY, DAY + HOUR);
    expect(routeGateway.countFaxes(late)).toEqual([1, 0, 0, 0]);
    const canceled = number('+333422789');
    const going = await routeGateway.send(canceled);
    await routeGateway.gateway.set({ FAX_DISABLED: true });
    const { id, delivery_version } = await routeGateway.end(going, BUSY);
    await routeGateway.requestJson('POST', `/fax/${id}/cancel`, { delivery_version });
    await routeGateway.gateway.set({ FAX_DISABLED: false });
    routeGateway.gateway.clock.advance(MINUTE);
    await routeGateway.gateway.processAll();
    expect((await routeGateway.gateway.fax(id)).delivery_state).toBe('cancelled');
    expect(routeGateway.countFaxes(canceled)).toEqual([1, 0, 0, 0]);
  });

  test('is taken where the first one takes nothing for five minutes', async () => {
    const to = number('+331422789');
    routeGateway.accounts[0]?.setFault({ kind: 'rate-limited', method: 'POST', count: 50 });
    let fax = await routeGateway.send(to);
    expect(fax).toMatchObject({ delivery_state: 'ready', route: { name: 'One' } });
    for (let minute = 0; minute < 12 && fax.delivery_state === 'ready'; minute += 1)
      fax = await routeGateway.end(fax, {}, MINUTE);
    expect(fax).toMatchObject({ delivery_state: 'in_progress', route: { name: 'Two' } });
    expect(routeGateway.countFaxes(to)).toEqual([0, 1, 0, 0]);
  });
});
