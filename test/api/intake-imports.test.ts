import { afterAll, beforeAll, expect, test } from 'vitest';
import { ImportsGateway, manifestOf } from './imports-setup.ts';
import { ALICE, IntakeGateway } from './intake-setup.ts';

let desk: IntakeGateway;
let imports: ImportsGateway;
beforeAll(async () => {
  desk = await IntakeGateway.start();
  imports = new ImportsGateway(desk.gateway);
  await desk.connect();
});
afterAll(() => desk.close());

/** Hands a document of another system over, and has done what is due. */
async function imported(): Promise<string> {
  const { inbound_id } = await imports.imported(manifestOf());
  await desk.gateway.processAll();
  return inbound_id;
}

test('imported faxes go out by e-mail only while the setting says so, and not later; others always', async () => {
  const before = await imported();
  expect(await desk.deliveries(`?fax_id=${before}`)).toEqual([]);
  await desk.gateway.set({ MAIL_IMPORTED: true });
  const meanwhile = await imported();
  expect(await desk.delivery(meanwhile)).toMatchObject({ state: 'delivered' });
  await desk.gateway.set({ MAIL_IMPORTED: false });
  await imported();
  const received = await desk.receive();
  await desk.gateway.processAll();
  expect(await desk.delivery(received)).toMatchObject({ state: 'delivered' });
  expect((await desk.deliveries()).map(({ fax_id }) => fax_id).toSorted()).toEqual(
    [meanwhile, received].toSorted(),
  );
  expect(desk.mail.inboxes).toEqual({ [ALICE]: 2 });
});
