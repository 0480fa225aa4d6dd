/** Program of Windows Installer that an action runs, and the moment and condition of it. */
interface Action {
  readonly id: string;
  readonly command: string;
  /** True for the account of the person who installs; otherwise that of the system. */
  readonly isForAccount?: true;
  readonly when: string;
  readonly at: 'before the files are removed' | 'after the files are there';
}

const PERSON = 'HKCU';
const RUN = String.raw`Software\Microsoft\Windows\CurrentVersion\Run`;
const START = 'org.faxdesk.desktop';
const GATEWAY = String.raw`[APPLICATIONFOLDER]resources\gateway`;

const service = (word: string): string =>
  String.raw`"${GATEWAY}\bin\node.exe" "${GATEWAY}\server\faxdesk.mjs" service ${word}`;
const system = (words: string): string => `"[System64Folder]${words}`;

const REMOVED = 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE';

const OPENS = 'FIREWALL="true" AND NOT REMOVE';
const DELETE_RULE = system(
  'netsh.exe" advfirewall firewall delete rule name="Faxdesk" program="[APPLICATIONFOLDER]Faxdesk.exe"',
);

/** In this order. As `installer.nsh` does it for the installer for everyone. */
const ACTIONS: readonly Action[] = [
  {
    id: 'stopService',
    command: service('stop'),
    when: 'FAXDESKSERVICE AND REMOVE="ALL" AND UPGRADINGPRODUCTCODE',
    at: 'before the files are removed',
  },
  {
    id: 'removeService',
    command: service('remove'),
    when: `FAXDESKSERVICE AND ${REMOVED}`,
    at: 'before the files are removed',
  },
  {
    id: 'removeStart',
    command: system(`reg.exe" delete "${PERSON}\\${RUN}" /v ${START} /f`),
    isForAccount: true,
    // Another installation has its own.
    when: `FAXDESKSTART ~>< APPLICATIONFOLDER AND ${REMOVED}`,
    at: 'before the files are removed',
  },
  { id: 'removeRule', command: DELETE_RULE, when: REMOVED, at: 'before the files are removed' },
  // One of a version before.
  { id: 'clearRule', command: DELETE_RULE, when: OPENS, at: 'after the files are there' },
  {
    id: 'addRule',
    command: system(
      'netsh.exe" advfirewall firewall add rule name="Faxdesk" dir=in action=allow profile=domain,private program="[APPLICATIONFOLDER]Faxdesk.exe"',
    ),
    when: OPENS,
    at: 'after the files are there',
  },
  {
    id: 'createService',
    command: service('create'),
    when: '(SERVICE="true" OR FAXDESKSERVICE) AND NOT REMOVE',
    at: 'after the files are there',
  },
];

/**
 * Lines of the project that make, renew and remove the service, the rule of the firewall and the start at sign-in. An action that fails
 * does not undo the installation: an update has removed the version before by then.
 */
export const MSI_ACTIONS = [
  searchRegistry(
    'FAXDESKSERVICE',
    'HKLM',
    String.raw`SYSTEM\CurrentControlSet\Services\Faxdesk`,
    'ImagePath',
  ),
  searchRegistry('FAXDESKSTART', PERSON, RUN, START),
  ...['SERVICE', 'FIREWALL'].map((name) => `<Property Id="${name}" Secure="yes"/>`),
  ...ACTIONS.map(
    ({ id, command, isForAccount }) =>
      `<CustomAction Id="${id}" Directory="APPLICATIONFOLDER" ExeCommand="${escaped(command)}" Execute="deferred" Impersonate="${isForAccount === true ? 'yes' : 'no'}" Return="ignore"/>`,
  ),
  '<InstallExecuteSequence>',
  ...sequence('before the files are removed', 2610),
  ...sequence('after the files are there', 5910),
  '</InstallExecuteSequence>',
].join('\n');

/** Numbers of Windows Installer: entries are removed at 2600 and files at 3500; entries are written at 5000, and all is done at 6600. */
function sequence(at: Action['at'], first: number): string[] {
  return ACTIONS.filter((action) => action.at === at).map(
    ({ id, when }, index) => `<Custom Action="${id}" Sequence="${first + index}">${escaped(when)}</Custom>`,
  );
}

/** Line of the project that reads a value of the registry into a property. */
export function searchRegistry(property: string, root: string, key: string, name: string): string {
  return `<Property Id="${property}" Secure="yes"><RegistrySearch Id="find${property}" Root="${root}" Key="${key}" Name="${name}" Type="raw"/></Property>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
