import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CloudoneAccount, cloudoneAccountId } from '../../server/adapters/providers/cloudone/account.ts';
import { createCloudone } from '../../server/adapters/providers/cloudone/provider.ts';
import { NO_LIMITS } from '../../server/features/contacts/line-memory-port.ts';
import type { FaxToSend } from '../../server/features/outbound/transport-port.ts';
import {
  type CloudoneEmulator,
  type Fault,
  startCloudoneEmulator,
} from '../setup/emulators/cloudone/index.ts';
import type { ContractFault, ContractSetup } from './contract.ts';

export const testKeys = {
  apiKey: 'key-of-the-test',
  apiSecret: 'secret-of-the-test',
  callbackToken: 'test-webhook-token',
};

export const testPdf = Buffer.from('%PDF-1.4\n% a document for the bench\n');

/** The time of every setup: 2 January 2026, 03:04:05 UTC. */
export const testTime = Date.UTC(2026, 0, 2, 3, 4, 5);

export interface CloudoneSetup extends ContractSetup<CloudoneAccount> {
  readonly emulator: CloudoneEmulator;
  readonly account: CloudoneAccount;
}

export const faults: Readonly<Record<ContractFault, Fault>> = {
  slow: { kind: 'slow' },
  'dropped, accepted': { kind: 'dropped', accepted: true },
  'dropped, not accepted': { kind: 'dropped' },
  'truncated, accepted': { kind: 'truncated', accepted: true },
  'server error, accepted': { kind: 'server-error', accepted: true },
  'server error, not accepted': { kind: 'server-error' },
  redirect: { kind: 'redirect' },
  'oversized, accepted': { kind: 'oversized', accepted: true },
  'garbage, accepted': { kind: 'garbage', accepted: true },
  'wrong shape, accepted': { kind: 'wrong-shape', accepted: true },
  'rate limited': { kind: 'rate-limited' },
  'wrong credentials': { kind: 'unauthorized' },
  refused: { kind: 'refused' },
};

/** The emulator, an account on it and a document on disk. */
export async function startCloudoneSetup(): Promise<CloudoneSetup> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudone-'));
  const path = join(folder, 'fax.pdf');
  await writeFile(path, testPdf);
  const emulator = await startCloudoneEmulator({ ...testKeys, clock: { now: () => testTime } });
  return {
    emulator,
    account: testAccount(emulator.url),
    accountAccepted: 'The fax provider accepts the key. The balance is $50.00.',
    request: testRequest(path),
    provider: (options) => createCloudone(options),
    setNextFault: (fault) => emulator.setFault(faults[fault]),
    refuseConnections: () => emulator.refuseConnections(),
    acceptConnections: () => emulator.acceptConnections(),
    counts: () => ({ accepted: emulator.counts.accepted, requests: emulator.counts.requests }),
    finish: (id, outcome) =>
      void emulator.complete(id, outcome === 'success' ? { pages: 1 } : { errorId: 17 }),
    setUnknownStatus: (id) => emulator.progress(id, 'on_the_moon', 'call_active'),
    close: async () => {
      await emulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function testAccount(baseUrl: string): CloudoneAccount {
  const accountId = cloudoneAccountId(testKeys.apiKey);
  const verification = { verifySignature: true, verifyNotifications: true };
  return { backend: 'cloudone', accountId, baseUrl, ...testKeys, ...verification };
}

export function testRequest(path: string): FaxToSend {
  return {
    from: null,
    to: '+12025550123',
    attemptId: 'attempt',
    jobId: 'fax',
    pages: 1,
    document: { path, sizeBytes: testPdf.length, sha256: '', fileName: 'fax.pdf' },
    documentUrl: null,
    header: { text: 'Example Office +12025550100', timeZone: 'America/Chicago' },
    callbackUrl: 'https://gw.example.com/cloudone-callback?job_id=j1&attempt_id=a1',
    limits: NO_LIMITS,
  };
}
