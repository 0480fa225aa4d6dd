import { join } from 'node:path';
import type { UnverifiedBodies } from '../../http/unverified-bodies.ts';
import { type Change, defineRoom, type Room } from '../room.ts';
import type { Settings } from '../settings/service.ts';
import { type CallbackAddress, callbackServedRoutes } from './callback-routes.ts';
import type { FaxEvents, OutboundParts } from './parts.ts';
import { createProgress } from './progress.ts';
import { outboundServedRoutes } from './routes.ts';
import { createOutboundService, type OutboundService } from './service.ts';
import { OUTBOUND_SETTINGS, outboundSettings } from './settings.ts';
import { countFailed, sentOutcomes } from './store/outcome-store.ts';
import type { SentOutcome } from './types.ts';
import { maySeeSent } from './visibility.ts';

export type { CallbackAddress } from './callback-routes.ts';
export { settleRestored } from './cleanup/restored.ts';
export type { FaxEvents } from './parts.ts';
export { SENT_DOCUMENTS } from './stored-documents.ts';

export interface OutboundRoomParts extends Omit<OutboundParts, 'settings' | 'workDirectory' | 'progress'> {
  readonly settings: Settings;
  readonly dataFolder: string;
  /** Addresses where providers report the outcome. */
  readonly callbacks: readonly CallbackAddress[];
  readonly unverifiedBodies: UnverifiedBodies;
}

export interface OutboundRoom extends Room {
  readonly service: OutboundService;
  /**
   * Counts the faxes that failed from `since` until before `until`, ISO 8601 UTC, without those tried again
   * automatically.
   */
  failedBetween(since: string, until: string): Promise<number>;
  /** Returns the outcome of each fax by ID; that of the newest one where the number was tried again. */
  outcomesOf(ids: readonly string[]): Promise<ReadonlyMap<string, SentOutcome>>;
}

/** The room of sent faxes. */
export function createOutbound(parts: OutboundRoomParts): OutboundRoom {
  const { announcer, settings, dataFolder, logger, callbacks, unverifiedBodies } = parts;
  const service = createOutboundService({
    ...parts,
    logger: logger.room('outbound'),
    settings: outboundSettings(settings),
    progress: createProgress(),
    workDirectory: join(dataFolder, 'work'),
  });
  const room = defineRoom({
    name: 'outbound',
    served: [...outboundServedRoutes(service), ...callbackServedRoutes(service, callbacks, unverifiedBodies)],
    jobs: service.jobs,
    events: [
      {
        kind: 'fax.changed',
        listen: (listener) => announcer.on('fax.changed', (fax) => listener(changeOf(fax))),
        changedSince: async (historyId, limit) =>
          (await service.changedSince(historyId, limit)).map(changeOf),
      },
    ],
    settings: { names: OUTBOUND_SETTINGS, changed: () => service.planCleanup() },
    start: () => service.start(),
    stop: () => service.stop(),
    catchUp: () => service.catchUp(),
    warnings: () => service.warnings(),
  });
  const failedBetween = (since: string, until: string) => countFailed(parts.db.read, since, until);
  const outcomesOf = (ids: readonly string[]) => sentOutcomes(parts.db.read, ids);
  return { ...room, service, failedBetween, outcomesOf };
}

function changeOf({ id, version, created_by, mailbox_id }: FaxEvents['fax.changed']): Change {
  const fax = { created_by, mailbox_id };
  const data = { id, delivery_version: version };
  return {
    id,
    version,
    event: { kind: 'fax.changed', data, mayReceive: (caller) => maySeeSent(caller, fax) },
  };
}
