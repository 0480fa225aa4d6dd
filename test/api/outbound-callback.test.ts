import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WebhookOptions } from '../setup/emulators/cloudone/index.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY, HOUR, SECOND } from '../setup/manual-clock.ts';

const PUBLIC = 'https://fax.example.com';
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    settings: { PUBLIC_API_URL: PUBLIC, AUDIT_LOG_ENABLED: 'true', AUDIT_LOG_FILE: 'audit.jsonl' },
  });
});
afterAll(() => gateway.close());

async function going(): Promise<Fax & { sid: string; signedUrl: string }> {
  const { id } = await gateway.send();
  await gateway.processAll();
  const fax = await gateway.fax(id);
  const signedUrl = `${PUBLIC}/cloudone-callback?job_id=${id}&attempt_id=${fax.attempt?.id}`;
  return { ...fax, sid: String(fax.provider_sid), signedUrl };
}

/** The provider calls back, as through a proxy: to this gateway, signed for the public address. */
async function callBack(fax: { sid: string; signedUrl: string }, options: WebhookOptions = {}) {
  const { pathname, search } = new URL(fax.signedUrl);
  const url = `${gateway.url}${pathname}${search}`;
  const delivery = await gateway.emulator.sendCallback(fax.sid, {
    url,
    signedUrl: fax.signedUrl,
    ...options,
  });
  const { status, body } = delivery.attempts[0] ?? { status: null, body: '' };
  return { status, answer: JSON.parse(body) as { ok?: boolean; applied?: boolean; detail?: string } };
}

describe('a callback', () => {
  test.each(['v1', 'v2', 'v2-brackets', 'v2.1'] as const)(
    'in the layout %s ends the fax once',
    async (layout) => {
      const fax = await going();
      gateway.emulator.complete(fax.sid);
      expect(await callBack(fax, { layout })).toEqual({ status: 200, answer: { ok: true, applied: true } });
      const delivered = await gateway.fax(fax.id);
      expect(delivered).toMatchObject({ delivery_state: 'success', pages: 1 });
      expect(await callBack(fax, { layout })).toEqual({ status: 200, answer: { ok: true, applied: false } });
      expect(await gateway.fax(fax.id)).toEqual(delivered);
    },
  );

  test('with repeated names is signed in the order of the wire, and ends the fax', async () => {
    const fax = await going();
    gateway.emulator.complete(fax.sid);
    const extraFields: [string, string][] = [
      ['note', 'z'],
      ['note', 'a'],
      ['direction', 'sent'],
    ];
    for (const applied of [true, false])
      expect(await callBack(fax, { extraFields })).toEqual({ status: 200, answer: { ok: true, applied } });
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'success', pages: 1 });
  });

  test('out of order, or in flight, changes nothing', async () => {
    const fax = await going();
    expect((await callBack(fax, { event: 'transmitting_page' })).answer).toEqual({
      ok: true,
      applied: false,
    });
    gateway.emulator.complete(fax.sid);
    await callBack(fax);
    const delivered = await gateway.fax(fax.id);
    expect((await callBack(fax, { fax: { status: 'inprogress' } })).answer.applied).toBe(false);
    expect((await callBack(fax, { fax: { status: 'failure' } })).answer.applied).toBe(false);
    expect(await gateway.fax(fax.id)).toEqual(delivered);
    expect((await gateway.history(fax.id)).filter((event) => event.kind === 'late_report')).toHaveLength(1);
  });

  test.each(['address', 'field', 'signature', 'uppercase'] as const)(
    'with a spoiled %s is refused',
    async (tamper) => {
      const fax = await going();
      gateway.emulator.complete(fax.sid);
      expect((await callBack(fax, { tamper })).status).toBe(401);
      expect((await gateway.fax(fax.id)).delivery_state).toBe('in_progress');
    },
  );

  test('without a signature, with the secret instead of the token, or for another fax is refused', async () => {
    const fax = await going();
    const other = await going();
    gateway.emulator.complete(fax.sid);
    expect((await callBack(fax, { signed: false })).status).toBe(401);
    expect((await callBack(fax, { callbackToken: 'emulator-secret' })).status).toBe(401);
    const mixed = fax.signedUrl.replace(fax.id, other.id);
    expect((await callBack({ sid: fax.sid, signedUrl: mixed })).status).toBe(401);
    expect((await callBack({ sid: fax.sid, signedUrl: other.signedUrl })).status).toBe(409);
    expect((await gateway.fax(fax.id)).delivery_state).toBe('in_progress');
    expect(
      (await gateway.request('POST', '/cloudone-callback', { key: null, form: new FormData() })).status,
    ).toBe(401);
  });

  test('is judged by what the fax captured, whatever the settings say now', async () => {
    const fax = await going();
    gateway.emulator.complete(fax.sid);
    await gateway.set({ CLOUDONE_VERIFY_SIGNATURE: false, PUBLIC_API_URL: 'https://elsewhere.example.com' });
    const unverified = await going();
    gateway.emulator.complete(unverified.sid);
    const elsewhere = unverified.signedUrl.replace(PUBLIC, 'https://elsewhere.example.com');
    expect((await callBack({ sid: unverified.sid, signedUrl: elsewhere })).status).toBe(401);
    expect((await callBack(fax)).answer.applied).toBe(true);
    await gateway.set({ CLOUDONE_VERIFY_SIGNATURE: true, PUBLIC_API_URL: PUBLIC });
    gateway.clock.advance(30 * SECOND);
    await gateway.processAll();
    expect((await gateway.fax(unverified.id)).delivery_state).toBe('success');
  });
});

