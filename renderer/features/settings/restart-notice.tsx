import { useMutation } from '@tanstack/react-query';
import { t } from '../../texts/house.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useDesktopPreferences } from './desktop-preferences.ts';
import styles from './settings.module.css';

/** Some saved settings take effect at the next start, which this window may be able to begin. */
export function RestartNotice() {
  const isOwn = useDesktopPreferences().preferences?.gateway.kind === 'own';
  const restart = useMutation({ mutationFn: async () => window.faxdesk?.restartGateway() });
  return (
    <div className={styles['ask']}>
      <Notice
        tone="warn"
        icon="refresh"
        title={t.settings.waiting}
        action={
          isOwn && (
            <Button isPending={restart.isPending} onPress={() => restart.mutate()}>
              {t.settings.restart}
            </Button>
          )
        }
      >
        {isOwn ? t.settings.waitingDesktop : t.settings.waitingBrowser}
      </Notice>
    </div>
  );
}
