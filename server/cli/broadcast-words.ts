import type { z } from 'zod';
import type { broadcastsRoutes } from '../../shared/api/broadcasts.ts';
import { describeEdits } from '../../shared/page-edits.ts';
import type { BroadcastState, RecipientState } from '../../shared/states/broadcasts.ts';
import { aboutFacts } from './about-words.ts';
import { facts, table } from './terminal.ts';

type Sent = z.infer<(typeof broadcastsRoutes.sendBroadcast)['answer']['schema']>;
type Broadcast = z.infer<(typeof broadcastsRoutes.getBroadcast)['answer']['schema']>;
type Recipient = z.infer<(typeof broadcastsRoutes.listRecipients)['answer']['schema']>['items'][number];

/** Labels of the states of a broadcast, in the words of the screens. */
export const STATE_WORDS: Readonly<Record<BroadcastState, string>> = {
  scheduled: 'scheduled',
  sending: 'sending',
  paused: 'paused',
  finished: 'finished',
  cancelled: 'rest canceled',
};

/** Labels of the states of a recipient. */
const RECIPIENT_WORDS: Readonly<Record<RecipientState, string>> = {
  waiting: 'waiting',
  queued: 'ready to be sent',
  held: 'held',
  sending: 'sending',
  delivered: 'delivered',
  failed: 'not delivered',
  unconfirmed: 'needs confirmation',
  cancelled: 'canceled',
  refused: 'not sent',
};

/** Returns the counts that are not zero, such as `12 delivered, 3 waiting`. */
export function countsText(counts: Broadcast['counts']): string {
  const states = Object.keys(RECIPIENT_WORDS) as RecipientState[];
  const named = states.flatMap((state) =>
    counts[state] === 0 ? [] : `${counts[state]} ${RECIPIENT_WORDS[state]}`,
  );
  return named.join(', ') || 'none';
}

export function describeBroadcast(broadcast: Broadcast): string {
  const { document, paused_reason, send_at, send_by, send_when, mailbox, cover, opt_out_line } = broadcast;
  const { edits, page_form, header_name } = broadcast;
  return facts([
    ['Broadcast', broadcast.id],
    ['Name', broadcast.name],
    ['State', STATE_WORDS[broadcast.state]],
    ...(paused_reason === null ? [] : ([['Paused', paused_reason]] as const)),
    ['Recipients', broadcast.recipients],
    ['Counts', countsText(broadcast.counts)],
    ['Document', `${document.file_name} (${document.pages === 1 ? '1 page' : `${document.pages} pages`})`],
    ...(edits === null ? [] : ([['Pages changed', describeEdits(edits)]] as const)),
    ...(page_form === 'automatic' ? [] : ([['Pages', page_form]] as const)),
    ...aboutFacts(broadcast),
    ...(cover === null ? [] : ([['Cover page', cover.name]] as const)),
    ...(header_name === null ? [] : ([['Header line name', header_name]] as const)),
    ...(opt_out_line === null ? [] : ([['Opt-out line', opt_out_line]] as const)),
    ...(mailbox === null ? [] : ([['Mailbox', mailbox]] as const)),
    ...(send_at === null ? [] : ([['Begins', send_at]] as const)),
    ...(send_by === null ? [] : ([['At the latest', send_by]] as const)),
    ...(send_when === 'now' ? [] : ([['Sent in', 'cheap hours']] as const)),
    ['Created', `${broadcast.created_at} by ${broadcast.created_by.name}`],
  ]);
}

/** Describes a checked list, and the broadcast unless it was a preview. */
export function describeSent({ broadcast, recipients, left_out, checked }: Sent): string {
  const head =
    broadcast === null
      ? facts([
          ['Preview', 'nothing was sent'],
          ['Recipients', recipients],
          ['Left out', left_out],
        ])
      : `${describeBroadcast(broadcast)}${left_out === 0 ? '' : facts([['Left out', left_out]])}`;
  const rows = checked.flatMap(({ line, text, problem, warning }) =>
    problem === null && warning === null ? [] : [[line, text, problem ?? warning ?? '']],
  );
  return rows.length === 0 ? head : `${head}\n${table(['LINE', 'NUMBER', 'REASON'], rows)}`;
}

export function recipientRows(items: readonly Recipient[]): string {
  const rows = items.map(({ line, to, name, contact, state, reason, fax_id }) => [
    line,
    to,
    name ?? contact?.name ?? '',
    RECIPIENT_WORDS[state],
    fax_id ?? '',
    reason ?? '',
  ]);
  return table(['LINE', 'NUMBER', 'NAME', 'STATE', 'FAX', 'REASON'], rows);
}
