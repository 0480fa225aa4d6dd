import { LIMITS } from '../../../shared/limits.ts';
import type { Database, WriteTx } from '../../db/database.ts';
import {
  type AnsweredRequests,
  type KeptAnswer,
  KeyTakenError,
  type RequestKey,
} from '../../http/answered-requests.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { createKeyedHash } from '../../platform/hash.ts';
import type { Seal } from '../../platform/seal.ts';
import {
  findAnsweredRequest,
  insertRequestKey,
  removeExpiredAnswers,
  removeRequestKey,
  setAnswer,
} from './store/answered-requests.ts';

const HOUR_MS = 3_600_000;

const contextOf = ({ callerId, key }: RequestKey): string => `answer to ${callerId} under ${key}`;

/** Creates the store of answered requests. Answers are sealed: they name people and numbers, and keys that are shown once. */
export function createAnsweredRequests(parts: {
  db: Database;
  clock: Clock;
  seal: Seal;
  hashSecret: Uint8Array;
}): AnsweredRequests & { removeExpired(): Promise<void> } {
  const { db, clock, seal, hashSecret } = parts;
  let removedMs = Number.NEGATIVE_INFINITY;

  const record = async (tx: WriteTx, request: RequestKey, fingerprint: string): Promise<boolean> => {
    const nowMs = clock.now();
    const expiresAt = isoTime(nowMs + LIMITS.answersKeptHours * HOUR_MS);
    return insertRequestKey(tx, { ...request, fingerprint, now: isoTime(nowMs), expiresAt });
  };

  const removeExpired = async (): Promise<void> => {
    removedMs = clock.now();
    await db.transaction((tx) => removeExpiredAnswers(tx, isoTime(removedMs)));
  };

  return {
    digest: createKeyedHash(hashSecret, 'answered requests'),
    removeExpired,
    async find(request) {
      const found = await findAnsweredRequest(db.read, { ...request, now: isoTime(clock.now()) });
      if (!found) return null;
      const { fingerprint, answer } = found;
      if (answer === null) return { fingerprint, answer };
      return { fingerprint, answer: JSON.parse(seal.open(answer, contextOf(request))) as KeptAnswer };
    },
    async carryOut(request, fingerprint, change) {
      let isRecorded = false;
      const recordKey = async (tx: WriteTx) => {
        if (!(await record(tx, request, fingerprint))) throw new KeyTakenError();
        db.onCommit(tx, () => {
          isRecorded = true;
        });
      };
      try {
        return await db.withCompanion(recordKey, change);
      } catch (error) {
        if (isRecorded) await db.transaction((tx) => removeRequestKey(tx, request));
        throw error;
      }
    },
    async keep(request, fingerprint, answer) {
      const sealed = seal.seal(JSON.stringify(answer), contextOf(request));
      await db.transaction(async (tx) => {
        // A change without a transaction has not recorded it.
        await record(tx, request, fingerprint);
        await setAnswer(tx, { ...request, answer: sealed });
      });
      if (Math.abs(clock.now() - removedMs) >= HOUR_MS) await removeExpired();
    },
    forget: (request) => db.transaction((tx) => removeRequestKey(tx, request)),
  };
}
