import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACT_ID_HEADER } from '../../shared/act-id.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { keyWith } from './console-stream.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

function cancel({ id, delivery_version }: Fax, act: string | null, key?: string): Promise<Response> {
  const headers: Record<string, string> = act === null ? {} : { [ACT_ID_HEADER]: act };
  const options = { json: { delivery_version }, headers, ...(key === undefined ? {} : { key }) };
  return gateway.request('POST', `/fax/${id}/cancel`, options);
}

const cancellations = async ({ id }: Fax) =>
  (await gateway.history(id)).filter(({ text }) => /cancel/iu.test(text)).length;

test('an act that is repeated under its id gets the first result and is carried out once', async () => {
  const fax = await gateway.send();
  const act = randomUUID();
  const first = await cancel(fax, act);
  const second = await cancel(fax, act);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(await second.json()).toEqual(await first.json());
  expect(await cancellations(fax)).toBe(1);
  // Another act has an old version, and so has one without an id.
  expect((await cancel(fax, randomUUID())).status).toBe(409);
  expect((await cancel(fax, null)).status).toBe(409);
});

test('an act that is repeated before it was answered waits for the same result', async () => {
  const fax = await gateway.send();
  const act = randomUUID();
  const answers = await Promise.all([cancel(fax, act), cancel(fax, act), cancel(fax, act)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await cancellations(fax)).toBe(1);
});

test('an act that was refused did nothing and is tried again', async () => {
  const fax = await gateway.send();
  const act = randomUUID();
  expect((await cancel({ ...fax, delivery_version: 99 }, act)).status).toBe(409);
  expect((await cancel(fax, act)).status).toBe(200);
});

test('nobody else gets the result of an act by its id', async () => {
  const fax = await gateway.send();
  const act = randomUUID();
  expect((await cancel(fax, act)).status).toBe(200);
  expect((await cancel(fax, act, await keyWith(gateway, 'fax:send', 'fax:read'))).status).toBe(409);
});

test('a secret that is shown once is not shown again under the id of its act', async () => {
  const headers = { [ACT_ID_HEADER]: randomUUID() };
  const create = async () => {
    const answer = await gateway.request('POST', '/admin/api-keys', {
      json: { scopes: ['fax:read'] },
      headers,
    });
    return ((await answer.json()) as { token: string }).token;
  };
  const tokens = [await create(), await create()];
  expect(new Set(tokens).size).toBe(2);
});
