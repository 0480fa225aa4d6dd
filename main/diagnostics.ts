import { release, type } from 'node:os';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import { anonymousFaults, anonymousOutput, REPORT_PROMISE } from '../shared/problem-report.ts';
import type { OwnGateway } from './gateway.ts';
import { newestLogFile } from './log-lines.ts';
import { writeOwnerFile } from './owner-file.ts';
import type { GatewayPlace } from './terminal-server.ts';

interface DiagnosticsSource {
  readonly gateway: OwnGateway;
  readonly dataFolder: string;
  /** True when the window shows the gateway of this computer. */
  readonly isOwn: boolean;
  readonly gatewayPlace: GatewayPlace;
  readonly hasService: boolean;
}

const FOR_SEVERAL: Readonly<Record<GatewayPlace, string>> = {
  own: 'no',
  elsewhere: 'yes: no gateway starts for this account',
  kept: 'yes: this account keeps the gateway that it had',
};

/**
 * Returns the facts that a stranger needs to find a fault of this computer, as text: releases, states, the output of the gateway's
 * processes and the end of their log, without personal data.
 */
async function diagnosticsText(source: DiagnosticsSource): Promise<string> {
  const { gateway, dataFolder, isOwn, gatewayPlace, hasService } = source;
  const { electron, chrome, node } = process.versions;
  const { state } = gateway;
  const facts = [
    ['Faxdesk', app.getVersion()],
    ['Electron', `${electron} (Chromium ${chrome}, Node.js ${node})`],
    ['System', `${type()} ${release()} ${process.arch}`],
    ['Written', new Date().toISOString()],
    ['Computer for several people', FOR_SEVERAL[gatewayPlace]],
    ['Service of this computer', hasService ? 'yes' : 'no'],
    ['Window shows', isOwn ? 'the gateway of this computer' : 'another computer'],
    ['Gateway', state.kind],
    ...(state.kind === 'failed' ? anonymousFaults([state.sentence]).map((fault) => ['Fault', fault]) : []),
  ].map(([name, value]) => `${name}: ${value}`);
  const sections = [
    ['Output of the gateway processes', gateway.lines.all],
    ['The end of its newest log file', await newestLogFile(dataFolder)],
  ] as const;
  const logs = sections.flatMap(([title, lines]) => ['', `== ${title}`, ...lines.flatMap(anonymousOutput)]);
  return `${['Faxdesk problem report of a computer', REPORT_PROMISE, '', ...facts, ...logs].join('\n')}\n`;
}

/** Shows a dialog and saves the report. Returns false when the person canceled. */
export async function saveDiagnostics(
  source: DiagnosticsSource,
  window: BrowserWindow | null,
): Promise<boolean> {
  const options = {
    title: 'Save a problem report',
    defaultPath: join(app.getPath('documents'), 'faxdesk-problem.txt'),
    filters: [{ name: 'Text', extensions: ['txt'] }],
  };
  const { canceled, filePath } =
    window === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
  if (canceled || filePath === '') return false;
  await writeOwnerFile(filePath, await diagnosticsText(source));
  return true;
}
