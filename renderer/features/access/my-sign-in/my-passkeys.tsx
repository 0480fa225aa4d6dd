import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { passkeys } from '../../../api/two-factor.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { AddPasskey } from '../../../parts/sign-in/add-passkey.tsx';
import { ConfirmForm, type Factors } from '../../../parts/sign-in/confirm-form.tsx';
import { passkeyObstacle } from '../../../parts/sign-in/passkey.ts';
import { t } from '../../../texts/two-factor.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import styles from './my-sign-in.module.css';

const words = t.twoFactor.passkeys;

type Passkey = Awaited<ReturnType<typeof passkeys.listPasskeys>>['items'][number];

/** The passkeys of the person who is here. */
export function MyPasskeys({ factors, onChanged }: { factors: Factors; onChanged: () => void }) {
  const listed = useQuery({
    queryKey: ['two-factor', 'passkeys'],
    queryFn: ({ signal }) => passkeys.listPasskeys({ signal }),
  });
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const done = () => {
    setAdding(false);
    setRemoving(null);
    onChanged();
  };
  const whyNot = passkeyObstacle();
  return (
    <section className={styles['part']} aria-label={words.title}>
      <h2 className={styles['title']}>{words.title}</h2>
      <p className={styles['quiet']}>{words.sentence}</p>
      <LoadProblem of={listed} />
      <ul className={styles['list']}>
        {listed.data?.items.map((passkey) => (
          <li key={passkey.id} className={styles['session']}>
            <PasskeyWords passkey={passkey} />
            <Button aria-label={words.removeOf(passkey.name)} onPress={() => setRemoving(passkey)}>
              {words.remove}
            </Button>
          </li>
        ))}
      </ul>
      {whyNot === null ? (
        <div className={styles['actions']}>
          <Button onPress={() => setAdding(true)}>{words.add}</Button>
        </div>
      ) : (
        <p className={styles['quiet']}>{whyNot}</p>
      )}
      <Dialog title={words.addTitle} isOpen={isAdding} onClose={done} kind="form">
        <AddPasskey factors={factors} onDone={done} />
      </Dialog>
      <Dialog title={words.removeTitle} isOpen={removing !== null} onClose={done} kind="form">
        {removing && <RemovePasskey passkey={removing} factors={factors} onDone={done} />}
      </Dialog>
    </section>
  );
}

function PasskeyWords({ passkey: { name, host, created_at, last_used_at } }: { passkey: Passkey }) {
  return (
    <div className={styles['words']}>
      <p className={styles['name']}>{name}</p>
      <p className={styles['meta']}>
        {host !== window.location.hostname && <span>{words.onlyAt(host)}</span>}
        <span title={formatFully(created_at)}>{words.since(formatWhen(created_at))}</span>
        {last_used_at === null ? (
          <span>{words.neverUsed}</span>
        ) : (
          <span title={formatFully(last_used_at)}>{words.used(formatWhen(last_used_at))}</span>
        )}
      </p>
    </div>
  );
}

function RemovePasskey(props: { passkey: Passkey; factors: Factors; onDone: () => void }) {
  const { id, name } = props.passkey;
  return (
    <ConfirmForm
      factors={props.factors}
      sentence={words.removeSentence(name)}
      submit={words.removeNow}
      act={(second, password) =>
        passkeys.removePasskey({ params: { id }, body: { current_password: password, ...second } })
      }
      onDone={props.onDone}
    />
  );
}
