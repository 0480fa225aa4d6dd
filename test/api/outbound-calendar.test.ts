import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { outboundCalendarRoutes } from '../../shared/api/outbound-calendar.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';

type Calendar = z.infer<(typeof outboundCalendarRoutes)['faxCalendar']['answer']['schema']>;

const OFFICE = '+12025550170';
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.set({ TIME_ZONE: 'America/New_York' });
});
afterAll(() => gateway.close());

async function read<T>(path: string, key?: string): Promise<T> {
  const answer = await gateway.request('GET', path, { key });
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as T;
}
const calendar = (query = '', key?: string) => read<Calendar>(`/fax/scheduled${query}`, key);
const idsOf = ({ days }: Calendar) =>
  Object.fromEntries(
    days.flatMap(({ date, faxes }) => (faxes[0] ? [[date, faxes.map(({ id }) => id)]] : [])),
  );
const localDay = (at: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' }).format(at);
const inFuture = (ms: number) => new Date(gateway.clock.now() + ms).toISOString();
async function cancel(...ids: string[]): Promise<void> {
  for (const id of ids) {
    const { delivery_version } = await gateway.fax(id);
    expect((await gateway.request('POST', `/fax/${id}/cancel`, { json: { delivery_version } })).status).toBe(
      200,
    );
  }
}

describe('the calendar of waiting faxes', () => {
  test('rule (outbound): the calendar has every fax that waits for its time on the day of the office on which it leaves', async () => {
    const now = gateway.clock.now();
    // Midnight of the office: the last moment of a day and the first of the next.
    const day = localDay(now + 3 * DAY);
    const midnight = Date.parse(`${day}T05:00:00.000Z`);
    const start = localDay(midnight) === day && localDay(midnight - 1) !== day ? midnight : midnight - HOUR;
    const before = await gateway.send({ to: '+12025550171', send_at: new Date(start - 1).toISOString() });
    const at = await gateway.send({
      to: '+12025550172',
      send_at: new Date(start).toISOString(),
      send_by: new Date(start + HOUR).toISOString(),
      subject: 'Referral',
    });
    const plain = await gateway.send({ to: '+12025550173' });
    const found = await calendar();
    expect(found).toMatchObject({
      from: localDay(now),
      time_zone: 'America/New_York',
      count: 2,
      complete: true,
    });
    expect(found.days).toHaveLength(14);
    expect(idsOf(found)).toEqual({ [localDay(start - 1)]: [before.id], [day]: [at.id] });
    expect(found.days.find(({ date }) => date === day)?.faxes).toEqual([
      expect.objectContaining({
        leaves_at: at.send_at,
        send_by: at.send_by,
        to: '+12025550172',
        waits: 'time',
        subject: 'Referral',
        contact: null,
        others: 0,
      }),
    ]);
    expect(await read('/fax/counts')).toMatchObject({ scheduled: { all: 2, mine: 2 } });
    const listed = await read<{ items: Fax[] }>('/fax?scheduled=true');
    expect(listed.items.map(({ id }) => id).sort()).toEqual([before.id, at.id].sort());
    expect((await read<{ items: Fax[] }>('/fax?scheduled=true&state=failed')).items).toEqual([]);
    expect((await read<{ items: Fax[] }>(`/fax?scheduled=true&ids=${plain.id},${at.id}`)).items).toHaveLength(
      1,
    );
    expect(idsOf(await calendar(`?from=${day}&to=${day}`))).toEqual({ [day]: [at.id] });
    await cancel(before.id);
    expect(await calendar()).toMatchObject({ count: 1 });
    await cancel(at.id);
    await gateway.processAll();
  });

  test('has faxes for hours, and a fax leaves it when its time comes', async () => {
    const hours = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '08:30' }];
    const contact = { name: 'Office', fax_number: OFFICE, time_zone: 'Asia/Tokyo', allowed_hours: hours };
    expect((await gateway.request('POST', '/contacts', { json: contact })).status).toBe(201);
    const waiting = await gateway.send({ to: OFFICE, send_when: 'recipient_hours' });
    const soon = await gateway.send({ to: '+12025550174', send_at: inFuture(10 * MINUTE) });
    const { days } = await calendar();
    expect(days.flatMap(({ faxes }) => faxes)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: waiting.id, waits: 'hours', contact: 'Office' }),
        expect.objectContaining({ id: soon.id, waits: 'time' }),
      ]),
    );
    gateway.clock.advance(11 * MINUTE);
    await gateway.processAll();
    expect(Object.values(idsOf(await calendar())).flat()).not.toContain(soon.id);
    expect((await read<{ items: Fax[] }>('/fax?scheduled=true')).items.map(({ id }) => id)).not.toContain(
      soon.id,
    );
    await cancel(waiting.id);
  });

  test('says how many more a day has than it lists', async () => {
    const sent: string[] = [];
    for (let at = 0; at < 4; at += 1)
      sent.push((await gateway.send({ to: `+1202555018${at}`, send_at: inFuture(5 * DAY + at * 1000) })).id);
    const date = localDay(gateway.clock.now() + 5 * DAY);
    const found = await calendar(`?from=${date}&to=${date}&limit=3`);
    expect(found.days).toMatchObject([{ date, count: 4, more: 1 }]);
    expect(found.days[0]?.faxes.map(({ id }) => id)).toEqual(sent.slice(0, 3));
    await cancel(...sent);
  });

  test.each([
    ['ends before it begins', '?from=2026-12-02&to=2026-12-01'],
    ['has more than 62 days', '?from=2026-12-01&to=2027-02-01'],
  ])('refuses a span that %s', async (_name, query) => {
    const answer = await gateway.request('GET', `/fax/scheduled${query}`);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, 'calendar_span']);
  });

  test('refuses a day that there is not', async () => {
    expect((await gateway.request('GET', '/fax/scheduled?from=2026-02-30')).status).toBe(400);
    expect((await calendar('?from=2026-12-01&to=2027-01-31')).days).toHaveLength(62);
  });
});
