import { type ActorWithGrants, BOOTSTRAP_ID } from '../access/service.ts';
import { type CreatedCode, createCode } from './create-code.ts';
import { pairDevice } from './pair-device.ts';
import { deleteCodesOf } from './store.ts';
import type { BaseUrls, CodeMaker, PairingAttempt, PairingParts, Visitor } from './types.ts';

/** Lets mobile devices in with a code that a person reads out or shows. */
export interface PairingService {
  /** Deletes codes made with the installation key, which may have been replaced while the gateway was stopped. */
  start(): Promise<void>;
  /** Throws a 403 refusal when the actor may not create keys for devices. */
  createCode(
    actor: ActorWithGrants,
    order: { maker: CodeMaker; deviceName: string | null },
  ): Promise<CreatedCode>;
  /** Null for a request that could not be read. Throws one 403 refusal for every failure, and 429. */
  pair(attempt: PairingAttempt | null, visitor: Visitor): Promise<{ token: string; baseUrls: BaseUrls }>;
}

export function createPairingService(parts: PairingParts): PairingService {
  return {
    start: () => parts.db.transaction((tx) => deleteCodesOf(tx, BOOTSTRAP_ID)),
    createCode: (actor, order) => createCode(parts, actor, order),
    pair: async (attempt, visitor) => ({
      ...(await pairDevice(parts, attempt, visitor)),
      baseUrls: parts.baseUrls(),
    }),
  };
}
