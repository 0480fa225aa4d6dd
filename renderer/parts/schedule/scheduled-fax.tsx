import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { refetchFax, schedule, storeFax } from '../../api/outbound.ts';
import { useInstallation, usePermission } from '../../api/queries.ts';
import { isStatus, sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatDayAndTime } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Fax } from '../fax-state.ts';
import { fieldTime } from './quick-times.ts';
import styles from './schedule.module.css';
import { SendLaterField } from './send-later-field.tsx';
import { timeProblem } from './time-problem.ts';

/** Returns true while a fax waits for its scheduled time, or for the time at which it is sent together with others. */
const isScheduled = ({
  delivery_state,
  send_at,
  hours,
  together,
}: Pick<Fax, 'delivery_state' | 'send_at' | 'hours' | 'together'>): boolean =>
  delivery_state === 'ready' && [send_at, hours?.open_at ?? null, together.leaves_at].some(isInFuture);

const isInFuture = (time: string | null): boolean => time !== null && Date.parse(time) > Date.now();

/**
 * Buttons for a scheduled fax: send it now, or move it. Renders nothing for other faxes. `onStale` receives the sentence when
 * another change came first.
 */
export function ScheduledFax(props: { fax: Fax; onStale?: (sentence: string | null) => void }) {
  const { fax, onStale } = props;
  const [isMoving, setMoving] = useState(false);
  const moveButton = useRef<HTMLButtonElement>(null);
  const stay = () => {
    flushSync(() => setMoving(false));
    moveButton.current?.focus();
  };
  const maySend = usePermission('fax:send');
  const isSendingOff = useInstallation()?.sending.enabled === false;
  const words = t.fax.schedule;
  const change = useMutation({
    mutationFn: (sendAt: string | null) => schedule(fax, sendAt),
    onMutate: () => onStale?.(null),
    onSuccess: (moved, sendAt) => {
      storeFax(moved);
      if (sendAt !== null) stay();
      announce(sendAt === null ? words.sentNow : words.moved(formatDayAndTime(sendAt)));
    },
    onError: (error) => {
      if (!isStatus(error, 409)) return;
      refetchFax(fax.id);
      onStale?.(sentenceOf(error));
    },
  });
  if (!maySend || !isScheduled(fax)) return null;
  const isShownElsewhere = onStale !== undefined && isStatus(change.error, 409);
  return (
    <>
      {isMoving ? (
        <MoveForm
          fax={fax}
          isPending={change.isPending}
          onMove={(sendAt) => change.mutate(sendAt)}
          onBack={stay}
        />
      ) : (
        <div
          className={styles['line']}
          role="group"
          aria-label={isInFuture(fax.hours?.open_at ?? fax.send_at) ? words.label : words.togetherLabel}
        >
          <MainButton
            variant="default"
            reason={isSendingOff ? t.send.sendingOff : null}
            isPending={change.isPending}
            onPress={() => change.mutate(null)}
          >
            {words.now}
          </MainButton>
          <Button ref={moveButton} icon="clock" onPress={() => setMoving(true)}>
            {words.move}
          </Button>
        </div>
      )}
      {change.error !== null && !isShownElsewhere && (
        <Notice tone="danger" isLive>
          {sentenceOf(change.error)}
        </Notice>
      )}
    </>
  );
}

function MoveForm(props: {
  fax: Fax;
  isPending: boolean;
  onMove: (sendAt: string) => void;
  onBack: () => void;
}) {
  const { fax, isPending, onMove, onBack } = props;
  const [value, setValue] = useState(() =>
    fieldTime(new Date(fax.hours?.open_at ?? fax.send_at ?? fax.together.leaves_at ?? '')),
  );
  const words = t.fax.schedule;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (value === '' || timeProblem(value, Date.now()) !== null || isPending) return;
    onMove(new Date(value).toISOString());
  };
  return (
    <form className={styles['form']} onSubmit={submit} noValidate aria-label={words.move}>
      <SendLaterField autoFocus label={words.at} help={words.help} value={value} onChange={setValue} />
      <div className={styles['line']}>
        <MainButton type="submit" reason={value === '' ? words.timeFirst : null} isPending={isPending}>
          {words.save}
        </MainButton>
        <Button onPress={onBack}>{words.back}</Button>
      </div>
    </form>
  );
}
