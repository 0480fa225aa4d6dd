import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { SECOND } from '../setup/manual-clock.ts';

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

describe('only the missing pages', () => {
  const again = (id: string, json: object, key = 'k') =>
    gateway.request('POST', `/fax/${id}/resend`, { json, headers: { 'Idempotency-Key': key } });
  /** Three pages, of which the provider says that one arrived, and a person that the rest did not. */
  async function partlyArrived(): Promise<Fax> {
    const answer = await gateway.sendForm({ to: '+12025550123' }, [textFile('one\ftwo\fthree\n')]);
    const { id } = (await answer.json()) as Fax;
    await gateway.processAll();
    const { provider_sid } = await gateway.fax(id);
    gateway.emulator.complete(String(provider_sid), { status: 'success', pages: 1 });
    gateway.clock.advance(31 * SECOND);
    await gateway.processAll();
    const doubtful = await gateway.fax(id);
    expect(doubtful).toMatchObject({ delivery_state: 'reconciliation_required', attempt: { pages_sent: 1 } });
    const json = { outcome: 'failed', note: 'Called.', delivery_version: doubtful.delivery_version };
    await gateway.request('POST', `/fax/${id}/reconcile`, { json });
    return gateway.fax(id);
  }

  test('go out as a new fax with a document of their own', async () => {
    const first = await partlyArrived();
    expect(first).toMatchObject({ delivery_state: 'failed', attempt: { pages_sent: 1 } });
    const rest = (await (await again(first.id, { from_page: 2 }, 'rest')).json()) as Fax;
    expect(rest).toMatchObject({ resend_of: first.id, document: { pages: 2, media_type: 'text/plain' } });
    expect(rest.document.sha256).not.toBe(first.document.sha256);
    const bytes = await (await gateway.request('GET', `/fax/${rest.id}/document`)).arrayBuffer();
    expect(createHash('sha256').update(Buffer.from(bytes)).digest('hex')).toBe(rest.document.sha256);
    // Repeated it is that fax; with other pages it is another request.
    expect(await (await again(first.id, { from_page: 2 }, 'rest')).json()).toMatchObject({ id: rest.id });
    expect((await again(first.id, { from_page: 3 }, 'rest')).status).toBe(409);
    // From the first page on it is the same document.
    const whole = (await (await again(first.id, { from_page: 1 }, 'whole')).json()) as Fax;
    expect(whole.document.sha256).toBe(first.document.sha256);
  });

  test.each([
    [{ from_page: 4 }, 404, 'no_such_page'],
    [{ from_page: 0 }, 400, 'invalid_request'],
  ])('are pages of the document: %j', async (json, status, code) => {
    const { id } = await partlyArrived();
    const answer = await again(id, json, `wrong-${status}`);
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([status, code]);
  });
});
