import type { ReactNode } from 'react';
import { ENCODED_PAGES } from '../../../shared/encoded-pages.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { t } from '../../texts/contacts.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { SecretField } from '../../ui/field.tsx';
import { keyProblemOf, type TypedContact } from './contact-form.ts';
import styles from './encoded-pages-field.module.css';

const words = t.contacts.form.encoded;

interface FieldProps {
  /** Fingerprint of the stored key; null for none. */
  readonly fingerprint: string | null;
  readonly typed: TypedContact;
  readonly type: (change: Partial<TypedContact>) => void;
  /** Somebody tried to save. */
  readonly isChecked: boolean;
}

/** Form of the pages that are sent to a contact, with the key of encrypted ones, which is never shown again. */
export function EncodedPagesField(props: FieldProps) {
  const { fingerprint, typed, type } = props;
  return (
    <>
      <Choice
        label={words.label}
        help={typed.encodedPages === 'off' ? words.offHelp : words.help}
        value={typed.encodedPages}
        onChange={(encodedPages) => type({ encodedPages })}
        options={ENCODED_PAGES.map((form) => ({ id: form, label: words.forms[form] }))}
      />
      {(typed.encodedPages === 'encrypted' || fingerprint !== null) && <KeyField {...props} />}
    </>
  );
}

function KeyField({ fingerprint, typed, type, isChecked }: FieldProps) {
  const { sharedKey } = typed;
  const problem = isChecked ? keyProblemOf(typed) : null;
  const error = problem === null ? null : words.keyProblems[problem];
  const keep = () => type({ sharedKey: 'kept' });
  if (sharedKey === 'kept')
    return (
      <StoredKey words={words.keyStored} code={fingerprint} note={words.fingerprintHelp} error={null}>
        <Button variant="plain" onPress={() => type({ sharedKey: { text: '' } })}>
          {words.replaceKey}
        </Button>
        <Button variant="plain" onPress={() => type({ sharedKey: 'removed' })}>
          {words.removeKey}
        </Button>
      </StoredKey>
    );
  if (sharedKey === 'removed')
    return (
      <StoredKey words={words.keyRemoved} code={null} note={undefined} error={error}>
        <Button variant="plain" onPress={keep}>
          {words.keepKey}
        </Button>
      </StoredKey>
    );
  return (
    <div>
      <SecretField
        label={words.key}
        help={words.keyHelp}
        error={error}
        value={sharedKey.text}
        maxLength={LIMITS.sharedKeyLengths.max}
        isMono
        autoFocus={fingerprint !== null}
        autoComplete="off"
        onChange={(text) => type({ sharedKey: { text } })}
      />
      {fingerprint !== null && (
        <Button variant="link" onPress={keep}>
          {words.keepKey}
        </Button>
      )}
    </div>
  );
}

/** Shows the state of the stored key in place of its field. */
function StoredKey(props: {
  words: string;
  code: string | null;
  note: string | undefined;
  error: string | null;
  children: ReactNode;
}) {
  return (
    <div className={styles['field']} role="group" aria-label={words.key}>
      <span className={styles['label']}>{words.key}</span>
      <div className={styles['frame']}>
        <span className={styles['state']}>
          {props.words} {props.code !== null && <code>{props.code}</code>}
        </span>
        {props.children}
      </div>
      {props.error !== null ? (
        <p className={styles['error']} role="alert">
          {props.error}
        </p>
      ) : (
        props.note !== undefined && <span className={styles['help']}>{props.note}</span>
      )}
    </div>
  );
}
