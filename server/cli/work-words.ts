import type { z } from 'zod';
import type { WorkHistory, WorkItem, WorkItemDetails } from '../../shared/api/work-shapes.ts';
import { aboutFacts } from './about-words.ts';
import { facts } from './terminal.ts';

type Item = z.infer<typeof WorkItem>;
type Notes = z.infer<typeof WorkItemDetails>['notes'];

/** Also that it is overdue where the state does not say so, and that pages may be missing. */
export function stateWords({ state_key, state_text, overdue, incomplete }: Item): string {
  const late = overdue && state_key !== 'overdue' ? ', overdue' : '';
  return `${state_text}${late}${incomplete ? ', pages may be missing' : ''}`;
}

export function describeWork(item: Item & { readonly notes?: Notes }): string {
  return facts([
    ['Item', item.id],
    ['Received fax', item.inbound_fax_id],
    ['State', stateWords(item)],
    ['Owner', item.owner?.name ?? 'nobody'],
    ['Due', item.due_at === null ? 'no target' : dueWords(item)],
    ['Backup person', item.backup?.name ?? 'none'],
    ['From', item.from_number ?? 'Unknown'],
    ['To', item.to_number ?? 'Unknown'],
    ...aboutFacts(item),
    ['Mailbox', item.mailbox],
    ['Pages', item.pages],
    ...(item.problem === null ? [] : [['Problem', item.problem] as const]),
    ['Received', item.available_at],
    ...(item.acknowledged_at === null
      ? []
      : [['Acknowledged', `${item.acknowledged_at} by ${item.acknowledged_by ?? ''}`] as const]),
    ...(item.done_at === null ? [] : [['Done', `${item.done_at} by ${item.done_by ?? ''}`] as const]),
    ...(item.done_note === null ? [] : [['Note', item.done_note] as const]),
    ...(item.notes ?? []).map(({ text, by, at }) => ['Note', `${text} (${by}, ${at})`] as const),
    ...(item.duplicate_of === null ? [] : [['Same document as', item.duplicate_of.id] as const]),
    ...(item.is_test ? [['Test', 'yes'] as const] : []),
    ['Version', item.version],
  ]);
}

function dueWords({ due_at, due_text }: Item): string {
  return due_text === null ? (due_at ?? '') : `${due_at ?? ''} (${due_text})`;
}

/** The history below the facts. */
export function historyLines({ events }: z.infer<typeof WorkHistory>): string {
  return events.map(({ occurred_at, actor, text }) => `${occurred_at}  ${actor}: ${text}`).join('\n');
}
