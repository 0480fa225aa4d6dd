import { t } from '../../texts/administration.ts';
import { SecretField } from '../../ui/field.tsx';
import { StateWord } from '../../ui/state-word.tsx';
import type { Rule } from './password-rules.ts';
import styles from './setup.module.css';

/** A new password, twice, with its rules as they are met. */
export function PasswordFields(props: {
  login: string;
  password: string;
  again: string;
  rules: readonly Rule[];
  error: string | null;
  isFirst?: boolean;
  onPassword: (text: string) => void;
  onAgain: (text: string) => void;
}) {
  return (
    <>
      {/* For password managers, which keep the name with the password. */}
      <input type="hidden" name="username" autoComplete="username" value={props.login} readOnly />
      <div className={styles['two']}>
        <SecretField
          label={t.setup.owner.password}
          autoComplete="new-password"
          autoFocus={props.isFirst === true}
          value={props.password}
          onChange={props.onPassword}
          error={props.error}
        />
        <SecretField
          label={t.setup.owner.again}
          autoComplete="new-password"
          value={props.again}
          onChange={props.onAgain}
        />
      </div>
      <ul className={styles['rules']} aria-label={t.setup.owner.rules}>
        {props.rules.map(({ text, isMet }) => (
          <li key={text}>
            <StateWord tone={isMet ? 'ok' : 'plain'} icon={isMet ? 'ok' : 'pending'}>
              {text}
              <span className="visually-hidden">
                {`: ${isMet ? t.setup.owner.ruleMet : t.setup.owner.ruleOpen}`}
              </span>
            </StateWord>
          </li>
        ))}
      </ul>
    </>
  );
}
