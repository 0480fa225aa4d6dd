import type { Backend } from '../../../shared/states.ts';
import { useInstallation } from '../../api/queries.ts';
import { t } from '../../texts/house.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Where the provider reports received faxes, ready to be pasted there; without a public address, what happens instead. */
export function CallbackAddresses(props: {
  backend: Backend;
  provider: string;
  /** Only this one; all of them when left out. */
  purpose?: string;
}) {
  const { backend, provider, purpose: wanted } = props;
  const told = useInstallation()?.callback_addresses;
  const addresses = (told ?? []).filter(
    (it) => it.backend === backend && (wanted === undefined || it.purpose === wanted),
  );
  const open = addresses.filter(({ address }) => address === null);
  return (
    <>
      {addresses.map(
        ({ purpose, address }) =>
          address !== null && (
            <CopyField
              key={purpose}
              label={t.settings.callbackLabel(purpose, provider)}
              value={address}
              help={t.settings.callbackHelp}
            />
          ),
      )}
      {told && addresses.length === 0 && <p>{t.settings.nothingToPaste(provider)}</p>}
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
