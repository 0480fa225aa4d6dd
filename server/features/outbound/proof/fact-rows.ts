import { formatNumber } from '../../../platform/phone-number.ts';
import { isTerminal } from '../delivery-state.ts';
import type { ReportFacts } from './facts.ts';
import { pagesText } from './result-words.ts';

interface Row {
  readonly label: string;
  readonly value: string;
}

interface Words {
  readonly referenceLabel: string;
  local(iso: string): string;
}

/** Returns the facts of a fax as rows for people. */
export function factRows(facts: ReportFacts, words: Words): Row[] {
  const { fax, issuer, receipt, attempts, history } = facts;
  const { local } = words;
  const from = [issuer.organization, formatNumber(issuer.fax_number ?? '')].filter(Boolean).join(', ');
  const row = (label: string, value: string | null): Row[] => (value === null ? [] : [{ label, value }]);
  const isMissing = fax.delivery_state === 'failed' && attempts.length > 0 && fax.pages_confirmed === null;
  return [
    ...row('To', formatNumber(fax.to)),
    ...row('Recipient', fax.recipient),
    ...row('From', from === '' ? null : from),
    ...row('Subject', fax.subject),
    ...row(words.referenceLabel, fax.reference),
    ...row('Document type', fax.document_type),
    ...row('Mailbox', fax.mailbox),
    ...row('Accepted', local(fax.accepted_at)),
    ...row('Kind', fax.kind === 'code' ? 'partner code for direct delivery' : null),
    ...row('Test', fax.test ? 'yes: a test key sent it, and it was handed to nobody' : null),
    ...deliveryRow(facts, words),
    ...endRows(facts, words),
    ...row('Pages', `${pagesText(fax)}${isMissing ? ', none confirmed' : ''}`),
    ...row('Cover page', fax.cover),
    ...row('Case', caseOf(fax)),
    ...row('Pages changed', fax.pages_changed?.text ?? null),
    ...row('Original', fax.pages_changed?.original_sha256 ?? null),
    ...row('Document', `${fax.document.name} (${fax.document.size_bytes} bytes)`),
    ...row('Fingerprint', fax.document.sha256 === '' ? null : fax.document.sha256),
    ...row('Sent by', [fax.sent_by, fax.intake].filter((text) => text !== null).join('. ')),
    ...row('Name in the header line', fax.header_name),
    ...row('Answers', answeredOf(fax.answers, local)),
    ...row('Sends again', fax.sends_again === null ? null : `fax ${fax.sends_again}`),
    ...row('Fax ID', fax.id),
    ...row(idLabel(facts), fax.provider_id ?? 'none'),
    ...joined(receipt).map(({ label, value, isTime }) => ({ label, value: isTime ? local(value) : value })),
    ...history
      .filter(({ kind }) => kind === 'not_reached')
      .map(({ occurred_at, actor }) => ({
        label: 'Not reached',
        value: `${local(occurred_at)} by ${actor}`,
      })),
    ...row('Confirmation', fax.decision?.note ?? null),
    ...row('Warning', fax.warning),
    ...row('Reason', fax.error),
  ];
}

/** Joins a value that goes on in a row without a label. */
function joined(receipt: ReportFacts['receipt']): ReportFacts['receipt'][number][] {
  const rows: ReportFacts['receipt'][number][] = [];
  for (const fact of receipt) {
    const last = rows.at(-1);
    if (fact.label === '' && last) rows[rows.length - 1] = { ...last, value: `${last.value}${fact.value}` };
    else rows.push(fact);
  }
  return rows;
}

const last = ({ attempts }: ReportFacts) => attempts.at(-1);

function deliveryRow(facts: ReportFacts, { local }: Words): Row[] {
  const { fax } = facts;
  const attempt = last(facts);
  const transport = attempt?.transport;
  if (transport === 'own_number')
    return [{ label: 'Delivery', value: 'inside this installation, without a call' }];
  if (transport === 'direct')
    return [{ label: 'Delivery', value: 'directly to the partner’s installation, as the original' }];
  // A fax that has ended without it never goes out.
  const none = isTerminal(fax.delivery_state) ? 'never' : 'not yet';
  const value = attempt?.submitted_at ? local(attempt.submitted_at) : none;
  return [{ label: fax.test ? 'Handled' : `Sent to ${fax.provider}`, value }];
}

/** Returns the row with the time of the end, labeled by outcome, and the person who ended it, if any. */
function endRows({ fax: { delivery_state, decision, ended } }: ReportFacts, { local }: Words): Row[] {
  if (ended === null)
    return [{ label: 'Ended', value: isTerminal(delivery_state) ? 'not recorded' : 'not yet' }];
  const at = local(ended.at);
  if (ended.kind === 'cancelled') return [{ label: 'Canceled', value: `${at} by ${ended.by}` }];
  if (decision !== null) return [{ label: 'Confirmed', value: `${at} by ${decision.by}` }];
  return [{ label: delivery_state === 'success' ? 'Delivered' : 'Failed', value: at }];
}

function answeredOf(answers: ReportFacts['fax']['answers'], local: Words['local']): string | null {
  if (answers === null) return null;
  const from = answers.from === null ? 'an unknown number' : formatNumber(answers.from);
  return `fax from ${from} of ${local(answers.received_at)}`;
}

function caseOf({ case_id, case_documents: count }: ReportFacts['fax']): string | null {
  if (case_id === null || count === 0) return case_id;
  return `${case_id} (${count === 1 ? '1 document' : `${count} documents`})`;
}

function idLabel(facts: ReportFacts): string {
  const transport = last(facts)?.transport;
  if (transport === 'own_number') return 'Received fax ID';
  if (transport === 'direct') return 'Message ID';
  return facts.fax.test ? 'Test ID' : `${facts.fax.provider} fax ID`;
}
