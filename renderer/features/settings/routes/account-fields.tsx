import { LINE_BACKEND } from '../../../../shared/backends.ts';
import type { Provider, Setting } from '../../../api/settings.ts';
import { t } from '../../../texts/delivery-routes.ts';
import { Choice } from '../../../ui/choice.tsx';
import { SecretField, TextField } from '../../../ui/field.tsx';
import { accountChoices, accountSettings } from './route-fields.ts';
import type { RouteForm } from './route-form.ts';
import styles from './routes.module.css';

const words = t.deliveryRoutes.form;

/** By which provider, and with whose account. */
export function AccountFields({ form, providers }: { form: RouteForm; providers: readonly Provider[] }) {
  const { typed, type, route, provider } = form;
  const choices = accountChoices(typed, route);
  const isLine = typed.backend === LINE_BACKEND;
  return (
    <>
      <div className={styles['pair']}>
        <Choice
          label={words.provider}
          options={providers.map(({ backend, name }) => ({ id: backend, label: name }))}
          value={typed.backend}
          onChange={(backend) => type({ backend, account: 'settings', values: {} })}
        />
        <Choice
          label={isLine ? words.trunk : words.account}
          options={choices.map((id) => ({ id, label: isLine ? words.trunks[id] : words.accounts[id] }))}
          value={typed.account}
          onChange={(account) => type({ account })}
        />
      </div>
      {typed.account === 'own' && provider && (
        <fieldset className={styles['account']}>
          <legend className={styles['legend']}>{isLine ? words.trunkHelp : words.accountHelp}</legend>
          {accountSettings(provider).map((setting) => (
            <ValueField key={setting.name} setting={setting} form={form} />
          ))}
        </fieldset>
      )}
    </>
  );
}

function ValueField({ setting, form: { typed, type } }: { setting: Setting; form: RouteForm }) {
  const { name, label, help, choices } = setting;
  const value = typed.values[name] ?? '';
  const change = (text: string) => type({ values: { ...typed.values, [name]: text } });
  const options = setting.type === 'boolean' ? ['true', 'false'] : (choices ?? null);
  if (options !== null)
    return (
      <Choice
        label={label}
        help={help}
        options={[
          { id: '', label: words.usual },
          ...options.map((id) => ({
            id,
            label: setting.type === 'boolean' ? words.yesNo[id as 'true'] : id,
          })),
        ]}
        value={value}
        onChange={change}
      />
    );
  const field = { label, help, value, autoComplete: 'off', onChange: change };
  return setting.secret ? <SecretField {...field} isMono /> : <TextField {...field} />;
}
