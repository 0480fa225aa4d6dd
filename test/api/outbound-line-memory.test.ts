import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Contact as ContactShape } from '../../shared/api/contacts.ts';
import { eventually } from '../setup/eventually.ts';
import { DAY, SECOND } from '../setup/manual-clock.ts';
import { keyWith } from './console-stream.ts';
import { callFor, type LineGateway, startLineGateway } from './outbound-line-setup.ts';

type Contact = z.infer<typeof ContactShape>;

let line: LineGateway;
beforeAll(async () => {
  line = await startLineGateway();
});
afterAll(async () => {
  await line.gateway.close();
  await line.engine.close();
});

const AT_BEST = { FAXDESK_T38: 'yes', FAXDESK_ECM: 'yes', FAXDESK_MAXRATE: '14400' };
const AS_SOUND = { ...AT_BEST, FAXDESK_T38: 'no' };
type End = Parameters<LineGateway['engine']['end']>[1];

/** Calls the number and ends the call; answers the fax as it is then and how it was called. */
async function callAndEnd(to: string, end: End) {
  const { gateway, engine } = line;
  const { fax, call } = await callFor(line, to);
  const { variables = {} } = engine.calls.at(-1) ?? {};
  if (end.status === 'SUCCESS') engine.deliver(call, end);
  else {
    engine.answer(call);
    gateway.clock.advance(30 * SECOND);
    engine.end(call, { pages: 0, status: 'FAILED', cause: 16, ...end });
  }
  const ended = await eventually(async () => {
    const now = await gateway.fax(fax.id);
    expect(now.delivery_state).not.toBe('in_progress');
    return now;
  });
  return { fax: ended, call, variables };
}

const SUCCESS = { status: 'SUCCESS' };
const asSound = { ...SUCCESS, mode: 'audio' };

const memoryOf = async (answer: Response) =>
  ((await answer.json()) as Pick<Contact, 'line_memory'>).line_memory;

async function contactOf(to: string) {
  const answer = await line.gateway.request('POST', '/contacts', { json: { name: to, fax_number: to } });
  const { id } = (await answer.json()) as { id: string };
  const path = `/contacts/${id}`;
  const read = async (key?: string) => memoryOf(await line.gateway.request('GET', path, { key }));
  const forget = async () => line.gateway.request('POST', `${path}/forget-line-memory`);
  return { id, path, read, forget };
}

const historyOf = async (id: string) =>
  (await line.gateway.history(id)).map(({ text }) => text).filter((text) => text.startsWith('Calling'));

describe('the next call to a number', () => {
  test('goes as sound at once when it went as sound before, says so, and with the best settings after 90 days', async () => {
    const to = '+12025550131';
    const first = await callAndEnd(to, asSound);
    expect(first.variables).toMatchObject(AT_BEST);
    expect(await historyOf(first.fax.id)).toEqual(['Calling.']);
    const contact = await contactOf(to);
    const learned = await contact.read();
    expect(learned).toMatchObject({ without_t38: true, without_ecm: false, most_rate_bps: null });
    expect(Date.parse(learned?.expires_at ?? '') - Date.parse(learned?.learned_at ?? '')).toBe(90 * DAY);
    const second = await callAndEnd(to, asSound);
    expect(second.variables).toMatchObject(AS_SOUND);
    expect(await historyOf(second.fax.id)).toEqual([
      'Calling. It is sent without T.38, based on earlier calls to this number.',
    ]);
    expect((await callAndEnd('+12025550132', SUCCESS)).variables).toMatchObject(AT_BEST);
    line.gateway.clock.advance(90 * DAY);
    expect(await contact.read()).toBeNull();
    expect((await callAndEnd(to, SUCCESS)).variables).toMatchObject(AT_BEST);
  });

  test('rule (contacts): line memory changes how the next call is made and never places a call', async () => {
    const to = '+12025550133';
    const broke = { statusstr: 'Invalid ECM response received from receiver', mode: 'T38' };
    const before = line.engine.calls.length;
    expect((await callAndEnd(to, broke)).fax.delivery_state).toBe('reconciliation_required');
    expect((await callAndEnd(to, broke)).variables).toMatchObject(AT_BEST);
    expect((await callAndEnd(to, SUCCESS)).variables).toMatchObject({ ...AT_BEST, FAXDESK_ECM: 'no' });
    const poor = { statusstr: 'Failed to train with any of the compatible modems', mode: 'audio' };
    const slow = '+12025550134';
    for (const _call of [1, 2]) expect((await callAndEnd(slow, poor)).fax.delivery_state).toBe('failed');
    const { fax, variables } = await callAndEnd(slow, poor);
    expect(variables).toMatchObject({ ...AT_BEST, FAXDESK_MAXRATE: '9600' });
    expect(await historyOf(fax.id)).toEqual([
      'Calling. It is sent at no more than 9,600 bit/s, based on earlier calls to this number.',
    ]);
    line.gateway.clock.advance(DAY);
    await line.gateway.processAll();
    expect(line.engine.calls).toHaveLength(before + 6);
  });

  test('rule (contacts): a call is counted once in the line memory of its number', async () => {
    const to = '+12025550135';
    const { gateway, engine } = line;
    const unsure = { statusstr: 'No response after sending a page', mode: 'T38' };
    const { fax, call } = await callAndEnd(to, unsure);
    expect(fax.delivery_state).toBe('reconciliation_required');
    for (const _time of [1, 2, 3]) {
      engine.event('Event: UserEvent', 'UserEvent: FaxdeskOutcome', `Attempt: ${call}`);
      await gateway.request('POST', `/fax/${fax.id}/refresh`);
    }
    expect((await callAndEnd(to, SUCCESS)).variables).toMatchObject(AT_BEST);
  });
});

