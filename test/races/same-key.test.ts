import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { startTwo } from '../setup/two-gateways.ts';

const TIMES = 20;
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const send = (gateway: TestGateway, key: string, text?: string) =>
  gateway.sendForm({ to: '+12025550123' }, [textFile(text)], { 'Idempotency-Key': key });

async function listed(gateway: TestGateway): Promise<Fax[]> {
  return ((await (await gateway.request('GET', '/fax')).json()) as { items: Fax[] }).items;
}

async function expectOneFax(gateways: readonly TestGateway[]): Promise<void> {
  const [gateway] = gateways as [TestGateway];
  const answers = await Promise.all(
    Array.from({ length: TIMES }, (_, i) => send(gateways[i % gateways.length] as TestGateway, 'same')),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(TIMES).fill(202));
  const ids = new Set(await Promise.all(answers.map(async (answer) => ((await answer.json()) as Fax).id)));
  expect(ids.size).toBe(1);
  expect((await listed(gateway)).map((fax) => fax.id)).toEqual([...ids]);

  const other = await Promise.all(gateways.map((each) => send(each, 'same', 'another letter')));
  expect(other.map((answer) => answer.status)).toEqual(gateways.map(() => 409));
  expect(await listed(gateway)).toHaveLength(1);

  await Promise.all(gateways.map((each) => each.processAll()));
  expect(gateway.emulator.counts.accepted).toBe(1);
}

test('the same request twenty times at once makes one fax, and another under its key none', async () => {
  const gateway = await startTestGateway();
  cleanups.push(() => gateway.close());
  await expectOneFax([gateway]);
});

test('a key that meets two documents at once makes one fax and one refusal', async () => {
  const gateway = await startTestGateway();
  cleanups.push(() => gateway.close());
  const answers = await Promise.all([send(gateway, 'k', 'one letter'), send(gateway, 'k', 'another letter')]);
  expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([202, 409]);
  expect(await listed(gateway)).toHaveLength(1);
});

test('a preview that is sent twenty times at once under one key makes one fax, and keeps one document', async () => {
  const gateway = await startTestGateway();
  cleanups.push(() => gateway.close());
  const form = new FormData();
  form.append('file', textFile());
  const preview = await gateway.request('POST', '/fax/preview', { form });
  const { preview_id } = (await preview.json()) as { preview_id: string };
  const sendIt = () =>
    gateway.sendForm({ to: '+12025550123', preview_id }, [], { 'Idempotency-Key': 'same' });
  const answers = await Promise.all(Array.from({ length: TIMES }, sendIt));
  expect(answers.map((answer) => answer.status)).toEqual(Array(TIMES).fill(202));
  const [fax, ...others] = await listed(gateway);
  expect(others).toEqual([]);
  expect(await readdir(join(gateway.dataFolder, 'files', 'fax'))).toEqual([`${fax?.id}.pdf`]);
});

describe.skipIf(postgresUrl === null)(`two gateways on one database${withoutPostgres}`, () => {
  test('make one fax of the same request at both', async () => {
    await expectOneFax(await startTwo((end) => cleanups.push(end)));
  });

  test('submit each of many faxes once', async () => {
    const gateways = await startTwo((end) => cleanups.push(end));
    const [one, two] = gateways;
    const count = 24;
    const faxes = await Promise.all(
      Array.from({ length: count }, (_, i) => (gateways[i % 2] as TestGateway).send()),
    );
    for (let round = 0; round < 2; round += 1) await Promise.all([one.processAll(), two.processAll()]);
    expect(one.emulator.counts.accepted).toBe(count);
    const ends = await Promise.all(faxes.map((fax) => one.fax(fax.id)));
    expect(new Set(ends.map((fax) => fax.provider_sid)).size).toBe(count);
    expect(ends.every((fax) => fax.delivery_state === 'in_progress' && fax.attempt?.number === 1)).toBe(true);
  }, 120_000);
});
