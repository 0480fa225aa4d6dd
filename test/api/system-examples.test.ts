import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXAMPLES_FILE, readExamples } from '../../scripts/api-examples.ts';
import { startTerminalChild } from '../../server/adapters/terminal/start-process.ts';
import { allRoutes } from '../setup/every-route.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { callAccess, callKeys } from './system-examples/access.ts';
import { callDirect } from './system-examples/direct.ts';
import { callDirectDeliveries } from './system-examples/direct-deliveries.ts';
import { callDirectory } from './system-examples/directory.ts';
import { Examples } from './system-examples/examples.ts';
import { callFaxes, callPrinting, callScanning, callSignatures } from './system-examples/faxes.ts';
import { callInstallation } from './system-examples/installation.ts';
import { callOtherGateways } from './system-examples/other-gateways.ts';
import { callProviders } from './system-examples/providers.ts';
import { callReceived } from './system-examples/received.ts';
import { callSecondFactors, callSignIn, callSignOut } from './system-examples/sign-in.ts';
import { callDataKey, callStorage } from './system-examples/storage.ts';
import { callTerminal } from './system-examples/terminal.ts';
import { callWebhooks } from './system-examples/webhooks.ts';
import { callWork, callWorkSettings } from './system-examples/work.ts';

/** Set by `npm run examples`. */
const WRITE = 'FAXDESK_WRITE_EXAMPLES';

let gateway: TestGateway;
let x: Examples;
beforeAll(async () => {
  gateway = await startTestGateway({
    settings: { INBOUND_ENABLED: 'true', PUBLIC_API_URL: 'https://fax.example.com' },
    startTerminalProcess: startTerminalChild,
    restore: () => undefined,
  });
  x = await Examples.of(gateway);
  const owner = await callSignIn(x);
  await callFaxes(x);
  await callSignatures(x, owner.session);
  await callPrinting(x, owner.session);
  await callScanning(x, owner.session);
  await callReceived(x);
  await callWork(x, owner.session, owner.id);
  await callDirectory(x);
  await callAccess(x);
  await callWorkSettings(x, owner.id);
  await callKeys(x);
  await callInstallation(x, owner.session);
  await callWebhooks(x);
  await callDirect(x);
  await callSecondFactors(x, owner.session);
  await callTerminal(x, owner.session);
  await callSignOut(x, owner.session);
  await callProviders(x);
  await callStorage(x);
  await callDirectDeliveries(x);
  await callOtherGateways(x);
  await callDataKey(x);
  if (process.env[WRITE])
    writeFileSync(EXAMPLES_FILE, `${JSON.stringify(sorted())}\n`.replaceAll('},"', '},\n"'));
});
afterAll(() => gateway.close());

const sorted = () => Object.fromEntries([...x.recorded].sort(([a], [b]) => (a < b ? -1 : 1)));

test('rule (api): every route has an example that was run, and its answer fits the served description', () => {
  const lacking = allRoutes.filter(({ id }) => !x.recorded.has(id));
  expect(
    lacking.map(({ id }) => id),
    'add a call of each to its file in test/api/system-examples',
  ).toEqual([]);
  const withJson = allRoutes.filter(({ id, answer }) => x.recorded.has(id) && 'schema' in answer);
  expect(withJson.length).toBeGreaterThan(150);
});

test('an answer with a field that the description lacks does not fit it', async () => {
  const route = allRoutes.find(({ id }) => id === 'countFaxes');
  if (!route) throw new Error('there is no countFaxes');
  const counts = (await (await gateway.request('GET', '/fax/counts')).json()) as object;
  expect(x.problemOf(route, counts)).toBeNull();
  expect(x.problemOf(route, { ...counts, other: 1 })).toContain('additional properties');
  const [first = ''] = Object.keys(counts);
  expect(x.problemOf(route, { ...counts, [first]: undefined })).toContain(first);
});

test('the examples of /docs are those that were run: `npm run examples` writes them', () => {
  const stored = readExamples();
  expect(Object.keys(stored)).toEqual(Object.keys(sorted()));
  for (const [id, { request, status, answer }] of x.recorded) {
    expect([id, stored[id]?.status]).toEqual([id, status]);
    expect([id, shapeOf(stored[id]?.request)]).toEqual([id, shapeOf(request)]);
    expect([id, shapeOf(stored[id]?.answer)]).toEqual([id, shapeOf(answer)]);
  }
});

/** Names of the fields of a value, and of the objects and first entries in it, three deep. */
function shapeOf(value: unknown, depth = 3): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return typeof value === 'object' ? {} : '';
  if (Array.isArray(value)) return value.slice(0, 1).map((each) => shapeOf(each, depth - 1));
  const fields = Object.entries(value).map(([name, each]) => [name, shapeOf(each, depth - 1)] as const);
  return Object.fromEntries(fields.map(([name, shape]) => [name, shape]));
}
