import { release, type } from 'node:os';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import type { OwnGateway } from './gateway.ts';
import { newestLogFile } from './log-lines.ts';
import { writeOwnerFile } from './owner-file.ts';

interface DiagnosticsSource {
  readonly gateway: OwnGateway;
  readonly dataFolder: string;
  /** Name of the gateway in this window: that of this computer, or the address of another. */
  readonly gatewayName: string;
}

/**
 * Returns the diagnostics for finding a fault: releases, states and logs, which contain no secret, number or document.
 */
async function diagnosticsText({ gateway, dataFolder, gatewayName }: DiagnosticsSource): Promise<string> {
  const { electron, chrome, node } = process.versions;
  const { state } = gateway;
  const facts = [
    ['Faxdesk', app.getVersion()],
    ['Electron', `${electron} (Chromium ${chrome}, Node.js ${node})`],
    ['System', `${type()} ${release()} ${process.arch}`],
    ['Written', new Date().toISOString()],
    ['Window shows', gatewayName],
    ['Gateway', state.kind === 'failed' ? `failed: ${state.sentence}` : state.kind],
    ['Data folder', dataFolder],
  ].map(([name, value]) => `${name}: ${value}`);
  const sections = [
    ['Output of the gateway processes', gateway.lines.all],
    ['The end of its newest log file', await newestLogFile(dataFolder)],
  ] as const;
  const logs = sections.flatMap(([title, lines]) => ['', `== ${title}`, ...lines]);
  return `${[...facts, ...logs].join('\n')}\n`;
}

/** Shows a dialog and saves the diagnostics. Returns false when the person canceled. */
export async function saveDiagnostics(
  source: DiagnosticsSource,
  window: BrowserWindow | null,
): Promise<boolean> {
  const options = {
    title: 'Save diagnostics',
    defaultPath: join(app.getPath('documents'), 'faxdesk-diagnostics.txt'),
    filters: [{ name: 'Text', extensions: ['txt'] }],
  };
  const { canceled, filePath } =
    window === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
  if (canceled || filePath === '') return false;
  await writeOwnerFile(filePath, await diagnosticsText(source));
  return true;
}
