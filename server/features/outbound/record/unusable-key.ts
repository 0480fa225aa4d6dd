import type { WriteTx } from '../../../db/database.ts';
import { waitingWork } from '../../../jobs/job-store.ts';
import type { OutboundParts } from '../parts.ts';
import { dispatchJob, pollJob } from '../queue/queued.ts';
import { PROVIDER, SYSTEM } from '../types.ts';
import { type Recorder, readFax, readFaxOf } from './record.ts';

type Parts = Pick<OutboundParts, 'db' | 'clock' | 'logger' | 'seal' | 'transports'> & {
  readonly recorder: Recorder;
};

/** Long enough for another gateway on the store, with the right key, to take what is due. */
const GRACE_MS = 30_000;
const CHECK_MS = 15_000;

const RIGHT_KEY = 'Put the right data key back and start Faxdesk again';
/** Text for a fax of which nothing was sent. */
export const HELD_FOR_KEY = `Held: data for this fax cannot be opened with the current data key. Nothing was sent. ${RIGHT_KEY}, then send the fax or cancel it.`;
/** Text for a fax whose transport cannot be queried. */
const unqueryableText = (provider: string) =>
  `Faxdesk cannot ask ${provider} about this fax, because its account cannot be opened with the current data key. ${RIGHT_KEY}, or check with the recipient and decide.`;

/**
 * Creates the handler for faxes while the data key is not that of the store. Nothing is sent and no provider is
 * queried; within a minute the faxes are left for a person to decide.
 */
export function createUnusableKeyHandler(parts: Parts): UnusableKeyHandler {
  return new UnusableKeyHandler(parts);
}

export type { UnusableKeyHandler };

class UnusableKeyHandler {
  readonly #parts: Parts;
  readonly #since: number;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#since = parts.clock.now();
  }

  start(): void {
    if (this.#parts.seal.problem === null) return;
    this.#timer = setInterval(() => void this.check(), CHECK_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
  }

  /** Runs one check after another; the next one records the faxes that a check could not. */
  check(): Promise<void> {
    const { seal, logger } = this.#parts;
    if (seal.problem === null) return Promise.resolve();
    this.#checking = this.#checking
      .then(() => this.#recordAll())
      .catch((error: unknown) => logger.warn({ error }, 'waiting faxes could not be looked through'));
    return this.#checking;
  }

  async #recordAll(): Promise<void> {
    const { db, clock } = this.#parts;
    const overdue = clock.now() - GRACE_MS;
    if (overdue < this.#since) return;
    // Leaves the work that another gateway may still take.
    const due = db.capabilities.soleProcess ? null : overdue;
    for (const payload of await waitingWork(db.read, dispatchJob.kind, due))
      await this.#hold(dispatchJob.schema.parse(payload).job_id);
    for (const payload of await waitingWork(db.read, pollJob.kind, due))
      await this.#markUnqueryable(pollJob.schema.parse(payload).attempt_id);
  }

  async #hold(jobId: string): Promise<void> {
    await this.#parts.db.transaction(async (tx) => {
      const fax = await readFax(tx, jobId);
      if (fax?.job.delivery_state !== 'ready') return;
      await this.#parts.recorder.record(tx, fax, { kind: 'held', text: HELD_FOR_KEY }, SYSTEM);
    });
  }

  async #markUnqueryable(attemptId: string): Promise<void> {
    await this.#parts.db.transaction((tx) => markUnqueryable(this.#parts, tx, attemptId));
  }
}

/** Asks a person once; a later report of the provider still settles the fax. */
export async function markUnqueryable(
  parts: Pick<OutboundParts, 'transports'> & { readonly recorder: Recorder },
  tx: WriteTx,
  attemptId: string,
): Promise<void> {
  const fax = await readFaxOf(tx, attemptId);
  if (fax?.job.delivery_state !== 'in_progress') return;
  const reason = unqueryableText(parts.transports.nameOf(fax.attempt.backend));
  await parts.recorder.record(tx, fax, { kind: 'unknown', reason, category: null }, PROVIDER);
}
