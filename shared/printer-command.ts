/** Systems whose printers are added in different ways, as Node.js names them. */
export const PRINTER_SYSTEMS = ['win32', 'darwin', 'linux'] as const;
export type PrinterSystem = (typeof PRINTER_SYSTEMS)[number];

/** Name of the fax printer on the computers that add it. */
export const FAX_PRINTER = 'Faxdesk';

/** Command of the operating system. */
export interface SystemCommand {
  readonly program: string;
  readonly words: readonly string[];
}

/** Returns the command that adds a printer without a driver. `uri` is its address with `ipp:`, or `ipps:` in the network. */
export function addPrinterCommand(
  platform: string,
  { name, uri }: { readonly name: string; readonly uri: string },
): SystemCommand {
  if (platform === 'win32')
    return powerShell(`Add-Printer -Name '${name}' -IppURL '${uri.replace(/^ipp/u, 'http')}'`);
  // The system asks for the print password when something is printed.
  const secret = uri.startsWith('ipps:') ? ['-o', 'auth-info-required=username,password'] : [];
  return { program: 'lpadmin', words: ['-p', name, '-E', '-v', uri, '-m', 'everywhere', ...secret] };
}

/** Returns the command that removes a printer by its name. */
export function removePrinterCommand(platform: string, name: string): SystemCommand {
  if (platform === 'win32') return powerShell(`Remove-Printer -Name '${name}'`);
  return { program: 'lpadmin', words: ['-x', name] };
}

const powerShell = (script: string): SystemCommand => ({
  program: 'powershell.exe',
  words: ['-NoProfile', '-NonInteractive', '-Command', script],
});

/** Returns a command as a person types it. */
export function inShell({ program, words }: SystemCommand): string {
  return [program, ...words.map((word) => (/^[\w./:=,-]+$/u.test(word) ? word : `"${word}"`))].join(' ');
}
