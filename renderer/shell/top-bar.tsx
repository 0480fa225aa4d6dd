import { Button as AriaButton } from 'react-aria-components/Button';
import { type Me, useInstallation } from '../api/queries.ts';
import { t } from '../texts/index.ts';
import { usePhoneFormat } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Keys } from '../ui/keys.tsx';
import { Menu } from '../ui/menu.tsx';
import { PersonMark } from '../ui/person.tsx';
import { initialsOf } from '../ui/person-match.ts';
import { StateWord } from '../ui/state-word.tsx';
import { useLight } from './light.ts';
import { usePersonActions } from './person-actions.ts';
import styles from './top-bar.module.css';
import { useOpenHelp } from './use-open-help.ts';

export function TopBar({ me, onOpen }: { me: Me; onOpen: (what: 'palette' | 'keys' | 'sign out') => void }) {
  return (
    <header className={styles['bar']}>
      <AriaButton className={styles['search']} onPress={() => onOpen('palette')}>
        <Icon name="search" size={16} />
        <span className={styles['hint']} title={t.shell.search}>
          {t.shell.search}
        </span>
        <Keys of="mod+k" />
      </AriaButton>
      <span className={styles['gap']} />
      <LineState />
      <Site />
      <Account me={me} onKeys={() => onOpen('keys')} onSignOut={() => onOpen('sign out')} />
    </header>
  );
}

/** Shows whether everything works, as a quiet word; the sentence is its title. */
function LineState() {
  const light = useLight();
  if (light === null) return null;
  const { tone, icon, word, sentence } = light;
  return (
    <span className={styles['line']} role="status" title={sentence ?? word}>
      <StateWord tone={tone} icon={icon}>
        {word}
      </StateWord>
    </span>
  );
}

/** Shows the organization and its fax number. */
function Site() {
  const installation = useInstallation();
  const phone = usePhoneFormat();
  if (!installation) return null;
  return (
    <div className={styles['site']}>
      <div className={styles['organization']}>{installation.organization ?? t.shell.noOrganization}</div>
      <div className={styles['number']}>
        {installation.fax_number ? phone(installation.fax_number) : t.shell.noNumber}
      </div>
    </div>
  );
}

function Account({ me, onKeys, onSignOut }: { me: Me; onKeys: () => void; onSignOut: () => void }) {
  const { display_name } = me.principal;
  const openHelp = useOpenHelp();
  const entries = [
    { id: 'help', label: t.shell.help, icon: 'question', keys: 'f1', run: openHelp } as const,
    { id: 'keys', label: t.shell.keysHelp, icon: 'keyboard', keys: '?', run: onKeys } as const,
    ...usePersonActions(onSignOut),
  ];
  return (
    <Menu label={t.shell.person(display_name)} entries={entries}>
      <AriaButton
        className={styles['account']}
        // Begins with what is seen, so that it can be called by it.
        aria-label={t.shell.account(initialsOf(display_name), display_name)}
      >
        <PersonMark name={display_name} isMe isLarge />
      </AriaButton>
    </Menu>
  );
}
