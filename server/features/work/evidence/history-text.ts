import { epochOf } from '../../../platform/clock.ts';
import { type Locality, localRecord } from '../../../platform/local-time.ts';
import type { EvidenceManifest, ManifestDelivery, ManifestPrintout } from './manifest.ts';

/**
 * The text of `history.txt`: one sentence for each event of the document and of its work item, oldest first. Without a time
 * zone the times are in UTC. It follows from the manifest, but for its export.
 */
export function historyText(
  {
    item,
    legal_holds = [],
    document,
    acquisition,
    email_delivery,
    printouts = [],
    history,
  }: Omit<EvidenceManifest, 'export'>,
  { country, timeZone }: Locality,
): string {
  const zone = timeZone ?? 'UTC';
  const reported = acquisition.flatMap(({ events: reports }) => reports);
  const events = [...reported, ...email_delivery.flatMap(mailed), ...printouts.flatMap(printed), ...history]
    .map(({ occurred_at, text }) => ({ at: epochOf(occurred_at), text }))
    .sort((a, b) => a.at - b.at);
  const lines = events.map(
    ({ at, text }) => `${plainSpaces(localRecord(at, { country, timeZone: zone }))}  ${oneLine(text)}`,
  );
  return [
    `Work item ${item.id} of the received fax ${item.inbound_fax_id}`,
    `Document: SHA-256 ${document.sha256}`,
    ...legal_holds.map((name) => `Kept for a legal matter: ${oneLine(name)}`),
    `Times are in ${zone}.`,
    '',
    ...lines,
    '',
  ].join('\n');
}

/** Returns the outcomes of an e-mail for its recipients, with the time each was recorded. */
function mailed({ connector, recipients }: ManifestDelivery): { occurred_at: string; text: string }[] {
  return recipients.flatMap(({ address, state, sentence, at }) => {
    if (at === null || state === 'waiting') return [];
    const what = `The e-mail to ${address} by the connector “${connector.name}”`;
    return [{ occurred_at: at, text: [`${what} ${MAILED[state]}.`, sentence ?? ''].join(' ').trim() }];
  });
}

/** Returns the end of a printout; nothing while it has none. */
function printed({ printer, rule, state, problem, printed_at, updated_at }: ManifestPrintout): {
  occurred_at: string;
  text: string;
}[] {
  const what = `The print rule “${rule.name}”`;
  if (state === 'printed')
    return [{ occurred_at: printed_at ?? updated_at, text: `${what} printed the fax on ${printer}.` }];
  if (state === 'given')
    return [
      {
        occurred_at: printed_at ?? updated_at,
        text: `${what} gave the fax to ${printer}, which does not report when a job is printed.`,
      },
    ];
  if (state !== 'doubtful' && state !== 'failed') return [];
  const outcome = state === 'doubtful' ? 'may or may not have printed' : 'did not print';
  return [
    {
      occurred_at: updated_at,
      text: [`${what} ${outcome} the fax on ${printer}.`, problem ?? ''].join(' ').trim(),
    },
  ];
}

const MAILED = {
  delivered: 'was delivered',
  refused: 'was refused',
  uncertain: 'may or may not have arrived',
} as const;

/** Replaces the narrow spaces in formatted times, which some programs do not show. */
function plainSpaces(text: string): string {
  return text.replaceAll(/[\u202f\u00a0]/gu, ' ');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, (space) => (/[\r\n\u2028\u2029]/u.test(space) ? ' ' : space));
}
