import type { AuditOperation } from '../../../shared/audit-operations.ts';
import type { WriteTx } from '../../db/database.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import type { Seal } from '../../platform/seal.ts';
import type { AnyValue } from '../../platform/setting-kinds.ts';
import { type Actor, recordedActor } from '../audit/service.ts';
import type { SettingsCatalog } from './catalog.ts';
import { insertRevision, writeTexts } from './store.ts';
import { textOfValue } from './stored-values.ts';
import type { ChangeAudit, RecordedChange, Revision } from './types.ts';

/** A value that differs from the one saved before. */
export interface ValueChange {
  readonly name: string;
  readonly from: AnyValue;
  readonly to: AnyValue;
}

export interface SaveParts {
  readonly catalog: SettingsCatalog;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly audit: ChangeAudit;
}

/** Writes a revision, its values and its security record; null takes a stored value away. */
export async function saveRevision(
  tx: WriteTx,
  parts: SaveParts,
  args: {
    before: Revision | null;
    changes: readonly ValueChange[];
    actor: Actor;
    operation: AuditOperation;
  },
): Promise<Revision> {
  const revision = { id: newId(), generation: (args.before?.generation ?? 0) + 1 };
  const recorded = args.changes.map((change) => toRecord(change, parts.catalog));
  const { id, name } = args.actor;
  const createdAt = isoTime(parts.clock.now());
  // First, so that two processes that save at once collide here and not half-way.
  await insertRevision(tx, { ...revision, createdAt, actor: { id, name }, changes: recorded });
  const texts = new Map(
    args.changes.map(({ name, to }) => [name, to === null ? null : textOfValue(name, to, parts)]),
  );
  await writeTexts(tx, { generation: revision.generation, texts });
  await parts.audit.record(tx, {
    ...recordedActor(args.actor),
    operation: args.operation,
    target: { kind: 'settings', id: revision.id },
    outcome: 'done',
    details: { generation: revision.generation, changes: recorded },
  });
  return revision;
}

function toRecord(change: ValueChange, catalog: SettingsCatalog): RecordedChange {
  const { name, from, to } = change;
  return catalog.definitionOf(name).secret
    ? { name, from: null, to: null, secret: true }
    : { name, from, to, secret: false };
}
