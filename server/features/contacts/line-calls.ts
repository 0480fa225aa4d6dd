import type { ReadDb, WriteTx } from '../../db/database.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import { type CallWithResult, type LineMemory, limitsFromMemory, updateMemory } from './line-memory.ts';
import { type CallLimits, NO_LIMITS } from './line-memory-port.ts';
import type { ContactsParts } from './parts.ts';
import { contactsOf } from './store/contact-store.ts';
import { lineMemories, removeExpired, removeLineMemory, saveLineMemory } from './store/line-memory-store.ts';
import type { LineMemoryRow } from './types.ts';

/** The memory of what works for a number on a line of ours, for the room that makes the calls. */
export interface LineCalls {
  /** Returns the limits for the next call to the E.164 number over the line of an account. */
  limitsTo(db: ReadDb, to: string, account: string): Promise<CallLimits>;
  /** Records the result of a call in the line memory, once for each call; it affects only how the next one is made. */
  recordCall(tx: WriteTx, to: string, call: CallWithResult): Promise<void>;
}

export function createLineCalls(parts: Pick<ContactsParts, 'db' | 'clock' | 'events'>): LineCalls {
  const { clock } = parts;
  const read = async (db: ReadDb, to: string) => {
    const row = (await lineMemories(db, [to])).get(to);
    return row ? memoryOf(row) : null;
  };
  return {
    limitsTo: async (db, to, account) => limitsFromMemory(await read(db, to), account, clock.now()),
    async recordCall(tx, to, call) {
      const before = await read(tx, to);
      const after = updateMemory(before, call, clock.now());
      await removeExpired(tx, isoTime(clock.now()));
      if (after !== null) await saveLineMemory(tx, rowOf(to, after));
      else if (before !== null) await removeLineMemory(tx, to);
      if (isInForce(before, clock.now()) || isInForce(after, clock.now()))
        await notifyConsoles(parts, tx, to);
    },
  };
}

/** A memory that changes how the number is called. */
export function isInForce(memory: LineMemory | null, now: number): memory is LineMemory {
  if (memory === null || memory.expiresAt <= now) return false;
  return memory.withoutT38 || memory.withoutEcm || memory.mostRate !== NO_LIMITS.mostRate;
}

export function memoryOf(row: LineMemoryRow): LineMemory {
  return {
    account: row.provider_account,
    withoutT38: row.without_t38 === 1,
    withoutEcm: row.without_ecm === 1,
    mostRate: row.most_rate_bps,
    troubles: row.troubles,
    learnedAt: epochOf(row.learned_at),
    expiresAt: epochOf(row.expires_at),
  };
}

function rowOf(to: string, memory: LineMemory): LineMemoryRow {
  return {
    to_number: to,
    provider_account: memory.account,
    without_t38: memory.withoutT38 ? 1 : 0,
    without_ecm: memory.withoutEcm ? 1 : 0,
    most_rate_bps: memory.mostRate,
    troubles: memory.troubles,
    learned_at: isoTime(memory.learnedAt),
    expires_at: isoTime(memory.expiresAt),
  };
}

/** Notifies consoles that show the contact of the number, so that they read it again. */
async function notifyConsoles(
  { db, events }: Pick<ContactsParts, 'db' | 'events'>,
  tx: WriteTx,
  to: string,
): Promise<void> {
  const [contact] = await contactsOf(tx, [to]);
  if (!contact) return;
  const { id, version, owner_mailbox_id } = contact;
  const owners = [owner_mailbox_id];
  db.onCommit(tx, () => events.publish('contact.changed', { id, version, owners }));
}
