import { type FormEvent, useId } from 'react';
import { LIMITS } from '../../../../shared/limits.ts';
import { MAIL_OAUTH_PROVIDERS } from '../../../../shared/mail-server.ts';
import type { Connector } from '../../../api/intake.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/mail-connectors.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SecretField, TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './connectors.module.css';
import { type OAuthForm, useOAuthForm } from './oauth-form.ts';

const words = t.mailOAuth;
const MAX = LIMITS.connector;

/** The sign-in of a connector with access tokens: what to do at the provider, and what one gets there. */
export function OAuthDialog({ connector, onClose }: { connector: Connector; onClose: () => void }) {
  const id = useId();
  const form = useOAuthForm(connector, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.submit();
  };
  return (
    <Dialog
      title={words.title(connector.name)}
      isOpen
      onClose={onClose}
      width="wide"
      kind="form"
      actions={
        <>
          <Button variant="primary" type="submit" form={id} isPending={form.isPending}>
            {words.save}
          </Button>
          <Button onPress={onClose}>{words.cancel}</Button>
          {connector.has_oauth && (
            <Button isPending={form.remove.isPending} onPress={() => form.remove.mutate()}>
              {words.remove}
            </Button>
          )}
        </>
      }
    >
      <form id={id} className={styles['form']} onSubmit={submit} noValidate>
        <p>{words.sentence}</p>
        {connector.oauth_problem !== null && <Notice tone="danger">{connector.oauth_problem}</Notice>}
        <Choice
          label={words.provider}
          options={MAIL_OAUTH_PROVIDERS.map((name) => ({ id: name, label: words.providers[name] }))}
          value={form.typed.provider}
          onChange={(provider) => form.type({ provider })}
        />
        <Steps form={form} />
        <GrantFields form={form} isStored={connector.has_oauth} />
        {form.error && (
          <Notice tone="danger" isLive>
            {sentenceOf(form.error)}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}

function Steps({ form }: { form: OAuthForm }) {
  const id = useId();
  return (
    <div>
      <p id={id} className={styles['title']}>
        {words.stepsTitle}
      </p>
      <ol className={styles['steps']} aria-labelledby={id}>
        {words.steps[form.typed.provider].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  );
}

function GrantFields({ form, isStored }: { form: OAuthForm; isStored: boolean }) {
  const { typed, type, problems } = form;
  return (
    <>
      <TextField
        label={words.clientId}
        help={isStored ? words.stored : undefined}
        value={typed.client_id}
        maxLength={MAX.clientId}
        error={problems.client_id}
        autoComplete="off"
        onChange={(client_id) => type({ client_id })}
      />
      {typed.provider === 'microsoft' && (
        <TextField
          label={words.tenant}
          help={words.tenantHelp}
          value={typed.tenant}
          maxLength={MAX.tenant}
          error={problems.tenant}
          autoComplete="off"
          onChange={(tenant) => type({ tenant })}
        />
      )}
      <SecretField
        label={words.clientSecret}
        help={words.clientSecretHelp}
        value={typed.client_secret}
        maxLength={MAX.password}
        error={problems.client_secret}
        autoComplete="off"
        onChange={(client_secret) => type({ client_secret })}
      />
      <SecretField
        label={words.refreshToken}
        value={typed.refresh_token}
        maxLength={MAX.refreshToken}
        error={problems.refresh_token}
        autoComplete="off"
        onChange={(refresh_token) => type({ refresh_token })}
      />
    </>
  );
}
