import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCard } from '../../server/features/direct/wire/card.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY } from '../setup/manual-clock.ts';

const OFF = { DIRECT_DELIVERY_ENABLED: 'false' };
const ON = {
  DIRECT_DELIVERY_ENABLED: 'true',
  DIRECT_ORGANIZATION: 'North Clinic',
  DIRECT_FAX_NUMBER: '+12025550100',
  PUBLIC_API_URL: 'https://fax.north.example',
};

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { ...ON, ...OFF } });
});
afterAll(() => gateway.close());

interface Answer {
  readonly card: { readonly signing_key: string };
  readonly text: string;
  readonly fingerprint: string;
}

const answerOf = async (response: Promise<Response>) => (await (await response).json()) as Answer;
const read = () => gateway.request('GET', '/direct/card');
const getFile = () => gateway.request('GET', '/direct/card/file');
const rotate = () => gateway.request('POST', '/direct/card/rotate');

test('rule (direct): While direct delivery is off, its addresses do not exist', async () => {
  for (const response of [await read(), await getFile(), await rotate()]) {
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ detail: 'There is nothing at this address.' });
  }
});

test('gives a signed card as JSON, as a line of text and as a file', async () => {
  await gateway.set({ DIRECT_DELIVERY_ENABLED: true });
  const answer = await answerOf(read());
  expect(answer.card).toMatchObject({
    direct: 1,
    organization: 'North Clinic',
    fax_number: '+12025550100',
    endpoint: 'https://fax.north.example',
  });
  expect(parseCard(answer.text)).toEqual(answer.card);
  expect(parseCard(JSON.stringify(answer.card, null, 2))).toEqual(answer.card);
  expect(answer.fingerprint).toMatch(/^[0-9a-f]{64}$/u);
  const file = await getFile();
  expect(file.headers.get('content-disposition')).toContain('attachment; filename="faxdesk-card.txt"');
  expect(await file.text()).toBe(`${answer.text}\n`);
});

test('names the setting that is missing', async () => {
  await gateway.set({ DIRECT_ORGANIZATION: null });
  const response = await read();
  expect(response.status).toBe(409);
  expect(await response.json()).toEqual({
    detail: 'Enter the organization on your card in Settings (DIRECT_ORGANIZATION).',
  });
  await gateway.set({ DIRECT_ORGANIZATION: 'North Clinic' });
});

test('makes new keys, and records it', async () => {
  const before = await answerOf(read());
  gateway.clock.advance(DAY);
  const after = await answerOf(rotate());
  expect(after.card.signing_key).not.toBe(before.card.signing_key);
  expect(await answerOf(read())).toEqual(after);
  const audit = await gateway.request('GET', '/access/audit?operation=direct.rotate&limit=1');
  expect(await audit.json()).toMatchObject({ items: [{ operation: 'direct.rotate', outcome: 'done' }] });
});

test('keeps the private keys in a sealed file for its owner alone', async () => {
  const file = join(gateway.dataFolder, '.direct-identity.key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).toMatch(/^v1\.[\w-]+\.[\w-]+\n$/u);
});
