import { searchRegistry } from './msi-actions.ts';

/** Key that `main/office-policy.ts` reads: not that of the policy, whose values belong to the group policies of the office. */
const KEY = String.raw`SOFTWARE\Faxdesk`;

/** Properties of the package, with the values of the registry that they become. A certificate belongs to its gateway. */
const DECISIONS: Readonly<Record<string, { readonly value: string; readonly isKept: string }>> = {
  CERTIFICATE: { value: 'Certificate', isKept: 'NOT CERTIFICATE AND NOT GATEWAY' },
  GATEWAY: { value: 'Gateway', isKept: 'NOT GATEWAY' },
  START_AT_LOGIN: { value: 'StartAtLogin', isKept: 'NOT START_AT_LOGIN' },
  NETWORK: { value: 'Network', isKept: 'NOT NETWORK' },
  UPDATES: { value: 'Updates', isKept: 'NOT UPDATES' },
};
const NAMES = Object.entries(DECISIONS);

/** Property with the value that an installation before has written. */
const earlier = (name: string): string => `FAXDESK${name.replaceAll('_', '')}`;

/** Conditions that end the package, with their sentences, as `installer.nsh` has them. */
export const DECISION_CONDITIONS: Readonly<Record<string, string>> = {
  'Installed OR NOT GATEWAY OR GATEWAY << "https://"':
    'GATEWAY is an address such as https://fax.example.office:8443. Nothing was installed.',
  'Installed OR NOT CERTIFICATE OR GATEWAY':
    'CERTIFICATE is the fingerprint that the server shows, together with GATEWAY. Nothing was installed.',
  'Installed OR NOT START_AT_LOGIN OR START_AT_LOGIN="true" OR START_AT_LOGIN="false"':
    'START_AT_LOGIN is either true or false. Nothing was installed.',
  'Installed OR NOT NETWORK OR NETWORK="on" OR NETWORK="off"':
    'NETWORK is either on or off. Nothing was installed.',
};

/** Components that write the decisions: each only with its property, also in a repair. */
export const DECISION_COMPONENTS = NAMES.map(
  ([name, { value }]) =>
    `<Component Id="decision${value}" Guid="*" Transitive="yes"><Condition>${name}</Condition><RegistryValue Root="HKLM" Key="${KEY}" Name="${value}" KeyPath="yes" Type="string" Value="[${name}]"/></Component>`,
).join('\n');

/**
 * Lines of the project that keep what an installation before has written: Windows Installer keeps no property for a repair or an update.
 * The search comes at 50 and would overwrite a property of the command line, the conditions that end the package come at 100, and the
 * components are chosen at 1000.
 */
export const DECISION_LINES = [
  ...NAMES.map(([name]) => `<Property Id="${name}" Secure="yes"/>`),
  ...NAMES.map(([name, { value }]) => searchRegistry(earlier(name), 'HKLM', KEY, value)),
  ...NAMES.map(
    ([name, { value }]) => `<CustomAction Id="keep${value}" Property="${name}" Value="[${earlier(name)}]"/>`,
  ),
  '<InstallExecuteSequence>',
  ...NAMES.map(
    ([name, { value, isKept }], index) =>
      `<Custom Action="keep${value}" Sequence="${110 + index}">${earlier(name)} AND ${isKept}</Custom>`,
  ),
  '</InstallExecuteSequence>',
].join('\n');
