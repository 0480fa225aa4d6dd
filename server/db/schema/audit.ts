/** Append-only: the security audit. */
export interface SecurityEventTable {
  id: string;
  occurred_at: string;
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
