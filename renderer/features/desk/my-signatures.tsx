import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DESK_LIMITS } from '../../../shared/desk.ts';
import { desk, type Signature, signaturesQuery } from '../../api/desk.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { SignatureForm } from '../../parts/signatures/signature-form.tsx';
import { SignaturePicture } from '../../parts/signatures/signature-picture.tsx';
import { t } from '../../texts/signatures.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { announce } from '../../ui/live-region.tsx';
import styles from './my-settings.module.css';

const words = t.signatures;

/** The signatures and stamps of the person: to add and remove. */
export function MySignatures() {
  const listed = useQuery(signaturesQuery);
  const queries = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const signatures = listed.data ?? [];
  return (
    <section className={styles['part']} aria-label={words.title}>
      <h2 className={styles['title']}>{words.title}</h2>
      <p className={styles['quiet']}>{words.sentence}</p>
      <LoadProblem of={listed} />
      {listed.data?.length === 0 && <p className={styles['quiet']}>{words.none}</p>}
      {signatures.length > 0 && (
        <ul className={styles['list']}>
          {signatures.map((signature) => (
            <SignatureRow
              key={signature.id}
              signature={signature}
              onRemoved={() => queries.invalidateQueries(signaturesQuery)}
            />
          ))}
        </ul>
      )}
      <div>
        <Button isDisabled={signatures.length >= DESK_LIMITS.pictures} onPress={() => setAdding(true)}>
          {words.add}
        </Button>
      </div>
      {isAdding && <SignatureForm onSaved={() => undefined} onClose={() => setAdding(false)} />}
    </section>
  );
}

function SignatureRow(props: { signature: Signature; onRemoved: () => Promise<void> }) {
  const { id, name, kind } = props.signature;
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => desk.removeSignature({ params: { id } }),
    networkMode: 'always',
    onSuccess: async () => {
      announce(words.removed(name));
      await props.onRemoved();
    },
  });
  if (isAsking)
    return (
      <li className={styles['row']}>
        <span className={styles['words']}>
          {remove.error === null ? words.removeQuestion(name) : sentenceOf(remove.error)}
        </span>
        <Button onPress={() => remove.mutate()}>{words.remove}</Button>
        <Button autoFocus onPress={() => setAsking(false)}>
          {words.keep}
        </Button>
      </li>
    );
  return (
    <li className={styles['row']}>
      <SignaturePicture id={id} />
      <div className={styles['words']}>
        <p className={styles['name']}>{name}</p>
        <p className={styles['text']}>{words.kinds[kind]}</p>
      </div>
      <IconButton icon="close" label={words.removeOne(name)} onPress={() => setAsking(true)} />
    </li>
  );
}
