import type { AnnouncedRecord } from './records.ts';

/** A record goes to everyone on the link once a second at most; to defend it, four times (RFC 6762, 6). */
const AGAIN_MS = 1_000;
const DEFEND_MS = 250;
/** Answers within a second to programs that ask for themselves. */
const MAX_LEGACY_PER_SECOND = 20;

/** Limits what a link is sent, so that nobody makes it send more than they do. */
export interface SendLimit {
  /** Returns true when a record may be sent to everyone now, and counts it. */
  take(record: AnnouncedRecord, isDefense: boolean): boolean;
  /** Returns true when one program may be answered now, and counts it. */
  takeLegacy(): boolean;
}

export function createSendLimit(now: () => number = () => performance.now()): SendLimit {
  const sent = new Map<string, number>();
  let second = 0;
  let count = 0;
  return {
    take({ name, type, data }, isDefense) {
      const key = JSON.stringify([name, type, data]);
      const last = sent.get(key) ?? Number.NEGATIVE_INFINITY;
      if (now() - last < (isDefense ? DEFEND_MS : AGAIN_MS)) return false;
      sent.set(key, now());
      return true;
    },
    takeLegacy() {
      const present = Math.floor(now() / AGAIN_MS);
      if (present !== second) [second, count] = [present, 0];
      count += 1;
      return count <= MAX_LEGACY_PER_SECOND;
    },
  };
}
