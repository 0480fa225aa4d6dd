import { TransportError } from '../../../features/outbound/transport-port.ts';
import type { Sender } from '../provider-port.ts';
import type { SipAccount } from './account.ts';
import { queryFailure } from './failures.ts';
import type { Line } from './line.ts';
import { fetchReport, findSent } from './query-call.ts';
import { stop } from './stop.ts';
import { submit } from './submit.ts';

/** Sending over the office's own trunk, by a telephone engine. */
export function createSip(line: Line): Sender<SipAccount> {
  const asked = async <T>(question: () => Promise<T>): Promise<T> => {
    try {
      return await question();
    } catch (error) {
      throw queryFailure(error);
    }
  };
  return {
    reach: async (account) => await asked(async () => await line.engines.forAccount(account).ready()),
    submit: async (account, request) => await submit(line, account, request),
    fetchReport: async (account, attemptId) => await fetchReport(line, account, attemptId),
    findSent: async (account, search) => await findSent(line, account, search),
    stop: async (account, attemptId) => await stop(line, account, attemptId),
    async forget(account, attemptId) {
      await line.images.remove(attemptId);
      await asked(async () => await line.engines.forAccount(account).forget(attemptId));
    },
    async checkAccount(account) {
      try {
        const version = await asked(async () => await line.engines.forAccount(account).version());
        const engine = version === null ? 'The telephone engine' : `Asterisk ${version}`;
        return { ok: true, detail: `${engine} accepts the user and password.` };
      } catch (error) {
        if (error instanceof TransportError) return { ok: false, detail: error.publicMessage };
        throw error;
      }
    },
  };
}
