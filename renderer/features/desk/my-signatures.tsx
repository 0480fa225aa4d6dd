import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DESK_LIMITS } from '../../../shared/desk.ts';
import { desk, type Signature, signaturesQuery } from '../../api/desk.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { SignatureForm } from '../../parts/signatures/signature-form.tsx';
import { SignaturePicture } from '../../parts/signatures/signature-picture.tsx';
import { t } from '../../texts/signatures.ts';
import { Button } from '../../ui/button.tsx';
import { announce } from '../../ui/live-region.tsx';
import styles from './my-settings.module.css';
import { RemovableRow } from './removable-row.tsx';

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
  return (
    <RemovableRow
      question={words.removeQuestion(name)}
      yes={words.remove}
      no={words.keep}
      label={words.removeOne(name)}
      remove={() => desk.removeSignature({ params: { id } })}
      onRemoved={async () => {
        announce(words.removed(name));
        await props.onRemoved();
      }}
    >
      <SignaturePicture id={id} />
      <div className={styles['words']}>
        <p className={styles['name']}>{name}</p>
        <p className={styles['text']}>{words.kinds[kind]}</p>
      </div>
    </RemovableRow>
  );
}
