import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';

const BUSY = { errorId: 17, errorType: 'lineError' };
const NO_ANSWER = { errorId: 112, errorType: 'lineError' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());
afterEach(() => gateway.set({ FAX_AUTOMATIC_TRIES: 0, FAX_DISABLED: false }));

async function submitted(id: string): Promise<string> {
  await gateway.processAll();
  return String((await gateway.fax(id)).provider_sid);
}

/** Takes a fax to the provider, which says how it went. */
async function ended(id: string, outcome: object): Promise<Fax> {
  gateway.emulator.complete(await submitted(id), outcome);
  gateway.clock.advance(31 * SECOND);
  await gateway.processAll();
  return gateway.fax(id);
}

const busyFax = async (outcome: object = BUSY) => ended((await gateway.send()).id, outcome);
const tryAgain = (id: string) => gateway.request('POST', `/fax/${id}/try-again`);
const accepted = async (answer: Response) => {
  expect(answer.status).toBe(202);
  return (await answer.json()) as Fax;
};
/** The faxes that came after this one, to the last. */
async function chainOf(fax: Fax): Promise<Fax[]> {
  const next = fax.tried_again_as === null ? null : await gateway.fax(fax.tried_again_as);
  return next ? [next, ...(await chainOf(next))] : [];
}

describe('a busy or unanswered number', () => {
  test.each([
    ['busy', BUSY, 'The number was busy.'],
    ['no_answer', NO_ANSWER, 'Nobody answered.'],
  ])('is tried again in five minutes as a new fax: %s', async (unreached, outcome, cause) => {
    const failed = await busyFax(outcome);
    expect(failed).toMatchObject({
      delivery_state: 'failed',
      tried_again_as: null,
      automatic_tries: 0,
      attempt: { unreached },
    });
    const at = gateway.clock.now() + 5 * MINUTE;
    const next = await accepted(await tryAgain(failed.id));
    expect(next).toMatchObject({
      to: failed.to,
      delivery_state: 'ready',
      resend_of: failed.id,
      send_at: new Date(at).toISOString(),
      document: failed.document,
      automatic_tries: 0,
    });
    expect((await gateway.history(next.id))[0]?.text).toMatch(new RegExp(`^Accepted\\. .* ${cause}$`, 'u'));
    const before = gateway.emulator.counts.accepted;
    await gateway.processAll();
    expect(gateway.emulator.counts.accepted).toBe(before);
    gateway.clock.advance(5 * MINUTE);
    expect((await ended(next.id, { status: 'success' })).delivery_state).toBe('success');
    expect(gateway.emulator.counts.accepted).toBe(before + 1);
  });

  test('is tried again once, however many requests arrive, even at once', async () => {
    const failed = await busyFax();
    const answers = await Promise.all(Array.from({ length: 5 }, () => tryAgain(failed.id)));
    const ids = (await Promise.all(answers.map(accepted))).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    expect((await gateway.fax(failed.id)).tried_again_as).toBe(ids[0]);
    expect((await gateway.fax(failed.id)).delivery_version).toBeGreaterThan(failed.delivery_version);
    // Also after it was cancelled: then it is sent again.
    const next = await gateway.fax(String(ids[0]));
    const json = { delivery_version: next.delivery_version };
    await gateway.request('POST', `/fax/${next.id}/cancel`, { json });
    expect((await accepted(await tryAgain(failed.id))).id).toBe(next.id);
  });

  test.each([
    ['failed in the middle of a page', { errorId: 8, errorType: 'faxError' }],
    ['met a machine that kept silent', { errorId: 30, errorType: 'lineError' }],
    ['was delivered', { status: 'success' }],
  ])('is not what a fax met that %s', async (_what, outcome) => {
    await gateway.set({ FAX_AUTOMATIC_TRIES: 3 });
    const fax = await busyFax(outcome);
    expect(fax.attempt?.unreached).toBeNull();
    expect(fax.tried_again_as).toBeNull();
    const answer = await tryAgain(fax.id);
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([409, 'not_unreached']);
  });
});

