import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { TelephonyCall } from '../../shared/api/telephony-calls.ts';
import { startAmiEmulator } from '../setup/emulators/ami/index.ts';
import { eventually } from '../setup/eventually.ts';
import { DAY, ManualClock, MINUTE, SECOND } from '../setup/manual-clock.ts';
import type { LineGateway } from './outbound-line-setup.ts';
import { callFor, lineSettings } from './outbound-line-setup.ts';
import { EngineGateway, orderOf } from './telephony-setup.ts';

type Call = z.infer<typeof TelephonyCall>;

const TO = '+12025550123';
let line: LineGateway;
let inbound: EngineGateway;
beforeAll(async () => {
  const clock = new ManualClock();
  const engine = await startAmiEmulator(() => clock.now());
  inbound = await EngineGateway.start({ clock, settings: lineSettings(engine) });
  line = { gateway: inbound.gateway, engine };
});
afterAll(async () => {
  await inbound.close();
  await line.engine.close();
});

async function calls(query = ''): Promise<Call[]> {
  const answer = await line.gateway.request('GET', `/telephony/calls?${query}`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { items: Call[] }).items;
}
const ofFax = async (id: string) =>
  (await calls('limit=200')).filter((call) => call.sent_fax_ids.includes(id));
const ended = (id: string) =>
  eventually(async () => {
    const { delivery_state } = await line.gateway.fax(id);
    expect(['success', 'failed', 'reconciliation_required']).toContain(delivery_state);
  });

