import type { Database, WriteTx } from '../../db/database.ts';
import { PermitLostError, type WorkPermit } from '../../jobs/work-permit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { checkMove } from './check-move.ts';
import { checkOthers } from './check-others.ts';
import { OtherGatewaysError, StoreMovedError } from './errors.ts';
import {
  enterGateway,
  freePermit,
  keepPermit,
  listGateways,
  lockGateways,
  noteAlive,
  removeGateway,
  takePermit,
} from './store.ts';
import { findMoveIn } from './store-move.ts';
import type { OwnGateway } from './types.ts';

/** Sign of life, and prolonging of the permit. */
const BEAT_MS = 5_000;
/** Least time between two signs of life, where a clock was set. */
const LEAST_BEAT_MS = 250;
/** Time for which the permit is given. A gateway that vanishes is replaced after it and one beat. */
const LEASE_MS = 30_000;

interface MembershipParts {
  readonly db: Database;
  /** Clock of this computer, which nothing is decided by unless it jumps. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly own: OwnGateway;
}

export type { Membership };

/**
 * Enters this gateway, which starts, into the table of those on the database. Throws OtherGatewaysError, with nothing changed,
 * when those that run keep it from starting, and StoreMovedError.
 */
export async function enterGateways(db: Database, own: OwnGateway): Promise<void> {
  await db.transaction(async (tx) => {
    await lockGateways(tx);
    checkMove(own, await findMoveIn(tx, db.capabilities));
    checkOthers(own, await listGateways(tx), { isStart: true });
    await enterGateway(tx, own);
  });
}

/** Keeps a gateway that was entered in the table by a sign of life every few seconds, until it leaves. */
export function createMembership(parts: MembershipParts): Membership {
  return new Membership(parts);
}

class Membership implements WorkPermit {
  readonly isExclusive = true;
  readonly #parts: MembershipParts;
  readonly #listeners: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<unknown> = Promise.resolve();
  #isLeft = false;
  #wantsPermit = false;
  #isEarly = false;
  /** Times at which the request was made that got or prolonged the permit: by a clock that nobody sets, and by the other. */
  #heldSince: { readonly steady: number; readonly set: number } | null = null;
  /** Reason why this gateway is not entered any more, as a sentence; null while it is. */
  #problem: string | null = null;

  constructor(parts: MembershipParts) {
    this.#parts = parts;
    this.#plan();
  }

  /** This start, as the table names it. */
  get run(): string {
    return this.#parts.own.run;
  }

  get problem(): string | null {
    return this.#problem;
  }

  /**
   * A steady clock may stand still while the computer sleeps and the other may be set, so the later of both counts: a permit
   * that seems to end is prolonged at once.
   */
  isHeld(marginMs = 0): boolean {
    const since = this.#heldSince;
    if (since === null) return false;
    const passed = Math.max(performance.now() - since.steady, this.#parts.clock.now() - since.set);
    const isHeld = passed + marginMs < LEASE_MS;
    if (!isHeld) this.#beatEarly(since.steady);
    return isHeld;
  }

  async assertHeld(tx: WriteTx): Promise<void> {
    if (this.#heldSince !== null && (await keepPermit(tx, this.run))) return;
    throw new PermitLostError('another gateway does the background work');
  }

  async take({ keep }: { keep: boolean }): Promise<boolean> {
    this.#wantsPermit = true;
    await this.#beat();
    if (!keep) this.#wantsPermit = this.isHeld();
    return this.isHeld();
  }

  /** In turn with the beats: one that takes the permit again does so after it was freed. */
  giveBack(): Promise<void> {
    this.#wantsPermit = false;
    const next = this.#beating.then(() => this.#free());
    this.#beating = next;
    return next;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Takes this gateway out of the table. What it still works on keeps the permit from others until its time is over. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    clearTimeout(this.#timer);
    await this.#beating;
    await this.#parts.db.transaction((tx) => removeGateway(tx, this.#parts.own));
  }

  #plan(): void {
    if (this.#isLeft) return;
    this.#timer = setTimeout(() => void this.#beat().finally(() => this.#plan()), BEAT_MS);
    this.#timer.unref();
  }

  /** Gives a sign of life between two planned ones, and has the work go on that waits for it. */
  #beatEarly(last: number): void {
    if (this.#isEarly || performance.now() - last < LEAST_BEAT_MS) return;
    this.#isEarly = true;
    void this.#beat().finally(() => {
      this.#isEarly = false;
      if (this.isHeld()) this.#notify();
    });
  }

  /** Never rejects: a database that is away is tried again at the next beat. */
  #beat(): Promise<void> {
    const next = this.#beating.then(() => this.#beatOnce()).catch((error: unknown) => this.#failed(error));
    this.#beating = next;
    return next;
  }

  /** Never rejects: a permit that could not be freed ends by itself. */
  async #free(): Promise<void> {
    if (this.#wantsPermit || this.#heldSince === null) return;
    this.#setHeld(null);
    const { db, logger } = this.#parts;
    await db
      .transaction((tx) => freePermit(tx, this.run))
      .catch((error: unknown) =>
        logger.warn({ error }, 'the permit for background work could not be given back: it ends by itself'),
      );
  }

  async #beatOnce(): Promise<void> {
    const { db, own, clock, logger } = this.#parts;
    if (this.#isLeft || db.damage.isFound) return;
    const asked = { steady: performance.now(), set: clock.now() };
    const state = await db.transaction(async (tx) => {
      const problem = (await noteAlive(tx, own)) ? null : await this.#enterAgain(tx);
      const holds = problem === null && this.#wantsPermit;
      return { problem, isHeld: holds && (await takePermit(tx, { ...own, leaseMs: LEASE_MS })) };
    });
    if (state.problem !== this.#problem) {
      if (state.problem === null) logger.info({}, 'this gateway takes part again');
      else logger.error({ problem: state.problem }, 'this gateway does no background work');
    }
    this.#problem = state.problem;
    this.#setHeld(state.isHeld ? asked : null);
  }

  /** After the time that this gateway was frozen or without the database. Returns why it must not take part; null if it may. */
  async #enterAgain(tx: WriteTx): Promise<string | null> {
    const { db, own } = this.#parts;
    await lockGateways(tx);
    try {
      checkMove(own, await findMoveIn(tx, db.capabilities));
      checkOthers(own, await listGateways(tx), { isStart: false });
    } catch (error) {
      if (error instanceof OtherGatewaysError || error instanceof StoreMovedError) return error.message;
      throw error;
    }
    await enterGateway(tx, own);
    return null;
  }

  #failed(error: unknown): void {
    const { logger } = this.#parts;
    const wasHeld = this.#heldSince !== null;
    if (!wasHeld || this.isHeld()) {
      logger.debug({ error }, 'the database could not be given a sign of life');
      return;
    }
    logger.warn({ error }, 'the permit for background work ended while the database was away');
    this.#setHeld(null);
  }

  #setHeld(since: { readonly steady: number; readonly set: number } | null): void {
    const isChanged = (this.#heldSince === null) !== (since === null);
    this.#heldSince = since;
    if (!isChanged) return;
    this.#parts.logger.info({ holds: since !== null }, 'background work changed its gateway');
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
