import type { Column } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/access-webhooks.ts';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import type { IconName } from '../../../ui/icon.tsx';
import { Mark } from '../../../ui/mark.tsx';
import { StateWord, type Tone } from '../../../ui/state-word.tsx';
import type { Webhook } from './webhook-queries.ts';
import styles from './webhooks.module.css';

const words = t.webhook;

const SIGNS: Readonly<Record<keyof typeof words.states, { tone: Tone; icon: IconName }>> = {
  on: { tone: 'ok', icon: 'ok' },
  off: { tone: 'plain', icon: 'lock' },
  paused: { tone: 'danger', icon: 'alert' },
  failing: { tone: 'warn', icon: 'warn' },
};

export function WebhookStateWord({ webhook: { state, failing_since } }: { webhook: Webhook }) {
  const shown = state === 'on' && failing_since !== null ? 'failing' : state;
  return (
    <StateWord {...SIGNS[shown]} size="body">
      {words.states[shown]}
    </StateWord>
  );
}

/** `hooks.example.com/faxes`: what tells two addresses apart. */
export const shortAddress = (url: string) => url.replace(/^https?:\/\//u, '');

export const WEBHOOK_COLUMNS: readonly Column<Webhook>[] = [
  {
    id: 'integration',
    head: words.columns.integration,
    title: ({ integration }) => integration.name,
    cell: ({ integration, test }) => (
      <span className={styles['name']}>
        <span className={styles['cut']}>{integration.name}</span>
        {test && <Mark>{words.testMark}</Mark>}
      </span>
    ),
  },
  {
    id: 'address',
    head: words.columns.address,
    isQuiet: true,
    title: ({ url }) => url,
    cell: ({ url }) => shortAddress(url),
  },
  {
    id: 'accepted',
    head: words.columns.accepted,
    isQuiet: true,
    room: 'wide',
    cell: ({ last_accepted_at: at }) =>
      at === null ? words.never : <span title={formatFully(at)}>{formatWhen(at)}</span>,
  },
  { id: 'state', head: words.columns.state, cell: (row) => <WebhookStateWord webhook={row} /> },
];
