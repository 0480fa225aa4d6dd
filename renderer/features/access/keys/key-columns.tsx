import { useMemo } from 'react';
import type { Column } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/access.ts';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import type { IconName } from '../../../ui/icon.tsx';
import { Mark } from '../../../ui/mark.tsx';
import { StateWord, type Tone } from '../../../ui/state-word.tsx';
import { permissionsInShort } from '../lists/permission-words.ts';
import { useResourceNames } from '../lists/resources.ts';
import { SubjectName } from '../subjects/subject-field.tsx';
import { byResource, type CeilingEntry, type Key } from './key-queries.ts';
import styles from './keys.module.css';

const words = t.access.key;

const SIGNS: Record<Key['state'], { tone: Tone; icon: IconName }> = {
  active: { tone: 'ok', icon: 'ok' },
  review: { tone: 'warn', icon: 'question' },
  expired: { tone: 'plain', icon: 'clock' },
  revoked: { tone: 'plain', icon: 'lock' },
};

/** In a word; of a key that will stop because who made it has left, when. */
export function KeyStateWord({ accessKey: { state, stops_at } }: { accessKey: Key }) {
  if (state === 'active' && stops_at !== null)
    return (
      <StateWord tone="warn" icon="clock" size="body">
        <span title={formatFully(stops_at)}>{words.stops(formatWhen(stops_at))}</span>
      </StateWord>
    );
  return (
    <StateWord {...SIGNS[state]} size="body">
      {words.states[state]}
    </StateWord>
  );
}

export const keyName = ({ name, key_id }: Pick<Key, 'name' | 'key_id'>) =>
  name ?? words.unnamed(key_id.slice(-6));

/** `Send faxes and See contacts`; with a resource where it is not everything. */
function ceilingInShort(ceiling: readonly CeilingEntry[], resourceName: (id: string) => string): string {
  const resources = byResource(ceiling);
  const [only] = resources;
  if (!only) return words.mayNothing;
  const permissions = [...new Set(ceiling.map(({ permission }) => permission))];
  const what = permissionsInShort(permissions, 1);
  if (resources.length > 1) return words.onResources(what, resources.length);
  return only.resourceId === 'installation' ? what : words.onResource(what, resourceName(only.resourceId));
}

function NameCell({ accessKey: key }: { accessKey: Key }) {
  const name = keyName(key);
  return (
    <span className={styles['name']}>
      <span title={name}>{name}</span>
      {key.test && <Mark>{words.testMark}</Mark>}
    </span>
  );
}

export function useKeyColumns(): readonly Column<Key>[] {
  const resourceName = useResourceNames();
  return useMemo(
    () => [
      { id: 'name', head: words.name, cell: (key) => <NameCell accessKey={key} /> },
      {
        id: 'of',
        head: words.of,
        cell: ({ principal }) => (
          <SubjectName
            what={principal.kind === 'integration' ? 'integration' : 'user'}
            name={principal.display_name}
          />
        ),
      },
      {
        id: 'may',
        head: words.may,
        isQuiet: true,
        room: 'wide',
        cell: ({ ceiling }) => {
          const text = ceilingInShort(ceiling, resourceName);
          return <span title={text}>{text}</span>;
        },
      },
      {
        id: 'used',
        head: words.used,
        isQuiet: true,
        room: 'wide',
        cell: ({ last_used_at: used }) =>
          used === null ? words.never : <span title={formatFully(used)}>{formatWhen(used)}</span>,
      },
      {
        id: 'ends',
        head: words.ends,
        isQuiet: true,
        room: 'medium',
        cell: ({ expires_at: end }) =>
          end === null ? words.never : <span title={formatFully(end)}>{formatWhen(end)}</span>,
      },
      { id: 'state', head: words.state, cell: (key) => <KeyStateWord accessKey={key} /> },
    ],
    [resourceName],
  );
}
