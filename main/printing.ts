import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BrowserWindow, WebContents } from 'electron';
import type { DesktopPaper, DesktopPrinter } from '../shared/desktop.ts';
import { addPrinterCommand, FAX_PRINTER } from '../shared/printer-command.ts';

/** Papers that printers have, in points. */
const PAPERS = { A4: [595, 842], Letter: [612, 792], Legal: [612, 1_008] } as const;
type Paper = keyof typeof PAPERS;

/** A printer in the network is asked for what it can print. */
const ADD_TIMEOUT_MS = 60_000;
const MAX_REASON_LENGTH = 500;

/** The word of Electron for a person who closed the dialog. */
const CANCELED = 'Print job canceled';

/** Returns the printers of this computer, by name. */
export async function listPrinters(window: BrowserWindow | null): Promise<DesktopPrinter[]> {
  const printers = (await window?.webContents.getPrintersAsync().catch(() => [])) ?? [];
  return printers
    .map(({ name, displayName }) => ({ name, label: displayName || name }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));
}

/**
 * Prints the page of a window in the dialog of the system, with this printer chosen. Resolves to false, without a dialog,
 * when none is given or the computer does not have it. Rejects when the system cannot print.
 */
export async function printPage(
  window: BrowserWindow | null,
  { printer, paper }: { readonly printer: string | null; readonly paper: DesktopPaper },
): Promise<boolean> {
  if (window === null || printer === null) return false;
  const printers = await listPrinters(window);
  if (!printers.some(({ name }) => name === printer)) return false;
  await print(window.webContents, { deviceName: printer, pageSize: nearestPaper(paper) });
  return true;
}

/**
 * Adds the fax printer at this address to the computer, as the person may add printers. Resolves to null, or to the reason that the
 * system gives.
 */
export async function addFaxPrinter(uri: string): Promise<string | null> {
  const { program, words } = addPrinterCommand(process.platform, { name: FAX_PRINTER, uri });
  try {
    await promisify(execFile)(program, words, { timeout: ADD_TIMEOUT_MS, windowsHide: true });
    return null;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') return `${program} is not installed.`;
    return stderr.trim().slice(0, MAX_REASON_LENGTH) || 'It gave no reason.';
  }
}

function print(contents: WebContents, options: { deviceName: string; pageSize: Paper }): Promise<void> {
  return new Promise((resolve, reject) => {
    contents.print({ silent: false, ...options }, (isPrinted, reason) => {
      if (isPrinted || reason === CANCELED) resolve();
      else reject(new Error(`The system could not print: ${reason}`));
    });
  });
}

/** Returns the paper that comes closest to a page: a fax is seldom as long as its sheet. */
export function nearestPaper({ width, height }: DesktopPaper): Paper {
  const distance = ([across, down]: readonly [number, number]) =>
    Math.abs(width - across) + Math.abs(height - down);
  const [nearest = 'A4'] = (Object.keys(PAPERS) as Paper[]).toSorted(
    (a, b) => distance(PAPERS[a]) - distance(PAPERS[b]),
  );
  return nearest;
}