describe('what calls taught of a number', () => {
  test('is shown to who may see a fax to it, forgotten on demand, and goes with the contact', async () => {
    const { gateway } = line;
    const to = '+12025550136';
    const refused = { error: 'T38_NEG_ERROR' };
    for (const _call of [1, 2]) await callAndEnd(to, refused);
    const { id, path, read, forget } = await contactOf(to);
    expect(await read()).toMatchObject({ without_t38: true });
    expect(await read(await keyWith(gateway, 'contacts:read'))).toBeNull();
    const forgot = await forget();
    expect([forgot.status, await memoryOf(forgot)]).toEqual([200, null]);
    expect((await forget()).status).toBe(200);
    const recorded = await gateway.request('GET', '/access/audit?operation=contact.forget_line');
    const { items } = (await recorded.json()) as { items: { target: object }[] };
    expect(items.map(({ target }) => target)).toEqual([{ kind: 'contact', id }]);
    for (const _call of [1, 2]) expect((await callAndEnd(to, refused)).variables).toMatchObject(AT_BEST);
    expect(await read()).toMatchObject({ without_t38: true });
    expect((await gateway.request('POST', `${path}/remove`, { json: { version: 1 } })).status).toBe(200);
    expect((await forget()).status).toBe(404);
    expect((await callAndEnd(to, SUCCESS)).variables).toMatchObject(AT_BEST);
  });

  test('holds over a restart, and for faxes that leave together', async () => {
    const to = '+12025550137';
    await callAndEnd(to, asSound);
    const contact = await contactOf(to);
    await line.gateway.request('PATCH', contact.path, { json: { send_together_minutes: 10, version: 1 } });
    line = { ...line, gateway: await line.gateway.restart() };
    const { gateway, engine } = line;
    const [one, two] = [await gateway.send({ to }), await gateway.send({ to })];
    gateway.clock.advance(10 * 60 * SECOND);
    await gateway.processAll();
    expect(gateway.logLines.filter((line) => /"level":"(?:warn|error)"/.test(line))).toEqual([]);
    expect(engine.calls.at(-1)?.variables).toMatchObject(AS_SOUND);
    for (const { id } of [one, two])
      expect(await historyOf(id)).toEqual([
        'Calling, in one call with other faxes to this number. It is sent without T.38, based on earlier calls to this number.',
      ]);
    // T.38 works after all: the whole call teaches it, once.
    engine.deliver(engine.calls.at(-1)?.id ?? '');
    await eventually(async () => expect((await gateway.fax(two.id)).delivery_state).toBe('success'));
    await eventually(async () => expect(await contact.read()).toBeNull());
  });
});