describe('the link by which the provider fetches the document', () => {
  const linkOf = () => {
    const call = gateway.emulator.calls.findLast((one) => one.method === 'POST');
    return new URL(Object.fromEntries(call?.fields ?? [])['content_url'] ?? '');
  };

  test('serves the document without a key, until it expires', async () => {
    const fax = await going();
    const link = linkOf();
    expect(link.origin).toBe(PUBLIC);
    const get = (path: string) => gateway.request('GET', path, { key: null });
    const response = await get(`${link.pathname}${link.search}`);
    expect(response.headers.get('content-disposition')).toBe(`inline; filename="fax_${fax.id}.pdf"`);
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect((await get(`${link.pathname}?token=wrong`)).status).toBe(403);
    expect((await get(link.pathname)).status).toBe(403);
    expect((await get('/fax/unknown/pdf?token=x')).status).toBe(404);
    gateway.clock.advance(HOUR);
    expect((await get(`${link.pathname}${link.search}`)).status).toBe(403);
  });

  test('is nowhere to be read: not in the answers, the history, the log or the audit file', async () => {
    const fax = await going();
    const token = linkOf().searchParams.get('token') ?? '';
    expect(token.length).toBeGreaterThanOrEqual(43);
    const reported = [
      JSON.stringify(await gateway.fax(fax.id)),
      JSON.stringify(await gateway.history(fax.id)),
      ...gateway.logLines,
    ];
    const audit = readFileSync(join(gateway.dataFolder, 'audit', 'audit.jsonl'), 'utf8');
    expect(
      [...reported, audit].some((text) => text.includes(token) || text.includes('emulator-secret')),
    ).toBe(false);
  });
});

describe('an outcome that no callback reported', () => {
  const problems = async () => {
    const answer = await gateway.request('GET', '/console/status');
    const { report_problems, warnings } = (await answer.json()) as {
      report_problems: { problem: string; count: number; last_at: string }[];
      warnings: string[];
    };
    const counted = report_problems.filter(({ problem }) => problem === 'outcome_not_reported');
    return { counted, warnings };
  };
  const quarters = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      gateway.clock.advance(15 * 60 * SECOND);
      await gateway.processAll();
    }
  };

  test('is found by asking, counted after a quarter of an hour and shown; one that was called back is not', async () => {
    await quarters(4);
    const before = (await problems()).counted[0]?.count ?? 0;
    const heard = await going();
    gateway.emulator.complete(heard.sid);
    await callBack(heard);
    const silent = await going();
    gateway.emulator.complete(silent.sid);
    gateway.clock.advance(30 * SECOND);
    await gateway.processAll();
    expect(await gateway.fax(silent.id)).toMatchObject({ delivery_state: 'success' });
    expect((await problems()).counted[0]?.count ?? 0).toBe(before);
    await quarters(2);
    const { counted, warnings } = await problems();
    expect(counted).toMatchObject([
      { backend: 'cloudone', problem: 'outcome_not_reported', count: before + 1 },
    ]);
    expect(warnings).toContainEqual(
      expect.stringMatching(/^Outcomes of sent faxes that the provider did not report: /u),
    );
    expect(await (await gateway.request('GET', '/metrics')).text()).toContain(
      `faxdesk_report_problems{kind="outcome_not_reported"} ${before + 1}`,
    );
  });
});

describe('the audit trail', () => {
  test('has every event of a fax with its id and never its number', async () => {
    const fax = await going();
    gateway.emulator.complete(fax.sid, { errorId: 17, errorType: 'lineError' });
    await callBack(fax);
    // Stopping delivers what the sink still holds.
    gateway = await gateway.restart();
    const lines = readFileSync(join(gateway.dataFolder, 'audit', 'audit.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const events = lines.map((line) => JSON.parse(line) as { event: string; job_id: string });
    const mine = events.filter((event) => event.job_id === fax.id).map((event) => event.event);
    expect(mine).toEqual(['job_created', 'job_dispatch', 'job_updated', 'job_failed']);
    expect(lines.some((line) => line.includes('5550123'))).toBe(false);
    expect(gateway.logLines.some((line) => line.includes('5550123'))).toBe(false);
  });
});

describe('documents past their time', () => {
  test('are removed after ARTIFACT_TTL_DAYS while the record stays', async () => {
    const fax = await going();
    gateway.emulator.complete(fax.sid);
    await callBack(fax);
    const open = await going();
    await gateway.set({ ARTIFACT_TTL_DAYS: 2 });
    gateway.clock.advance(3 * DAY);
    await gateway.processAll();
    expect((await gateway.request('GET', `/fax/${fax.id}/document`)).status).toBe(404);
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'success' });
    expect((await gateway.request('GET', `/fax/${open.id}/document`)).status).toBe(200);
    expect((await gateway.request('GET', `/fax/${fax.id}/report`)).status).toBe(200);
  });
});
