import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../../api/client.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { type Fax, missingFrom } from '../../../parts/fax-state.ts';
import { t } from '../../../texts/sent.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { TextField } from '../../../ui/field.tsx';
import { formatCount, usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './fax-details.module.css';
import { NumberFacts } from './number-facts.tsx';
import { type NumberCheck, useNumberCheck } from './use-number-check.ts';

const DIGITS = 4;

/** The same document as a new fax, to the same number or to another one. */
export function ResendForm(props: { fax: Fax; onBack: () => void; onSent: (id: string) => void }) {
  const { fax, onBack, onSent } = props;
  const phone = usePhoneFormat();
  const [text, setText] = useState(() => phone(fax.to));
  const [digits, setDigits] = useState('');
  const [isTried, setTried] = useState(false);
  const check = useNumberCheck(text);
  const missing = missingFrom(fax);
  const [isPart, setPart] = useState(missing !== null);
  const resend = useResend(fax, isPart ? missing : null, onSent);
  const mustRepeat = isNew(check.data, fax);
  const isRepeated = !mustRepeat || (digits.length === DIGITS && check.data?.to?.endsWith(digits) === true);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isRepeated && check.data?.to && !resend.isPending) resend.mutate(check.data.to);
  };
  const words = t.sent.resend;
  const { pages } = fax.document;
  return (
    <form className={styles['form']} onSubmit={submit} noValidate aria-label={words.title}>
      <h3>{words.title}</h3>
      <p>{words.sentence(t.sent.details.facts(formatCount(pages), pages === 1))}</p>
      {missing !== null && (
        <Checkbox isSelected={isPart} onChange={setPart}>
          {t.fax.onlyMissing(formatCount(missing), formatCount(pages))}
        </Checkbox>
      )}
      <TextField
        label={words.to}
        type="tel"
        autoComplete="off"
        autoFocus
        value={text}
        onChange={setText}
        error={check.data?.problem ?? null}
        onKeyDown={(event) => (event.key === 'Escape' ? onBack() : event.continuePropagation())}
      />
      <NumberFacts check={check} onTake={(number) => setText(phone(number))} />
      {mustRepeat && <DigitsAgain value={digits} onChange={setDigits} isWrong={isTried && !isRepeated} />}
      {resend.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(resend.error)}
        </Notice>
      )}
      <div className={styles['line']}>
        <Button type="submit" variant="primary" isPending={resend.isPending}>
          {words.send}
        </Button>
        <Button onPress={onBack}>{words.cancel}</Button>
      </div>
    </form>
  );
}

function DigitsAgain(props: { value: string; onChange: (digits: string) => void; isWrong: boolean }) {
  const words = t.sent.resend;
  return (
    <TextField
      label={words.digits}
      inputMode="numeric"
      autoComplete="off"
      maxLength={DIGITS}
      value={props.value}
      onChange={props.onChange}
      error={props.isWrong ? words.digitsWrong : null}
    />
  );
}

/** A number that no fax went to before is written twice, in part. */
function isNew(check: NumberCheck | undefined, fax: Fax): boolean {
  return check !== undefined && check.to !== null && check.first_time && check.to !== fax.to;
}

/** One key for a form and a number, so that pressing twice, or again after a lost answer, sends one fax. */
function useResend(fax: Fax, fromPage: number | null, onSent: (id: string) => void) {
  const phone = usePhoneFormat();
  const [key] = useState(() =>
    Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(16)).join(''),
  );
  return useMutation({
    mutationFn: (to: string) =>
      client.outbound.resendFax({
        params: { id: fax.id },
        body: { to, ...(fromPage === null ? {} : { from_page: fromPage }) },
        headers: { 'Idempotency-Key': `${key}${to}-${fromPage ?? 1}` },
      }),
    onSuccess: (sent) => {
      announce(t.sent.resend.sent(phone(sent.to)));
      onSent(sent.id);
    },
  });
}
