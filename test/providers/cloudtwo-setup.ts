import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CloudtwoAccount, cloudtwoAccountId } from '../../server/adapters/providers/cloudtwo/account.ts';
import { createCaller } from '../../server/adapters/providers/cloudtwo/call.ts';
import { createCloudtwo } from '../../server/adapters/providers/cloudtwo/provider.ts';
import { type CloudtwoEmulator, startCloudtwoEmulator } from '../setup/emulators/cloudtwo/index.ts';
import { faults, testPdf, testRequest, testTime } from './cloudone-setup.ts';
import type { ContractSetup } from './contract.ts';

export const projectKeys = {
  projectId: 'project-of-the-test',
  apiKey: 'access-key-of-the-test',
  apiSecret: 'access-secret-of-the-test',
};

export interface CloudtwoSetup extends ContractSetup<CloudtwoAccount> {
  readonly emulator: CloudtwoEmulator;
  readonly account: CloudtwoAccount;
  readonly clock: { time: number; now(): number };
  /** Returns the number of token requests. */
  tokenRequests(): number;
}

export const callbackUrl = 'https://gw.example.com/cloudtwo-callback?job_id=j1&attempt_id=a1';

/** The emulator, an account on it and a document on disk. */
export async function startCloudtwoSetup(signIn: 'oauth2' | 'basic' = 'oauth2'): Promise<CloudtwoSetup> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudtwo-'));
  const path = join(folder, 'fax.pdf');
  await writeFile(path, testPdf);
  const clock = { time: testTime, now: () => clock.time };
  const emulator = await startCloudtwoEmulator({ ...projectKeys, clock });
  const isToken = (call: { path: string }) => call.path === '/oauth2/token';
  return {
    emulator,
    clock,
    account: projectAccount(emulator.url, signIn),
    accountAccepted: 'The fax provider accepts the key for this project.',
    request: { ...testRequest(path), callbackUrl },
    provider: (options) => createCloudtwo(createCaller({ ...options, clock, pause: async () => undefined })),
    setNextFault: (fault) => emulator.setFault({ ...faults[fault], path: /^\/faxes/u }),
    refuseConnections: () => emulator.refuseConnections(),
    acceptConnections: () => emulator.acceptConnections(),
    counts: () => ({
      accepted: emulator.counts.accepted,
      requests: emulator.calls.filter((call) => !isToken(call)).length,
    }),
    tokenRequests: () => emulator.calls.filter(isToken).length,
    finish: (id, outcome) =>
      void emulator.complete(id, outcome === 'success' ? {} : { errorType: 'LINE_ERROR', errorCode: 17 }),
    setUnknownStatus: (id) => emulator.progress(id, 'ON_THE_MOON'),
    close: async () => {
      await emulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function projectAccount(baseUrl: string, signIn: 'oauth2' | 'basic'): CloudtwoAccount {
  return {
    backend: 'cloudtwo',
    accountId: cloudtwoAccountId(projectKeys.projectId),
    baseUrl,
    ...projectKeys,
    signIn,
    notificationBasic: null,
  };
}
