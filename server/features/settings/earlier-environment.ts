import type { EarlierEnvironment, EarlierSetting } from './types.ts';

const PREFIXES: readonly (readonly [string, string])[] = [
  ['PHAXIO_', 'CLOUDONE_'],
  ['SINCH_', 'CLOUDTWO_'],
];
/** Names that changed otherwise. */
const RENAMED: Readonly<Record<string, string>> = {
  ASTERISK_INBOUND_SECRET: 'TELEPHONY_INBOUND_SECRET',
  ASTERISK_AMI_HOST: 'TELEPHONY_HOST',
  ASTERISK_AMI_PORT: 'TELEPHONY_PORT',
  ASTERISK_AMI_USERNAME: 'TELEPHONY_USER',
  ASTERISK_AMI_USER: 'TELEPHONY_USER',
  ASTERISK_AMI_PASSWORD: 'TELEPHONY_PASSWORD',
  ASTERISK_AMI_SECRET: 'TELEPHONY_PASSWORD',
};
const BACKENDS: Readonly<Record<string, string>> = { phaxio: 'cloudone', sinch: 'cloudtwo', asterisk: 'sip' };
/** Addresses that providers call. They follow from the address of the installation now. */
const ADDRESSES = /^(?:PHAXIO|SINCH)_(?:STATUS_)?CALLBACK_URL$/u;
/** Names that a start reads and that are no settings: they belong to the environment of this installation. */
const OF_THE_START = new Set([
  'API_KEY',
  'REQUIRE_API_KEY',
  'DATABASE_URL',
  'HOST',
  'PORT',
  'FAX_DATA_DIR',
  'FAXDESK_DATA',
  'FAXDESK_DATA_KEY',
  'FAXDESK_FOLDERS',
]);

const DEFAULT_COUNTRY = 'US';

/** Sorts the environment of an earlier release. `environment` has no blank values. */
export function readEarlierEnvironment(environment: Readonly<Record<string, string>>): EarlierEnvironment {
  const settings: EarlierSetting[] = [];
  for (const [formerName, value] of Object.entries(environment)) {
    const text = value.trim();
    if (OF_THE_START.has(formerName) || ADDRESSES.test(formerName)) continue;
    const name = presentName(formerName);
    settings.push({ name, formerName, text: name === 'FAX_BACKEND' ? presentBackend(text) : text });
  }
  const url = environment['PUBLIC_API_URL']?.trim() ?? null;
  const isVerified = isOn(environment['PHAXIO_VERIFY_SIGNATURE'] ?? 'true');
  return {
    settings,
    installationKey: environment['API_KEY']?.trim() ?? null,
    publicUrl: url,
    hasAddresses: Object.keys(environment).some((name) => /^(?:PHAXIO|SINCH)_/u.test(name)),
    verifiedBySecret:
      isVerified &&
      environment['PHAXIO_API_SECRET'] !== undefined &&
      environment['PHAXIO_CALLBACK_TOKEN'] === undefined &&
      environment['CLOUDONE_CALLBACK_TOKEN'] === undefined,
    country: environment['FAX_DEFAULT_COUNTRY']?.trim().toUpperCase() ?? DEFAULT_COUNTRY,
  };
}

const isOn = (text: string) => ['true', '1', 'yes', 'on'].includes(text.trim().toLowerCase());

function presentName(name: string): string {
  const renamed = RENAMED[name];
  if (renamed !== undefined) return renamed;
  const [former, present] = PREFIXES.find(([prefix]) => name.startsWith(prefix)) ?? ['', ''];
  return `${present}${name.slice(former.length)}`;
}

const presentBackend = (text: string) => BACKENDS[text.toLowerCase()] ?? text.toLowerCase();
