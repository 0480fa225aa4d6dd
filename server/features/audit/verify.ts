import type { ReadDb } from '../../db/database.ts';
import type { SecurityCountTable } from '../../db/schema/audit.ts';
import { CHAIN_BEGINNING } from '../../platform/chain-digest.ts';
import { epochOf } from '../../platform/clock.ts';
import type { Seal } from '../../platform/seal.ts';
import { digestOfCount, digestOfRecord } from './store/chain-digest.ts';
import {
  type ChainEnd,
  countsAfter,
  type RecordLink,
  readChainEnd,
  recordsAfter,
} from './store/chain-store.ts';

/** Links in memory at a time. */
const PAGE_SIZE = 500;
const END_ALTERED =
  'The sealed end of the security audit was removed or altered, or belongs to another data key.';
const HOUR_MS = 3_600_000;
/** A count is fixed within minutes after its hour. */
const FIXED_WITHIN_MS = 1_800_000;

/** Result of verifying that the security audit is as it was written. */
export interface AuditVerification {
  readonly intact: boolean;
  /** Links of the chain that are as they were written: records, and counts that were fixed. */
  readonly checked: number;
  /** The number of the first record that is missing or altered, else null. */
  readonly first_problem: number | null;
  /** True when the end could be compared with the sealed one, so that nothing is missing there. */
  readonly end_checked: boolean;
  /** Result in one sentence for a person. */
  readonly sentence: string;
}

/** Found something; the message is a sentence. */
class BrokenChainError extends Error {
  readonly seq: number;
  constructor(seq: number, sentence: string) {
    super(sentence);
    this.seq = seq;
  }
}

/**
 * Verifies the chain from its beginning to its present end, page by page. Without a seal, where the data key is not
 * available, the end itself is not checked.
 */
export async function verifySecurityAudit(db: () => ReadDb, seal: Seal | null): Promise<AuditVerification> {
  const walk = new ChainWalk();
  try {
    const end = await readChainEnd(db(), seal);
    if (seal !== null && end.sealed === null && end.seq > 0) throw new BrokenChainError(0, END_ALTERED);
    walk.sealed = end.sealed;
    for await (const link of linksUpTo(db, end.seq)) walk.take(link);
    walk.finish(end);
    return intactResult(walk, end.sealed !== null);
  } catch (error) {
    if (!(error instanceof BrokenChainError)) throw error;
    const { message: sentence, seq: first_problem } = error;
    return { intact: false, checked: walk.seq, first_problem, end_checked: false, sentence };
  }
}

function intactResult({ seq }: ChainWalk, isEndChecked: boolean): AuditVerification {
  const whole = `The security audit is complete and unchanged: ${seq} ${seq === 1 ? 'entry' : 'entries'}.`;
  const end =
    ' Faxdesk could not check whether entries are missing at the end, because the data key is not available.';
  const sentence = isEndChecked || seq === 0 ? whole : whole + end;
  return { intact: true, checked: seq, first_problem: null, end_checked: isEndChecked, sentence };
}

type ChainLink =
  | { readonly kind: 'record'; readonly row: RecordLink }
  | { readonly kind: 'count'; readonly row: SecurityCountTable };

/** Records and fixed counts in the order of the chain. */
async function* linksUpTo(db: () => ReadDb, last: number): AsyncGenerator<ChainLink> {
  for (let seq = 0; seq < last; ) {
    const most = { seq, last, limit: PAGE_SIZE };
    const records = await recordsAfter(db(), most);
    const counts = await countsAfter(db(), most);
    const links: ChainLink[] = [
      ...records.map((row) => ({ kind: 'record' as const, row })),
      ...counts.map((row) => ({ kind: 'count' as const, row })),
    ].sort((a, b) => a.row.seq - b.row.seq);
    if (links.length === 0) return;
    // Beyond the shorter of the two pages, links of the other table may still come between.
    const page = links.slice(0, PAGE_SIZE);
    yield* page;
    seq = page.at(-1)?.row.seq ?? last;
  }
}

class ChainWalk {
  seq = 0;
  sealed: ChainEnd | null = null;
  #digest = CHAIN_BEGINNING;
  #sealedDigest: string | null = null;
  /** The time of the newest record. */
  #newest = 0;
  /** Records whose count may still grow, with the time by which it is fixed. */
  readonly #growing = new Map<number, number>();

  take({ kind, row }: ChainLink): void {
    if (row.seq !== this.seq + 1)
      throw new BrokenChainError(this.seq + 1, `Record ${this.seq + 1} of the security audit is missing.`);
    const digest = kind === 'record' ? digestOfRecord(row) : digestOfCount(row);
    if (row.previous !== this.#digest || row.digest !== digest) throw alteredRecord(row.seq);
    if (kind === 'record') this.#checkCount(row);
    this.seq = row.seq;
    this.#digest = digest;
    if (row.seq === this.sealed?.seq) this.#sealedDigest = digest;
  }

  #checkCount(row: RecordLink): void {
    const isCounted = row.same_key !== null;
    const count = row.fixed_count ?? 1;
    this.#newest = Math.max(this.#newest, epochOf(row.occurred_at));
    const lastAt = row.fixed_last_at ?? row.occurred_at;
    if (row.chained_count !== count || row.count < count) throw alteredRecord(row.seq);
    if (row.count === count && row.last_at !== lastAt) throw alteredRecord(row.seq);
    if (row.count === count) return;
    if (!isCounted) throw alteredRecord(row.seq);
    this.#growing.set(row.seq, epochOf(row.occurred_at.slice(0, 13).concat(':00:00.000Z')) + HOUR_MS);
  }

  finish(end: ChainEnd): void {
    const last = Math.max(end.seq, this.sealed?.seq ?? 0);
    if (this.seq < last)
      throw new BrokenChainError(
        this.seq + 1,
        `The last records of the security audit are missing: it ends with number ${this.seq}, and ${last} were written.`,
      );
    if (end.digest !== this.#digest) throw alteredRecord(this.seq);
    if (this.sealed && this.sealed.seq > 0 && this.sealed.digest !== this.#sealedDigest)
      throw alteredRecord(this.sealed.seq);
    // Counts of an hour that is long over must be fixed, as long as records are still being written.
    for (const [seq, hourEnd] of this.#growing)
      if (this.#newest > hourEnd + FIXED_WITHIN_MS) throw alteredRecord(seq);
  }
}

function alteredRecord(seq: number): BrokenChainError {
  return new BrokenChainError(seq, `Record ${seq} of the security audit was altered.`);
}
