import { type ReactNode, useEffect } from 'react';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { DigitsField } from './digits-field.tsx';
import styles from './number-note.module.css';
import { differingParts, lastFour, type Recipient } from './recipient.ts';

export interface NumberNoteProps {
  readonly recipient: Recipient;
  /** The last four digits were typed again, and are right. */
  readonly onConfirm: (to: string) => void;
  /** Takes the known number instead. */
  readonly onUse: (number: string) => void;
}

/** What should be looked at before a stranger has the fax: a first number, or one that is nearly a known one. */
export function NumberNote(props: NumberNoteProps) {
  const { check, isConfirmed } = props.recipient;
  if (!check?.to) return null;
  if (isConfirmed) return check.first_time ? <Confirmed to={check.to} /> : null;
  if (check.near) return <NearNumber {...props} to={check.to} near={check.near} />;
  return check.first_time ? <FirstTime {...props} to={check.to} /> : null;
}

function FirstTime(props: NumberNoteProps & { to: string }) {
  useSaid(`${t.send.firstTime}. ${t.send.typeAgain}`, props.to);
  return (
    <Notice tone="plain" title={t.send.firstTime}>
      <div className={styles['line']}>
        <span>{t.send.typeAgain}</span>
        <Digits {...props} />
      </div>
    </Notice>
  );
}

/** Once for each number: what stands here has fields in it, so it is no live region itself. */
function useSaid(sentence: string, to: string): void {
  useEffect(() => announce(sentence), [sentence, to]);
}

function Confirmed({ to }: { to: string }) {
  return (
    <Notice tone="ok" title={t.send.firstTime} isLive>
      {t.send.typedAgain(lastFour(to))}
    </Notice>
  );
}

function NearNumber(props: NumberNoteProps & { to: string; near: { to: string; last_success_at: string } }) {
  const { to, near, recipient, onUse } = props;
  const phone = usePhoneFormat();
  const [typed, known] = [phone(to), phone(near.to)];
  const isSwapped = differingParts(typed, near.to).filter(({ differs }) => differs).length > 1;
  const title = isSwapped ? t.send.nearSwapped : t.send.near;
  useSaid(`${title}: ${known}.`, to);
  return (
    <Notice tone="warn" title={title}>
      <p className={styles['text']}>
        {t.send.youTyped}
        <Marked written={typed} other={near.to} />
        {t.send.known}
        <Marked written={known} other={to} />
        {t.send.lastReached(formatWhen(near.last_success_at))}
      </p>
      <div className={styles['line']}>
        <Button onPress={() => onUse(known)}>{t.send.useKnown}</Button>
      </div>
      {recipient.needsDigits && (
        <div className={styles['line']}>
          <span>{t.send.orTypeAgain}</span>
          <Digits {...props} to={to} />
        </div>
      )}
    </Notice>
  );
}

/** A number with the digits marked that differ. */
function Marked({ written, other }: { written: string; other: string }): ReactNode {
  return (
    <span className={styles['number']}>
      {differingParts(written, other).map(({ text, differs }, index) =>
        // The place of a sign is what it is.
        differs ? <mark key={index}>{text}</mark> : text,
      )}
    </span>
  );
}

function Digits({ to, onConfirm }: NumberNoteProps & { to: string }) {
  return <DigitsField key={to} expected={lastFour(to)} onRight={() => onConfirm(to)} />;
}
