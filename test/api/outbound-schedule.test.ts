import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';

const OFFICE = '+12025550170';
const OVERDUE = /^It could not be sent by .* UTC, the latest time that was set for it\.$/u;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.set({ TIME_ZONE: 'UTC' });
  const hours = [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '17:00' }];
  const contact = { name: 'Office', fax_number: OFFICE, time_zone: 'America/New_York', allowed_hours: hours };
  expect((await gateway.request('POST', '/contacts', { json: contact })).status).toBe(201);
});
afterAll(() => gateway.close());
afterEach(async () => {
  gateway.emulator.clearFaults();
  await gateway.set({ FAX_DISABLED: null, CHEAP_HOURS: null, FAX_AUTOMATIC_TRIES: 0 });
});

const inFuture = (ms: number) => new Date(gateway.clock.now() + ms).toISOString();
const posts = () => gateway.emulator.calls.filter(({ method }) => method === 'POST').length;
const submissions = () => gateway.emulator.counts.accepted;
/** Moves the clock to the next such moment, as `Mon 13:00`, in UTC. */
async function until(weekday: string, time: string): Promise<void> {
  const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
  const now = new Date(gateway.clock.now());
  const at = new Date(`${now.toISOString().slice(0, 10)}T${time}:00.000Z`);
  while (days[at.getUTCDay()] !== weekday || at.getTime() < now.getTime()) at.setTime(at.getTime() + DAY);
  await wait(at.getTime() - now.getTime());
}
async function wait(ms: number): Promise<void> {
  gateway.clock.advance(ms);
  await gateway.processAll();
}
async function refused(fields: Record<string, string>): Promise<[number, string]> {
  const answer = await gateway.sendForm({ to: OFFICE, ...fields }, [textFile()]);
  return [answer.status, ((await answer.json()) as { detail: string }).detail];
}
const schedule = (fax: Fax, json: object) =>
  gateway.request('POST', `/fax/${fax.id}/schedule`, {
    json: { delivery_version: fax.delivery_version, ...json },
  });
const failures = async (id: string) => (await gateway.history(id)).filter(({ kind }) => kind === 'failed');

