import { setTimeout as pause } from 'node:timers/promises';
import { keyWith } from '../api/console-stream.ts';
import { InboundGateway } from '../api/inbound-setup.ts';
import { ManualClock, MINUTE } from './manual-clock.ts';

/** Time between two rounds of work, in ms of the real clock. */
const ROUND_MS = 40;

/** A gateway that works on its own, for programs in other processes: each fax is delivered soon after it is sent. */
export interface BusyOffice {
  readonly inbound: InboundGateway;
  /** Creates a test key with the permissions of a sender. */
  testKey(): Promise<string>;
  /** Receives one more fax. */
  receive(): Promise<void>;
  /** Address and key, for the environment of a program. */
  readonly environment: { readonly FAXDESK_URL: string; readonly FAXDESK_KEY: string };
  close(): Promise<void>;
}

/** Starts a gateway whose minutes pass in moments, with a key that has these permissions. */
export async function startBusyOffice(...scopes: string[]): Promise<BusyOffice> {
  const inbound = await InboundGateway.startPolling({ clock: new ManualClock(new Date().toISOString()) });
  const key = await keyWith(inbound.gateway, ...scopes);
  const rounds = workUntilStopped(inbound);
  return {
    inbound,
    testKey: async () => {
      const json = { name: 'Trial', scopes: ['fax:send', 'fax:read'], test: true };
      const answer = await inbound.gateway.request('POST', '/admin/api-keys', { json });
      return ((await answer.json()) as { token: string }).token;
    },
    receive: async () => {
      const before = (await inbound.list('?status=received')).length;
      inbound.arrive();
      while ((await inbound.list('?status=received')).length === before) await pause(ROUND_MS);
    },
    environment: { FAXDESK_URL: inbound.gateway.url, FAXDESK_KEY: key },
    close: async () => {
      await rounds.stop();
      await inbound.close();
    },
  };
}

function workUntilStopped({ gateway }: InboundGateway): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const work = async () => {
    while (!stopped.signal.aborted) {
      await gateway.processAll();
      for (const [id, fax] of gateway.emulator.faxes)
        if (fax.direction === 'sent' && fax.completedAt === null) gateway.emulator.complete(id);
      gateway.clock.advance(MINUTE);
      await pause(ROUND_MS);
    }
  };
  const working = work();
  return {
    stop: async () => {
      stopped.abort();
      await working;
    },
  };
}
