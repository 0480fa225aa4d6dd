/** Environment and system, as far as the place of the data depends on them. */
interface DataFolderSystem {
  readonly platform: string;
  /** The folder of the person. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Joins parts of a path as the system does. */
  readonly join: (...parts: string[]) => string;
  /** Returns true when the file exists. */
  readonly exists: (path: string) => boolean;
}

export interface DataFolderChoice {
  readonly folder: string;
  /** Other folders with an installation, which are not used. */
  readonly unused: readonly string[];
}

/** Files of which every installation has one, whichever its database. */
const INSTALLATION_FILES = ['faxdesk.sqlite', 'installation.key', 'data.key'];

/**
 * Finds the data folder of this account: of the window, the gateway without one and the command line alike. It is local to the
 * computer, since a database must not roam. An installation at a place of earlier releases stays where it is and is used,
 * unless the present place has one as well.
 */
export function findDataFolder(system: DataFolderSystem): DataFolderChoice {
  const { exists, join } = system;
  const isInstalled = (folder: string) => INSTALLATION_FILES.some((name) => exists(join(folder, name)));
  const [own, ...former] = candidateFolders(system);
  const [first, ...others] = [own, ...former].filter(isInstalled);
  return { folder: first ?? own, unused: others };
}

/** Returns a sentence on installations that are not used; null when there are none. */
export function unusedFoldersSentence({ folder, unused }: DataFolderChoice): string | null {
  if (unused.length === 0) return null;
  return `Faxdesk uses ${folder} and does not use the other installation in ${unused.join(' and ')}. To use that one, start Faxdesk with FAXDESK_DATA or --data. Otherwise, move it away.`;
}

/** The present place, then those of earlier releases. */
function candidateFolders(system: DataFolderSystem): [string, ...string[]] {
  const { platform, home, environment, join } = system;
  const named = (name: string, ...otherwise: string[]) =>
    environment[name]?.trim() || join(home, ...otherwise);
  switch (platform) {
    case 'win32': {
      const roaming = join(named('APPDATA', 'AppData', 'Roaming'), 'Faxdesk');
      return [
        join(named('LOCALAPPDATA', 'AppData', 'Local'), 'Faxdesk', 'data'),
        join(roaming, 'data'),
        roaming,
      ];
    }
    case 'darwin': {
      const support = join(home, 'Library', 'Application Support', 'Faxdesk');
      return [join(support, 'data'), support];
    }
    default:
      return [
        join(named('XDG_DATA_HOME', '.local', 'share'), 'faxdesk'),
        join(named('XDG_CONFIG_HOME', '.config'), 'Faxdesk', 'data'),
      ];
  }
}

/**
 * File in the data folder with the folders that a person chose in the desktop's dialog, as a JSON list. Only the
 * application writes it.
 */
export const ALLOWED_FOLDERS_FILE = 'allowed-folders.json';

/**
 * File in the data folder that allows going back to a backup from before an update. It is there only while no gateway has opened
 * since that backup: nothing was accepted that the backup lacks.
 */
export const WAY_BACK_FILE = 'way-back.json';

/**
 * Prefix of `data.key` when the desktop application sealed it with the keychain of the operating system; the sealed key
 * follows in base64. Without the prefix the file contains the 32 bytes themselves in base64.
 */
export const SEALED_KEY_MARK = 'keychain:';

/** Direction of an interrupted restore, from the database or a decision. */
export const RESTORE_WAYS = ['undecided', 'forward', 'back'] as const;
export type RestoreWay = (typeof RESTORE_WAYS)[number];

/** The name of a restore's journal in the data folder. Renaming it decides. */
export const restoreJournalName = (way: RestoreWay): string => `restore-${way}.json`;

/**
 * Returns true when a data folder with these names is between two installations: none of its files can be trusted then.
 */
export function isBetweenInstallations(names: readonly string[]): boolean {
  return RESTORE_WAYS.some((way) => names.includes(restoreJournalName(way)));
}

/** Returns true when a data folder with these names has an installation, also one that is being restored. */
export function hasInstallation(names: readonly string[]): boolean {
  return INSTALLATION_FILES.some((name) => names.includes(name)) || isBetweenInstallations(names);
}
