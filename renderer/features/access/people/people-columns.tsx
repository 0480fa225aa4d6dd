import type { Column } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/access.ts';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import type { IconName } from '../../../ui/icon.tsx';
import { PersonMark } from '../../../ui/person.tsx';
import { StateWord, type Tone } from '../../../ui/state-word.tsx';
import styles from './people.module.css';
import type { ManagedKind, Principal } from './people-queries.ts';

const heads = t.access.columns;

/** Returns the columns for people, or for integrations, which have neither a sign-in name nor a second factor. */
export function columnsFor(kind: ManagedKind, meId: string): readonly Column<Principal>[] {
  const name: Column<Principal> = {
    id: 'name',
    head: heads.name,
    cell: (it) => <Name principal={it} isMe={it.id === meId} />,
  };
  return kind === 'user' ? [name, LOGIN, STATE, FACTOR, SEEN] : [name, STATE, SEEN];
}

const LOGIN: Column<Principal> = {
  id: 'login',
  head: heads.login,
  isQuiet: true,
  room: 'medium',
  cell: ({ login }) => <span title={login ?? undefined}>{login}</span>,
};
const STATE: Column<Principal> = {
  id: 'state',
  head: heads.state,
  cell: (it) => <PrincipalState principal={it} size="body" />,
};
const FACTOR: Column<Principal> = {
  id: 'factor',
  head: heads.twoFactor,
  isQuiet: true,
  room: 'wide',
  cell: ({ two_factor }) => (two_factor ? t.access.person.twoFactorOn : t.access.person.twoFactorOff),
};
const SEEN: Column<Principal> = {
  id: 'seen',
  head: heads.seen,
  isQuiet: true,
  room: 'wide',
  cell: ({ last_seen_at }) =>
    last_seen_at === null ? (
      t.access.never
    ) : (
      <span title={formatFully(last_seen_at)}>{formatWhen(last_seen_at)}</span>
    ),
};

function Name({ principal, isMe }: { principal: Principal; isMe: boolean }) {
  const { display_name } = principal;
  const shown = isMe ? t.ui.you(display_name) : display_name;
  return (
    <span className={styles['name']} title={shown}>
      <span className={styles['mark']} aria-hidden="true">
        <PersonMark name={display_name} isMe={isMe} />
      </span>
      <span>{shown}</span>
    </span>
  );
}

/** Shows the state: enabled, disabled, or a temporary password that is still to be replaced. */
export function PrincipalState({
  principal,
  size = 'caption',
}: {
  principal: Pick<Principal, 'enabled' | 'password_change_required'>;
  size?: 'caption' | 'body';
}) {
  const { tone, icon, word } = stateOf(principal);
  return (
    <StateWord tone={tone} icon={icon} size={size}>
      {word}
    </StateWord>
  );
}

function stateOf(principal: Pick<Principal, 'enabled' | 'password_change_required'>): {
  tone: Tone;
  icon: IconName;
  word: string;
} {
  if (!principal.enabled) return { tone: 'plain', icon: 'lock', word: t.access.disabled };
  if (principal.password_change_required)
    return { tone: 'warn', icon: 'pending', word: t.access.choosesPassword };
  return { tone: 'ok', icon: 'ok', word: t.access.enabled };
}