describe('by itself', () => {
  test('nothing is tried again unless the settings say so', async () => {
    expect((await busyFax()).tried_again_as).toBeNull();
  });

  test('a number is tried again as often as the settings say, and then a person decides', async () => {
    await gateway.set({ FAX_AUTOMATIC_TRIES: 3 });
    const first = await busyFax();
    const before = gateway.emulator.counts.accepted;
    for (const number of [1, 2, 3]) {
      const last = (await chainOf(await gateway.fax(first.id))).at(-1);
      expect(last).toMatchObject({
        delivery_state: 'ready',
        automatic_tries: number,
        created_by: first.created_by,
        mailbox: first.mailbox,
      });
      const history = await gateway.history(String(last?.id));
      expect(history[0]).toMatchObject({ actor: 'Faxdesk' });
      expect(history[0]?.text).toMatch(new RegExp(`Tried again automatically, ${number} of 3\\.$`, 'u'));
      gateway.clock.advance(5 * MINUTE);
      await ended(String(last?.id), BUSY);
    }
    const chain = await chainOf(await gateway.fax(first.id));
    expect(chain.map(({ delivery_state }) => delivery_state)).toEqual(['failed', 'failed', 'failed']);
    expect(gateway.emulator.counts.accepted).toBe(before + 3);
    // A person begins anew.
    expect(await accepted(await tryAgain(String(chain.at(-1)?.id)))).toMatchObject({ automatic_tries: 0 });
  });

  test('and by a person at the same moment it becomes one fax', async () => {
    await gateway.set({ FAX_AUTOMATIC_TRIES: 1 });
    const { id } = await gateway.send();
    gateway.emulator.complete(await submitted(id), BUSY);
    gateway.clock.advance(31 * SECOND);
    await Promise.all([gateway.processAll(), gateway.processAll()]);
    const failed = await gateway.fax(id);
    expect((await accepted(await tryAgain(id))).id).toBe(failed.tried_again_as);
    const page = await gateway.request('GET', `/fax?to=${encodeURIComponent(failed.to)}&limit=100`);
    const { items } = (await page.json()) as { items: Fax[] };
    expect(items.filter(({ resend_of }) => resend_of === id)).toHaveLength(1);
  });

  test('nothing goes on from a fax of which nobody knew what became of it', async () => {
    await gateway.set({ FAX_AUTOMATIC_TRIES: 3 });
    const { id } = await gateway.send();
    const sid = await submitted(id);
    gateway.clock.advance(25 * HOUR);
    await gateway.processAll();
    expect((await gateway.fax(id)).delivery_state).toBe('reconciliation_required');
    gateway.emulator.complete(sid, BUSY);
    await gateway.request('POST', `/fax/${id}/refresh`);
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'failed', tried_again_as: null });
    // A person may still want it.
    await accepted(await tryAgain(id));
  });

  test('nor once a question to a person was open and its ID was named, though it goes on then and meets a busy number', async () => {
    await gateway.set({ FAX_AUTOMATIC_TRIES: 3 });
    gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
    const { id } = await gateway.send();
    await gateway.processAll();
    const { delivery_version } = await gateway.fax(id);
    const sid = [...gateway.emulator.faxes.keys()].at(-1) ?? '';
    const json = { provider_sid: sid, delivery_version };
    await gateway.request('POST', `/fax/${id}/reconcile`, { json });
    expect((await gateway.fax(id)).delivery_state).toBe('in_progress');
    expect(await ended(id, BUSY)).toMatchObject({
      delivery_state: 'failed',
      tried_again_as: null,
      attempt: { unreached: 'busy' },
    });
  });

  test('while sending is off the next try is held', async () => {
    await gateway.set({ FAX_AUTOMATIC_TRIES: 1 });
    const { id } = await gateway.send();
    const sid = await submitted(id);
    await gateway.set({ FAX_DISABLED: true });
    gateway.emulator.complete(sid, BUSY);
    gateway.clock.advance(31 * SECOND);
    await gateway.processAll();
    const [next] = await chainOf(await gateway.fax(id));
    expect(next).toMatchObject({ delivery_state: 'held', automatic_tries: 1 });
  });
});
