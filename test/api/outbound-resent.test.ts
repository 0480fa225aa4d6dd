import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

test('a fax that is sent again names the earlier one only to who may see that', async () => {
  const people = new MailboxPeople(gateway, null);
  await people.addMailbox('clinic', 'Clinic');
  await people.addMailbox('archive', 'Archive');
  const ofBoth = await people.addPerson({ 'mailbox:clinic': ['fax:read'], 'mailbox:archive': ['fax:read'] });
  const ofOne = await people.addPerson({ 'mailbox:clinic': ['fax:read'] });
  const first = await gateway.send({ mailbox: 'archive' });
  const json = { delivery_version: first.delivery_version };
  await gateway.request('POST', `/fax/${first.id}/cancel`, { json });
  const answer = await gateway.request('POST', `/fax/${first.id}/resend`, { json: { mailbox: 'clinic' } });
  const again = (await answer.json()) as Fax;
  expect(again.resend_of).toBe(first.id);
  const shownTo = async (key: string) => {
    const one = (await (await gateway.request('GET', `/fax/${again.id}`, { key })).json()) as Fax;
    const page = await gateway.request('GET', `/fax?ids=${again.id}`, { key });
    const { items } = (await page.json()) as { items: Fax[] };
    return [one.resend_of, items[0]?.resend_of];
  };
  expect(await shownTo(ofBoth.key)).toEqual([first.id, first.id]);
  expect(await shownTo(ofOne.key)).toEqual([null, null]);
});
