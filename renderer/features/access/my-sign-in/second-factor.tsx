import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { twoFactor } from '../../../api/two-factor.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { ConfirmForm, type Factors } from '../../../parts/sign-in/confirm-form.tsx';
import { RecoveryCodes, TwoFactorSetup } from '../../../parts/sign-in/two-factor-setup.tsx';
import { t } from '../../../texts/two-factor.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatCount } from '../../../ui/format.ts';
import { MyPasskeys } from './my-passkeys.tsx';
import styles from './my-sign-in.module.css';

const words = t.twoFactor;
const KEY = ['two-factor'];

/** Shows whether the person's sign-in requires a code, with the buttons to change that, and their passkeys. */
export function SecondFactor() {
  const asked = useQuery({ queryKey: KEY, queryFn: ({ signal }) => twoFactor.twoFactor({ signal }) });
  const state = asked.data;
  const [open, setOpen] = useState<'set up' | 'renew' | 'turn off' | null>(null);
  const queries = useQueryClient();
  const done = () => {
    setOpen(null);
    void queries.invalidateQueries({ queryKey: KEY });
    void queries.invalidateQueries({ queryKey: ['me'] });
    void queries.invalidateQueries({ queryKey: ['access'] });
  };
  if (!state) return <LoadProblem of={asked} title={words.title} />;
  const { enabled, required, recovery_codes_left: left, passkeys } = state;
  const isOn = enabled || passkeys > 0;
  const mayTurnOff = enabled && (!required || passkeys > 0);
  const stateWords = enabled ? words.on : isOn ? words.passkeys.onlyThese : words.off;
  return (
    <>
      <section className={styles['part']} aria-label={words.title}>
        <h2 className={styles['title']}>{words.title}</h2>
        <p className={styles['quiet']}>
          {stateWords}
          {isOn && ` ${words.codesLeft(formatCount(left), left)}`}
          {required && ` ${words.isRequired}`}
        </p>
        <div className={styles['actions']}>
          {!enabled && <Button onPress={() => setOpen('set up')}>{words.setUp}</Button>}
          {isOn && <Button onPress={() => setOpen('renew')}>{words.newCodes}</Button>}
          {mayTurnOff && <Button onPress={() => setOpen('turn off')}>{words.turnOff}</Button>}
        </div>
        <Dialog title={words.title} isOpen={open === 'set up'} onClose={done} kind="form">
          <TwoFactorSetup factors={state} onDone={done} />
        </Dialog>
        <Dialog title={words.renewTitle} isOpen={open === 'renew'} onClose={done} kind="form">
          <Renew factors={state} onDone={done} />
        </Dialog>
        <Dialog title={words.turnOffTitle} isOpen={open === 'turn off'} onClose={done} kind="form">
          <TurnOff factors={state} onDone={done} />
        </Dialog>
      </section>
      <MyPasskeys factors={state} onChanged={done} />
    </>
  );
}

function Renew({ factors, onDone }: { factors: Factors; onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} onStored={onDone} />;
  return (
    <ConfirmForm
      factors={factors}
      sentence={words.renewSentence}
      asksPassword={false}
      submit={words.renewNow}
      act={(second) => twoFactor.renewRecoveryCodes({ body: second })}
      onDone={({ recovery_codes }) => setCodes(recovery_codes)}
    />
  );
}

function TurnOff({ factors, onDone }: { factors: Factors; onDone: () => void }) {
  return (
    <ConfirmForm
      factors={factors}
      sentence={factors.passkeys > 0 ? words.passkeys.turnOffCodes : words.turnOffSentence}
      submit={words.turnOffNow}
      act={(second, password) =>
        twoFactor.removeTwoFactor({ body: { current_password: password, ...second } })
      }
      onDone={onDone}
    />
  );
}
