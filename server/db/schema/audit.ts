/**
 * The security audit: nothing is taken out or rewritten; only the count of what happens often grows for an hour. Each record
 * holds the digest of the one before.
 */
export interface SecurityEventTable {
  id: string;
  /** Of what is counted, the first time. */
  occurred_at: string;
  last_at: string;
  count: number;
  /** The same for equal events of one hour that are counted; null for what is recorded each time. */
  same_key: string | null;
  actor_id: string | null;
  actor_name: string;
  credential_kind: string;
  operation: string;
  target_kind: string;
  target_id: string | null;
  outcome: 'done' | 'refused';
  policy_version: number;
  request_id: string | null;
  /** JSON object, no secrets. */
  details: string;
  /** Its place in the chain, from 1, shared with `security_count`. */
  seq: number;
  /** The digest of what stands before it in the chain. */
  previous: string;
  /** Of what it was when it was first written, without count and last time. */
  digest: string;
  /** The count as the chain has it: 1, or that of its newest entry in `security_count`. */
  chained_count: number;
}

/** Final value of a counted record when its hour was over, or the gateway stopped: links of the same chain. */
export interface SecurityCountTable {
  seq: number;
  event_id: string;
  count: number;
  last_at: string;
  previous: string;
  digest: string;
}

/** One row: the end of the chain. Whoever adds to it holds this row until the commit. */
interface SecurityChainTable {
  id: 1;
  /** 0 before the first. */
  seq: number;
  digest: string;
  /** Both, sealed with the data key; of an older end after something was written without that key. */
  sealed: string | null;
}

export interface AuditTables {
  security_chain: SecurityChainTable;
  security_count: SecurityCountTable;
  security_event: SecurityEventTable;
}
