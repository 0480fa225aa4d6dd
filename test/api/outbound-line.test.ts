import { existsSync, readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isPage } from '../../server/documents/tiff/page-description.ts';
import { readDirectories } from '../../server/documents/tiff/read-directories.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { eventually } from '../setup/eventually.ts';
import type { Fax } from '../setup/gateway.ts';
import { HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';
import { reportFacts } from '../setup/report-facts.ts';
import { callFor, type LineGateway, startLineGateway } from './outbound-line-setup.ts';

let line: LineGateway;
beforeEach(async () => {
  line = await startLineGateway();
});
afterEach(async () => {
  await line.gateway.close();
  await line.engine.close();
});

const imageOf = (call: string) => join(line.gateway.dataFolder, 'telephony', 'outgoing', `${call}.tiff`);
const poll = async () => {
  line.gateway.clock.advance(30 * SECOND);
  await line.gateway.processAll();
};

describe('a fax over the phone line', () => {
  test('is called for with its pages, and delivered when all of them were confirmed', async () => {
    const { gateway, engine } = line;
    const { fax, call } = await callFor(line);
    expect(fax).toMatchObject({ delivery_state: 'in_progress', backend: 'sip', provider_sid: call });
    expect(fax.attempt?.provider_account).toBe('sip:office1');
    expect(engine.calls[0]).toMatchObject({ dialed: '+12025550123', callerId: '+12025550100' });
    expect(engine.calls[0]?.variables).toMatchObject({
      FAXDESK_JOB: fax.id,
      FAXDESK_FILE: imageOf(call),
      FAXDESK_PAGES: '1',
      FAXDESK_ECM: 'yes',
      FAXDESK_T38: 'yes',
      FAXDESK_MAXRATE: '14400',
      FAXDESK_STATION_ID: Buffer.from('+12025550100').toString('base64'),
    });
    expect((await readFile(imageOf(call))).subarray(0, 4)).toEqual(Buffer.from('II*\0'));
    expect((await stat(imageOf(call))).mode & 0o777).toBe(0o640);
    engine.deliver(call);
    await eventually(async () =>
      expect(await gateway.fax(fax.id)).toMatchObject({
        delivery_state: 'success',
        delivered_by: 'provider',
        pages: 1,
      }),
    );
    expect(await reportFacts(gateway, fax.id)).toMatchObject({
      attempts: [{ number: 1, by: 'own phone line', reference: call, phase: 'success', pages_confirmed: 1 }],
      confirmations: [
        {
          kind: 'line',
          by: 'the fax machine that answered',
          text: 'Confirmed the fax at the end of the call, 1 page.',
        },
      ],
    });
    await eventually(() => expect([...engine.database.keys()]).toEqual([]));
    expect(existsSync(imageOf(call))).toBe(false);
    expect(engine.calls).toHaveLength(1);
    expect((await gateway.history(fax.id)).map(({ text }) => text).join('\n')).not.toMatch(
      /undefined|provider/iu,
    );
  });

  test('shows how far its call is, and nothing of it is stored', async () => {
    const { gateway, engine } = line;
    const { fax, call } = await callFor(line);
    const progress = async () => {
      await gateway.request('POST', `/fax/${fax.id}/refresh`);
      return (await gateway.fax(fax.id)).progress;
    };
    expect(await progress()).toEqual({ stage: 'dialing', page: null, rate_bps: null });
    engine.answer(call);
    expect(await progress()).toEqual({ stage: 'answered', page: null, rate_bps: null });
    // The engine counts on when the last page was confirmed, until it hangs up.
    for (const page of [1, 2]) {
      Object.assign(engine.live.get(call) ?? {}, { page });
      expect(await progress()).toEqual({ stage: 'sending', page: 1, rate_bps: 14_400 });
    }
    expect((await gateway.fax(fax.id)).delivery_version).toBe(fax.delivery_version);
    engine.end(call, { status: 'SUCCESS', pages: 1, cause: 16 });
    await eventually(async () =>
      expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'success', progress: null }),
    );
  });

  test('of 200 pages is drawn whole, counted page by page, and delivered when all were confirmed', async () => {
    const { gateway, engine } = line;
    const file = new File([textPdf(200)], 'long.pdf', { type: 'application/pdf' });
    const { id } = (await (await gateway.sendForm({ to: '+12025550123' }, [file])).json()) as Fax;
    await gateway.processAll();
    const [call] = engine.calls;
    if (!call) throw new Error('nobody was called');
    const pages = readDirectories(await readFile(imageOf(call.id))).filter(isPage);
    expect([pages.length, call.variables['FAXDESK_PAGES']]).toEqual([200, '200']);
    engine.answer(call.id);
    gateway.clock.advance(HOUR);
    Object.assign(call, { hasSession: true, page: 150 });
    await gateway.request('POST', `/fax/${id}/refresh`);
    expect((await gateway.fax(id)).progress).toMatchObject({ stage: 'sending', page: 150 });
    engine.end(call.id, { status: 'SUCCESS', pages: 200, cause: 16 });
    await eventually(async () =>
      expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'success', pages: 200 }),
    );
  });

  test('in one call with others shows its own pages of it', async () => {
    const { gateway, engine } = line;
    const json = { name: 'Laboratory', fax_number: '+12025550123', send_together_minutes: 5 };
    expect((await gateway.request('POST', '/contacts', { json })).status).toBe(201);
    const faxes = [await gateway.send(), await gateway.send()];
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
    const [call] = engine.calls;
    engine.answer(call?.id ?? '');
    const sending = { stage: 'sending', page: 1, rate_bps: 14_400 };
    const answered = { stage: 'answered', page: null, rate_bps: null };
    // Before them goes a page that lists them.
    for (const [page, first, second] of [
      [1, answered, answered],
      [2, sending, answered],
      [3, sending, sending],
    ] as const) {
      Object.assign(call ?? {}, { page });
      await gateway.request('POST', `/fax/${faxes[0]?.id}/refresh`);
      const now = await Promise.all(faxes.map(({ id }) => gateway.fax(id)));
      expect(now.map(({ progress }) => progress)).toEqual([first, second]);
    }
    expect(engine.calls).toHaveLength(1);
  });

  test('rule (telephony): the outcome of a call is read from the note of the engine under the id of the attempt; events only prompt the read', async () => {
    const { engine } = line;
    const { fax, call } = await callFor(line);
    engine.answer(call);
    await poll();
    expect((await line.gateway.fax(fax.id)).delivery_state).toBe('in_progress');
    const quiet = true;
    engine.end(call, { status: 'SUCCESS', pages: 1, rate: 14_400, cause: 16 }, quiet);
    line = { ...line, gateway: await line.gateway.restart() };
    await line.gateway.processAll();
    expect(await line.gateway.fax(fax.id)).toMatchObject({ delivery_state: 'success' });
    expect(engine.calls).toHaveLength(1);
  });

  test.each([
    [17, 'The line was busy.', 'busy'],
    [19, 'Nobody answered.', 'no_answer'],
    [1, 'The number does not exist. Check it.', null],
    [21, 'The call was refused.', null],
  ])('that ends with the cause %i certainly was not sent', async (cause, sentence, unreached) => {
    line.engine.plans.push({ kind: 'fail', cause, techcause: '' });
    const { id } = await line.gateway.send();
    await line.gateway.processAll();
    await poll();
    const fax = await line.gateway.fax(id);
    expect(fax).toMatchObject({ delivery_state: 'failed', error: sentence, attempt: { unreached } });
    expect(line.engine.calls).toHaveLength(1);
  });

  test('of which the last page may have been printed is a question for a person, and stays one', async () => {
    const { fax, call } = await callFor(line);
    line.engine.answer(call);
    line.gateway.clock.advance(MINUTE);
    const end = {
      status: 'FAILED',
      error: 'HANGUP',
      statusstr: 'No response after sending a page',
      pages: 0,
    };
    line.engine.end(call, end);
    await eventually(async () =>
      expect(await line.gateway.fax(fax.id)).toMatchObject({
        delivery_state: 'reconciliation_required',
        reconciliation_reason:
          'Page 1 was sent completely but not confirmed. The page may have been printed. Check with the recipient, then decide.',
      }),
    );
    expect(await reportFacts(line.gateway, fax.id)).toMatchObject({
      attempts: [{ phase: 'uncertain' }],
      confirmations: [],
    });
    line.gateway.clock.advance(24 * 60 * MINUTE);
    await line.gateway.processAll();
    expect((await line.gateway.fax(fax.id)).delivery_state).toBe('reconciliation_required');
    expect(line.engine.calls).toHaveLength(1);
  });

  test('is canceled while it rings, and not any more once somebody answered', async () => {
    const { gateway, engine } = line;
    const cancel = async ({ id, delivery_version }: { id: string; delivery_version: number }) =>
      gateway.request('POST', `/fax/${id}/cancel`, { json: { delivery_version } });
    const ringing = await callFor(line);
    expect((await cancel(ringing.fax)).status).toBe(200);
    expect(await gateway.fax(ringing.fax.id)).toMatchObject({ delivery_state: 'failed' });
    expect(engine.live.size).toBe(0);
    engine.plans.push({ kind: 'answer' });
    const answered = await callFor(line);
    expect((await cancel(answered.fax)).status).toBe(409);
    expect(engine.live.size).toBe(1);
  });
});

