import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../setup/manual-clock.ts';
import { ALICE, BOB, type Delivery, IntakeGateway, statesOf } from './intake-setup.ts';

let intake: IntakeGateway;
beforeAll(async () => {
  intake = await IntakeGateway.start();
});
afterEach(() => intake.clear());
afterAll(() => intake.close());

const sent = () => intake.mail.mails.map(({ to }) => to);
const retry = (id: string) => intake.request('POST', `/intake/items/${id}/retry`);
const confirm = ({ id, version }: Delivery, outcome: string) =>
  intake.request('POST', `/intake/items/${id}/confirm`, { outcome, version });

/** Has a fax come in and its e-mail be tried once. */
async function tried(): Promise<Delivery> {
  const fax = await intake.receive();
  await intake.gateway.processAll();
  return intake.delivery(fax);
}

describe('a connection that breaks after the whole message was handed over', () => {
  test('leaves a doubt that a person ends: what arrived is not sent again', async () => {
    await intake.connect({ recipients: [ALICE, BOB] });
    intake.mail.faults = { cut: 'after keeping' };
    const item = await tried();
    expect(item).toMatchObject({ state: 'uncertain', retry_at: null });
    expect(statesOf(item)).toEqual({ [ALICE]: 'uncertain', [BOB]: 'uncertain' });
    intake.mail.faults = {};
    for (let hour = 0; hour < 30; hour += 1) await intake.pass(HOUR);
    expect(intake.mail.inboxes).toEqual({ [ALICE]: 1, [BOB]: 1 });
    expect((await retry(item.id))[0]).toBe(409);
    expect(await confirm(item, 'arrived')).toMatchObject([200, { state: 'delivered' }]);
    expect((await confirm(item, 'not_arrived'))[0]).toBe(409);
    await intake.pass(DAY);
    expect(intake.mail.inboxes).toEqual({ [ALICE]: 1, [BOB]: 1 });
    const [, { items }] = await intake.request(
      'GET',
      '/access/audit?operation=delivery.confirm&outcome=done',
    );
    expect(items[0]).toMatchObject({
      target: { kind: 'delivery', id: item.id },
      details: { outcome: 'arrived' },
    });
  });

  test('leaves another doubt when it breaks again, which no repeated answer to the first one ends', async () => {
    await intake.connect();
    intake.mail.faults = { cut: 'after data' };
    const first = await tried();
    expect(await confirm(first, 'not_arrived')).toMatchObject([200, { state: 'received' }]);
    await intake.gateway.processAll();
    const second = await intake.delivery(first.fax_id);
    expect(second.state).toBe('uncertain');
    for (const outcome of ['not_arrived', 'arrived']) {
      const [status, { detail }] = await confirm(first, outcome);
      expect([status, detail]).toEqual([409, 'This changed in the meantime; reload and try again.']);
    }
    expect(
      (await intake.request('POST', `/intake/items/${first.id}/confirm`, { outcome: 'arrived' }))[0],
    ).toBe(400);
    expect(await intake.delivery(first.fax_id)).toEqual(second);
    expect(await confirm(second, 'arrived')).toMatchObject([200, { state: 'delivered' }]);
  });

  test('leaves a doubt that a person ends: what did not arrive is sent again under the same Message-ID', async () => {
    await intake.connect();
    intake.mail.faults = { cut: 'after data' };
    const item = await tried();
    expect([item.state, sent()]).toEqual(['uncertain', []]);
    const warned = async () => JSON.stringify((await intake.request('GET', '/console/status'))[1]);
    expect(await warned()).toContain('may or may not have arrived');
    intake.mail.faults = {};
    expect(await confirm(item, 'not_arrived')).toMatchObject([200, { state: 'received' }]);
    await intake.gateway.processAll();
    expect(sent()).toEqual([[ALICE]]);
    expect(intake.mail.mails[0]?.raw).toContain(item.message_id);
    expect(await warned()).not.toContain('may or may not have arrived');
  });
});
