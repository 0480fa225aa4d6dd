import type { WriteTx } from '../db/database.ts';

/**
 * Permission to do background work. On a database that several gateways may use, one of them has it at a time, decided by
 * the time of the database.
 */
export interface WorkPermit {
  /** True where no other gateway can do background work while the permit is held. */
  readonly isExclusive: boolean;
  /**
   * Returns true while it is certain that the permit is held, and stays held for `marginMs` even if the database is away from
   * now on. Also true right after this process was stopped for less than that time.
   */
  isHeld(marginMs?: number): boolean;
  /** Keeps the permit from passing to another gateway until the transaction ends. Throws PermitLostError when it has. */
  assertHeld(tx: WriteTx): Promise<void>;
  /** Tries to get the permit now. With `keep` it is tried again and again while another gateway has it. */
  take(options: { keep: boolean }): Promise<boolean>;
  /** Lets another gateway have the permit at once, and does not try to get it again. */
  giveBack(): Promise<void>;
  /** Called when the permit was gained or lost. */
  onChange(listener: () => void): void;
}

/** Thrown when background work is to begin and another gateway does it. */
export class PermitLostError extends Error {
  override name = 'PermitLostError';
}

/** Time for which the permit must be left when something is handed over that must not be handed over twice. */
const HAND_OVER_MS = 10_000;

/**
 * Returns true while something may be handed over: this gateway has the permit, and keeps it long enough for no other to take
 * the work for lost at the same moment.
 */
export function mayHandOver(permit: Pick<WorkPermit, 'isHeld'>): boolean {
  return permit.isHeld(HAND_OVER_MS);
}

/**
 * Runs `begin`, which marks something as being handed over, while it may be, and checks it again afterwards: the computer may
 * have stood still meanwhile, and another gateway then settles what was begun. Throws PermitLostError.
 */
export async function beginHandOver(
  permit: Pick<WorkPermit, 'isHeld'>,
  begin: () => Promise<void>,
): Promise<void> {
  assertMayHandOver(permit);
  await begin();
  assertMayHandOver(permit);
}

function assertMayHandOver(permit: Pick<WorkPermit, 'isHeld'>): void {
  if (!mayHandOver(permit)) throw new PermitLostError('the permit for background work ended');
}

/** The permit where workers share the jobs, or one process has the database. */
export const OPEN_PERMIT: WorkPermit = {
  isExclusive: false,
  isHeld: () => true,
  assertHeld: async () => undefined,
  take: async () => true,
  giveBack: async () => undefined,
  onChange: () => undefined,
};
