import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXAMPLES_FILE, readExamples } from '../../scripts/api-examples.ts';
import { allRoutes } from '../setup/every-route.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { callAccess, callKeys } from './system-examples/access.ts';
import { callDirect } from './system-examples/direct.ts';
import { callDirectory } from './system-examples/directory.ts';
import { Examples } from './system-examples/examples.ts';
import { callFaxes } from './system-examples/faxes.ts';
import { callInstallation } from './system-examples/installation.ts';
import { callReceived } from './system-examples/received.ts';
import { callSecondFactors, callSignIn, callSignOut } from './system-examples/sign-in.ts';
import { callWebhooks } from './system-examples/webhooks.ts';
import { callWork, callWorkSettings } from './system-examples/work.ts';

/** Routes that are not called here, each with the reason. */
const WITHOUT_EXAMPLE: Readonly<Record<string, string>> = {
  cloudoneCallback: 'called and signed by the provider: test/providers',
  cloudoneInbound: 'called and signed by the provider: test/providers',
  cloudtwoCallback: 'called by the provider: test/providers',
  cloudtwoInbound: 'called by the provider: test/providers',
  fetchInbound: 'needs a fax that the provider could not receive: test/api/inbound-faults.test.ts',
  writeTelephonyConfiguration: 'needs a telephone engine: test/api/telephony-line.test.ts',
  checkTelephony: 'needs a telephone engine: test/api/telephony-calls.test.ts',
  confirmDelivery: 'needs an e-mail server that breaks off: test/api/intake-doubts.test.ts',
  dismissSignInNotice: 'needs somebody who tried to sign in: test/api/access-two-factor.test.ts',
  approveAccessKey: 'needs a key of an earlier release: test/api/access-key-changes.test.ts',
  listenToAssistantSession: 'a stream of a session: test/api/assistant.test.ts',
  endAssistantSession: 'needs a session of an assistant: test/api/assistant-rules.test.ts',
  openAssistantEvents: 'a stream of the older transport: test/api/assistant.test.ts',
  sendAssistantEventMessage: 'needs a stream of the older transport: test/api/assistant.test.ts',
  restoreBackup: 'stops the gateway: test/api/console-backups.test.ts',
  checkUpgrade: 'needs an installation of an earlier release: test/api/upgrade.test.ts',
  startUpgrade: 'needs an installation of an earlier release: test/api/upgrade.test.ts',
  listUpgradeLines: 'needs an installation of an earlier release: test/api/upgrade.test.ts',
  openTerminal: 'needs the process of a terminal: test/api/terminal.test.ts',
  streamTerminalOutput: 'needs the process of a terminal: test/api/terminal.test.ts',
  sendTerminalInput: 'needs the process of a terminal: test/api/terminal.test.ts',
  changeTerminalSize: 'needs the process of a terminal: test/api/terminal.test.ts',
  endTerminal: 'needs the process of a terminal: test/api/terminal.test.ts',
  downloadHttpsRoot: 'needs HTTPS: test/api/https.test.ts',
};

/** Set by `npm run examples`. */
const WRITE = 'FAXDESK_WRITE_EXAMPLES';

let gateway: TestGateway;
let x: Examples;
beforeAll(async () => {
  gateway = await startTestGateway({
    settings: { INBOUND_ENABLED: 'true', PUBLIC_API_URL: 'https://fax.example.com' },
  });
  x = await Examples.of(gateway);
  const owner = await callSignIn(x);
  await callFaxes(x);
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
  await callSignOut(x, owner.session);
  if (process.env[WRITE])
    writeFileSync(EXAMPLES_FILE, `${JSON.stringify(sorted())}\n`.replaceAll('},"', '},\n"'));
});
afterAll(() => gateway.close());

const sorted = () => Object.fromEntries([...x.recorded].sort(([a], [b]) => (a < b ? -1 : 1)));

test('rule (api): every route has an example that was run, and its answer fits the served description', () => {
  const lacking = allRoutes.filter(({ id }) => !x.recorded.has(id) && !(id in WITHOUT_EXAMPLE));
  expect(
    lacking.map(({ id }) => id),
    'add a call of each to its file in test/api/system-examples',
  ).toEqual([]);
  expect(Object.keys(WITHOUT_EXAMPLE).filter((id) => x.recorded.has(id))).toEqual([]);
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
