import { useLocation } from '@tanstack/react-router';
import { useId } from 'react';
import { PERMISSIONS } from '../../../shared/permissions.ts';
import { useInstallationPermissions } from '../../api/queries.ts';
import type { Setting } from '../../api/settings.ts';
import { SettingControl } from '../../parts/settings/setting-control.tsx';
import type { SettingDrafts } from '../../parts/settings/setting-drafts.ts';
import { lockedBy, shownValue } from '../../parts/settings/setting-words.ts';
import { t } from '../../texts/administration.ts';
import type { Option } from '../../ui/choice.tsx';
import { BEGIN } from '../../ui/focus/places.ts';
import { Icon } from '../../ui/icon.tsx';
import { StateWord } from '../../ui/state-word.tsx';
import styles from './settings.module.css';

interface RowProps {
  readonly setting: Setting;
  readonly drafts: SettingDrafts;
  readonly isReadOnly: boolean;
  readonly options?: readonly Option<string>[] | undefined;
}

/** Row of a setting: its meaning on one side, its field on the other. */
export function SettingRow({ setting, drafts, isReadOnly, options }: RowProps) {
  const helpId = useId();
  const held = useInstallationPermissions();
  const lock = lockedBy(setting);
  const missing = lock !== null ? [] : setting.opens.filter((permission) => !held.includes(permission));
  // The palette leads to one setting.
  const isWanted = useLocation({ select: ({ hash }) => hash === setting.name });
  return (
    <div className={styles['row']}>
      <div className={styles['words']}>
        <p className={styles['name']}>
          {setting.label}
          {setting.needs_restart && (
            <span className={styles['tag']}>
              <Icon name="refresh" size={12} />
              {t.settings.needsRestart}
            </span>
          )}
        </p>
        <p className={styles['help']} id={helpId}>
          {setting.help}
          {lock !== null && ` ${lock}`}
          {missing.length > 0 && (
            <span className={styles['needed']}>
              <Icon name="lock" size={14} />{' '}
              {t.settings.opens(missing.map((permission) => PERMISSIONS[permission]))}
            </span>
          )}
        </p>
      </div>
      <div className={styles['control']} {...(isWanted ? BEGIN : {})}>
        <SettingControl
          setting={setting}
          drafts={drafts}
          describedBy={helpId}
          isLabelHidden
          isDisabled={isReadOnly || missing.length > 0}
          options={options}
        />
        <RowNotes setting={setting} drafts={drafts} />
      </div>
    </div>
  );
}

/** Notes what saving would change, and whether another person changed the setting meanwhile. */
function RowNotes({ setting, drafts }: { setting: Setting; drafts: SettingDrafts }) {
  const note = changeNote(setting, drafts);
  const moved = drafts.movedFrom(setting);
  return (
    <>
      {note !== null && <span className={styles['note']}>{note}</span>}
      {setting.warning !== null && note === null && (
        <StateWord tone="warn" icon="warn">
          <span className={styles['sentence']}>{setting.warning}</span>
        </StateWord>
      )}
      {moved && (
        <StateWord tone="warn" icon="warn">
          <span className={styles['sentence']}>{t.settings.movedTo(shownValue(setting))}</span>
        </StateWord>
      )}
    </>
  );
}

function changeNote(setting: Setting, drafts: SettingDrafts): string | null {
  const isChanged = drafts.changed.some(({ name }) => name === setting.name);
  if (!isChanged || drafts.problem(setting) !== null) return null;
  if (setting.type !== 'secret') return t.settings.changedFrom(shownValue(setting));
  if (drafts.typed(setting) === null) return t.settings.willBeRemoved;
  return setting.is_set ? t.settings.willBeReplaced : t.settings.willBeSet;
}
