import { readFile, writeFile } from 'node:fs/promises';
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

/** Called by electron-builder with the project of the MSI package before it is compiled. */
export async function msiProjectCreated(path: string): Promise<void> {
  await writeFile(path, withEntries(await readFile(path, 'utf8')));
}

/**
 * Adds the entries that `installer.nsh` makes in the registry: "Send as fax" of documents and links that begin with faxdesk://. Throws PackError
 * for a project of another form.
 *
 * Takes no decisions of the office as properties: Windows Installer keeps no property for a repair, which would write the values
 * empty and so lock every account out, and values of the policy's key would compete with those of a group policy.
 */
export function withEntries(project: string): string {
  const [before, after, ...more] = project.split('</ComponentGroup>');
  if (before === undefined || after === undefined || more.length > 0)
    throw new PackError(
      'The project of the MSI package has another form than it had. Look at scripts/pack/msi-project.ts.',
    );
  const components = Object.entries(KEYS).map(([key, values], index) => {
    const lines = Object.entries(values).map(([name, value]) => {
      const named = name === '' ? ' KeyPath="yes"' : ` Name="${name}"`;
      return `<RegistryValue Root="HKLM" Key="${CLASSES}\\${key}"${named} Type="string" Value="${value}"/>`;
    });
    return `<Component Id="entry${index}" Guid="*">${lines.join('')}</Component>`;
  });
  return `${before}${components.join('\n')}\n</ComponentGroup>${after}`;
}
