import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { t } from '../../texts/house.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './settings.module.css';

/** Asks for confirmation in place before changes are lost. Moving between the pages of Settings keeps them. */
export function LeaveQuestion({ count }: { count: number }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.routeId !== next.routeId,
    disabled: count === 0,
    enableBeforeUnload: count > 0,
    withResolver: true,
  });
  const stay = useRef<HTMLButtonElement>(null);
  const isAsked = blocker.status === 'blocked';
  useEffect(() => {
    if (isAsked) stay.current?.focus();
  }, [isAsked]);
  if (!isAsked) return null;
  return (
    <div className={styles['ask']}>
      <Notice
        tone="warn"
        isLive
        title={t.settings.leaveTitle(count)}
        action={
          <div className={styles['two']}>
            <Button onPress={blocker.proceed}>{t.settings.leave}</Button>
            <Button ref={stay} onPress={blocker.reset}>
              {t.settings.stay}
            </Button>
          </div>
        }
      >
        {t.settings.leaveSentence}
      </Notice>
    </div>
  );
}
