import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { DAY, SECOND } from '../setup/manual-clock.ts';
import { needTools } from '../setup/tools.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const post = (path: string, json?: unknown) =>
  gateway.request('POST', path, json === undefined ? {} : { json });
const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail;

async function unconfirmedFax(): Promise<Fax> {
  gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
  const { id } = await gateway.send();
  await gateway.processAll();
  const fax = await gateway.fax(id);
  expect(fax.delivery_state).toBe('reconciliation_required');
  return fax;
}

describe('held faxes', () => {
  test('never leave by themselves and go when a person releases them', async () => {
    await gateway.set({ FAX_DISABLED: true });
    const held = await gateway.send({ queue_only: 'true' });
    expect(held).toMatchObject({ status: 'disabled', delivery_state: 'held', dispatch_mode: 'held' });
    const early = await post(`/fax/${held.id}/release`, { delivery_version: 1 });
    expect([early.status, await detailOf(early)]).toEqual([409, 'Sending is off. Turn it on first.']);
    await gateway.set({ FAX_DISABLED: false });
    gateway.clock.advance(DAY);
    await gateway.processAll();
    expect((await gateway.fax(held.id)).delivery_state).toBe('held');

    expect((await post(`/fax/${held.id}/release`, { delivery_version: 7 })).status).toBe(409);
    const released = await post(`/fax/${held.id}/release`, { delivery_version: 1 });
    expect(await released.json()).toMatchObject({ delivery_state: 'ready', delivery_version: 2 });
    await gateway.processAll();
    expect((await gateway.fax(held.id)).delivery_state).toBe('in_progress');
  });

  test('can be cancelled, and a cancelled fax stays cancelled', async () => {
    await gateway.set({ FAX_DISABLED: true });
    const held = await gateway.send();
    await gateway.set({ FAX_DISABLED: false });
    const cancelled = await post(`/fax/${held.id}/cancel`, { delivery_version: 1 });
    expect(await cancelled.json()).toMatchObject({ status: 'FAILED', delivery_state: 'cancelled' });
    const again = await post(`/fax/${held.id}/release`, { delivery_version: 2 });
    expect([again.status, await detailOf(again)]).toEqual([409, 'Only a held fax can be released.']);
  });

  test('a ready fax waits while sending is switched off and goes when it is on again', async () => {
    const ready = await gateway.send();
    await gateway.set({ FAX_DISABLED: true });
    await gateway.processAll();
    expect((await gateway.fax(ready.id)).delivery_state).toBe('ready');
    await gateway.set({ FAX_DISABLED: false });
    gateway.clock.advance(30 * SECOND);
    await gateway.processAll();
    expect((await gateway.fax(ready.id)).delivery_state).toBe('in_progress');
  });
});

describe('cancelling', () => {
  test('is refused once the fax was handed over', async () => {
    const { id } = await gateway.send();
    await gateway.processAll();
    const fax = await gateway.fax(id);
    const response = await post(`/fax/${id}/cancel`, { delivery_version: fax.delivery_version });
    expect([response.status, await detailOf(response)]).toEqual([
      409,
      'It is too late to cancel this fax. It was already submitted or has finished.',
    ]);
  });

  test('takes a ready fax out of the queue', async () => {
    const before = gateway.emulator.counts.accepted;
    const { id } = await gateway.send();
    expect((await post(`/fax/${id}/cancel`, { delivery_version: 1 })).status).toBe(200);
    await gateway.processAll();
    expect(gateway.emulator.counts.accepted).toBe(before);
  });
});

async function printedReport(id: string): Promise<string> {
  const path = join(gateway.dataFolder, 'report.pdf');
  const response = await gateway.request('GET', `/fax/${id}/report`);
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  return referee('pdftotext', [path, '-']).toString();
}

describe('the report of a fax that', () => {
  test('was cancelled says so, when and by whom, and nothing that is still to come', async (context) => {
    needTools(context, 'pdftotext');
    const { id } = await gateway.send();
    await post(`/fax/${id}/cancel`, { delivery_version: 1 });
    const printed = await printedReport(id);
    expect(printed).toContain('Canceled before it was sent');
    expect(printed).toMatch(/by Installation key/u);
    expect(printed).toMatch(/never/u);
    expect(printed).not.toContain('not yet');
  });

  test('failed says when and why', async (context) => {
    needTools(context, 'pdftotext');
    const { id } = await gateway.send();
    await gateway.processAll();
    const { provider_sid } = await gateway.fax(id);
    gateway.emulator.complete(provider_sid ?? '', {
      errorId: 42,
      errorType: 'lineError',
      errorMessage: 'No answer',
    });
    await post(`/fax/${id}/refresh`, {});
    const fax = await gateway.fax(id);
    const printed = await printedReport(id);
    expect(printed).toContain('Not delivered');
    expect(printed).toContain('Failed');
    expect(printed).toContain('Sent to Phaxio');
    expect(printed).toContain('Phaxio fax ID');
    expect(printed.replaceAll(/\s+/gu, ' ')).toContain(fax.error);
    expect(printed).not.toContain('not yet');
  });

  test('waits says what has not happened', async (context) => {
    needTools(context, 'pdftotext');
    const { id } = await gateway.send();
    expect((await printedReport(id)).match(/not yet/gu)).toHaveLength(2);
    await post(`/fax/${id}/cancel`, { delivery_version: 1 });
  });
});

