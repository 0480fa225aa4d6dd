/** Key of the registry of Windows with the decisions of a group policy, as the template in `deploy/policy` has them. */
export const POLICY_KEY = String.raw`HKLM\SOFTWARE\Policies\Faxdesk`;
/** Key of the decisions that came with the MSI package, with the same names. */
export const PACKAGE_KEY = String.raw`HKLM\SOFTWARE\Faxdesk`;
/** Profile of macOS with the same names, as its management writes it. */
export const POLICY_PROFILE = '/Library/Managed Preferences/org.faxdesk.desktop.plist';

/** Name of the file with the decisions of the office, in the folder that only an administrator can write. */
export const DECISIONS_FILE = 'desktop.json';

/** Program and words that print a profile as JSON. */
export const PROFILE_READER = ['/usr/bin/plutil', ['-convert', 'json', '-o', '-', POLICY_PROFILE]] as const;

/** Values of a key of the registry by name: texts, numbers, and lists of texts. Those of other types are left out. */
export type RegistryValues = Readonly<Record<string, string | number | readonly string[]>>;

const LINE = /^ {4}(\w+) {4}(REG_SZ|REG_DWORD|REG_MULTI_SZ)(?: {4}(.*))?$/u;

/** Parses the output of `reg query`. */
export function parseRegistry(output: string): RegistryValues {
  const lines = output.split(/\r?\n/u).map((line) => LINE.exec(line));
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name = '', type = '', shown = ''] = line ?? [];
      return name === '' ? [] : [[name, valueOf(type, shown)]];
    }),
  );
}

/** `reg` prints numbers as `0x1`, and `\0` between the texts of a list. */
function valueOf(type: string, shown: string): string | number | readonly string[] {
  if (type === 'REG_DWORD') return Number(shown);
  return type === 'REG_MULTI_SZ' ? shown.split(String.raw`\0`) : shown;
}
