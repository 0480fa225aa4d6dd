import { useEffect } from 'react';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount, usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { DraftOptions } from '../draft/draft.ts';
import styles from './number-note.module.css';
import type { Recipient } from './recipient.ts';
import { type SendTogether, sendTogetherOf } from './send-together.ts';

interface NumberNoteProps {
  readonly recipient: Recipient;
  /** The number is right although no country has its code. */
  readonly onAllow: (to: string) => void;
  /** Puts a number into the field, to be changed. */
  readonly onUse: (number: string) => void;
  readonly options: DraftOptions;
  readonly isSendingOff: boolean;
  /** Null while no call can be placed. */
  readonly onByCall: ((byCall: boolean) => void) | null;
  readonly onSendNow: (sendNow: boolean) => void;
}

/** Shows the way that a fax to the number takes, and asks about a country code that nobody has. */
export function NumberNote(props: NumberNoteProps) {
  const { check, open, asksForCode } = props.recipient;
  const leaves = sendTogetherOf(check, props.options, props.isSendingOff);
  const to = open?.action === 'refuse' ? null : (check?.to ?? null);
  return (
    <>
      {to !== null && check?.direct && <DirectRecipient {...props} to={to} />}
      {to !== null && check?.internal && <OwnNumber {...props} to={to} />}
      {to !== null && asksForCode && <UnknownCode {...props} to={to} />}
      {check?.to && leaves !== null && <Together {...props} to={check.to} leaves={leaves} />}
    </>
  );
}

/** No stranger can have it. */
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

/** Once for each number: what stands here has fields in it, so it is no live region itself. */
function useNumberNote(sentence: string, to: string): void {
  useEffect(() => announce(sentence), [sentence, to]);
}
