import type { z } from 'zod';
import type { DataKeyState } from '../../../shared/api/data-key.ts';
import type { Database, WriteTx } from '../../db/database.ts';
import { DONE, defineJob, type JobDefinition } from '../../jobs/define-job.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { Clock } from '../../platform/clock.ts';
import { RefusalError } from '../../platform/errors.ts';
import { assertSealing, type Seal } from '../../platform/seal.ts';
import { type Actor, GATEWAY_ACTOR } from '../access/service.ts';
import { recordedActor, type SecurityAudit } from '../audit/service.ts';
import type { KeyReplacer } from './port.ts';
import { Nothing } from './types.ts';

export interface DataKeyParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly queue: Queue;
  readonly seal: Seal;
  readonly audit: SecurityAudit;
  readonly replacer: KeyReplacer;
}

/** The data key of the installation, and its replacement. */
export interface DataKeyService {
  readonly job: JobDefinition<Record<string, never>>;
  /** Throws SealError (503) while the data key is not that of the store. */
  state(): Promise<z.infer<typeof DataKeyState>>;
  /**
   * Begins a replacement, or lets the one under way end although some texts open with neither key. Throws the refusal
   * `data_key_not_replaced`, and SealError.
   */
  replace(actor: Actor, options: { leaveUnreadable: boolean }): Promise<z.infer<typeof DataKeyState>>;
  /** Plans a replacement that is under way, or that the environment requests. */
  start(): Promise<void>;
  /** Returns the reasons why a replacement waits or did not begin, as sentences. */
  warnings(): Promise<string[]>;
}

const NOTHING_UNREADABLE = 'The data key is not being replaced, so there is nothing to give up.';

/** A clock that was set back delays it by no more. */
const MOST_WAIT_MS = 60 * 60_000;

/** Key of the only job. */
const JOB_KEY = 'data-key.replace';

export function createDataKeyService(parts: DataKeyParts): DataKeyService {
  const { db, clock, queue, seal, audit, replacer } = parts;
  const record = (tx: WriteTx, actor: Actor, operation: 'data_key.replace' | 'data_key.replaced') =>
    audit.record(tx, {
      ...recordedActor(actor),
      operation,
      target: { kind: 'data_key', id: null },
      outcome: 'done',
    });
  const job = defineJob<Record<string, never>>({
    kind: 'data-key.replace',
    schema: Nothing,
    concurrency: 1,
    lost: 'repeat',
    maxWaitMs: MOST_WAIT_MS,
    async run(_payload, { signal }) {
      const asked = await replacer.requested();
      if (asked?.obstacle === null) await begin(GATEWAY_ACTOR);
      const wait = await replacer.run(signal, (tx) => record(tx, GATEWAY_ACTOR, 'data_key.replaced'));
      if (wait !== null) return later(wait);
      // Another replacement may have begun in the meantime.
      return { kind: 'decide', decide: async (tx) => ((await replacer.isUnderWay(tx)) ? later(0) : DONE) };
    },
  });
  const later = (waitMs: number) =>
    ({ kind: 'retry', at: clock.now() + waitMs, reason: 'under way' }) as const;
  const enqueue = (tx: WriteTx) => queue.enqueue(tx, job, { payload: {}, key: JOB_KEY });
  const state = async () => {
    assertSealing(seal);
    return stateOf(replacer);
  };
  const begin = (actor: Actor) =>
    replacer.begin(actor.name, async (tx) => {
      await record(tx, actor, 'data_key.replace');
      await enqueue(tx);
    });
  return {
    job,
    state,
    async replace(actor, { leaveUnreadable }) {
      assertSealing(seal);
      const isUnderWay = (await replacer.state()).replacement !== null;
      if (leaveUnreadable) {
        if (!isUnderWay) throw new RefusalError('data_key_not_replaced', { sentence: NOTHING_UNREADABLE });
        await replacer.acceptUnreadable();
        await db.transaction((tx) => queue.makeDue(tx, JOB_KEY));
        return state();
      }
      const obstacle = await replacer.obstacle();
      if (obstacle !== null) throw new RefusalError('data_key_not_replaced', { sentence: obstacle });
      await begin(actor);
      return state();
    },
    async start() {
      if (seal.problem !== null) return;
      if ((await replacer.requested()) !== null || (await replacer.state()).replacement !== null)
        await db.transaction(async (tx) => void (await enqueue(tx)));
    },
    async warnings() {
      if (seal.problem !== null) return [];
      const problem = (await replacer.state()).replacement?.problem ?? null;
      const obstacle = (await replacer.requested())?.obstacle ?? null;
      const requested = obstacle === null ? null : `The data key was not replaced as requested. ${obstacle}`;
      return [problem, requested].filter((sentence) => sentence !== null);
    },
  };
}

async function stateOf(replacer: KeyReplacer): Promise<z.infer<typeof DataKeyState>> {
  const { source, fingerprint, madeAt, replacement } = await replacer.state();
  return {
    source,
    fingerprint,
    made_at: madeAt,
    obstacle: replacement === null ? await replacer.obstacle() : null,
    replacement: replacement && {
      started_at: replacement.startedAt,
      started_by: replacement.startedBy,
      pass: replacement.pass,
      resealed: replacement.resealed,
      unreadable: replacement.unreadable,
      problem: replacement.problem,
    },
  };
}