describe('a fax that needs confirmation', () => {
  test('is decided by a person, once, with a note', async () => {
    const fax = await unconfirmedFax();
    expect(fax.reconciliation_reason).toMatch(/Check with the recipient, then decide\.$/u);
    const missing = await post(`/fax/${fax.id}/reconcile`, {
      outcome: 'success',
      delivery_version: fax.delivery_version,
    });
    expect(missing.status).toBe(400);
    const decision = {
      outcome: 'success',
      note: 'They have both pages.',
      delivery_version: fax.delivery_version,
    };
    const decided = await post(`/fax/${fax.id}/reconcile`, decision);
    expect(await decided.json()).toMatchObject({
      delivery_state: 'success',
      reconciliation_reason: null,
      decision: { by: 'Installation key', note: 'They have both pages.' },
    });
    expect((await post(`/fax/${fax.id}/reconcile`, decision)).status).toBe(409);
    expect((await gateway.history(fax.id)).at(-1)).toMatchObject({
      kind: 'reconciled',
      text: expect.stringContaining('They have both pages.'),
    });
    if (unlessMissing('pdftotext').skip) return;
    const printed = await printedReport(fax.id);
    expect(printed).toContain('Delivered, confirmed by Installation key');
    expect(printed).toContain('They have both pages.');
    expect(printed).toMatch(/Confirmed\s[\s\S]*by Installation key/u);
    expect(printed).not.toContain('not yet');
  });

  test('keeps how many pages arrived, in history, report and for sending the rest', async () => {
    gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
    const accepted = await gateway.sendForm({ to: '+12025550123' }, [textFile('one\ftwo\fthree\n')]);
    const { id } = (await accepted.json()) as Fax;
    await gateway.processAll();
    const { delivery_version } = await gateway.fax(id);
    const answer = { outcome: 'failed', note: 'Ana read it to me.', delivery_version };
    for (const [outcome, pages_arrived] of [
      ['failed', 3],
      ['success', 1],
    ]) {
      const refused = await post(`/fax/${id}/reconcile`, { ...answer, outcome, pages_arrived });
      expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([400, 'wrong_page_count']);
    }
    const decided = await post(`/fax/${id}/reconcile`, { ...answer, pages_arrived: 2 });
    expect(await decided.json()).toMatchObject({
      delivery_state: 'failed',
      error: 'Recorded as incomplete by Installation key: 2 of 3 pages arrived.',
      attempt: { pages_sent: 2 },
    });
    expect((await gateway.history(id)).at(-1)).toMatchObject({
      kind: 'reconciled',
      text: 'Recorded as incomplete by Installation key: 2 of 3 pages arrived. Ana read it to me.',
    });
    const rest = await post(`/fax/${id}/resend`, { from_page: 3 });
    expect(await rest.json()).toMatchObject({ resend_of: id, document: { pages: 1 } });
    await gateway.processAll();
    if (unlessMissing('pdftotext').skip) return;
    expect(await printedReport(id)).toContain('2 of 3 arrived');
  });

  test('comes back later when nobody was reached, once, and stays open until then', async () => {
    const fax = await unconfirmedFax();
    const version = { delivery_version: fax.delivery_version };
    const json = { outcome: 'not_reached', note: 'No answer.', ...version };
    const at = new Date(gateway.clock.now() + DAY).toISOString();
    const late = await post(`/fax/${fax.id}/reconcile`, { ...json, ask_again_at: at });
    const waiting = (await late.json()) as Fax;
    expect(waiting).toMatchObject({
      delivery_state: 'reconciliation_required',
      ask_again_at: at,
      decision: null,
      delivery_version: fax.delivery_version + 1,
    });
    expect((await post(`/fax/${fax.id}/reconcile`, json)).status, 'a stale form').toBe(409);
    expect((await gateway.history(fax.id)).at(-1)).toMatchObject({
      kind: 'not_reached',
      text: expect.stringMatching(
        /^Installation key could not reach the recipient: No answer\. Faxdesk asks again on/u,
      ),
    });
    // Asked again earlier: the first time passes without a question.
    const soon = await post(`/fax/${fax.id}/reconcile`, {
      outcome: 'not_reached',
      delivery_version: waiting.delivery_version,
    });
    const { ask_again_at } = (await soon.json()) as Fax;
    expect(Date.parse(String(ask_again_at)) - gateway.clock.now()).toBe(60 * 60 * SECOND);
    gateway.clock.advance(60 * 60 * SECOND);
    await gateway.processAll();
    const asked = await gateway.fax(fax.id);
    expect(asked).toMatchObject({ delivery_state: 'reconciliation_required', ask_again_at: null });
    expect(asked.delivery_version).toBe(waiting.delivery_version + 2);
    gateway.clock.advance(DAY);
    await gateway.processAll();
    expect((await gateway.fax(fax.id)).delivery_version).toBe(asked.delivery_version);
    if (!unlessMissing('pdftotext').skip) expect(await printedReport(fax.id)).toContain('Not reached');
    const arrived = { outcome: 'success', note: 'They have it.', delivery_version: asked.delivery_version };
    expect(await (await post(`/fax/${fax.id}/reconcile`, arrived)).json()).toMatchObject({
      delivery_state: 'success',
    });
  });

  test('takes the id under which the provider has it, checked there, and is followed again', async () => {
    const fax = await unconfirmedFax();
    const sid = [...gateway.emulator.faxes.keys()].at(-1) ?? '';
    const attach = (provider_sid: string) =>
      post(`/fax/${fax.id}/reconcile`, { provider_sid, delivery_version: fax.delivery_version });
    expect((await attach('999999999')).status).toBe(409);
    const attached = await attach(sid);
    expect(await attached.json()).toMatchObject({ delivery_state: 'in_progress', provider_sid: sid });
    gateway.emulator.complete(sid);
    gateway.clock.advance(30 * SECOND);
    await gateway.processAll();
    expect((await gateway.fax(fax.id)).delivery_state).toBe('success');
    const second = await unconfirmedFax();
    const taken = await post(`/fax/${second.id}/reconcile`, {
      provider_sid: sid,
      delivery_version: second.delivery_version,
    });
    expect([taken.status, await detailOf(taken)]).toEqual([
      409,
      'That provider ID belongs to another fax, or this fax already has a different one.',
    ]);
  });

  test('is not sent again, and cannot be resent before it is decided', async () => {
    const fax = await unconfirmedFax();
    const posts = () => gateway.emulator.calls.filter((call) => call.method === 'POST').length;
    const before = posts();
    gateway.clock.advance(DAY);
    await gateway.processAll();
    expect(posts()).toBe(before);
    expect((await post(`/fax/${fax.id}/resend`)).status).toBe(409);
  });
});

