import type { Database, WriteTx } from '../../db/database.ts';
import { createEventBus } from '../../platform/events.ts';
import type { Logger } from '../../platform/logger.ts';
import type { ChangedDocument } from './types.ts';

/** Publishes changes of printed documents to consoles. */
export interface PrintedNotifier {
  /** Publishes a change once it is committed. */
  notify(tx: WriteTx, changed: ChangedDocument): void;
  /** Calls the listener for every change of this gateway; the answer ends that. */
  listen(listener: (changed: ChangedDocument) => void): () => void;
}

export function createPrintedNotifier({
  db,
  logger,
}: {
  readonly db: Database;
  readonly logger: Logger;
}): PrintedNotifier {
  const bus = createEventBus<{ changed: ChangedDocument }>((error) =>
    logger.error({ error }, 'a listener failed'),
  );
  return {
    notify: (tx, changed) => db.onCommit(tx, () => bus.publish('changed', changed)),
    listen: (listener) => bus.on('changed', listener),
  };
}
