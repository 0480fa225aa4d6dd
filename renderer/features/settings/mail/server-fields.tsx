import { LIMITS } from '../../../../shared/limits.ts';
import { MAIL_SECURITY } from '../../../../shared/mail-server.ts';
import { t } from '../../../texts/mail-connectors.ts';
import { Choice } from '../../../ui/choice.tsx';
import { SecretField, TextField } from '../../../ui/field.tsx';
import { needsPassword } from './connector-fields.ts';
import type { ConnectorForm } from './connector-form.ts';
import styles from './connectors.module.css';
import { SERVICES, type ServiceName, serviceOf } from './mail-services.ts';

const words = t.mailConnectors.form;
const MAX = LIMITS.connector;
const NAMES: readonly ServiceName[] = ['microsoft', 'google', 'own'];

/** The server that takes the e-mails, and how one signs in there. */
export function ServerFields({ form }: { form: ConnectorForm }) {
  const { typed, type, problems } = form;
  const service = serviceOf(typed.host);
  const choose = (name: ServiceName) => {
    const { host, port, security } = SERVICES[name];
    if (name !== service) type({ host, port: String(port), security });
  };
  return (
    <>
      <Choice
        label={words.service}
        help={words.serviceHelp[service]}
        options={NAMES.map((id) => ({ id, label: words.services[id] }))}
        value={service}
        onChange={choose}
      />
      <div className={styles['server']}>
        <TextField
          label={words.host}
          value={typed.host}
          maxLength={MAX.host}
          error={problems.host}
          autoComplete="off"
          onChange={(host) => type({ host })}
        />
        <TextField
          label={words.port}
          value={typed.port}
          maxLength={5}
          inputMode="numeric"
          error={problems.port}
          autoComplete="off"
          onChange={(port) => type({ port })}
        />
        <Choice
          label={words.security}
          options={MAIL_SECURITY.map((id) => ({ id, label: words.securities[id] }))}
          value={typed.security}
          onChange={(security) => type({ security })}
        />
      </div>
      <SignInFields form={form} />
    </>
  );
}

function SignInFields({ form }: { form: ConnectorForm }) {
  const { typed, type, problems } = form;
  return (
    <>
      <TextField
        label={words.username}
        help={words.usernameHelp}
        value={typed.username}
        maxLength={MAX.username}
        error={problems.username}
        autoComplete="off"
        onChange={(username) => type({ username })}
      />
      <SecretField
        label={words.password}
        help={passwordHelp(form)}
        value={typed.password}
        maxLength={MAX.password}
        error={problems.password}
        autoComplete="new-password"
        isDisabled={typed.username.trim() === ''}
        onChange={(password) => type({ password })}
      />
    </>
  );
}

/** Explains what will happen to the stored password, which is never shown. */
function passwordHelp({ typed, connector }: ConnectorForm): string | undefined {
  if (typed.username.trim() === '') return connector?.has_password ? words.passwordGone : words.passwordFirst;
  if (!connector?.has_password) return undefined;
  return needsPassword(typed, connector) ? words.passwordAgain : words.passwordKept;
}
