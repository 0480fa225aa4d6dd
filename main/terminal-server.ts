import { readdir } from 'node:fs/promises';
import { hasInstallation } from '../shared/data-folder.ts';
import { type Computer, queryRegistry } from './computer.ts';

const PRODUCT = String.raw`HKLM\SYSTEM\CurrentControlSet\Control\ProductOptions`;
const SESSIONS = String.raw`HKLM\SYSTEM\CurrentControlSet\Control\Terminal Server`;
const WINDOWS = String.raw`HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion`;

/**
 * Names of the edition of Windows 10 and 11 for several sessions, which reports itself as a server
 * (https://learn.microsoft.com/azure/virtual-desktop/windows-10-multisession-faq).
 */
const MULTI_SESSION_EDITIONS = ['ServerRdsh', 'EnterpriseMultiSession'];
const SEVERAL_PEOPLE = /\b(?:server|multi-session|virtual desktops)\b/iu;

/**
 * Returns true on a host of remote desktop sessions, at which several people work at once: Windows Server with that role, and
 * Windows for several sessions. A server that is only administered from elsewhere is none. False on other systems, which have
 * no such role.
 *
 * `Terminal Server` among the product suites is set on every Windows; without `Single User Terminal Server` the system runs
 * as an application server (https://learn.microsoft.com/windows/win32/sysinfo/rtlgetsuitemask). As the registry does not list
 * the second one everywhere, `TSAppCompat`, which that role sets, has to be 1 as well.
 */
export async function isTerminalServer(computer: Computer): Promise<boolean> {
  if (computer.platform !== 'win32') return false;
  const read = (key: string, value?: string) => queryRegistry(computer, key, value).catch(() => null);
  const [product, sessions, windows] = await Promise.all([
    read(PRODUCT, 'ProductSuite'),
    read(SESSIONS),
    read(WINDOWS, 'EditionID'),
  ]);
  if (MULTI_SESSION_EDITIONS.includes(String(windows?.['EditionID']))) return true;
  // Offices switch the tools for the registry off at terminal servers more than elsewhere: the name of the system decides then.
  if (sessions === null) return SEVERAL_PEOPLE.test(computer.systemName);
  if (sessions['TSAppCompat'] !== 1) return false;
  const suites = product?.['ProductSuite'];
  if (!Array.isArray(suites)) return SEVERAL_PEOPLE.test(computer.systemName);
  return suites.includes('Terminal Server') && !suites.includes('Single User Terminal Server');
}

/**
 * Place of the gateway of an account: `own` on a computer for one person at a time; on a terminal server, and where a service runs for
 * everyone, `elsewhere`, or `kept` where the account has an installation already, whose faxes nothing else would send or receive.
 */
export type GatewayPlace = 'own' | 'elsewhere' | 'kept';

/** Returns where the gateway of an account runs. */
export async function findGatewayPlace(facts: {
  /** True on a terminal server, and on a computer with a service. */
  readonly isForSeveral: boolean;
  /** True where the office has decided the gateway. */
  readonly isDecided: boolean;
  /** Of the account. */
  readonly dataFolder: string;
}): Promise<GatewayPlace> {
  if (!facts.isForSeveral) return 'own';
  if (facts.isDecided) return 'elsewhere';
  // A folder that cannot be read may hold an installation: its gateway says at its start what is wrong.
  const isKept = await readdir(facts.dataFolder).then(hasInstallation, ({ code }) => code !== 'ENOENT');
  return isKept ? 'kept' : 'elsewhere';
}
