import { join } from 'node:path';
import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Caller } from '../access/service.ts';
import { type Change, defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import { createBroadcastNotifier } from './notifier.ts';
import type { BroadcastsParts } from './parts.ts';
import { broadcastsServedRoutes } from './routes.ts';
import { defineBroadcastSend } from './send.ts';
import { createBroadcastsService } from './service.ts';
import type { ChangedBroadcast } from './types.ts';
import { mayReceiveEvents } from './visibility.ts';
import { createRecipientWatch, type RecipientWatch } from './watch.ts';

export { settleRestoredBroadcasts } from './offline.ts';
export { BROADCAST_DOCUMENTS } from './stored-documents.ts';

interface BroadcastsRoomParts
  extends Omit<BroadcastsParts, 'country' | 'where' | 'workDirectory' | 'optOutLine' | 'notifier'> {
  readonly settings: SettingsService;
  readonly dataFolder: string;
}

interface BroadcastsRoom extends Room {
  readonly watch: RecipientWatch;
}

/** The room of broadcasts: one document to many recipients. */
export function createBroadcasts(given: BroadcastsRoomParts): BroadcastsRoom {
  const { settings, db } = given;
  const logger = given.logger.room('broadcasts');
  const notifier = createBroadcastNotifier({ db, logger });
  const parts = {
    ...given,
    logger,
    notifier,
    workDirectory: join(given.dataFolder, 'work'),
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    where: () => ({ country: settings.get('FAX_DEFAULT_COUNTRY'), timeZone: settings.get('TIME_ZONE') }),
    optOutLine: () => {
      const text = settings.get('OPT_OUT_LINE');
      return text ? { text, page: settings.get('OPT_OUT_PAGE') } : null;
    },
  };
  const watch = createRecipientWatch(parts);
  const room = defineRoom({
    name: 'broadcasts',
    served: broadcastsServedRoutes(createBroadcastsService(parts)),
    jobs: [defineBroadcastSend(parts) as unknown as JobDefinition<never>],
    events: [
      {
        kind: 'broadcast.changed',
        listen: (listener) => notifier.listen((changed) => listener(changeOf(changed))),
        changedSince: async (changeId, limit) => (await notifier.changedSince(changeId, limit)).map(changeOf),
      },
    ],
    settings: {
      names: ['FAX_DEFAULT_COUNTRY', 'TIME_ZONE', 'OPT_OUT_LINE', 'OPT_OUT_PAGE'],
      changed: async () => undefined,
    },
    start: () => watch.catchUp(),
    stop: async () => notifier.stop(),
  });
  return { ...room, watch };
}

function changeOf(changed: ChangedBroadcast): Change {
  const { id, changes: version } = changed;
  const mayReceive = (caller: Caller) => mayReceiveEvents(caller, changed);
  return { id, version, event: { kind: 'broadcast.changed', data: { id, version }, mayReceive } };
}
