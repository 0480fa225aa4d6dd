import type { CloudoneAccount } from '../../server/adapters/providers/cloudone/account.ts';
import { createCloudoneReceiving } from '../../server/adapters/providers/cloudone/receiving.ts';
import type { CloudtwoAccount } from '../../server/adapters/providers/cloudtwo/account.ts';
import { createCaller } from '../../server/adapters/providers/cloudtwo/call.ts';
import { createCloudtwoReceiving } from '../../server/adapters/providers/cloudtwo/receiving.ts';
import { startCloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { startCloudtwoEmulator } from '../setup/emulators/cloudtwo/index.ts';
import { testAccount, testKeys, testTime } from './cloudone-setup.ts';
import { projectAccount, projectKeys } from './cloudtwo-setup.ts';
import { describeReceivingContract, type ReceivingSetup, receivedPdf } from './receiving-contract.ts';

describeReceivingContract('cloudone', startCloudone);
describeReceivingContract('cloudtwo with tokens', () => startCloudtwo('oauth2'));
describeReceivingContract('cloudtwo with its key', () => startCloudtwo('basic'));

const ours = '+12025550100';
const theirs = '+12025550199';

function startClock() {
  const clock = { time: testTime, now: () => clock.time };
  return clock;
}

async function startCloudone(): Promise<ReceivingSetup<CloudoneAccount>> {
  const clock = startClock();
  const emulator = await startCloudoneEmulator({ ...testKeys, clock });
  const words = { receiving: 'inprogress', failed: 'failure' };
  return {
    provider: (options) => createCloudoneReceiving(options),
    account: testAccount(emulator.url),
    receive: ({ from = theirs, to = ours, pages, document = receivedPdf, state }) => {
      const status = state === undefined ? 'success' : words[state];
      return String(emulator.receive({ from, to, pages, document, status }).id);
    },
    complete: (id) => void emulator.complete(id),
    setDocument: (id, document) => Object.assign(emulator.faxes.get(id) ?? {}, { document }),
    sent: async () => {
      const form = new URLSearchParams({ to: theirs, content_url: 'https://gw.example.com/a.pdf' });
      const credentials = { api_key: testKeys.apiKey, api_secret: testKeys.apiSecret };
      const url = `${emulator.url}/faxes?${new URLSearchParams(credentials).toString()}`;
      await fetch(url, { method: 'POST', body: form });
      return [...emulator.faxes.keys()].at(-1) ?? '';
    },
    advance: (ms) => {
      clock.time += ms;
    },
    setNextFault: (fault) => emulator.setFault(fault),
    requests: () => emulator.counts.requests,
    waitUntilHeld: () => emulator.waitUntilHeld(),
    release: () => emulator.release(),
    close: () => emulator.close(),
  };
}

async function startCloudtwo(signIn: 'oauth2' | 'basic'): Promise<ReceivingSetup<CloudtwoAccount>> {
  const clock = startClock();
  const emulator = await startCloudtwoEmulator({ ...projectKeys, clock });
  const words = { receiving: 'IN_PROGRESS', failed: 'FAILURE' };
  const isAboutFaxes = /^\/faxes/u;
  return {
    provider: (options) => createCloudtwoReceiving(createCaller({ ...options, clock })),
    account: projectAccount(emulator.url, signIn),
    receive: ({ from = theirs, to = ours, pages, document = receivedPdf, state }) => {
      const status = state === undefined ? 'COMPLETED' : words[state];
      return emulator.receive({ from, to, pages, document, status }).id;
    },
    complete: (id) => void emulator.complete(id),
    setDocument: (id, document) => Object.assign(emulator.faxes.get(id) ?? {}, { document }),
    sent: async () => {
      const credentials = Buffer.from(`${projectKeys.apiKey}:${projectKeys.apiSecret}`).toString('base64');
      await fetch(`${emulator.url}/v3/projects/${projectKeys.projectId}/faxes`, {
        method: 'POST',
        headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
        body: JSON.stringify({ to: theirs, contentUrl: 'https://gw.example.com/a.pdf' }),
      });
      return [...emulator.faxes.keys()].at(-1) ?? '';
    },
    advance: (ms) => {
      clock.time += ms;
    },
    setNextFault: (fault) => emulator.setFault({ path: isAboutFaxes, ...fault }),
    requests: () => emulator.calls.filter((call) => isAboutFaxes.test(call.path)).length,
    waitUntilHeld: () => emulator.waitUntilHeld(),
    release: () => emulator.release(),
    close: () => emulator.close(),
  };
}
