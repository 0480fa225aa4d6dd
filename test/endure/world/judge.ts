import type { ClientFax, Evidence, IncomingFax, ReportedFax, ReportedIncoming } from './records.ts';
import type { VendorFax } from './vendor.ts';

/** Violations found in a trial; each entry is one sentence about one fax. */
export interface Verdict {
  /** Accepted or acknowledged, and not there. */
  readonly lost: readonly string[];
  /** Submitted, recorded or filed more than once. */
  readonly twice: readonly string[];
  /** An outcome that the provider does not show, or a document that is another one. */
  readonly false: readonly string[];
  /** A document that was stored and is nowhere any more. */
  readonly deleted: readonly string[];
  /** Neither ended nor a question with a reason, after everything was well again. */
  readonly stuck: readonly string[];
}

export const NO_VIOLATIONS: Verdict = { lost: [], twice: [], false: [], deleted: [], stuck: [] };

/**
 * Judges by the records of clients and providers. It uses none of the gateway's code and does not depend on how the
 * gateway works.
 */
export function judge(evidence: Evidence): Verdict {
  const { reportedFaxes, reportedIncoming } = evidence;
  return {
    lost: [...lostFaxes(evidence), ...lostIncoming(evidence)],
    twice: [
      ...listDuplicateSubmissions(evidence),
      ...listDuplicateRecords(reportedFaxes),
      ...listDuplicateFilings(reportedIncoming),
    ],
    false: [
      ...reportedFaxes.flatMap((fax) => listContradictions(fax, evidence)),
      ...listIncomingContradictions(evidence),
    ],
    deleted: deletedDocuments(evidence),
    stuck: [...reportedFaxes.filter(isStuck).map(stuckSentence), ...reportedIncoming.flatMap(stuckIncoming)],
  };
}

export function isClean(verdict: Verdict): boolean {
  return Object.values(verdict).every((entries: readonly string[]) => entries.length === 0);
}

function lostFaxes({ clients, reportedFaxes }: Evidence): string[] {
  const known = new Set(reportedFaxes.map(({ id }) => id));
  const isLost = ({ id }: ClientFax) => id !== null && !known.has(id);
  return clients.filter(isLost).map(({ id, to }) => `fax ${id} to ${to} was accepted and is not there`);
}

function lostIncoming({ incoming, reportedIncoming }: Evidence): string[] {
  const known = new Set(reportedIncoming.map(keyOf));
  return incoming
    .filter((fax) => fax.isAcknowledged && !known.has(keyOf(fax)))
    .map((fax) => `received fax ${keyOf(fax)} was acknowledged and is not there`);
}

const keyOf = ({ vendor, id }: { vendor: string; id: string }) => `${vendor} ${id}`;

function listDuplicateSubmissions({ clients, vendors }: Evidence): string[] {
  const mayRepeat = new Set(clients.filter((fax) => fax.isSentAgain).map(({ to }) => to));
  return listRepeated(vendors.map(({ to }) => to))
    .filter((to) => !mayRepeat.has(to))
    .map((to) => `the fax to ${to} was submitted more than once: ${idsAt(vendors, to)}`);
}

function idsAt(vendors: readonly VendorFax[], to: string): string {
  return vendors
    .filter((fax) => fax.to === to)
    .map(keyOf)
    .join(', ');
}

function listDuplicateRecords(reportedFaxes: readonly ReportedFax[]): string[] {
  return listRepeated(reportedFaxes.map(({ to }) => to)).map(
    (to) => `the fax to ${to} was recorded more than once`,
  );
}

function listDuplicateFilings(reportedIncoming: readonly ReportedIncoming[]): string[] {
  return listRepeated(reportedIncoming.map(keyOf)).map(
    (key) => `received fax ${key} is listed more than once`,
  );
}

function listRepeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  const again = values.filter((value) => seen.has(value) || !seen.add(value));
  return [...new Set(again)];
}

/** Lists the contradictions between the gateway's record of a fax and those of its client and provider. */
function listContradictions(fax: ReportedFax, { clients, vendors, hasJumped }: Evidence): string[] {
  const client = clients.find(({ to }) => to === fax.to);
  const taken = vendors.filter(({ to }) => to === fax.to);
  const found: string[] = [];
  const report = (what: string) => found.push(`fax ${fax.id} to ${fax.to} ${what}`);
  if (fax.state === 'success' && !taken.some(({ state }) => state === 'success'))
    report('is told as delivered, and the provider does not show that');
  // A fax that could not leave for a day fails with that reason; otherwise only the provider can fail it.
  const mayGiveUp = hasJumped && taken.length === 0 && fax.reason !== null;
  if (fax.state === 'failed' && !mayGiveUp && !taken.some(({ state }) => state === 'failure'))
    report(`is told as failed, and the provider does not show that: ${fax.reason ?? 'no reason'}`);
  // A fax canceled after its submission ended at the provider as canceled, which is no delivery.
  const isTransmitted = taken.some(({ state }) => state !== 'failure');
  if (fax.state === 'cancelled' && isTransmitted) report('is told as cancelled, and the provider sends it');
  if (client?.isCancelled && isTransmitted) report('was cancelled, and the provider sends it');
  if (client?.sha256 && client.sha256 !== fax.sha256) report('has another document than its client was told');
  for (const { sha256, id } of taken)
    if (sha256 !== null && sha256 !== fax.sha256) report(`reached the provider as another document (${id})`);
  if (fax.downloaded !== null && fax.downloaded !== fax.sha256) report('opens with another document');
  return found;
}

function listIncomingContradictions({ incoming, reportedIncoming }: Evidence): string[] {
  return reportedIncoming.flatMap((fax) => {
    const key = keyOf(fax);
    const original = incoming.find((each) => keyOf(each) === key);
    if (!original) return [`received fax ${key} never came in`];
    if (fax.status !== 'received') return [];
    return listDifferences(fax, original).map((what) => `received fax ${key} ${what}`);
  });
}

function listDifferences(fax: ReportedIncoming, original: IncomingFax): string[] {
  return [
    ...(fax.pages === original.pages ? [] : [`has ${fax.pages} pages instead of ${original.pages}`]),
    ...(fax.sha256 === original.sha256 ? [] : ['has another document']),
    ...(fax.downloaded === null || fax.downloaded === original.sha256 ? [] : ['opens with another document']),
  ];
}

function deletedDocuments({ reportedFaxes, reportedIncoming, stored, found }: Evidence): string[] {
  const unopened = reportedFaxes.filter(({ downloaded }) => downloaded === null);
  const unread = reportedIncoming.filter((fax) => fax.status === 'received' && fax.downloaded === null);
  const isGone = (digest: string) => !found.has(digest);
  return [
    ...unopened.map((fax) => `the document of fax ${fax.id} to ${fax.to} cannot be opened`),
    ...unread.map((fax) => `the document of received fax ${keyOf(fax)} cannot be opened`),
    ...[...stored].filter(isGone).map((digest) => `a stored document is nowhere any more: ${digest}`),
  ];
}

const ENDED = ['success', 'failed', 'cancelled', 'held'];

function isStuck({ state, reason }: ReportedFax): boolean {
  if (state === 'reconciliation_required') return !reason;
  return !ENDED.includes(state);
}

function stuckSentence({ id, to, state }: ReportedFax): string {
  return `fax ${id} to ${to} is still ${state}, without a reason`;
}

function stuckIncoming(fax: ReportedIncoming): string[] {
  if (fax.status === 'received') return [];
  return [`received fax ${keyOf(fax)} is still ${fax.status}: ${fax.problem ?? 'no reason'}`];
}
