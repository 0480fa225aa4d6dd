import type { z } from 'zod';
import type { FaxEvent, FaxJob } from '../../shared/api/outbound-shapes.ts';
import type { FaxHistoryKind } from '../../shared/history-kinds.ts';
import { formatMoney } from '../../shared/money.ts';
import { describeEdits } from '../../shared/page-edits.ts';
import type { DeliveryState, WaitsFor } from '../../shared/states/outbound.ts';
import { aboutFacts } from './about-words.ts';
import { holdFacts } from './hold-words.ts';
import { facts, table } from './terminal.ts';

export type Fax = z.infer<typeof FaxJob>;

/** Labels of delivery states, in the words of the screens. */
export const STATE_WORDS: Readonly<Record<DeliveryState, string>> = {
  held: 'held until someone releases it',
  ready: 'accepted, waiting to be sent',
  preparing: 'being prepared',
  submitting: 'starting',
  in_progress: 'sending',
  success: 'delivered',
  failed: 'not delivered',
  cancelled: 'canceled before it was sent',
  reconciliation_required: 'needs confirmation',
};

/** Labels for what a due fax waits for. */
const WAITS_FOR_WORDS: Readonly<Record<WaitsFor, string>> = {
  engine: 'the telephone engine',
  line: 'a free line',
  number: 'the end of another fax to this number',
};

/** Labels of the kinds of entries in the history of a fax. */
const HISTORY_WORDS: Readonly<Record<FaxHistoryKind, string>> = {
  accepted: 'accepted',
  held: 'held',
  released: 'released',
  rescheduled: 'moved to another time',
  waiting: 'waiting',
  submitting: 'starting',
  next_step: 'next step',
  in_progress: 'sending',
  success: 'delivered',
  failed: 'not delivered',
  cancelled: 'canceled',
  reconciliation_required: 'needs confirmation',
  reconciled: 'confirmed',
  not_reached: 'recipient not reached',
  late_report: 'later report',
  about: 'details changed',
};

export function describeHistory({ events }: { events: readonly z.infer<typeof FaxEvent>[] }): string {
  const rows = events.map(({ occurred_at, kind, actor, text }) => [
    occurred_at,
    HISTORY_WORDS[kind],
    actor,
    text,
  ]);
  return table(['AT', 'WHAT', 'BY', 'SENTENCE'], rows);
}

export function describeFax(fax: Fax): string {
  return facts([
    ['Fax', fax.id],
    ['To', fax.to],
    ['State', `${STATE_WORDS[fax.delivery_state]} (${fax.delivery_state})`],
    ...(fax.kind === 'code' ? [['Kind', 'partner code'] as const] : []),
    ...(fax.test ? [['Test', 'yes: it was handed to nobody'] as const] : []),
    ...(fax.waits_for ? [['Waits for', WAITS_FOR_WORDS[fax.waits_for]] as const] : []),
    ...(fax.decision ? [['Confirmed by', `${fax.decision.by}: ${fax.decision.note}`] as const] : []),
    ...(fax.error ? [['Reason', fax.error] as const] : []),
    ...(fax.attempt?.failure_code ? [['Provider’s code', fax.attempt.failure_code] as const] : []),
    ...(fax.reconciliation_reason
      ? [['Needs confirmation because', fax.reconciliation_reason] as const]
      : []),
    ...(fax.ask_again_at ? [['Ask again at', fax.ask_again_at] as const] : []),
    ...(fax.arrival_warning ? [['Warning', fax.arrival_warning] as const] : []),
    ['Document', `${fax.document.file_name}, ${pagesOf(fax.document.pages)}`],
    ...(fax.edits === null ? [] : [['Pages changed', describeEdits(fax.edits)] as const]),
    ...(fax.header_name === null || fax.internal || fax.direct
      ? []
      : [['Header line name', fax.header_name] as const]),
    ...(fax.mailbox === null ? [] : [['Mailbox', fax.mailbox] as const]),
    ...(fax.cover === null ? [] : [['Cover page', fax.cover.name] as const]),
    ...aboutFacts(fax),
    ...holdFacts(fax),
    ...(fax.titles.length > 0 ? [['Titles', fax.titles.join(', ')] as const] : []),
    ...(fax.clean_greys ? [['Grays', 'cleaned up'] as const] : []),
    ...(fax.send_at ? [['Scheduled for', fax.send_at] as const] : []),
    ...hoursFacts(fax),
    ...encodedFacts(fax),
    ...togetherFacts(fax),
    ['Confirmed pages', fax.attempt?.pages_sent ?? null],
    ...(fax.delivered_by === 'internal'
      ? ([
          ['Delivered', 'inside this installation, without a call'],
          ['Received fax', fax.provider_sid],
        ] as const)
      : fax.direct
        ? ([
            ['Delivery', 'directly to the partner, as the original'],
            ['Message', fax.provider_sid],
            ['Receipt signed', fax.delivered_by === 'direct' ? (fax.attempt?.completed_at ?? null) : null],
          ] as const)
        : ([
            ['Route', fax.route && fax.route.reason],
            ['Provider fax', fax.provider_sid && `${fax.provider_sid} (${fax.backend})`],
            ['Cost', fax.free ? 'nothing' : fax.cost && formatMoney(fax.cost)],
          ] as const)),
    ['Accepted', fax.created_at],
    ['Changed', fax.updated_at],
    ['Version', fax.delivery_version],
    ...(fax.answers
      ? [
          [
            'Answers',
            `fax ${fax.answers.inbound_id} of ${fax.answers.received_at} from ${fax.answers.from}`,
          ] as const,
        ]
      : []),
    ...(fax.tried_again_as ? [['Tried again as', fax.tried_again_as] as const] : []),
    ...(fax.resend_of ? [['Resend of', fax.resend_of] as const] : []),
  ]);
}

const SEND_WHEN_WORDS: Readonly<Record<Fax['send_when'], string>> = {
  now: 'at any time',
  cheap_hours: 'in cheap hours',
  recipient_hours: 'in the recipient’s hours',
};

/** Of a fax with a latest time, or with hours in which it may be sent. */
function hoursFacts({ send_by, send_when, hours }: Fax): (readonly [string, string])[] {
  return [
    ...(send_when === 'now' ? [] : [['Sent', SEND_WHEN_WORDS[send_when]] as const]),
    ...(hours === null ? [] : [['Hours', hours.reason] as const]),
    ...(send_by === null ? [] : [['At the latest', send_by] as const]),
  ];
}

/** Of a fax whose document goes in encoded pages. */
function encodedFacts({ encoded, attempt }: Fax): (readonly [string, string])[] {
  if (encoded === null) return [];
  const form = encoded.mode === 'encrypted' ? 'encrypted' : 'encoded';
  const gaveUp = attempt !== null && attempt.encoded_pages === null ? ', not in the last attempt' : '';
  return [['Sent as', `${encoded.pages} ${form} ${encoded.pages === 1 ? 'page' : 'pages'}${gaveUp}`]];
}

/** Of a fax that leaves or left in one call with others. */
function togetherFacts({ together }: Fax): (readonly [string, string])[] {
  const others = together.with.length > 0 ? [['In one call with', together.with.join(', ')] as const] : [];
  return together.leaves_at === null ? others : [['Sent together at', together.leaves_at], ...others];
}

function pagesOf(count: number): string {
  return count === 1 ? '1 page' : `${count} pages`;
}
