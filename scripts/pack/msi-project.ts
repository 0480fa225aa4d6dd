import { readFile, writeFile } from 'node:fs/promises';
import { MSI_ACTIONS, searchRegistry } from './msi-actions.ts';
import { DECISION_COMPONENTS, DECISION_CONDITIONS, DECISION_LINES } from './msi-decisions.ts';
import { PackError } from './pack-error.ts';

const CLASSES = String.raw`Software\Classes`;
const PROGRAM = '&quot;[#mainExecutable]&quot;';

/** Keys of the registry with their values by name; an empty name is the value of the key itself. */
const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...Object.fromEntries(['.pdf', '.tif', '.tiff'].flatMap(sendAsFax)),
  faxdesk: { '': 'URL:Faxdesk', 'URL Protocol': '' },
  [String.raw`faxdesk\DefaultIcon`]: { '': `${PROGRAM},0` },
  [String.raw`faxdesk\shell\open\command`]: { '': `${PROGRAM} &quot;%1&quot;` },
};

function sendAsFax(extension: string): [string, Record<string, string>][] {
  const key = `SystemFileAssociations\\${extension}\\shell\\Faxdesk`;
  return [
    [key, { '': 'Send as fax', Icon: `${PROGRAM},0` }],
    [`${key}\\command`, { '': `${PROGRAM} &quot;%1&quot;` }],
  ];
}

/** Products of the other installers, as `resources/windows/installer.nsh` names them. */
const EVERYONE = '038e76c9-6cfc-49c6-b7d2-4785ab782114';
const ACCOUNT = '79e4ed6f-e50b-5f56-8423-0786c6af13a9';

/** Searches of the registry and conditions that end the package. An update of the package goes on beside a copy of an account. */
const SCOPES = [
  installedAs('FAXDESKFOREVERYONE', 'HKLM', EVERYONE),
  installedAs('FAXDESKFORACCOUNT', 'HKCU', ACCOUNT),
  refusal(
    'Installed OR NOT FAXDESKFOREVERYONE',
    'Faxdesk was installed on this computer with its installer for everyone. Use that installer for a new version, or remove Faxdesk first. Nothing was installed.',
  ),
  refusal(
    'Installed OR WIX_UPGRADE_DETECTED OR NOT FAXDESKFORACCOUNT',
    'Faxdesk is installed for your account alone. Remove it first: its faxes stay. Nothing was installed.',
  ),
  ...Object.entries(DECISION_CONDITIONS).map(([condition, sentence]) => refusal(condition, sentence)),
].join('\n');

function installedAs(property: string, root: string, product: string): string {
  return searchRegistry(property, root, `Software\\${product}`, 'InstallLocation');
}

function refusal(condition: string, sentence: string): string {
  return `<Condition Message="${sentence}"><![CDATA[${condition}]]></Condition>`;
}

/** Called by electron-builder with the project of the MSI package before it is compiled. */
export async function msiProjectCreated(path: string): Promise<void> {
  await writeFile(path, changedProject(await readFile(path, 'utf8')));
}

/**
 * Adds the entries that `installer.nsh` makes in the registry, "Send as fax" of documents and links that begin with faxdesk://, and the
 * decisions of the office, and has the package refuse a computer with one of the other installers. Throws PackError for a project of
 * another form.
 */
export function changedProject(project: string): string {
  const withEntries = insertBefore('</ComponentGroup>', `${entries()}\n${DECISION_COMPONENTS}\n`, project);
  return insertBefore(
    '<Directory Id="TARGETDIR"',
    `${SCOPES}\n${MSI_ACTIONS}\n${DECISION_LINES}\n`,
    withEntries,
  );
}

function insertBefore(place: string, lines: string, project: string): string {
  const [before, after, ...more] = project.split(place);
  if (before !== undefined && after !== undefined && more.length === 0)
    return `${before}${lines}${place}${after}`;
  throw new PackError(
    'The project of the MSI package has another form than it had. Look at scripts/pack/msi-project.ts.',
  );
}

function entries(): string {
  const components = Object.entries(KEYS).map(([key, values], index) => {
    const lines = Object.entries(values).map(([name, value]) => {
      const named = name === '' ? ' KeyPath="yes"' : ` Name="${name}"`;
      return `<RegistryValue Root="HKLM" Key="${CLASSES}\\${key}"${named} Type="string" Value="${value}"/>`;
    });
    return `<Component Id="entry${index}" Guid="*">${lines.join('')}</Component>`;
  });
  return components.join('\n');
}
