type Kind = 'needed' | 'undo' | 'check';

/** Program of Windows Installer that an action runs, and the moment and condition of it. */
interface Action {
  readonly id: string;
  readonly command: string;
  /** True for the account of the person who installs; otherwise that of the system. */
  readonly isForAccount?: true;
  readonly when: string;
  readonly at: 'before the files are removed' | 'after the files are there' | 'after the end';
  /**
   * `needed`: where it fails, nothing is installed. `undo`: runs only then, for the one after it. `check`: runs when all is done; where it fails,
   * everything stays installed and the package ends with an error. Others change nothing where they fail.
   */
  readonly kind?: Kind;
}

/** Attributes of an action by its kind; `Impersonate` counts in the script of Windows Installer alone. */
const KINDS: Readonly<Record<Kind | 'usual', string>> = {
  usual: 'Execute="deferred" Return="ignore"',
  needed: 'Execute="deferred" Return="check"',
  undo: 'Execute="rollback" Return="ignore"',
  check: 'Execute="immediate" Return="check"',
};

const PERSON = 'HKCU';
const RUN = String.raw`Software\Microsoft\Windows\CurrentVersion\Run`;
const START = 'org.faxdesk.desktop';
const GATEWAY = String.raw`[APPLICATIONFOLDER]resources\gateway`;

const service = (word: string): string =>
  String.raw`"${GATEWAY}\bin\node.exe" "${GATEWAY}\server\faxdesk.mjs" service ${word}`;
const system = (words: string): string => `"[System64Folder]${words}`;

const REMOVED = 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE';

/** No version was there before: an update has removed it by then, so that nothing would be left when an action undid the installation. */
const FIRST = 'NOT Installed AND NOT WIX_UPGRADE_DETECTED';
const OPENS = 'FIREWALL="true" AND NOT REMOVE';
const SERVES = '(SERVICE="true" OR FAXDESKSERVICE) AND NOT REMOVE';
const FIRST_SERVICE = `${FIRST} AND NOT FAXDESKSERVICE`;
const ADD_RULE = system(
  'netsh.exe" advfirewall firewall add rule name="Faxdesk" dir=in action=allow profile=domain,private program="[APPLICATIONFOLDER]Faxdesk.exe"',
);
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
    id: 'undoRule',
    command: DELETE_RULE,
    when: `${OPENS} AND ${FIRST}`,
    at: 'after the files are there',
    kind: 'undo',
  },
  {
    id: 'addRule',
    command: ADD_RULE,
    when: `${OPENS} AND ${FIRST}`,
    at: 'after the files are there',
    kind: 'needed',
  },
  {
    id: 'renewRule',
    command: ADD_RULE,
    when: `${OPENS} AND NOT (${FIRST})`,
    at: 'after the files are there',
  },
  {
    id: 'undoService',
    command: service('remove'),
    when: `${SERVES} AND ${FIRST_SERVICE}`,
    at: 'after the files are there',
    kind: 'undo',
  },
  {
    id: 'createService',
    command: service('create'),
    when: `${SERVES} AND ${FIRST_SERVICE}`,
    at: 'after the files are there',
    kind: 'needed',
  },
  {
    id: 'renewService',
    command: service('create'),
    when: `${SERVES} AND NOT (${FIRST_SERVICE})`,
    at: 'after the files are there',
  },
  {
    id: 'checkRule',
    command: system('netsh.exe" advfirewall firewall show rule name="Faxdesk"'),
    when: `${OPENS} AND NOT (${FIRST})`,
    at: 'after the end',
    kind: 'check',
  },
  // Fails for a service that does not run, also without the rights of an administrator.
  {
    id: 'checkService',
    command: system('sc.exe" interrogate Faxdesk'),
    when: `${SERVES} AND NOT (${FIRST_SERVICE})`,
    at: 'after the end',
    kind: 'check',
  },
];

/** Lines of the project that make, renew and remove the service, the rule of the firewall and the start at sign-in. */
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
    ({ id, command, isForAccount, kind }) =>
      `<CustomAction Id="${id}" Directory="APPLICATIONFOLDER" ExeCommand="${escaped(command)}" Impersonate="${isForAccount === true || kind === 'check' ? 'yes' : 'no'}" ${KINDS[kind ?? 'usual']}/>`,
  ),
  '<InstallExecuteSequence>',
  ...sequence('before the files are removed', 2610),
  ...sequence('after the files are there', 5910),
  ...sequence('after the end', 6610),
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
