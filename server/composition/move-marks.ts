import type { BootOptions } from '../config/boot.ts';
import { existingDataKey } from '../config/secrets.ts';
import type { WriteTx } from '../db/database.ts';
import { createSecurityAudit } from '../features/audit/service.ts';
import { lockGateways, noteAlive } from '../features/gateways/room.ts';
import { storedKeyRow } from '../features/settings/service.ts';
import type { Clock } from '../platform/clock.ts';
import { createSeal } from '../platform/seal.ts';
import { COMMAND_LINE } from './backups.ts';
import { neededKeys } from './data-key.ts';
import { MoveRefusedError } from './move-errors.ts';
import type { Mover, MoveStore } from './move-stores.ts';

/**
 * Makes sure, in the transaction that changes the mark of a store, that this process still keeps gateways away from
 * PostgreSQL: it may have been frozen. Throws MoveRefusedError.
 */
export async function assertAlone(tx: WriteTx, { kind }: MoveStore, mover: Mover | null): Promise<void> {
  if (kind === 'sqlite') return;
  await lockGateways(tx);
  if (mover !== null && (await noteAlive(tx, mover.own))) return;
  throw new MoveRefusedError(
    'This command was interrupted for so long that a gateway may have used the database. Run it again.',
  );
}

/** Returns a function that records in the security audit, within a transaction, that the installation was moved. */
export async function openMoveAudit(
  boot: BootOptions,
  clock: Clock,
): Promise<(tx: WriteTx, policyVersion: number, details: Record<string, unknown>) => Promise<void>> {
  const found = await existingDataKey({ ...boot, configured: boot.dataKey });
  return async (tx, policyVersion, details) => {
    const row = await storedKeyRow(tx);
    // While the data key is replaced there are two, and the store says which one seals.
    const keys = found && row ? (neededKeys(found, row) ?? found) : found;
    const audit = createSecurityAudit({ clock, ...(keys ? { seal: createSeal(keys) } : {}) });
    await audit.record(tx, {
      actor: { id: null, name: COMMAND_LINE.name },
      credentialKind: COMMAND_LINE.credentialKind,
      operation: 'installation.move',
      target: { kind: 'installation', id: null },
      outcome: 'done',
      policyVersion,
      requestId: null,
      details,
    });
  };
}