describe('the log of calls', () => {
  test('has what the engine noted of a call that delivered its fax', async () => {
    const { gateway, engine } = line;
    const started_at = new Date(gateway.clock.now()).toISOString();
    const { fax, call } = await callFor(line);
    engine.answer(call);
    gateway.clock.advance(21 * SECOND);
    const end = { rate: 14_400, mode: 'T38', ecm: 'yes', station: 'EXAMPLE CLINIC', cause: 16 };
    engine.end(call, { status: 'SUCCESS', statusstr: 'OK', pages: 1, ...end });
    await ended(fax.id);
    const contact = { name: 'Laboratory', fax_number: TO };
    expect((await gateway.request('POST', '/contacts', { json: contact })).status).toBe(201);
    const ended_at = new Date(gateway.clock.now()).toISOString();
    expect(await ofFax(fax.id)).toEqual([
      {
        id: expect.any(String),
        direction: 'outgoing',
        recorded_at: ended_at,
        started_at,
        answered_at: started_at,
        ended_at,
        number: TO,
        contact: { id: expect.any(String), name: 'Laboratory' },
        own_number: '+12025550100',
        line: 'sip:office1',
        outcome: 'delivered',
        sentence: 'The page was confirmed.',
        cause: 16,
        sip_status: null,
        failure_code: null,
        mode: 't38',
        // Asked for; whether the machines agreed on it, nobody saw.
        ecm: null,
        rate_bps: 14_400,
        resolution: '204x196',
        pages_sent: 1,
        pages_confirmed: 1,
        seconds: 21,
        seconds_per_page: 21,
        station_id: 'EXAMPLE CLINIC',
        sent_fax_ids: [fax.id],
        received_fax_id: null,
        version: 1,
      },
    ]);
  });

  test('says of a call that nobody took why, and invents nothing of it', async () => {
    line.engine.plans.push({ kind: 'fail', cause: 17, techcause: 'SIP 486 Busy Here' });
    const { id } = await line.gateway.send();
    await line.gateway.processAll();
    await ended(id);
    expect(await ofFax(id)).toMatchObject([
      {
        outcome: 'busy',
        sentence: 'The line was busy.',
        cause: 17,
        sip_status: 486,
        failure_code: 'cause 17, SIP 486',
        answered_at: null,
        mode: null,
        ecm: null,
        rate_bps: null,
        resolution: null,
        pages_sent: 1,
        pages_confirmed: null,
        seconds: null,
        seconds_per_page: null,
        station_id: null,
      },
    ]);
    expect(await calls('outcome=busy,no_answer')).toHaveLength(1);
  });

  test('has a call that was cut off, also when it is queried again', async () => {
    const { gateway, engine } = line;
    const { fax, call } = await callFor(line);
    engine.answer(call);
    gateway.clock.advance(MINUTE);
    const cut = { status: 'FAILED', error: 'HANGUP', statusstr: 'The call dropped prematurely', pages: 0 };
    engine.end(call, { ...cut, rate: 9600, mode: 'audio', ecm: 'no' });
    await ended(fax.id);
    const [logged] = await ofFax(fax.id);
    expect(logged).toMatchObject({
      outcome: 'unconfirmed',
      failure_code: 'The call dropped prematurely',
      mode: 'audio',
      ecm: false,
      rate_bps: 9600,
      seconds: 60,
      seconds_per_page: null,
    });
    for (let asked = 0; asked < 2; asked += 1) await gateway.request('POST', `/fax/${fax.id}/refresh`);
    gateway.clock.advance(DAY);
    await gateway.processAll();
    expect(await ofFax(fax.id)).toEqual([logged]);
  });

  test('has one entry for faxes that left together', async () => {
    const { gateway, engine } = line;
    const number = '+12025550166';
    const json = { name: 'Practice', fax_number: number, send_together_minutes: 5 };
    expect((await gateway.request('POST', '/contacts', { json })).status).toBe(201);
    const faxes = [await gateway.send({ to: number }), await gateway.send({ to: number })];
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
    engine.deliver(engine.calls.at(-1)?.id ?? '');
    for (const { id } of faxes) await ended(id);
    expect(await calls(`number=${encodeURIComponent('(202) 555-0166')}`)).toMatchObject([
      {
        sent_fax_ids: faxes.map(({ id }) => id),
        pages_sent: 3,
        sentence: 'All 3 pages were confirmed.',
        contact: { name: 'Practice' },
      },
    ]);
  });

  test('has a call that was canceled while it rang', async () => {
    const { fax } = await callFor(line);
    line.gateway.clock.advance(3 * SECOND);
    const json = { delivery_version: fax.delivery_version };
    expect((await line.gateway.request('POST', `/fax/${fax.id}/cancel`, { json })).status).toBe(200);
    expect(await ofFax(fax.id)).toMatchObject([
      { outcome: 'canceled', answered_at: null, ended_at: expect.any(String), cause: null },
    ]);
  });

  test('has no call that was never made', async () => {
    line.engine.plans.push({ kind: 'refuse', words: 'Extension does not exist.' });
    const { id } = await line.gateway.send();
    await line.gateway.processAll();
    await ended(id);
    expect(await ofFax(id)).toEqual([]);
  });

  test('rule (crossings): received calls are in the call log once, also those whose fax was not taken', async () => {
    const call = {
      started_at: '2026-11-21T09:57:30+01:00',
      answered_at: '2026-11-21T09:57:40+01:00',
      ended_at: '2026-11-21T09:58:30+01:00',
      t38: true,
      remote_station_id: 'EXAMPLE CLINIC',
    };
    const order = orderOf(await inbound.dropImage('a.tif'), { uniqueid: 'taken.1', faxpages: 2, call });
    const first = await inbound.handOver(order);
    await inbound.work();
    expect((await inbound.handOver(order)).body.id).toBe(first.body.id);
    expect(await calls('direction=incoming')).toMatchObject([
      {
        outcome: 'received',
        sentence: '2 pages were received.',
        number: order['from_number'],
        own_number: order['to_number'],
        line: 'sip:office1',
        started_at: '2026-11-21T08:57:30.000Z',
        seconds: 50,
        seconds_per_page: 25,
        mode: 't38',
        ecm: null,
        rate_bps: null,
        pages_sent: null,
        station_id: 'EXAMPLE CLINIC',
        sent_fax_ids: [],
        received_fax_id: first.body.id,
      },
    ]);

    const broken = orderOf(await inbound.dropImage('b.tif'), { uniqueid: 'broken.1', faxstatus: 'FAILED' });
    await inbound.handOver(broken);
    expect(await calls('outcome=incomplete')).toMatchObject([
      { sentence: expect.stringContaining('pages may be missing'), failure_code: 'FAILED' },
    ]);

    const refused = orderOf('/etc/passwd', { uniqueid: 'refused.1' });
    for (let times = 0; times < 2; times += 1) expect((await inbound.handOver(refused)).status).toBe(400);
    expect(await calls('outcome=refused')).toMatchObject([
      {
        sentence:
          'The fax was not accepted from the telephone engine. The image is not in the folder inbound of the data folder.',
        received_fax_id: null,
        number: order['from_number'],
      },
    ]);
    // A hand-over with the wrong secret records no call.
    const unknown = orderOf('/etc/passwd', { uniqueid: 'forged.1' });
    expect((await inbound.handOver(unknown, 'wrong')).status).toBe(401);
    const taken = orderOf(await inbound.dropImage('c.tif'), { uniqueid: 'refused.1' });
    expect((await inbound.handOver(taken)).status).toBe(200);
    expect(await calls('outcome=refused')).toEqual([]);
  });

  test('has a call while receiving is off as well, and the image that was found afterwards', async () => {
    await line.gateway.set({ INBOUND_ENABLED: false });
    const path = await inbound.dropImage('off.1.tif');
    const order = orderOf(path, { uniqueid: 'off.1' });
    expect((await inbound.handOver(order)).status).toBe(404);
    expect((await inbound.handOver(order, 'wrong')).status).toBe(404);
    expect(await calls('outcome=refused')).toMatchObject([
      { sentence: 'The fax was not accepted from the telephone engine. Receiving is off. Turn it on first.' },
    ]);
    await line.gateway.set({ INBOUND_ENABLED: true });
    await inbound.recover();
    expect(await calls('outcome=refused')).toEqual([]);
    expect((await calls('direction=incoming&limit=1'))[0]).toMatchObject({
      sentence:
        'The fax was not accepted from the telephone engine. Receiving is off. Turn it on first. Faxdesk found the image and received the fax.',
      number: order['from_number'],
      received_fax_id: expect.any(String),
    });
  });

  test('rule (crossings): entries of the call log are removed after their retention time', async () => {
    const made = await line.gateway.request('POST', '/admin/api-keys', {
      json: { name: 'Reader', scopes: ['fax:read', 'inbound:list'] },
    });
    const { token: key } = (await made.json()) as { token: string };
    expect((await line.gateway.request('GET', '/telephony/calls', { key })).status).toBe(403);
    expect((await line.gateway.request('GET', '/telephony/calls?number=555')).status).toBe(400);
    expect((await line.gateway.request('GET', '/telephony/calls?cursor=x')).status).toBe(400);
    expect((await calls()).length).toBeGreaterThan(5);
    await line.gateway.set({ CALL_LOG_DAYS: 7 });
    line.gateway.clock.advance(7 * DAY);
    // The setting reschedules the cleanup concurrently.
    await eventually(async () => {
      line.gateway.clock.advance(DAY);
      await line.gateway.processAll();
      expect(await calls()).toEqual([]);
    });
  });
});
