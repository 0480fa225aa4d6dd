import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccessAdministrator, type Item } from '../setup/access-administrator.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';

const FAXES = ['fax:send', 'fax:read', 'fax:document', 'fax:refresh', 'fax:reconcile'] as const;

let gateway: TestGateway;
let clinic: Item;
let archive: Item;
/** Ada's, who may do all of faxes in both mailboxes: one that reaches all she may do, one for the clinic. */
let whole: string;
let limited: string;
let inClinic: string;
let inArchive: string;

async function send(key: string, mailbox: Item, headers: Record<string, string> = {}): Promise<Response> {
  const form = new FormData();
  form.append('to', '+12025550123');
  form.append('mailbox', mailbox.id);
  form.append('file', textFile());
  return gateway.request('POST', '/fax', { key, form, headers });
}

async function requestStatus(method: string, path: string, json?: object): Promise<number> {
  const answer = await gateway.request(method, path, { key: limited, ...(json ? { json } : {}) });
  await answer.body?.cancel();
  return answer.status;
}

beforeAll(async () => {
  gateway = await startTestGateway();
  const administrator = new AccessAdministrator(gateway);
  const ada = await administrator.integration('Ada');
  clinic = await administrator.mailbox('Clinic');
  archive = await administrator.mailbox('Archive');
  const role = await administrator.role('All of faxes', FAXES);
  for (const { id } of [clinic, archive]) await administrator.assign(ada, role, `mailbox:${id}`);
  whole = (await administrator.key(ada, FAXES)).token;
  limited = (await administrator.key(ada, FAXES, { resourceId: `mailbox:${clinic.id}` })).token;
  inClinic = ((await (await send(whole, clinic)).json()) as Fax).id;
  inArchive = ((await (await send(whole, archive, { 'Idempotency-Key': 'told-once' })).json()) as Fax).id;
});

afterAll(() => gateway.close());

test('rule (outbound): one rule of visibility limits lists, single reads, counts and events of sent faxes to what the caller may see', async () => {
  const listed = await gateway.request('GET', '/fax', { key: limited });
  const { items } = (await listed.json()) as { items: Fax[] };
  expect(items.map(({ id }) => id)).toEqual([inClinic]);
  const mine = await gateway.request('GET', '/fax?created_by=me', { key: limited });
  expect(((await mine.json()) as { items: Fax[] }).items.map(({ id }) => id)).toEqual([inClinic]);
  const counted = await gateway.request('GET', '/fax/counts', { key: limited });
  const { all } = (await counted.json()) as { all: Record<string, number> };
  expect(Object.values(all).reduce((sum, count) => sum + count, 0)).toBe(1);
  const numbers = await gateway.request('GET', '/fax/numbers', { key: limited });
  const used = (await numbers.json()) as { items: { uses: number }[] };
  expect(used.items.map(({ uses }) => uses)).toEqual([1]);
});

test('it neither opens nor cancels a fax of another mailbox, nor learns that there is one', async () => {
  expect(await requestStatus('GET', `/fax/${inClinic}`)).toBe(200);
  expect(await requestStatus('GET', `/fax/${inArchive}`)).toBe(404);
  expect(await requestStatus('GET', `/fax/${inArchive}/document`)).toBe(404);
  expect(await requestStatus('GET', `/fax/${inArchive}/history`)).toBe(404);
  expect(await requestStatus('POST', `/fax/${inArchive}/cancel`, { delivery_version: 1 })).toBe(404);
  expect(await requestStatus('POST', `/fax/${inArchive}/resend`)).toBe(404);
});

test('a repeated request does not reveal what its owner sent for another mailbox', async () => {
  const again = await send(limited, archive, { 'Idempotency-Key': 'told-once' });
  expect(again.status).toBe(409);
  expect(await again.text()).not.toContain(inArchive);
});

test('a preview belongs to the key that made it', async () => {
  const form = new FormData();
  form.append('file', textFile());
  const made = await gateway.request('POST', '/fax/preview', { key: whole, form });
  const { preview_id } = (await made.json()) as { preview_id: string };
  expect(made.ok).toBe(true);
  const path = `/fax/preview/${preview_id}`;
  expect((await gateway.request('GET', path, { key: whole })).status).toBe(200);
  expect(await requestStatus('GET', path)).toBe(404);
  expect(await requestStatus('DELETE', path)).toBe(404);
});
