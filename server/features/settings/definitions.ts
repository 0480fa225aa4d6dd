import type { ValuesOf } from '../../platform/setting-kinds.ts';
import { accessSettings } from './definitions/access.ts';
import { assistantSettings } from './definitions/assistant.ts';
import { auditSettings } from './definitions/audit.ts';
import { backupSettings } from './definitions/backups.ts';
import { costSettings } from './definitions/costs.ts';
import { directSettings } from './definitions/direct.ts';
import { directorySettings } from './definitions/directory.ts';
import { guardSettings } from './definitions/guard.ts';
import { httpsSettings } from './definitions/https.ts';
import { limitSettings } from './definitions/limits.ts';
import { mailSettings } from './definitions/mail.ts';
import { mailToFaxSettings } from './definitions/mail-to-fax.ts';
import { printingSettings } from './definitions/printing.ts';
import { receivingSettings } from './definitions/receiving.ts';
import { scanningSettings } from './definitions/scanning.ts';
import { sendingSettings } from './definitions/sending.ts';
import { storageSettings } from './definitions/storage.ts';
import { telemetrySettings } from './definitions/telemetry.ts';
import { terminalSettings } from './definitions/terminal.ts';
import { webhookSettings } from './definitions/webhooks.ts';

/**
 * The gateway's own settings, in the order of the settings screen, with those of the providers between the two parts.
 * `backends` are the names that can be chosen for sending.
 */
export function gatewaySettings(backends: readonly string[]) {
  const beforeProviders = {
    ...sendingSettings(backends),
    ...guardSettings,
    ...receivingSettings,
    ...mailSettings,
    ...mailToFaxSettings,
    ...printingSettings,
    ...scanningSettings,
    ...costSettings,
  };
  const afterProviders = {
    ...accessSettings,
    ...assistantSettings,
    ...terminalSettings,
    ...webhookSettings,
    ...directSettings,
    ...directorySettings,
    ...httpsSettings,
    ...limitSettings,
    ...storageSettings,
    ...backupSettings,
    ...auditSettings,
    ...telemetrySettings,
  };
  return { beforeProviders, afterProviders };
}

type Parts = ReturnType<typeof gatewaySettings>;
type GatewaySettings = Parts['beforeProviders'] & Parts['afterProviders'];

/** Name of a setting of the gateway itself; those of a provider are defined in its folder alone. */
export type SettingName = keyof GatewaySettings;
export type SettingValue<N extends SettingName> = SettingValues[N];
/** Value of every setting. The values of the providers' settings are included under their names. */
export type SettingValues = ValuesOf<GatewaySettings>;
