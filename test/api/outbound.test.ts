import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());
afterEach(() => gateway.emulator.clearFaults());

/** Sends a fax and takes it to the provider. */
async function sendAndDispatch(fields: Record<string, string> = {}): Promise<Fax> {
  const accepted = await gateway.send(fields);
  await gateway.processAll();
  return gateway.fax(accepted.id);
}

async function poll(): Promise<void> {
  gateway.clock.advance(30 * SECOND);
  await gateway.processAll();
}

const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail;

describe('a fax on its way', () => {
  test('goes from acceptance to delivery by polling', async () => {
    const before = gateway.emulator.counts.accepted;
    const accepted = await gateway.send({ to: '(202) 555-0123' });
    expect(accepted).toMatchObject({
      to: '+12025550123',
      status: 'queued',
      delivery_state: 'ready',
      dispatch_mode: 'normal',
      delivery_version: 1,
      backend: 'cloudone',
      attempt: null,
      document: { pages: 1, media_type: 'text/plain', file_name: 'letter.txt' },
    });
    expect(gateway.emulator.counts.accepted).toBe(before);

    await gateway.processAll();
    const going = await gateway.fax(accepted.id);
    expect(going).toMatchObject({ status: 'in_progress', delivery_state: 'in_progress' });
    expect(gateway.emulator.counts.accepted).toBe(before + 1);

    gateway.emulator.complete(String(going.provider_sid), { status: 'success' });
    await poll();
    expect(await gateway.fax(accepted.id)).toMatchObject({
      status: 'SUCCESS',
      delivery_state: 'success',
      pages: 1,
      delivered_by: 'provider',
      cost: { amount: '0.07', currency: 'USD' },
      attempt: { number: 1, phase: 'success', pages_sent: 1, seconds: 0, error_category: null },
    });
    const history = await gateway.history(accepted.id);
    const kinds = history.map((event) => event.kind);
    expect(history.at(-1)).toMatchObject({ kind: 'success', actor: 'Phaxio' });
    expect(kinds).toEqual(['accepted', 'submitting', 'in_progress', 'success']);
  });

  test('is uploaded directly, with sender and recipient in the header text, when there is no public address', async () => {
    await sendAndDispatch();
    const call = gateway.emulator.calls.findLast((one) => one.method === 'POST');
    const fields = Object.fromEntries(call?.fields ?? []);
    expect(fields).toEqual({
      to: '+12025550123',
      header_text: 'Example Clinic +1 202 555 0100 -> +1 202 555 0123',
    });
    expect(call?.files[0]?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('fails with a plain sentence when the line was busy', async () => {
    const going = await sendAndDispatch();
    gateway.emulator.complete(String(going.provider_sid), { errorId: 17, errorType: 'lineError' });
    await poll();
    const failed = await gateway.fax(going.id);
    expect(failed).toMatchObject({ status: 'FAILED', delivery_state: 'failed', delivered_by: null });
    expect(failed.error).toMatch(/busy/u);
  });

  test('is polled less and less often but always again, and keeps its outcome for good', async () => {
    const going = await sendAndDispatch();
    const asked = () =>
      gateway.emulator.calls.filter((call) => call.path === `/faxes/${going.provider_sid}`).length;
    const pass = async (total: number, step: number) => {
      const before = asked();
      for (let passed = 0; passed < total; passed += step) {
        gateway.clock.advance(step);
        await gateway.processAll();
      }
      return asked() - before;
    };
    expect(await pass(HOUR, 30 * SECOND)).toBe(120);
    expect(await pass(HOUR, 5 * MINUTE)).toBe(6);
    expect(await pass(22 * HOUR, HOUR)).toBe(22);
    expect(await pass(12 * HOUR, HOUR / 2)).toBe(12);
    await pass(6 * DAY, DAY);
    expect(await pass(4 * DAY, 6 * HOUR)).toBe(4);
    await pass(300 * DAY, 100 * DAY);
    gateway.emulator.complete(String(going.provider_sid));
    gateway.clock.advance(DAY);
    await gateway.processAll();
    expect((await gateway.fax(going.id)).delivery_state).toBe('success');
    gateway.emulator.complete(String(going.provider_sid), { errorId: 17, errorType: 'lineError' });
    const refreshed = await gateway.request('POST', `/fax/${going.id}/refresh`);
    expect(await refreshed.json()).toMatchObject({ delivery_state: 'success' });
    await gateway.request('POST', `/fax/${going.id}/refresh`);
    expect((await gateway.history(going.id)).filter((event) => event.kind === 'late_report')).toHaveLength(1);
  });

  test('is a question when the provider reports fewer pages than were sent', async () => {
    const response = await gateway.sendForm({ to: '+12025550123' }, [textFile('one\ftwo\n')]);
    const { id } = (await response.json()) as Fax;
    await gateway.processAll();
    const going = await gateway.fax(id);
    gateway.emulator.complete(String(going.provider_sid), { pages: 1, status: 'success' });
    await poll();
    expect(await gateway.fax(id)).toMatchObject({
      delivery_state: 'reconciliation_required',
      status: 'in_progress',
      reconciliation_reason: expect.stringContaining('1 of 2 pages'),
    });
  });

  test('is a question after a day without an outcome, and still takes a late one', async () => {
    const going = await sendAndDispatch();
    gateway.clock.advance(25 * 60 * MINUTE);
    await gateway.processAll();
    expect((await gateway.fax(going.id)).delivery_state).toBe('reconciliation_required');
    gateway.emulator.complete(String(going.provider_sid));
    gateway.clock.advance(HOUR);
    await gateway.processAll();
    expect(await gateway.fax(going.id)).toMatchObject({
      delivery_state: 'success',
      reconciliation_reason: null,
    });
  });
});

describe('what the provider answers to a submission', () => {
  const outcomes = [
    ['refused', { kind: 'refused', status: 422 }, 'failed', 'refused'],
    ['unauthorized', { kind: 'unauthorized' }, 'failed', 'refused'],
    [
      'an error after accepting',
      { kind: 'server-error', accepted: true },
      'reconciliation_required',
      'transport_ambiguous',
    ],
    ['a dropped line', { kind: 'dropped', accepted: true }, 'reconciliation_required', 'transport_ambiguous'],
    ['garbage', { kind: 'garbage', accepted: true }, 'reconciliation_required', 'response_unusable'],
  ] as const;
  test.each(outcomes)('%s', async (_name, fault, state, category) => {
    gateway.emulator.setFault({ ...fault, method: 'POST' });
    const before = gateway.emulator.calls.filter((call) => call.method === 'POST').length;
    const fax = await sendAndDispatch();
    expect(fax).toMatchObject({ delivery_state: state, attempt: { error_category: category } });
    expect(state === 'failed' ? fax.error : fax.reconciliation_reason).toMatch(/^[A-Z].*\.”?$/u);
    await poll();
    await gateway.processAll();
    expect(gateway.emulator.calls.filter((call) => call.method === 'POST')).toHaveLength(before + 1);
  });
});

describe('a provider that requests a pause', () => {
  test('gets the same attempt again later, and the history records the waiting once', async () => {
    gateway.emulator.setFault({ kind: 'rate-limited', method: 'POST', count: 50 });
    const before = gateway.emulator.counts.accepted;
    const { id, attempt } = await sendAndDispatch();
    expect(attempt).toMatchObject({ phase: 'preparing', error_category: 'provider_unavailable' });
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'ready', status: 'queued', error: null });

    gateway.emulator.clearFaults();
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({
      delivery_state: 'in_progress',
      attempt: { id: attempt?.id, number: 1, phase: 'in_progress', error_category: null },
    });
    expect(gateway.emulator.counts.accepted).toBe(before + 1);
    const history = await gateway.history(id);
    expect(history.map((event) => event.kind)).toEqual(['accepted', 'submitting', 'waiting', 'in_progress']);
    expect(history[2]?.text).toMatch(/asks for a pause.* Nothing was sent/u);
  });

  test.each([
    ['in seconds', '1200'],
    ['as a date', new Date(Date.now() + 20 * MINUTE).toUTCString()],
  ])('of twenty minutes, given %s, is kept before the next request', async (_form, retryAfter) => {
    gateway.emulator.setFault({ kind: 'rate-limited', method: 'POST', retryAfter });
    const posts = () => gateway.emulator.calls.filter((call) => call.method === 'POST').length;
    const before = posts();
    const { id } = await sendAndDispatch();
    for (let waited = 0; waited < 19; waited += 1) {
      gateway.clock.advance(MINUTE);
      await gateway.processAll();
    }
    expect(posts()).toBe(before + 1);
    expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'ready', status: 'queued' });
    expect((await gateway.history(id)).at(-1)?.text).toBe(
      'Waiting for Phaxio. There were too many requests. Phaxio asks for a pause of 20 minutes. Nothing was sent. Faxdesk tries again automatically.',
    );
    gateway.clock.advance(6 * MINUTE);
    await gateway.processAll();
    expect(posts()).toBe(before + 2);
    expect((await gateway.fax(id)).delivery_state).toBe('in_progress');
  });

  test('for more than a day fails the fax, which was never sent', async () => {
    gateway.emulator.setFault({ kind: 'rate-limited', method: 'POST', count: 50 });
    const { id } = await sendAndDispatch();
    gateway.clock.advance(25 * HOUR);
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({
      delivery_state: 'failed',
      error: expect.stringContaining('asks for a pause'),
      attempt: { number: 1, phase: 'failed', error_category: 'provider_unavailable' },
    });
  });

  test('lets the fax be cancelled while it waits', async () => {
    gateway.emulator.setFault({ kind: 'rate-limited', method: 'POST', count: 50 });
    const { id, delivery_version } = await sendAndDispatch();
    expect((await gateway.request('POST', `/fax/${id}/cancel`, { json: { delivery_version } })).status).toBe(
      200,
    );
    gateway.emulator.clearFaults();
    gateway.clock.advance(HOUR);
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({
      delivery_state: 'cancelled',
      attempt: { phase: 'cancelled' },
    });
  });
});

