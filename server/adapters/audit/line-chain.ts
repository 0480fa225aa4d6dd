import { CHAIN_START, type ChainEnd, digestOfLine } from '../../platform/chained-lines.ts';
import { type AuditFormat, formatAuditEvent } from './format.ts';
import type { AuditEvent } from './port.ts';

/**
 * The event with its number, the digest of the line before, and its own: the lowercase hex SHA-256 of the line as it stands
 * in the wanted format without that digest.
 */
export function chainEvent(
  event: AuditEvent,
  format: AuditFormat,
  before: ChainEnd | null,
): AuditEvent & ChainEnd {
  const { seq, digest: previous } = before ?? CHAIN_START;
  const linked = { ...event, seq: seq + 1, previous };
  return { ...linked, digest: digestOfLine(formatAuditEvent(linked, format)) };
}
