import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { createPostgresDatabase, dropPostgresDatabase } from '../setup/postgres.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';

const TIMES = 20;
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const send = (desk: TestGateway, key: string, text?: string) =>
  desk.sendForm({ to: '+12025550123' }, [textFile(text)], { 'Idempotency-Key': key });

async function listed(desk: TestGateway): Promise<Fax[]> {
  return ((await (await desk.request('GET', '/fax')).json()) as { items: Fax[] }).items;
}

/** Two gateways on one PostgreSQL database that see the same documents. */
async function startTwo(): Promise<[TestGateway, TestGateway]> {
  const databaseUrl = await createPostgresDatabase(postgresUrl ?? '');
  cleanups.push(() => dropPostgresDatabase(databaseUrl));
  const one = await startTestGateway({ databaseUrl });
  cleanups.push(() => one.close());
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-second-'));
  cleanups.push(() => rm(dataFolder, { recursive: true, force: true }));
  // One data key and one folder of documents, as several processes of one installation have them.
  for (const name of ['files', 'data.key']) await symlink(join(one.dataFolder, name), join(dataFolder, name));
  const two = await startTestGateway({ databaseUrl, dataFolder, clock: one.clock, emulator: one.emulator });
  cleanups.push(() => two.gateway.stop());
  return [one, two];
}

async function expectOneFax(desks: readonly TestGateway[]): Promise<void> {
  const [desk] = desks as [TestGateway];
  const answers = await Promise.all(
    Array.from({ length: TIMES }, (_, i) => send(desks[i % desks.length] as TestGateway, 'same')),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(TIMES).fill(202));
  const ids = new Set(await Promise.all(answers.map(async (answer) => ((await answer.json()) as Fax).id)));
  expect(ids.size).toBe(1);
  expect((await listed(desk)).map((fax) => fax.id)).toEqual([...ids]);

  const other = await Promise.all(desks.map((each) => send(each, 'same', 'another letter')));
  expect(other.map((answer) => answer.status)).toEqual(desks.map(() => 409));
  expect(await listed(desk)).toHaveLength(1);

  await Promise.all(desks.map((each) => each.gateway.processAll()));
  expect(desk.emulator.counts.accepted).toBe(1);
}

test('the same request twenty times at once makes one fax, and another under its key none', async () => {
  const desk = await startTestGateway();
  cleanups.push(() => desk.close());
  await expectOneFax([desk]);
});

test('a key that meets two documents at once makes one fax and one refusal', async () => {
  const desk = await startTestGateway();
  cleanups.push(() => desk.close());
  const answers = await Promise.all([send(desk, 'k', 'one letter'), send(desk, 'k', 'another letter')]);
  expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([202, 409]);
  expect(await listed(desk)).toHaveLength(1);
});

test('a preview that is sent twenty times at once under one key makes one fax, and keeps one document', async () => {
  const desk = await startTestGateway();
  cleanups.push(() => desk.close());
  const form = new FormData();
  form.append('file', textFile());
  const preview = await desk.request('POST', '/fax/preview', { form });
  const { preview_id } = (await preview.json()) as { preview_id: string };
  const sendIt = () => desk.sendForm({ to: '+12025550123', preview_id }, [], { 'Idempotency-Key': 'same' });
  const answers = await Promise.all(Array.from({ length: TIMES }, sendIt));
  expect(answers.map((answer) => answer.status)).toEqual(Array(TIMES).fill(202));
  const [fax, ...others] = await listed(desk);
  expect(others).toEqual([]);
  expect(await readdir(join(desk.dataFolder, 'files', 'fax'))).toEqual([`${fax?.id}.pdf`]);
});

describe.skipIf(postgresUrl === null)(`two gateways on one database${withoutPostgres}`, () => {
  test('make one fax of the same request at both', async () => {
    await expectOneFax(await startTwo());
  });

  test('submit each of many faxes once', async () => {
    const desks = await startTwo();
    const [one, two] = desks;
    const count = 24;
    const faxes = await Promise.all(
      Array.from({ length: count }, (_, i) => (desks[i % 2] as TestGateway).send()),
    );
    for (let round = 0; round < 2; round += 1)
      await Promise.all([one.gateway.processAll(), two.gateway.processAll()]);
    expect(one.emulator.counts.accepted).toBe(count);
    const ends = await Promise.all(faxes.map((fax) => one.fax(fax.id)));
    expect(new Set(ends.map((fax) => fax.provider_sid)).size).toBe(count);
    expect(ends.every((fax) => fax.delivery_state === 'in_progress' && fax.attempt?.number === 1)).toBe(true);
  }, 120_000);
});
