import { epochOf } from '../../../platform/clock.ts';
import { type Locality, localRecord } from '../../../platform/local-time.ts';
import type { EvidenceManifest } from './manifest.ts';

/**
 * The text of `history.txt`: one sentence for each event of the document and of its work item, oldest first. Without a time
 * zone the times are in UTC. It follows from the manifest, but for its export.
 */
export function historyText(
  { item, document, acquisition, history }: Omit<EvidenceManifest, 'export'>,
  { country, timeZone }: Locality,
): string {
  const zone = timeZone ?? 'UTC';
  const events = [...acquisition.flatMap(({ events: told }) => told), ...history]
    .map(({ occurred_at, text }) => ({ at: epochOf(occurred_at), text }))
    .sort((a, b) => a.at - b.at);
  const lines = events.map(
    ({ at, text }) => `${plainSpaces(localRecord(at, { country, timeZone: zone }))}  ${oneLine(text)}`,
  );
  return [
    `Work item ${item.id} of the received fax ${item.inbound_fax_id}`,
    `Document: SHA-256 ${document.sha256}`,
    `Times are in ${zone}.`,
    '',
    ...lines,
    '',
  ].join('\n');
}

/** What writes times puts narrow spaces into them, which not every program shows. */
function plainSpaces(text: string): string {
  return text.replaceAll(/[\u202f\u00a0]/gu, ' ');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n\u2028\u2029]+\s*/gu, ' ');
}