describe('what cannot be accepted', () => {
  test.each(['', '12', 'call me', '+12025', '+12025550123x9'])('the number "%s"', async (to) => {
    const response = await gateway.sendForm({ to }, [textFile()]);
    expect(response.status).toBe(400);
  });

  test('a request without a file, or without a number', async () => {
    expect(await detailOf(await gateway.sendForm({ to: '+12025550123' }, []))).toBe(
      'Attach a file as "file", or name a preview in "preview_id".',
    );
    expect(await detailOf(await gateway.sendForm({}, [textFile()]))).toBe('"to" is missing.');
  });

  test('a document that is not one leaves nothing behind', async () => {
    const total = async () =>
      ((await (await gateway.request('GET', '/fax?limit=200')).json()) as { items: Fax[] }).items.length;
    const before = await total();
    const broken = await gateway.sendForm({ to: '+12025550123' }, [new File(['%PDF-1.7 broken'], 'a.pdf')]);
    expect(broken.status).toBe(400);
    const unknown = await gateway.sendForm({ to: '+12025550123' }, [
      new File([new Uint8Array([0, 1, 2, 3, 255])], 'a.bin'),
    ]);
    expect(unknown.status).toBe(415);
    const empty = await gateway.sendForm({ to: '+12025550123' }, [new File([], 'a.pdf')]);
    expect(empty.status).toBe(400);
    expect(await total()).toBe(before);
  });

  test('an upload over the limit is refused as soon as it passes it', async () => {
    await gateway.set({ MAX_FILE_SIZE_MB: 1 });
    const response = await gateway.sendForm({ to: '+12025550123' }, [textFile('x'.repeat(3 * 1024 * 1024))]);
    expect(response.status).toBe(413);
    await gateway.set({ MAX_FILE_SIZE_MB: null });
  });

  test('a form that may be queued only while sending is on', async () => {
    const response = await gateway.sendForm({ to: '+12025550123', queue_only: 'true' }, [textFile()]);
    expect([response.status, await detailOf(response)]).toEqual([
      409,
      'Sending is on now. Reload the form and choose again how to send.',
    ]);
  });

  test('no form for an unknown field: it is ignored, and named in a header', async () => {
    const extra = { 'fax-mode': 'fine', 'bad\r\nname': 'x', ['é'.repeat(60)]: 'x', __proto__x: 'y' };
    const sent = await gateway.sendForm({ to: '+12025550123', ...extra }, [textFile()]);
    expect(sent.status).toBe(202);
    const ignored = (sent.headers.get('X-Ignored') ?? '').split(', ');
    expect(ignored[0]).toBe('fax-mode');
    expect(ignored).toContain('_'.repeat(40));
    for (const name of ignored) expect(name).toMatch(/^[\w.-]{1,40}$/u);
    const many = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`old_${i}`, 'x']));
    const bounded = await gateway.sendForm({ to: '+12025550123', ...many }, [textFile()]);
    expect((bounded.headers.get('X-Ignored') ?? '').split(', ')).toHaveLength(11);
    const usual = await gateway.sendForm({ to: '+12025550123' }, [textFile()]);
    expect([usual.status, usual.headers.get('X-Ignored')]).toEqual([202, null]);
  });

  test('a form with queue_only, by the missing provider first', async () => {
    await gateway.set({ FAX_BACKEND: null });
    const response = await gateway.sendForm({ to: '+12025550123', queue_only: 'true' }, [textFile()]);
    await gateway.set({ FAX_BACKEND: 'cloudone' });
    expect([response.status, await detailOf(response)]).toEqual([409, 'No fax provider set up yet.']);
  });

  test('anything while no provider or no credentials are set', async () => {
    const refused = async (changes: Record<string, unknown>) => {
      const before = Object.fromEntries(Object.keys(changes).map((name) => [name, restored[name]]));
      await gateway.set(changes);
      const response = await gateway.sendForm({ to: '+12025550123' }, [textFile()]);
      await gateway.set(before);
      expect(response.status).toBe(409);
      return detailOf(response);
    };
    const restored: Record<string, unknown> = { FAX_BACKEND: 'cloudone' };
    expect(await refused({ FAX_BACKEND: null })).toBe('No fax provider set up yet.');
    expect(await refused({ FAX_BACKEND: 'cloudtwo' })).toMatch(/set its project, access key/u);
    expect(await refused({ FAX_BACKEND: 'sip' })).toMatch(/phone line is not set up yet/u);
  });
});

