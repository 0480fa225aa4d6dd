import type { ReportContent, ReportSection } from '../../../documents/documents.ts';
import { epochOf } from '../../../platform/clock.ts';
import { type Locality, localRecord } from '../../../platform/local-time.ts';
import { formatNumber } from '../../../platform/phone-number.ts';
import { isTerminal } from '../delivery-state.ts';
import { factRows } from './fact-rows.ts';
import type { AttemptFacts, FirstPage, ReportFacts } from './facts.ts';
import { resultText } from './result-words.ts';

/** More entries than a person reads; all of them are in the attached facts. */
const MAX_ROWS = 500;

/** Words of the office and its country. */
interface ReportWords extends Locality {
  readonly referenceLabel: string;
  readonly paper: ReportContent['paper'];
}

/** Returns the content of a report: nothing but its facts, as people of the office read them. */
export function reportContent(
  facts: ReportFacts,
  words: ReportWords,
): Omit<ReportContent, 'picture' | 'attachments'> {
  const { fax, issuer } = facts;
  const local = (iso: string) => localRecord(epochOf(iso), words);
  const numbers = formatNumber(issuer.fax_number ?? '');
  return {
    paper: words.paper,
    issuer: [issuer.organization ?? '', numbers === '' ? '' : `Fax ${numbers}`].filter(Boolean),
    title: fax.test ? 'Test fax: nothing was sent' : 'Fax transmission report',
    result: resultText(fax),
    explanation: explanationOf(facts),
    facts: factRows(facts, { ...words, local }),
    sections: [
      attemptsSection(facts, local),
      confirmedSection(facts, local),
      recordSection(facts, local),
      signatureSection(facts),
    ],
    footer: [`Fax ${fax.id}`, `Created by Faxdesk on ${local(facts.created_at)}.`],
    name: `Transmission report of fax ${fax.id}`,
  };
}

type FormatTime = (iso: string) => string;

function explanationOf({ fax, confirmations }: ReportFacts): string[] {
  const confirmed = confirmations.at(-1);
  const isDelivered = fax.delivery_state === 'success' && confirmed !== undefined;
  const sentences = [fax.error, isDelivered ? confirmedText(fax, confirmed.by) : null];
  return sentences.flatMap((sentence) => sentence ?? []);
}

function confirmedText(
  { pages_confirmed: confirmed, encoded_pages: encoded, document }: ReportFacts['fax'],
  by: string,
): string {
  if (confirmed === null) return `Confirmed by ${by}.`;
  const all = encoded ?? document.pages;
  const word = `${encoded === null ? '' : 'encoded '}${all === 1 ? 'page' : 'pages'}`;
  return `${confirmed} of ${all} ${word} confirmed by ${by}.`;
}

function attemptsSection({ attempts, fax }: ReportFacts, local: FormatTime): ReportSection {
  const ended = isTerminal(fax.delivery_state);
  const none = ended ? 'Nothing was handed to anyone.' : 'Nothing has been handed to anyone yet.';
  return {
    title: 'Attempts',
    columns: [
      { label: 'No.', share: 0.05 },
      { label: 'By', share: 0.16 },
      { label: 'Begun', share: 0.18 },
      { label: 'Ended', share: 0.18 },
      { label: 'ID', share: 0.2 },
      { label: 'Pages', share: 0.08 },
      { label: 'Result', share: 0.15 },
    ],
    rows: attempts
      .slice(0, MAX_ROWS)
      .map((attempt) => [
        String(attempt.number),
        attempt.by,
        attempt.submitted_at === null ? 'not handed over' : local(attempt.submitted_at),
        attempt.completed_at === null ? '' : local(attempt.completed_at),
        attempt.reference ?? '',
        attempt.pages_confirmed === null ? '' : String(attempt.pages_confirmed),
        attemptResult(attempt),
      ]),
    sentences: attempts.length === 0 ? [none] : shortened(attempts.length),
  };
}

const PHASES: Readonly<Record<AttemptFacts['phase'], string>> = {
  preparing: 'being prepared',
  submitting: 'being handed over',
  in_progress: 'under way',
  success: 'delivered',
  failed: 'not delivered',
  cancelled: 'canceled',
  uncertain: 'unknown',
  abandoned: 'given up before anything was sent',
};

function attemptResult({ phase, unreached, failure_code, seconds }: AttemptFacts): string {
  const details = [
    unreached === 'busy' ? 'busy' : null,
    unreached === 'no_answer' ? 'no answer' : null,
    failure_code,
    seconds === null ? null : `${seconds} s`,
  ].filter((detail) => detail !== null);
  return details.length === 0 ? PHASES[phase] : `${PHASES[phase]} (${details.join(', ')})`;
}

function confirmedSection({ fax, confirmations }: ReportFacts, local: FormatTime): ReportSection {
  const meaning =
    'Delivered means that the machine, provider or installation named here took the pages. It does not show who read them.';
  const none = fax.test
    ? 'Nothing was confirmed by anyone: this is a test fax.'
    : 'Nobody has confirmed anything about the delivery.';
  return {
    title: 'What was confirmed, and by whom',
    columns: [
      { label: 'When', share: 0.27 },
      { label: 'By', share: 0.28 },
      { label: 'What', share: 0.45 },
    ],
    rows: confirmations
      .slice(0, MAX_ROWS)
      .map(({ kind, by, at, text }) => [at === null ? '' : local(at), `${by}${KINDS[kind]}`, text]),
    sentences: confirmations.length === 0 ? [none] : [meaning],
  };
}

const KINDS: Readonly<Record<ReportFacts['confirmations'][number]['kind'], string>> = {
  provider: ' (provider)',
  line: '',
  receipt: ' (signed receipt)',
  installation: '',
  person: ' (person)',
};

function recordSection({ history }: ReportFacts, local: FormatTime): ReportSection {
  return {
    title: 'History',
    columns: [
      { label: 'When', share: 0.27 },
      { label: 'By', share: 0.18 },
      { label: 'What', share: 0.55 },
    ],
    rows: history.slice(0, MAX_ROWS).map(({ occurred_at, actor, text }) => [local(occurred_at), actor, text]),
    sentences: shortened(history.length),
  };
}

const shortened = (count: number): string[] =>
  count > MAX_ROWS ? [`${count - MAX_ROWS} more are in the attached facts.`] : [];

function signatureSection({ issuer }: ReportFacts): ReportSection {
  return {
    title: 'Signature',
    columns: [],
    rows: [],
    sentences: [
      'This file is signed with the key of the installation that created it, and carries all of its facts as an attachment. On any computer, faxdesk verify-report checks that no byte of it was changed. Ask the office for the fingerprint of its key:',
      issuer.key_fingerprint.match(/.{1,8}/gu)?.join(' ') ?? '',
    ],
  };
}

/** Returns the text below the picture, or in its place. */
export function captionOf(firstPage: FirstPage, { document }: ReportFacts['fax']): string {
  switch (firstPage) {
    case 'shown':
      return `Page 1 of ${document.pages}, as it is sent`;
    case 'not_kept':
      return 'Not shown: the document is no longer kept.';
    case 'unreadable':
      return 'Not shown: the document cannot be read now.';
    default:
      return firstPage satisfies never;
  }
}
