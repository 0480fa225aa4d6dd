/** The security audit: nothing is taken out or rewritten; only the count of what happens often grows for an hour. */
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
}

export interface AuditTables {
  security_event: SecurityEventTable;
}
