import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { InboundFax } from '../../api/inbound.ts';
import { installationQuery, queryClient, usePermission } from '../../api/queries.ts';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, usePhoneFormat } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';
import { progressWords } from '../call-progress.ts';
import { type Fax, faxState } from '../fax-state.ts';
import { isByLine } from '../provider-name.ts';
import { useOwnNumber, useReturnedFax } from './returned-fax.ts';
import { isUnderWay } from './test-fax.ts';
import styles from './test-progress.module.css';

const words = t.setup.test;

/** Shows where the test fax is, and whether it came in here again, without claiming more than is certain. */
export function TestProgress({ fax, onAnother }: { fax: Fax; onAnother: () => void }) {
  const phone = usePhoneFormat();
  const maySee = usePermission('fax:read');
  const { tone, icon, word } = faxState(fax);
  const isDelivered = fax.delivery_state === 'success';
  const comesBack = useOwnNumber() === fax.to && isDelivered;
  const received = useReturnedFax(fax);
  useEffect(() => {
    // The step of the first start counts as done from now on.
    if (isDelivered) void queryClient.invalidateQueries({ queryKey: installationQuery.queryKey });
  }, [isDelivered]);
  return (
    <section className={styles['progress']} aria-label={words.name}>
      <div className={styles['head']}>
        <span>{words.toNumber(phone(fax.to))}</span>
        <StateWord tone={tone} icon={icon} size="body">
          {word}
        </StateWord>
      </div>
      <p className={styles['says']} role="status">
        {sentenceFor(fax)} {comesBack && received === null && words.says.comesBack}
      </p>
      <div role="status">{received && <ReturnedFax received={received} pages={fax.document.pages} />}</div>
      <div className={styles['head']}>
        <span className={styles['links']}>
          {maySee && (
            <Link to="/sent/{-$sentId}" params={{ sentId: fax.id }}>
              {words.details}
            </Link>
          )}
          {received && (
            <Link to="/inbox/{-$receivedId}" params={{ receivedId: received.id }}>
              {words.toReceived}
            </Link>
          )}
          {comesBack && !received && <Link to="/inbox/{-$receivedId}">{words.toInbox}</Link>}
        </span>
        {!isUnderWay(fax) && <Button onPress={onAnother}>{words.another}</Button>}
      </div>
    </section>
  );
}

/** A received fax is only called whole when its pages were counted. */
function ReturnedFax({ received, pages }: { received: InboundFax; pages: number }) {
  if (received.status !== 'received')
    return (
      <StateWord tone="go" icon="going" size="body">
        {words.cameBackWaits}
      </StateWord>
    );
  const isWhole = received.pages === pages;
  return (
    <StateWord tone={isWhole ? 'ok' : 'danger'} icon={isWhole ? 'ok' : 'alert'} size="body">
      <span className={styles['says']}>
        {isWhole
          ? words.cameBack(formatCount(pages), pages === 1)
          : words.cameBackOtherwise(formatCount(received.pages ?? 0), formatCount(pages))}
      </span>
    </StateWord>
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
      return isByLine(fax) ? (progressWords(fax) ?? words.says.called) : words.says.going;
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
