import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CloudtwoAccount, cloudtwoAccountId } from '../../server/adapters/providers/cloudtwo/account.ts';
import { createCaller } from '../../server/adapters/providers/cloudtwo/call.ts';
import { createCloudtwo } from '../../server/adapters/providers/cloudtwo/provider.ts';
import { type CloudtwoEmulator, startCloudtwoEmulator } from '../setup/emulators/cloudtwo/index.ts';
import { benchPdf, benchRequest, benchTime, faults } from './cloudone-bench.ts';
import type { ContractBench } from './contract.ts';

export const projectKeys = {
  projectId: 'project-of-the-bench',
  apiKey: 'access-key-of-the-bench',
  apiSecret: 'access-secret-of-the-bench',
};

export interface CloudtwoBench extends ContractBench<CloudtwoAccount> {
  readonly emulator: CloudtwoEmulator;
  readonly account: CloudtwoAccount;
  readonly clock: { time: number; now(): number };
  /** How often a token was asked for. */
  tokenRequests(): number;
}

export const callbackUrl = 'https://gw.example.com/cloudtwo-callback?job_id=j1&attempt_id=a1';

/** The emulator, an account on it and a document on disk. */
export async function startCloudtwoBench(signIn: 'oauth2' | 'basic' = 'oauth2'): Promise<CloudtwoBench> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudtwo-'));
  const path = join(folder, 'fax.pdf');
  await writeFile(path, benchPdf);
  const clock = { time: benchTime, now: () => clock.time };
  const emulator = await startCloudtwoEmulator({ ...projectKeys, clock });
  const isToken = (call: { path: string }) => call.path === '/oauth2/token';
  return {
    emulator,
    clock,
    account: projectAccount(emulator.url, signIn),
    request: { ...benchRequest(path), callbackUrl },
    provider: (options) => createCloudtwo(createCaller({ ...options, clock, pause: async () => undefined })),
    meetNext: (fault) => emulator.setFault({ ...faults[fault], path: /^\/faxes/u }),
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
