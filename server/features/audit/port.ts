/** A fax as an entry of the security audit names it. */
export interface AuditedFax {
  readonly id: string;
  readonly direction: 'sent' | 'received';
  /** Number of the other side: E.164, or the fixed word for an unknown one. */
  readonly number: string;
  /** Name of its contact; null where there is none, or the caller may not see contacts. */
  readonly name: string | null;
  /** Null while unknown. */
  readonly pages: number | null;
  /** ISO 8601 UTC. */
  readonly created_at: string;
}
