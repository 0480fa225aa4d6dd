import { type ReactNode, useEffect } from 'react';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount, formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { DraftOptions } from '../draft/draft.ts';
import { DigitsField } from './digits-field.tsx';
import styles from './number-note.module.css';
import { differingParts, lastFour, type Recipient } from './recipient.ts';
import { type SendTogether, sendTogetherOf } from './send-together.ts';

interface NumberNoteProps {
  readonly recipient: Recipient;
  /** The last four digits were typed again, and are right. */
  readonly onConfirm: (to: string) => void;
  /** The number is right although no country has its code. */
  readonly onAllow: (to: string) => void;
  /** Replaces the typed number by the known one. */
  readonly onUse: (number: string) => void;
  readonly options: DraftOptions;
  readonly isSendingOff: boolean;
  /** Null while no call can be placed. */
  readonly onByCall: ((byCall: boolean) => void) | null;
  readonly onSendNow: (sendNow: boolean) => void;
}

/** Warns before a fax can reach a stranger: the first fax to a number, or a number that is nearly a known one. */
export function NumberNote(props: NumberNoteProps) {
  const { check } = props.recipient;
  const leaves = sendTogetherOf(check, props.options, props.isSendingOff);
  return (
    <>
      {check?.to && check.direct && !check.blocked && <DirectRecipient {...props} to={check.to} />}
      <NumberOwner {...props} />
      {check?.to && leaves !== null && <Together {...props} to={check.to} leaves={leaves} />}
    </>
  );
}

function NumberOwner(props: NumberNoteProps) {
  const { check, isConfirmed } = props.recipient;
  if (!check?.to || check.blocked) return null;
  if (check.internal) return <OwnNumber {...props} to={check.to} />;
  if (props.recipient.asksForCode) return <UnknownCode {...props} to={check.to} />;
  if (isConfirmed) return check.first_time ? <Confirmed to={check.to} /> : null;
  if (check.near) return <NearNumber {...props} to={check.to} near={check.near} />;
  return check.first_time ? <FirstTime {...props} to={check.to} /> : null;
}

/** No stranger can have it: no digits are typed again. */
function OwnNumber({ to, options: { byCall }, onByCall }: NumberNoteProps & { to: string }) {
  const sentence = byCall ? t.send.ownNumber.called : t.send.ownNumber.sentence;
  useNumberNote(`${t.send.ownNumber.title}. ${sentence}`, to);
  return (
    <Notice tone="plain" icon="inbox" title={t.send.ownNumber.title}>
      <div className={styles['line']}>
        <span>{sentence}</span>
        {onByCall !== null && (
          <Button variant="link" onPress={() => onByCall(!byCall)}>
            {byCall ? t.send.ownNumber.noCallInstead : t.send.ownNumber.callInstead}
          </Button>
        )}
      </div>
    </Notice>
  );
}

/** The partner gets the original. */
function DirectRecipient({ to, options: { byCall }, onByCall }: NumberNoteProps & { to: string }) {
  const words = t.send.directRecipient;
  const sentence = byCall ? words.called : words.sentence;
  useNumberNote(`${words.title}. ${sentence}`, to);
  return (
    <Notice tone="plain" icon="check" title={words.title}>
      <div className={styles['line']}>
        <span>{sentence}</span>
        {onByCall !== null && (
          <Button variant="link" onPress={() => onByCall(!byCall)}>
            {byCall ? words.directInstead : words.callInstead}
          </Button>
        )}
      </div>
    </Notice>
  );
}

/** The number has its faxes leave in one call; this one may leave at once. */
function Together({ to, leaves, onSendNow }: NumberNoteProps & { to: string; leaves: SendTogether }) {
  const words = t.fax.together;
  const sentence = togetherSentence(leaves);
  useNumberNote(`${words.title}. ${sentence}`, to);
  const isNow = leaves.kind === 'now';
  return (
    <Notice tone="plain" icon="clock" title={words.title}>
      <div className={styles['line']}>
        <span>{sentence}</span>
        {(isNow || leaves.kind === 'waits') && (
          <Button variant="link" onPress={() => onSendNow(!isNow)}>
            {isNow ? words.wait : words.now}
          </Button>
        )}
      </div>
    </Notice>
  );
}

function togetherSentence(leaves: SendTogether): string {
  const words = t.fax.together;
  switch (leaves.kind) {
    case 'waits':
      return words.waits(formatCount(leaves.minutes), leaves.minutes === 1);
    case 'now':
      return words.leavesNow;
    case 'scheduled':
      return words.leavesAtItsTime;
    case 'urgent':
      return words.leavesAlone;
  }
}

/** Digits of a country code at most. */
const CODE_DIGITS = 3;

/** Somebody may have such a number; most often a digit is wrong. */
function UnknownCode({ to, onUse, onAllow }: NumberNoteProps & { to: string }) {
  const phone = usePhoneFormat();
  const title = t.recipient.unknownCode(to.slice(0, 1 + CODE_DIGITS));
  useNumberNote(`${title}. ${t.recipient.isItRight}`, to);
  return (
    <Notice tone="warn" icon="question" title={title}>
      <div className={styles['line']}>
        <span>{t.recipient.isItRight}</span>
        <Button onPress={() => onUse(phone(to))}>{t.recipient.changeNumber}</Button>
        <Button onPress={() => onAllow(to)}>{t.recipient.keepNumber}</Button>
      </div>
    </Notice>
  );
}

function FirstTime(props: NumberNoteProps & { to: string }) {
  useNumberNote(`${t.send.firstTime}. ${t.send.typeAgain}`, props.to);
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
function useNumberNote(sentence: string, to: string): void {
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
  useNumberNote(`${title}: ${known}.`, to);
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