describe('a telephone engine', () => {
  test('that is away has faxes wait, and gets them when it is back', async () => {
    const { gateway, engine } = line;
    await engine.close();
    const { id } = await gateway.send();
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'ready', waits_for: 'engine' });
    expect((await gateway.history(id)).at(-1)?.text).toMatch(
      /The telephone engine could not be reached\. Nothing was sent\./u,
    );
    await engine.open();
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'in_progress', waits_for: null });
    expect(engine.calls).toHaveLength(1);
  });

  test('that refuses the call has certainly made none', async () => {
    line.engine.plans.push({ kind: 'refuse', words: 'Extension does not exist.' });
    const { id } = await line.gateway.send();
    await line.gateway.processAll();
    expect(await line.gateway.fax(id)).toMatchObject({
      delivery_state: 'failed',
      error: 'The telephone engine refused to make the call.',
    });
    expect(readdirSync(join(line.gateway.dataFolder, 'telephony', 'outgoing'))).toEqual([]);
  });

  test('queries the call when the answer to the order is lost, and the fax goes on', async () => {
    line.engine.plans.push({ kind: 'cut', begun: true });
    const { id } = await line.gateway.send();
    await line.gateway.processAll();
    expect((await line.gateway.fax(id)).delivery_state).toBe('reconciliation_required');
    await poll();
    expect(await line.gateway.fax(id)).toMatchObject({
      delivery_state: 'in_progress',
      reconciliation_reason: null,
    });
    line.engine.deliver(line.engine.calls[0]?.id ?? '');
    await eventually(async () => expect((await line.gateway.fax(id)).delivery_state).toBe('success'));
    expect(line.engine.calls).toHaveLength(1);
  });

  test('rule (telephony): a call order that was lost is looked up at the engine and never placed twice', async () => {
    line.engine.plans.push({ kind: 'cut', begun: false });
    const { id } = await line.gateway.send();
    await line.gateway.processAll();
    for (let polls = 0; polls < 5; polls += 1) await poll();
    const fax = await line.gateway.fax(id);
    expect([fax.delivery_state, fax.error]).toEqual([
      'failed',
      'The telephone engine stopped before anyone answered.',
    ]);
    expect(line.engine.calls).toHaveLength(0);
  });

  test.each([
    ['rings', 'failed', /stopped before anyone answered/u],
    ['runs', 'reconciliation_required', /stopped during the call/u],
  ])('that is killed while a call %s uses what it noted before', async (when, state, words) => {
    const { gateway, engine } = line;
    const { fax, call } = await callFor(line);
    if (when === 'runs') engine.answer(call);
    await engine.kill();
    await poll();
    expect((await gateway.fax(fax.id)).delivery_state).toBe('in_progress');
    await engine.open();
    for (let polls = 0; polls < 4; polls += 1) await poll();
    const after = await gateway.fax(fax.id);
    expect(after.delivery_state).toBe(state);
    expect(after.error ?? after.reconciliation_reason).toMatch(words);
    expect(engine.calls).toHaveLength(1);
    expect(existsSync(imageOf(call))).toBe(false);
  });

  test('keeps no note for longer than 30 days, but of faxes whose outcome is still to come', async () => {
    const { gateway, engine } = line;
    const { fax, call } = await callFor(line);
    engine.answer(call);
    gateway.clock.advance(MINUTE);
    engine.end(call, { status: 'FAILED', statusstr: 'No response after sending a page', pages: 0 });
    await eventually(async () =>
      expect((await gateway.fax(fax.id)).delivery_state).toBe('reconciliation_required'),
    );
    const secondsAgo = (days: number) => Math.floor(gateway.clock.now() / 1000) - days * 86_400;
    const isOurs = (name: string) => /^faxdesk-\w+\/(left|new|words)/u.test(name);
    const note = (attempt: string, days: number) => {
      engine.database.set(`faxdesk-begun/${attempt}`, `${secondsAgo(days)};1`);
      engine.database.set(`faxdesk-answered/${attempt}`, String(secondsAgo(days)));
      engine.database.set(`faxdesk-outcome/${attempt}`, `status=SUCCESS;pages=1;ended=${secondsAgo(days)}`);
      engine.database.set(`faxdesk-words/${attempt}`, 'error=;station=');
    };
    note('left-1', 31);
    note('new-1', 29);
    // It was begun long ago, and its call ended lately.
    note('new-2', 40);
    engine.database.set('faxdesk-outcome/new-2', `status=;ended=${secondsAgo(1)}`);
    engine.database.set('faxdesk-words/words-1', 'error=;station=');
    engine.database.set('office/left-1', '1');
    const kept = [...engine.database.keys()].filter((name) => !/\/(left|words)-1/u.test(name));
    const signInAgain = async () => {
      engine.cut();
      await gateway.request('POST', `/fax/${fax.id}/refresh`);
    };
    gateway.clock.advance(24 * 60 * MINUTE);
    await signInAgain();
    await eventually(() =>
      expect([...engine.database.keys()].sort()).toEqual([...kept, 'office/left-1'].sort()),
    );
    expect(kept.filter(isOurs)).toHaveLength(8);
    expect(kept).toContain(`faxdesk-outcome/${call}`);
    gateway.clock.advance(40 * 24 * 60 * MINUTE);
    await signInAgain();
    // Of the fax that still waits for a person, however old.
    const ofCall = ['begun', 'outcome', 'words'].map((family) => `faxdesk-${family}/${call}`);
    await eventually(() =>
      expect([...engine.database.keys()].sort()).toEqual([...ofCall, 'office/left-1'].sort()),
    );
    expect((await gateway.fax(fax.id)).delivery_state).toBe('reconciliation_required');
    expect(engine.calls).toHaveLength(1);
  });

  test('reports in a sentence whether its user and password are right', async () => {
    const check = async (settings: Record<string, string>) => {
      const json = { provider: 'sip', settings };
      return (await line.gateway.request('POST', '/admin/settings/validate', { json })).json();
    };
    expect(await check({})).toEqual({ ok: true, detail: 'Asterisk 20.5.0 accepts the user and password.' });
    expect(await check({ TELEPHONY_PASSWORD: 'wrong' })).toEqual({
      ok: false,
      detail: 'The telephone engine refused the sign-in. Check its user and password.',
    });
  });
});
