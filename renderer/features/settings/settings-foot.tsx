import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Setting } from '../../api/settings.ts';
import type { SettingDrafts } from '../../parts/settings/setting-drafts.ts';
import { t } from '../../texts/administration.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { PaneFoot } from '../../ui/pane.tsx';
import styles from './settings.module.css';
import type { SettingsSaving } from './settings-saving.ts';

/** Footer with the number of changes, the save button, and the reason when they cannot be saved. */
export function SettingsFoot(props: {
  drafts: SettingDrafts;
  saving: SettingsSaving;
  isReadOnly: boolean;
  /** The page on which a setting stands. */
  pageOf: (setting: Setting) => string;
}) {
  const { drafts, saving, isReadOnly, pageOf } = props;
  const { changed, wrong } = drafts;
  const canSave = changed.length > 0 && wrong === null && !isReadOnly;
  const discard = () => {
    drafts.discard();
    saving.forget();
  };
  useActions(t.settings.title, [
    {
      id: 'save',
      label: t.settings.save,
      icon: 'check',
      keys: 'mod+s',
      isDisabled: !canSave || saving.isBusy,
      run: saving.save,
    },
  ]);
  return (
    <PaneFoot isForm>
      <FootWords {...footWords(drafts, saving, isReadOnly)}>
        {wrong && (
          <Link to="/settings/{-$settingsPage}" params={{ settingsPage: pageOf(wrong) }}>
            {t.settings.showWrong}
          </Link>
        )}
      </FootWords>
      <span className={styles['main']}>
        <Button
          variant="primary"
          size="big"
          keys="mod+s"
          isDisabled={!canSave}
          aria-describedby="settings-state"
          isPending={saving.isBusy}
          onPress={saving.save}
        >
          {t.settings.save}
        </Button>
      </span>
      <Button variant="plain" size="big" isDisabled={!drafts.isAnyBegun || saving.isBusy} onPress={discard}>
        {t.settings.discard}
      </Button>
    </PaneFoot>
  );
}

interface Words {
  readonly icon: IconName;
  readonly tone: 'plain' | 'danger' | 'ok';
  readonly title: string;
  readonly sentence: string | null;
}

function FootWords({ icon, tone, title, sentence, children }: Words & { children: ReactNode }) {
  return (
    <div
      className={styles['count']}
      data-tone={tone}
      id="settings-state"
      role={tone === 'danger' ? 'alert' : 'status'}
    >
      <Icon name={icon} />
      <div>
        <p className={styles['name']}>{title}</p>
        {sentence !== null && (
          <p className={styles['help']}>
            {sentence} {children}
          </p>
        )}
      </div>
    </div>
  );
}

function footWords(drafts: SettingDrafts, saving: SettingsSaving, isReadOnly: boolean): Words {
  const { changed, wrong } = drafts;
  const restarts = changed.filter((setting) => setting.needs_restart).length;
  const title = [
    changed.length === 0 ? t.settings.noChanges : t.settings.changes(changed.length),
    ...(restarts > 0 ? [t.settings.restarts(restarts)] : []),
  ].join(', ');
  if (isReadOnly) return { icon: 'lock', tone: 'plain', title: t.settings.readOnly, sentence: null };
  if (saving.isSaved) return { icon: 'ok', tone: 'ok', title: t.settings.saved, sentence: null };
  if (saving.problem !== null && changed.length > 0)
    return { icon: 'alert', tone: 'danger', title, sentence: saving.problem };
  if (wrong) return { icon: 'info', tone: 'plain', title, sentence: t.settings.notUntil(wrong.label) };
  return { icon: 'info', tone: 'plain', title, sentence: changed.length > 0 ? t.settings.canSave : null };
}
