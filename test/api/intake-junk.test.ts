import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import { ALICE, IntakeGateway } from './intake-setup.ts';

let intake: IntakeGateway;
beforeAll(async () => {
  intake = await IntakeGateway.start();
});
afterAll(() => intake.close());

const sent = () => intake.mail.mails.map(({ to }) => to);

test('a fax from a blocked sender is mailed to nobody, and once when a person takes it out of Junk', async () => {
  await intake.connect();
  await intake.request('POST', '/inbound/blocked-senders', { number: '+12025550133' });
  const fax = await intake.receive({ from: '+12025550133' });
  await intake.pass(HOUR);
  expect([sent(), await intake.deliveries(`?fax_id=${fax}`)]).toEqual([[], []]);
  for (let times = 0; times < 2; times += 1) {
    await intake.request('POST', `/inbound/${fax}/not-junk`, { unblock: true });
    await intake.pass(HOUR);
    expect(sent()).toEqual([[ALICE]]);
    // It is in Junk again, and comes back once more.
    const body = { fax_id: fax };
    expect((await intake.request('POST', '/inbound/blocked-senders', body))[0]).toBe(200);
    intake.gateway.clock.advance(MINUTE);
  }
  await intake.request('POST', `/inbound/${fax}/not-junk`, { unblock: true });
});
