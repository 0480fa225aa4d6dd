import { afterAll, beforeAll, expect, test } from 'vitest';
import { ImportsGateway, manifestOf } from './imports-setup.ts';
import { ALICE, IntakeGateway } from './intake-setup.ts';

let intake: IntakeGateway;
let imports: ImportsGateway;
beforeAll(async () => {
  intake = await IntakeGateway.start();
  imports = new ImportsGateway(intake.gateway);
  await intake.connect();
});
afterAll(() => intake.close());

/** Hands a document of another system over, and has done what is due. */
async function imported(): Promise<string> {
  const { inbound_id } = await imports.imported(manifestOf());
  await intake.gateway.processAll();
  return inbound_id;
}

test('rule (crossings): imported documents go to e-mail connectors only while the setting says so', async () => {
  const before = await imported();
  expect(await intake.deliveries(`?fax_id=${before}`)).toEqual([]);
  await intake.gateway.set({ MAIL_IMPORTED: true });
  const meanwhile = await imported();
  expect(await intake.delivery(meanwhile)).toMatchObject({ state: 'delivered' });
  await intake.gateway.set({ MAIL_IMPORTED: false });
  await imported();
  const received = await intake.receive();
  await intake.gateway.processAll();
  expect(await intake.delivery(received)).toMatchObject({ state: 'delivered' });
  expect((await intake.deliveries()).map(({ fax_id }) => fax_id).toSorted()).toEqual(
    [meanwhile, received].toSorted(),
  );
  expect(intake.mail.inboxes).toEqual({ [ALICE]: 2 });
});
