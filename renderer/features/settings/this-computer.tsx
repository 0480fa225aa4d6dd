import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { DesktopBridge } from '../../../shared/desktop.ts';
import { useDesktopPreferences } from '../../parts/desktop-preferences.ts';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';
import styles from './settings.module.css';

const words = t.settings.computer;

/** Returns the sentence about the gateway of this window: an account may keep its own on a computer that has one for everyone. */
function useGatewayHelp(bridge: DesktopBridge): string {
  const kept = useQuery({
    queryKey: ['desktop', 'keeps-gateway'],
    queryFn: async () => {
      const isKept = (await bridge.keepsGateway?.()) ?? false;
      return { isKept, hasService: isKept && ((await bridge.hasService?.()) ?? false) };
    },
  }).data;
  if (kept?.isKept !== true) return words.gatewayHelp;
  return kept.hasService ? words.gatewayBesideService : words.gatewayKept;
}

/** Preferences of the desktop application; each change applies at once. */
export function ThisComputer({ bridge }: { bridge: DesktopBridge }) {
  const { preferences, changing } = useDesktopPreferences();
  const decided = useQuery({
    queryKey: ['desktop', 'decided-by-office'],
    queryFn: async () => (await bridge.decidedByOffice?.()) ?? [],
  }).data;
  const gatewayHelp = useGatewayHelp(bridge);
  const doing = useMutation({ mutationFn: (what: () => Promise<void>) => what() });
  if (!preferences || !decided) return null;
  const { gateway } = preferences;
  const isGatewayFixed = decided.includes('gateway');
  return (
    <div className={styles['fields']}>
      <p className={styles['sentence']}>{words.sentence}</p>
      {(changing.error ?? doing.error) !== null && (
        <Notice tone="danger" isLive>
          {words.failed}
        </Notice>
      )}
      <OnOff
        name={words.startAtLogin}
        help={words.startAtLoginHelp}
        isOn={preferences.startAtLogin}
        isFixed={decided.includes('startAtLogin')}
        onChange={(startAtLogin) => changing.mutate({ startAtLogin })}
      />
      <OnOff
        name={words.nameSender}
        help={words.nameSenderHelp}
        isOn={preferences.noticesNameSender}
        onChange={(noticesNameSender) => changing.mutate({ noticesNameSender })}
      />
      <Row name={words.gateway} help={isGatewayFixed ? t.settings.office : gatewayHelp}>
        <span>{gateway.kind === 'own' ? words.gatewayOwn : words.gatewayOther(gateway.address)}</span>
        {!isGatewayFixed && (
          <Button onPress={() => doing.mutate(() => bridge.chooseGateway())}>{words.chooseGateway}</Button>
        )}
      </Row>
      {gateway.kind === 'own' && (
        <Row name={words.folder} help={words.folderHelp}>
          <Button icon="open" onPress={() => doing.mutate(() => bridge.openDataFolder())}>
            {words.openFolder}
          </Button>
        </Row>
      )}
    </div>
  );
}

function OnOff(props: {
  name: string;
  help: string;
  isOn: boolean;
  /** True where the office has decided it. */
  isFixed?: boolean;
  onChange: (isOn: boolean) => void;
}) {
  const { name, help, isOn, isFixed = false, onChange } = props;
  return (
    <Row name={name} help={isFixed ? `${help} ${t.settings.office}` : help}>
      <Switch isSelected={isOn} isDisabled={isFixed} onChange={onChange} aria-label={name}>
        <span aria-hidden="true">{isOn ? t.settings.on : t.settings.off}</span>
      </Switch>
    </Row>
  );
}

function Row({ name, help, children }: { name: string; help: string; children: ReactNode }) {
  const id = useId();
  return (
    <div className={styles['row']} role="group" aria-labelledby={id}>
      <div className={styles['words']}>
        <p className={styles['name']} id={id}>
          {name}
        </p>
        <p className={styles['help']}>{help}</p>
      </div>
      <div className={styles['aside']}>{children}</div>
    </div>
  );
}
