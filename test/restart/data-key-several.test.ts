import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { documentOf, finishReplacement, keyState, keysIn, replaceKey } from '../setup/data-keys.ts';
import type { TestGateway } from '../setup/gateway.ts';
import { startTwo } from '../setup/two-gateways.ts';

const ends: (() => Promise<unknown>)[] = [];
const cleanup = (end: () => Promise<unknown>) => void ends.unshift(end);
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const SEVERAL =
  'Several gateways may use this database. Stop the others, start one without SEVERAL_GATEWAYS, and replace the data key there.';
const NOT_THE_ONE =
  "The data key is not the one that this installation's secrets were encrypted with. Nothing is sent or received until the right key is back and Faxdesk is started again.";

const readiness = async (gateway: TestGateway) => {
  const answer = await gateway.request('GET', '/health/ready');
  return ((await answer.json()) as { problems: string[] }).problems;
};

test('rule (data-key): with several gateways on one database one alone replaces the key, and the others work with the new one only', async () => {
  const settings = { ENCRYPT_DOCUMENTS: 'true' };
  const [one, two] = await startTwo(cleanup, undefined, settings);
  const { id } = await one.send();
  expect(await replaceKey(one)).toMatchObject({ status: 409, body: { detail: SEVERAL } });
  expect(await replaceKey(two)).toMatchObject({ status: 409, body: { detail: SEVERAL } });
  const former = await keysIn(one.dataFolder);

  // A new key of the environment is not taken either, and the gateway works with the former one.
  const next = randomBytes(32);
  const asked = await two.restart({
    settings: { ...settings, FAXDESK_DATA_KEY: next.toString('base64') },
    boot: { dataKey: Buffer.concat([next, former]) },
  });
  await asked.processAll();
  expect((await keyState(asked)).replacement).toBeNull();
  const status = (await (await asked.request('GET', '/console/status')).json()) as { warnings: string[] };
  expect(status.warnings).toContain(`The data key was not replaced as requested. ${SEVERAL}`);
  expect((await documentOf(asked, id)).status).toBe(200);
  expect((await documentOf(one, (await asked.send()).id)).status).toBe(200);
  await asked.stop();

  const alone = await one.restart({ boot: { severalGateways: false } });
  cleanup(() => alone.stop());
  expect((await replaceKey(alone)).status).toBe(202);
  await finishReplacement(alone);
  expect((await keyState(alone)).replacement).toBeNull();
  await alone.stop();

  // A gateway that has the former key neither seals nor opens anything.
  const together = await one.restart();
  cleanup(() => together.stop());
  const late = await two.restart({ settings, boot: { dataKey: former } });
  expect(await readiness(late)).toContain(NOT_THE_ONE);
  expect((await documentOf(late, id)).status).not.toBe(200);
  await late.stop();
  const joined = await late.restart({ settings, boot: { dataKey: await keysIn(one.dataFolder) } });
  cleanup(() => joined.stop());
  expect((await documentOf(joined, id)).status).toBe(200);
  expect((await documentOf(together, (await joined.send()).id)).status).toBe(200);
});
