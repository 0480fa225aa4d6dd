import { type ReactNode, useEffect } from 'react';
import { type GuardCheck, lastFourDigits } from '../../../shared/guard.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { part } from '../../ui/focus/places.ts';
import { usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Tone } from '../../ui/state-word.tsx';
import { differingParts } from './differing-parts.ts';
import { DigitsField } from './digits-field.tsx';
import { type GuardAnswers, type GuardedFax, type GuardFinding, hasAgreed } from './guard.ts';
import styles from './guard-notes.module.css';

interface GuardNotesProps {
  readonly findings: readonly GuardFinding[];
  readonly answers: GuardAnswers;
  readonly fax: GuardedFax;
  /** Finding for which the gateway refused the fax; null for none. */
  readonly refused: GuardCheck | null;
  /** The last four digits were typed again, and are right. */
  readonly onConfirm: () => void;
  readonly onAgree: (check: GuardCheck, isYes: boolean) => void;
  /** Replaces the typed number by the known one. */
  readonly onUse: (number: string) => void;
}

/** Shows the findings of the wrong-number guard about a fax, and takes the answers to its questions. */
export function GuardNotes(props: GuardNotesProps) {
  const { findings, answers, fax } = props;
  const isRefused = findings.some(({ action }) => action === 'refuse');
  const isConfirmed = answers.confirmed === fax.to;
  const isDone = ({ check, action }: GuardFinding) => isAnsweredByDigits(check) && action !== 'refuse';
  const shown = isConfirmed ? findings.filter((finding) => !isDone(finding)) : findings;
  // The digits come last: after them the keyboard goes on in the form.
  const digits = shown.filter(({ answer }) => answer === 'digits');
  const others = shown.filter(({ answer }) => answer !== 'digits');
  return (
    <>
      {others.map((finding) => (
        <Finding key={finding.check} {...props} finding={finding} canAnswer={!isRefused} />
      ))}
      {digits.map((finding, index) => (
        <Finding
          key={finding.check}
          {...props}
          finding={finding}
          canAnswer={!isRefused && index === digits.length - 1}
        />
      ))}
      {isConfirmed && shown.length < findings.length && (
        <Notice tone="ok" isLive>
          {t.guard.typedAgain(lastFourDigits(fax.to))}
        </Notice>
      )}
    </>
  );
}

/** Checks about a mistyped number: whoever typed its last digits again has compared it. */
const isAnsweredByDigits = (check: GuardCheck): boolean =>
  check === 'first_time' || check === 'near_contact' || check === 'swapped_digits';

function toneOf({ action, check }: GuardFinding): Tone {
  if (action === 'refuse') return 'danger';
  // Every new recipient is asked about once.
  return check === 'first_time' ? 'plain' : 'warn';
}

function Finding(props: GuardNotesProps & { finding: GuardFinding; canAnswer: boolean }) {
  const { finding, canAnswer, refused, fax } = props;
  const { check, sentence, near, action } = finding;
  const isSendRefused = refused === check;
  useEffect(
    () => announce(sentence, isSendRefused ? 'assertive' : 'polite'),
    [sentence, fax.to, isSendRefused],
  );
  return (
    <Notice
      tone={toneOf(finding)}
      {...(action === 'ask' ? { icon: 'question' as const } : {})}
      {...(isSendRefused ? { title: t.send.notSent } : {})}
    >
      <p className={styles['text']}>{sentence}</p>
      {near !== null && <Compared {...props} known={near.to} />}
      {canAnswer && <Answer {...props} />}
    </Notice>
  );
}

/** The question of a finding; nothing where none is asked. */
function Answer(props: GuardNotesProps & { finding: GuardFinding }) {
  const { finding, answers, fax, onConfirm, onAgree } = props;
  const { check, answer, sentence } = finding;
  if (answer === null) return null;
  return (
    <div className={styles['line']}>
      {answer === 'digits' ? (
        <DigitsField key={fax.to} expected={lastFourDigits(fax.to)} onRight={onConfirm} />
      ) : (
        <span {...(hasAgreed(answers, check, fax) ? {} : part('answer'))}>
          <Checkbox
            isSelected={hasAgreed(answers, check, fax)}
            onChange={(isYes) => onAgree(check, isYes)}
            aria-description={sentence}
          >
            {t.guard.agrees[check]}
          </Checkbox>
        </span>
      )}
    </div>
  );
}

/** The typed number above the known one, with the digits marked that differ. */
function Compared({ fax, known, onUse }: GuardNotesProps & { known: string }) {
  const phone = usePhoneFormat();
  return (
    <>
      <dl className={styles['compared']}>
        <dt>{t.guard.youTyped}</dt>
        <dd>
          <Marked written={phone(fax.to)} other={known} />
        </dd>
        <dt>{t.guard.known}</dt>
        <dd>
          <Marked written={phone(known)} other={fax.to} />
        </dd>
      </dl>
      <div className={styles['line']}>
        <Button onPress={() => onUse(phone(known))}>{t.guard.useKnown}</Button>
      </div>
    </>
  );
}

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