describe('a fax with a latest time', () => {
  test.each([
    [
      'has passed',
      -MINUTE,
      {},
      'The latest time to send it has passed. Choose a later one. Nothing was sent.',
    ],
    [
      'is not after the scheduled time',
      HOUR,
      { send_at: HOUR },
      'The latest time to send it must be after the scheduled time. Nothing was sent.',
    ],
  ])('is refused when that %s', async (_name, sendBy, { send_at }: { send_at?: number }, sentence) => {
    const times = {
      send_by: inFuture(sendBy),
      ...(send_at === undefined ? {} : { send_at: inFuture(send_at) }),
    };
    expect(await refused(times)).toEqual([400, sentence]);
  });

  test('is sent like any other when there is time', async () => {
    const send_by = inFuture(HOUR);
    const fax = await gateway.send({ send_by });
    await gateway.processAll();
    expect(await gateway.fax(fax.id)).toMatchObject({ send_by, delivery_state: 'in_progress' });
    // An attempt that runs at the latest time is not cut.
    await wait(2 * HOUR);
    gateway.emulator.complete(String((await gateway.fax(fax.id)).provider_sid));
    await wait(HOUR);
    expect((await gateway.fax(fax.id)).delivery_state).toBe('success');
    expect(await failures(fax.id)).toEqual([]);
  });

  test('rule (outbound): a fax that could not be sent by its latest time fails then, once, and never leaves later', async () => {
    gateway.emulator.setFault({ kind: 'rate-limited', method: 'POST', count: 1000 });
    const sent = submissions();
    const fax = await gateway.send({ send_by: inFuture(10 * MINUTE) });
    await gateway.processAll();
    for (let minute = 1; minute < 10; minute += 1) await wait(MINUTE);
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'ready', attempt: { number: 1 } });
    const before = posts();
    await wait(MINUTE);
    const failed = await gateway.fax(fax.id);
    expect(failed).toMatchObject({
      delivery_state: 'failed',
      error: expect.stringMatching(OVERDUE) as string,
    });
    expect(failed.attempt).toMatchObject({ phase: 'failed' });
    gateway.emulator.clearFaults();
    for (const ms of [MINUTE, HOUR, DAY]) await wait(ms);
    expect(posts()).toBe(before);
    expect(submissions()).toBe(sent);
    expect(await failures(fax.id)).toEqual([
      expect.objectContaining({ text: `Not sent. ${failed.error}`, actor: 'Faxdesk' }),
    ]);
  });

  test('fails while it is held, and cannot be released then', async () => {
    await gateway.set({ FAX_DISABLED: true });
    const fax = await gateway.send({ send_by: inFuture(HOUR), queue_only: 'true' });
    expect(fax.delivery_state).toBe('held');
    await gateway.set({ FAX_DISABLED: false });
    await wait(HOUR);
    expect((await gateway.fax(fax.id)).delivery_state).toBe('failed');
    const { delivery_version } = await gateway.fax(fax.id);
    const answer = await gateway.request('POST', `/fax/${fax.id}/release`, { json: { delivery_version } });
    expect(answer.status).toBe(409);
  });

  test('fails after the computer slept through it, even when it was due meanwhile', async () => {
    const before = submissions();
    const fax = await gateway.send({ send_at: inFuture(HOUR), send_by: inFuture(2 * HOUR) });
    gateway.clock.advance(8 * HOUR);
    gateway = await gateway.restart();
    await gateway.processAll();
    expect((await gateway.fax(fax.id)).delivery_state).toBe('failed');
    expect(submissions()).toBe(before);
  });

  test('waits on and goes in time when the clock was set back', async () => {
    const fax = await gateway.send({ send_at: inFuture(HOUR), send_by: inFuture(2 * HOUR) });
    await wait(-3 * HOUR);
    await wait(3 * HOUR);
    expect((await gateway.fax(fax.id)).delivery_state).toBe('ready');
    await wait(HOUR + MINUTE);
    expect((await gateway.fax(fax.id)).delivery_state).toBe('in_progress');
  });

  test('is not tried again automatically after it', async () => {
    await gateway.set({ FAX_AUTOMATIC_TRIES: 3 });
    const fax = await gateway.send({ send_by: inFuture(3 * MINUTE) });
    await gateway.processAll();
    const busy = { errorId: 17, errorType: 'lineError' };
    gateway.emulator.complete(String((await gateway.fax(fax.id)).provider_sid), busy);
    await wait(31 * SECOND);
    await wait(HOUR);
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'failed', tried_again_as: null });
  });

  test('gets another one when it is moved', async () => {
    const fax = await gateway.send({ send_at: inFuture(HOUR), send_by: inFuture(2 * HOUR) });
    const early = await schedule(fax, { send_at: inFuture(3 * HOUR) });
    expect(early.status).toBe(400);
    const moved = await schedule(fax, { send_at: inFuture(3 * HOUR), send_by: inFuture(4 * HOUR) });
    expect(moved.status).toBe(200);
    await wait(2 * HOUR + MINUTE);
    expect((await gateway.fax(fax.id)).delivery_state).toBe('ready');
    await wait(HOUR);
    expect((await gateway.fax(fax.id)).delivery_state).toBe('in_progress');
  });

  test('leaves alone where waiting for others would make it late', async () => {
    const to = '+12025550171';
    const json = { name: 'Laboratory', fax_number: to, send_together_minutes: 30 };
    expect((await gateway.request('POST', '/contacts', { json })).status).toBe(201);
    const fax = await gateway.send({ to, send_by: inFuture(10 * MINUTE) });
    expect(fax.together.leaves_at).toBeNull();
    await gateway.processAll();
    expect((await gateway.fax(fax.id)).delivery_state).toBe('in_progress');
  });
});

