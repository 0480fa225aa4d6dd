import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { installationQuery, queryClient, useInstallation, usePermission } from '../../api/queries.ts';
import { type Fax, faxState } from '../../parts/fax-state.ts';
import { t } from '../../texts/house.ts';
import { Button } from '../../ui/button.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';
import styles from './setup.module.css';
import { isUnderWay } from './test-fax.ts';

const words = t.setup.test;

/** The number at which faxes come in here; null when none do. */
export function useOwnNumber(): string | null {
  const installation = useInstallation();
  return installation?.receiving.enabled === true ? installation.fax_number : null;
}

/** Where the test fax is, in words that claim no more than is known. */
export function TestProgress({ fax, onAnother }: { fax: Fax; onAnother: () => void }) {
  const phone = usePhoneFormat();
  const maySee = usePermission('fax:read');
  const { tone, icon, word } = faxState(fax);
  const element = useRef<HTMLElement>(null);
  // The field that had the focus is gone.
  useEffect(() => element.current?.focus(), []);
  const isDelivered = fax.delivery_state === 'success';
  const comesBack = useOwnNumber() === fax.to && isDelivered;
  useEffect(() => {
    // The step counts as done from now on.
    if (isDelivered) void queryClient.invalidateQueries({ queryKey: installationQuery.queryKey });
  }, [isDelivered]);
  return (
    <section ref={element} tabIndex={-1} className={styles['progress']} aria-label={words.name}>
      <div className={styles['head']}>
        <span>{words.toNumber(phone(fax.to))}</span>
        <StateWord tone={tone} icon={icon} size="body">
          {word}
        </StateWord>
      </div>
      <p className={styles['says']} role="status">
        {sentenceFor(fax)} {comesBack && words.says.comesBack}
      </p>
      <div className={styles['head']}>
        <span className={styles['links']}>
          {maySee && (
            <Link to="/sent/{-$faxId}" params={{ faxId: fax.id }}>
              {words.details}
            </Link>
          )}
          {comesBack && <Link to="/inbox/{-$faxId}">{words.toInbox}</Link>}
        </span>
        {!isUnderWay(fax) && <Button onPress={onAnother}>{words.another}</Button>}
      </div>
    </section>
  );
}

function sentenceFor(fax: Fax): string {
  switch (fax.delivery_state) {
    case 'held':
      return words.says.held;
    case 'ready':
    case 'preparing':
    case 'submitting':
      return words.says.waiting;
    case 'in_progress':
      return words.says.going;
    case 'success':
      return words.says.delivered;
    case 'failed':
      return [words.says.failed, fax.error].filter((part) => part !== null).join(' ');
    case 'cancelled':
      return words.says.cancelled;
    case 'reconciliation_required':
      return words.says.unconfirmed;
  }
}
