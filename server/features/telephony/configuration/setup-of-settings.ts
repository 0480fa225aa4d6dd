import type { z } from 'zod';
import type { TelephonyConfigurationRequest } from '../../../../shared/api/telephony.ts';
import { trimEnd } from '../../../platform/trim-end.ts';
import { badSetup, notSetUp } from '../errors.ts';
import type { LineSettings } from '../line-settings.ts';
import type { LineSetup } from './types.ts';

export type ConfigurationRequest = z.infer<typeof TelephonyConfigurationRequest>;
/** Order with the default for a gateway address that was left out. */
export type CompleteRequest = ConfigurationRequest & { readonly gateway_url: string };

/** Ports as Asterisk's own examples have them, and those of SIP. */
const DEFAULTS = { sip: 5060, sipTls: 5061, rtp: [10_000, 20_000], udptl: [4000, 4999] } as const;

/** Part of the setup that is not a setting of the line. */
interface SetupContext {
  readonly dataFolder: string;
  readonly ownNumber: string | null;
  /** Addresses that the preset of the trunk adds. */
  readonly sources: readonly string[];
}

/** Builds the setup from the settings. Throws a 409 refusal that names what is missing. */
export function setupOfSettings(
  line: LineSettings,
  { dataFolder, ownNumber, sources }: SetupContext,
  order: CompleteRequest,
): LineSetup {
  if (!line.TELEPHONY_PASSWORD) throw notSetUp('the password of the telephone engine');
  if (!line.TRUNK_HOST) throw notSetUp('the host of the trunk');
  if (line.TRUNK_AUTHENTICATION !== 'address' && !(line.TRUNK_USER && line.TRUNK_PASSWORD))
    throw notSetUp('user and password of the trunk');
  const folder = line.TELEPHONY_ENGINE_FOLDER ?? dataFolder;
  if (!folder.startsWith('/')) throw badSetup(notSeen(dataFolder));
  const usualSip = line.TRUNK_TRANSPORT === 'tls' ? DEFAULTS.sipTls : DEFAULTS.sip;
  return {
    engine: {
      folder,
      gatewayUrl: trimEnd(order.gateway_url, '/'),
      manager: {
        bind: order.manager_bind ?? '127.0.0.1',
        port: line.TELEPHONY_PORT,
        user: line.TELEPHONY_USER,
        password: line.TELEPHONY_PASSWORD,
      },
      sip: { bind: order.sip_bind ?? '0.0.0.0', port: order.sip_port ?? usualSip },
      rtpPorts: DEFAULTS.rtp,
      udptlPorts: DEFAULTS.udptl,
    },
    trunk: {
      name: line.TRUNK_NAME,
      host: line.TRUNK_HOST,
      port: line.TRUNK_PORT,
      transport: line.TRUNK_TRANSPORT,
      authentication: line.TRUNK_AUTHENTICATION,
      user: line.TRUNK_USER,
      password: line.TRUNK_PASSWORD,
      codecs: line.TRUNK_CODECS.split(','),
      t38: line.TRUNK_T38,
      t38Correction: line.TRUNK_T38_CORRECTION,
      ecm: line.TRUNK_ECM,
      mostRate: Number(line.TRUNK_MOST_RATE),
      evenPorts: line.TRUNK_EVEN_PORTS,
      externalAddress: line.TRUNK_EXTERNAL_ADDRESS,
      localNets: line.TRUNK_LOCAL_NETS,
      stationId: line.TRUNK_STATION_ID,
      sources,
    },
    ownNumber,
  };
}

const notSeen = (dataFolder: string) =>
  `Asterisk cannot find ${dataFolder} under this path: set “Data folder at the engine”, such as ${pathInWsl(dataFolder)}.`;

/** Returns the path of a Windows folder in WSL: `C:\\Faxes` is `/mnt/c/Faxes`. */
function pathInWsl(folder: string): string {
  const [, drive = 'c', rest = ''] = /^([A-Za-z]):[\\/]*(.*)$/u.exec(folder) ?? [];
  return `/mnt/${drive.toLowerCase()}/${rest.replaceAll('\\', '/')}`;
}
