import type { ConsoleEventKind } from '../../../shared/api/console-events.ts';
import type { Database, WriteTx } from '../../db/database.ts';
import { createEventBus } from '../../platform/events.ts';
import type { Logger } from '../../platform/logger.ts';
import { changedSince } from './store/broadcast-store.ts';
import type { ChangedBroadcast } from './types.ts';

/** A broadcast of a thousand faxes changes many times a second; screens need less. */
const INTERVAL_MS = 1_000;

type BroadcastEvents = Record<ConsoleEventKind & 'broadcast.changed', ChangedBroadcast>;

/** A broadcast that was published within the interval, with the change that waits for its end. */
interface Recent {
  readonly timer: NodeJS.Timeout;
  readonly published: ChangedBroadcast;
  waiting: ChangedBroadcast | null;
}

/** Publishes changes of broadcasts to consoles: at once, then at most once a second for each, and always the last change. */
export interface BroadcastNotifier {
  /** Publishes a change once it is committed. */
  notify(tx: WriteTx, changed: ChangedBroadcast): void;
  /** Calls the listener for every change that is published; the answer ends that. */
  listen(listener: (changed: ChangedBroadcast) => void): () => void;
  /** Lists the broadcasts that any gateway changed after a change; those that were published here just now are as they were published. */
  changedSince(changeId: string, limit: number): Promise<ChangedBroadcast[]>;
  /** Publishes nothing any more. */
  stop(): void;
}

export function createBroadcastNotifier({
  db,
  logger,
}: {
  readonly db: Database;
  readonly logger: Logger;
}): BroadcastNotifier {
  const bus = createEventBus<BroadcastEvents>((error) => logger.error({ error }, 'a listener failed'));
  const recent = new Map<string, Recent>();
  const publish = (changed: ChangedBroadcast) => {
    const { id } = changed;
    const known = recent.get(id);
    if (known) {
      if (changed.changes > (known.waiting ?? known.published).changes) known.waiting = changed;
      return;
    }
    const timer = setTimeout(() => {
      const waiting = recent.get(id)?.waiting;
      recent.delete(id);
      if (waiting) publish(waiting);
    }, INTERVAL_MS);
    timer.unref();
    recent.set(id, { timer, published: changed, waiting: null });
    bus.publish('broadcast.changed', changed);
  };
  return {
    notify: (tx, changed) => db.onCommit(tx, () => publish(changed)),
    listen: (listener) => bus.on('broadcast.changed', listener),
    async changedSince(changeId, limit) {
      const changed = await changedSince(db.read, changeId, limit);
      return changed.map((each) => {
        const known = recent.get(each.id);
        if (!known) return each;
        publish(each);
        return known.published;
      });
    },
    stop() {
      for (const { timer } of recent.values()) clearTimeout(timer);
      recent.clear();
    },
  };
}