describe('a fax in the hours of its recipient', () => {
  const REASON = /^Waits until \w+ \d+, 2026 at 8:00 AM EST in the recipient’s office\.$/u;

  test('waits for them, by the clocks of the contact, and goes by itself', async () => {
    await until('Sat', '09:00');
    const fax = await gateway.send({ to: OFFICE, send_when: 'recipient_hours' });
    expect(fax).toMatchObject({
      delivery_state: 'ready',
      send_when: 'recipient_hours',
      hours: {
        open_at: expect.stringContaining('T13:00:00.000Z') as string,
        reason: expect.stringMatching(REASON) as string,
      },
    });
    expect((await gateway.history(fax.id))[0]?.text).toMatch(/^Accepted\. Waits until /u);
    await until('Mon', '12:59');
    expect((await gateway.fax(fax.id)).delivery_state).toBe('ready');
    await wait(MINUTE);
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'in_progress', hours: null });
  });

  test('rule (outbound): a retry begins within the hours only', async () => {
    await until('Tue', '21:58');
    gateway.emulator.setFault({ kind: 'rate-limited', method: 'POST', count: 1000 });
    const fax = await gateway.send({
      to: OFFICE,
      send_when: 'recipient_hours',
      urgent: 'true',
      send_now: 'true',
    });
    await gateway.processAll();
    expect((await gateway.fax(fax.id)).hours).toBeNull();
    for (let minute = 0; minute < 10; minute += 1) await wait(MINUTE);
    const waiting = await gateway.fax(fax.id);
    expect(waiting).toMatchObject({
      delivery_state: 'ready',
      hours: { reason: expect.stringMatching(REASON) as string },
    });
    const before = posts();
    gateway.emulator.clearFaults();
    await wait(10 * HOUR);
    expect(posts()).toBe(before);
    await until('Wed', '13:00');
    expect((await gateway.fax(fax.id)).delivery_state).toBe('in_progress');
  });

  test('waits again when the computer slept through them', async () => {
    await until('Wed', '23:00');
    const fax = await gateway.send({ to: OFFICE, send_when: 'recipient_hours' });
    gateway.clock.advance(DAY);
    gateway = await gateway.restart();
    await gateway.processAll();
    const waiting = await gateway.fax(fax.id);
    expect(waiting.delivery_state).toBe('ready');
    await until('Fri', '13:00');
    expect((await gateway.fax(fax.id)).delivery_state).toBe('in_progress');
  });

  test('follows hours that were changed while it waits, within an hour', async () => {
    await until('Fri', '23:00');
    const fax = await gateway.send({ to: OFFICE, send_when: 'recipient_hours' });
    const found = await (await gateway.request('GET', '/contacts?q=Office')).json();
    const [contact] = (found as { items: { id: string; version: number }[] }).items;
    const patch = async (allowed_hours: object[] | null) => {
      const { version } = (await (await gateway.request('GET', `/contacts/${contact?.id}`)).json()) as {
        version: number;
      };
      const json = { version, allowed_hours };
      expect((await gateway.request('PATCH', `/contacts/${contact?.id}`, { json })).status).toBe(200);
    };
    await patch(null);
    await wait(HOUR);
    await gateway.processAll();
    expect((await gateway.fax(fax.id)).delivery_state).toBe('in_progress');
    await patch([{ days: [1, 2, 3, 4, 5], from: '08:00', to: '17:00' }]);
  });

  test('is refused where they begin after its latest time', async () => {
    await until('Sat', '09:00');
    const [status, sentence] = await refused({ send_when: 'recipient_hours', send_by: inFuture(HOUR) });
    expect(status).toBe(400);
    expect(sentence).toMatch(/^Waits until .* office\. That is not before the latest time to send it\./u);
  });

  test('goes at once when a person sends it now, and at once to a number without hours', async () => {
    const fax = await gateway.send({ to: OFFICE, send_when: 'recipient_hours' });
    const moved = await schedule(fax, { send_at: null });
    expect(await moved.json()).toMatchObject({ send_when: 'now', hours: null });
    const other = await gateway.send({ send_when: 'recipient_hours' });
    await gateway.processAll();
    for (const { id } of [fax, other]) expect((await gateway.fax(id)).delivery_state).toBe('in_progress');
  });
});

describe('a fax in cheap hours', () => {
  test('is refused while none are set', async () => {
    expect(await refused({ send_when: 'cheap_hours' })).toEqual([
      400,
      'No cheap hours are set. Set them in Settings, or choose another time. Nothing was sent.',
    ]);
  });

  test('waits for them from its scheduled time on', async () => {
    await until('Mon', '09:00');
    await gateway.set({ CHEAP_HOURS: ['Mon-Fri 18:00-06:00'] });
    const today = await gateway.send({ send_when: 'cheap_hours' });
    const later = await gateway.send({ send_when: 'cheap_hours', send_at: inFuture(DAY) });
    const night = await gateway.send({ send_when: 'cheap_hours', send_at: inFuture(12 * HOUR) });
    expect([today, later].map(({ hours }) => hours?.open_at.slice(11))).toEqual([
      '18:00:00.000Z',
      '18:00:00.000Z',
    ]);
    expect(night.hours).toBeNull();
    await wait(9 * HOUR);
    const states = async () =>
      Promise.all([today, later, night].map(async ({ id }) => (await gateway.fax(id)).delivery_state));
    expect(await states()).toEqual(['in_progress', 'ready', 'ready']);
    await wait(3 * HOUR);
    expect(await states()).toEqual(['in_progress', 'ready', 'in_progress']);
    await wait(21 * HOUR);
    expect(await states()).toEqual(['in_progress', 'in_progress', 'in_progress']);
  });
});
