import { useMutation } from '@tanstack/react-query';
import type { Backend } from '../../../shared/backends.ts';
import { client } from '../../api/client.ts';
import { useInstallation, usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './callback-addresses.module.css';

/**
 * Shows the addresses for the provider's reports, ready to be pasted there; without a public address, how reports
 * arrive instead.
 */
export function CallbackAddresses(props: {
  backend: Backend;
  provider: string;
  /** Only this one; all of them when left out. */
  purpose?: string;
}) {
  const { backend, provider, purpose: wanted } = props;
  const configured = useInstallation()?.callback_addresses;
  const addresses = (configured ?? []).filter(
    (it) => it.backend === backend && (wanted === undefined || it.purpose === wanted),
  );
  const open = addresses.filter(({ address }) => address === null);
  return (
    <>
      {addresses.map(
        ({ purpose, address, has_password }) =>
          address !== null && (
            <PastedAddress
              key={purpose}
              label={t.settings.callbackLabel(purpose, provider)}
              backend={backend}
              address={address}
              hasPassword={has_password}
            />
          ),
      )}
      {configured && addresses.length === 0 && <p>{t.settings.nothingToPaste(provider)}</p>}
      {open.length > 0 && (
        <Notice tone="plain" title={t.settings.noCallbacks}>
          {open.map(({ purpose, sentence }) => (
            <p key={purpose}>{t.settings.noCallback(purpose, sentence ?? '')}</p>
          ))}
        </Notice>
      )}
    </>
  );
}

interface PastedProps {
  readonly label: string;
  readonly backend: Backend;
  readonly address: string;
  readonly hasPassword: boolean;
}

/** An address without a password can be copied at once; one with a password is whole only after *Show*. */
function PastedAddress({ label, backend, address, hasPassword }: PastedProps) {
  const mayShow = usePermission('providers:write');
  const shown = useMutation({
    mutationFn: () => client.console.showCallbackAddress({ params: { backend } }),
    gcTime: 0,
  });
  const whole = hasPassword ? shown.data?.address : address;
  if (whole !== undefined) return <CopyField label={label} value={whole} help={t.settings.callbackHelp} />;
  return (
    <div className={styles['hidden']} role="group" aria-label={label}>
      <span>{label}</span>
      <code>{address}</code>
      {mayShow ? (
        <Button isPending={shown.isPending} onPress={() => shown.mutate()}>
          {t.settings.showPassword}
        </Button>
      ) : (
        <span>{t.settings.mayNotShow}</span>
      )}
      {shown.error && <Notice tone="danger">{sentenceOf(shown.error)}</Notice>}
    </div>
  );
}