describe('resending', () => {
  test('makes a new fax of the same document and leaves the old one untouched', async () => {
    const { id } = await gateway.send();
    await gateway.processAll();
    const going = await gateway.fax(id);
    expect((await post(`/fax/${id}/resend`)).status).toBe(409);
    gateway.emulator.complete(String(going.provider_sid), { errorId: 17, errorType: 'lineError' });
    gateway.clock.advance(30 * SECOND);
    await gateway.processAll();
    const before = await gateway.fax(id);
    const response = await post(`/fax/${id}/resend`, { to: '+12025550177' });
    expect(response.status).toBe(202);
    const again = (await response.json()) as Fax;
    expect(again).toMatchObject({ resend_of: id, to: '+12025550177', delivery_state: 'ready' });
    expect(again.document.sha256).toBe(before.document.sha256);
    expect(await gateway.fax(id)).toEqual(before);
  });
});

describe('reading', () => {
  test('lists newest first, page by page, and filters', async () => {
    for (let n = 0; n < 5; n += 1) {
      gateway.clock.advance(SECOND);
      await gateway.send({ to: '+12025550188' });
    }
    const page = async (query: string) =>
      (await (await gateway.request('GET', `/fax?${query}`)).json()) as {
        items: Fax[];
        next_cursor: string | null;
      };
    const all = await page('to=%2B12025550188&limit=200');
    expect(all.items).toHaveLength(5);
    const times = all.items.map((fax) => fax.created_at);
    expect(times).toEqual([...times].sort().reverse());
    const first = await page('to=%2B12025550188&limit=2');
    const second = await page(`to=%2B12025550188&limit=2&cursor=${first.next_cursor}`);
    const third = await page(`to=%2B12025550188&limit=2&cursor=${second.next_cursor}`);
    const ids = [first, second, third].flatMap((one) => one.items.map((fax) => fax.id));
    expect(ids).toEqual(all.items.map((fax) => fax.id));
    expect(third.next_cursor).toBeNull();
    expect((await page('state=cancelled')).items.every((fax) => fax.delivery_state === 'cancelled')).toBe(
      true,
    );
    const named = async (q: string) => (await page(`q=${encodeURIComponent(q)}`)).items.length;
    await gateway.sendForm({ to: '+12025550188' }, [textFile('one', 'Scan_1 Übung 5%.txt')]);
    expect(await named('LETTER')).toBeGreaterThan(1);
    expect(await Promise.all(['scan_1', 'SCAN_1 Ü', 'übung 5%'].map(named))).toEqual([1, 1, 1]);
    expect(await Promise.all(['scan-1', '5_', '%', '0188'].map(named))).toEqual([0, 0, 1, 6]);
    expect((await gateway.request('GET', '/fax?cursor=nonsense')).status).toBe(400);
    expect((await gateway.request('GET', '/fax?limit=0')).status).toBe(400);
    expect((await gateway.request('GET', '/admin/fax-jobs?limit=1')).status).toBe(200);
  });

  test('gives the document and a one-page report to those who may', async () => {
    const { id } = await gateway.send();
    for (const path of ['document', 'report']) {
      const response = await gateway.request('GET', `/fax/${id}/${path}`);
      expect(response.headers.get('content-type')).toBe('application/pdf');
      expect(
        Buffer.from(await response.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
    }
    expect((await gateway.request('GET', '/fax/nothing')).status).toBe(404);
    expect((await gateway.request('GET', `/fax/${id}/pdf?token=x`)).status).toBe(404);
  });

  test('previews what the far machine prints and records no fax', async () => {
    const list = async () =>
      ((await (await gateway.request('GET', '/fax?limit=200')).json()) as { items: Fax[] }).items.length;
    const before = await list();
    const form = new FormData();
    form.append('file', textFile('one\ftwo\n'));
    const response = await gateway.request('POST', '/fax/preview', { form });
    expect(response.status).toBe(200);
    const preview = (await response.json()) as { preview_id: string; pages: number; seconds: number };
    expect(preview).toMatchObject({ pages: 2, cost: null, notes: [] });
    expect(preview.seconds).toBeGreaterThan(20);
    const picture = await gateway.request('GET', `/fax/preview/${preview.preview_id}/2.png`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect((await gateway.request('GET', `/fax/preview/${preview.preview_id}/3.png`)).status).toBe(404);
    gateway.clock.advance(11 * 60 * SECOND);
    expect((await gateway.request('GET', `/fax/preview/${preview.preview_id}/1.png`)).status).toBe(404);
    expect(await list()).toBe(before);
  });
});

describe('a failed fax', () => {
  const unseen = async (key?: string) => {
    const answer = await gateway.request('GET', '/fax/counts', { key });
    return ((await answer.json()) as { unseen_failed: number }).unseen_failed;
  };
  const failedFax = async () => {
    const { id } = await gateway.send();
    await gateway.processAll();
    gateway.emulator.complete((await gateway.fax(id)).provider_sid ?? '', { errorId: 42 });
    gateway.clock.advance(30 * SECOND);
    await gateway.processAll();
    expect((await gateway.fax(id)).delivery_state).toBe('failed');
    return id;
  };

  test('is one that its sender has to see, until they have', async () => {
    const before = await unseen();
    const id = await failedFax();
    expect(await unseen()).toBe(before + 1);
    const seen = await gateway.request('PUT', `/fax/${id}/seen`);
    expect([seen.status, ((await seen.json()) as Fax).delivery_state]).toEqual([200, 'failed']);
    expect(await unseen()).toBe(before);
    expect((await gateway.request('PUT', `/fax/${id}/seen`)).status).toBe(200);
  });

  test('is not seen for its sender by somebody else', async () => {
    const made = await gateway.request('POST', '/admin/api-keys', {
      json: { name: 'Reader', scopes: ['fax:read'] },
    });
    const { token: key } = (await made.json()) as { token: string };
    const before = await unseen();
    const id = await failedFax();
    expect(await unseen(key)).toBe(0);
    expect((await gateway.request('PUT', `/fax/${id}/seen`, { key })).status).toBe(200);
    expect(await unseen()).toBe(before + 1);
  });

  test('that its sender decided about is seen already', async () => {
    const before = await unseen();
    const { id, delivery_version } = await unconfirmedFax();
    await post(`/fax/${id}/reconcile`, { outcome: 'failed', note: 'Page 2 is missing.', delivery_version });
    expect((await gateway.fax(id)).delivery_state).toBe('failed');
    expect(await unseen()).toBe(before);
  });
});
