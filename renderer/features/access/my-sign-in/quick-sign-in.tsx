import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../../shared/limits.ts';
import { quickSignIn } from '../../../api/quick-sign-in.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { twoFactor } from '../../../api/two-factor.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { ConfirmForm, type Factors } from '../../../parts/sign-in/confirm-form.tsx';
import { t } from '../../../texts/two-factor.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SecretField, TextField } from '../../../ui/field.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './my-sign-in.module.css';

const words = t.twoFactor.quick;
const KEY = ['two-factor', 'quick-sign-in'];
const PIN_FORM = new RegExp(`^\\d{${LIMITS.pinLength.least},${LIMITS.pinLength.most}}$`, 'u');

type What = 'pin' | 'card';

/** The PIN and the card of the person who is here; nothing where the office allows neither. */
export function QuickSignIn() {
  const asked = useQuery({ queryKey: KEY, queryFn: ({ signal }) => quickSignIn.quickSignIn({ signal }) });
  const factors = useQuery({
    queryKey: ['two-factor'],
    queryFn: ({ signal }) => twoFactor.twoFactor({ signal }),
  }).data;
  const [setting, set] = useState<What | null>(null);
  const queries = useQueryClient();
  const done = () => {
    set(null);
    void queries.invalidateQueries({ queryKey: KEY });
    void queries.invalidateQueries({ queryKey: ['access'] });
  };
  const state = asked.data;
  if (!state) return <LoadProblem of={asked} title={words.title} />;
  const { allowed, has_pin, has_card } = state;
  if (allowed === 'off' && !has_pin && !has_card) return null;
  const withCards = allowed === 'pin_or_card' || has_card;
  const title = withCards ? words.title : words.pinOnly;
  return (
    <section className={styles['part']} aria-label={title}>
      <h2 className={styles['title']}>{title}</h2>
      <p className={styles['quiet']}>
        {words.sentence}
        {allowed === 'pin_or_card' && ` ${words.cardSentence}`}
      </p>
      <ul className={styles['list']}>
        <Row what="pin" has={has_pin} maySet={allowed !== 'off'} onSet={() => set('pin')} onDone={done} />
        {withCards && (
          <Row
            what="card"
            has={has_card}
            maySet={allowed === 'pin_or_card'}
            onSet={() => set('card')}
            onDone={done}
          />
        )}
      </ul>
      <Dialog title={words.pinTitle} isOpen={setting === 'pin'} onClose={done} kind="form">
        {factors && <NewPin factors={factors} onDone={done} />}
      </Dialog>
      <Dialog title={words.cardTitle} isOpen={setting === 'card'} onClose={done} kind="form">
        {factors && <NewCard factors={factors} onDone={done} />}
      </Dialog>
    </section>
  );
}

function Row(props: { what: What; has: boolean; maySet: boolean; onSet: () => void; onDone: () => void }) {
  const { what, has, maySet, onSet, onDone } = props;
  const remove = useMutation({
    mutationFn: () => quickSignIn.removeQuickSignIn({ body: { what } }),
    onSuccess: () => {
      announce(words.removed[what]);
      onDone();
    },
  });
  const [setWord, removeWord] =
    what === 'pin'
      ? [has ? words.changePin : words.setPin, words.removePin]
      : [has ? words.changeCard : words.setCard, words.removeCard];
  return (
    <li className={styles['session']}>
      <div className={styles['words']}>
        <p className={styles['name']}>{words[what]}</p>
        <p className={styles['meta']}>{has ? words.has : words.hasNot}</p>
        {remove.error !== null && (
          <Notice tone="danger" isLive>
            {sentenceOf(remove.error)}
          </Notice>
        )}
      </div>
      {maySet && <Button onPress={onSet}>{setWord}</Button>}
      {has && (
        <Button isPending={remove.isPending} onPress={() => remove.mutate()}>
          {removeWord}
        </Button>
      )}
    </li>
  );
}

interface FormProps {
  readonly factors: Factors;
  readonly onDone: () => void;
}

function NewPin({ factors, onDone }: FormProps) {
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const isRight = PIN_FORM.test(pin);
  return (
    <ConfirmForm
      factors={factors}
      submit={words.save}
      isReady={isRight && again === pin}
      act={(second, current_password) => quickSignIn.setPin({ body: { pin, current_password, ...second } })}
      onDone={() => {
        announce(words.saved.pin);
        onDone();
      }}
    >
      {(missing) => (
        <>
          <SecretField
            label={words.newPin}
            help={words.pinHelp}
            autoComplete="off"
            inputMode="numeric"
            autoFocus
            value={pin}
            onChange={setPin}
            error={missing === null || isRight ? null : pin === '' ? missing : words.wrongForm}
          />
          <SecretField
            label={words.again}
            autoComplete="off"
            inputMode="numeric"
            value={again}
            onChange={setAgain}
            error={missing === null || again === pin ? null : words.differs}
          />
        </>
      )}
    </ConfirmForm>
  );
}

function NewCard({ factors, onDone }: FormProps) {
  const [card, setCard] = useState('');
  return (
    <ConfirmForm
      factors={factors}
      submit={words.save}
      isReady={card.trim() !== ''}
      act={(second, current_password) =>
        quickSignIn.setCard({ body: { card: card.trim(), current_password, ...second } })
      }
      onDone={() => {
        announce(words.saved.card);
        onDone();
      }}
    >
      {(missing) => (
        <TextField
          label={words.cardNumber}
          help={words.cardHelp}
          autoComplete="off"
          autoFocus
          value={card}
          onChange={setCard}
          error={card.trim() === '' ? missing : null}
        />
      )}
    </ConfirmForm>
  );
}