describe('a sender who is not named in the settings', () => {
  const readiness = async () =>
    (await (await gateway.request('GET', '/health/ready')).json()) as { status: string; warnings: string[] };
  const headerOfNext = async () => {
    // Faxes of earlier tests leave first: several go at once, in no fixed order.
    await gateway.processAll();
    await sendAndDispatch();
    const call = gateway.emulator.calls.findLast((one) => one.method === 'POST');
    return Object.fromEntries(call?.fields ?? [])['header_text'] ?? null;
  };
  const named = { FAX_ORGANIZATION: 'Example Clinic', FAX_NUMBER: '+12025550100' };
  beforeAll(() => gateway.makeBackup());
  afterEach(() => gateway.set(named));

  test.each([
    [{ FAX_ORGANIZATION: null }, '+1 202 555 0100 -> +1 202 555 0123'],
    [{ FAX_NUMBER: null }, 'Example Clinic -> +1 202 555 0123'],
    [{ FAX_ORGANIZATION: null, FAX_NUMBER: null }, null],
  ])(
    '%j sends all the same, with the facts that are there, and people are warned',
    async (settings, header) => {
      expect((await readiness()).warnings).toEqual([]);
      await gateway.set(settings);
      expect(await headerOfNext()).toBe(header);
      const warning = expect.stringMatching(/^The organization name or the fax number is not set\./u);
      expect(await readiness()).toMatchObject({ status: 'ok', warnings: [warning] });
    },
  );
});

describe('the Idempotency-Key', () => {
  test('makes equal requests one fax, also when the number is written otherwise', async () => {
    const first = await gateway.send({ to: '+12025550123' }, { 'Idempotency-Key': 'referral-1' });
    const second = await gateway.send({ to: '(202) 555-0123' }, { 'Idempotency-Key': 'referral-1' });
    expect(second.id).toBe(first.id);
    const other = await gateway.sendForm({ to: '+12025550124' }, [textFile()], {
      'Idempotency-Key': 'referral-1',
    });
    expect([other.status, await detailOf(other)]).toEqual([
      409,
      'That Idempotency-Key was used for a different request.',
    ]);
    const otherText = await gateway.sendForm({ to: '+12025550123' }, [textFile('else')], {
      'Idempotency-Key': 'referral-1',
    });
    expect(otherText.status).toBe(409);
  });

  test.each(['with space', 'ü', 'x'.repeat(129)])('is refused as "%s"', async (key) => {
    const headers = { 'Idempotency-Key': encodeURI(key) === key ? key : Buffer.from(key).toString('latin1') };
    const response = await gateway.sendForm({ to: '+12025550123' }, [textFile()], headers);
    expect(response.status).toBe(400);
  });
});
