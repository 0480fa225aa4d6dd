import {
  anonymousFaults,
  anonymousLine,
  countsLine,
  megabytes,
  REPORT_PROMISE,
} from '../../../shared/problem-report.ts';
import type { SettingValues } from '../settings/service.ts';
import { readLogPage } from './log-pages.ts';
import type { StatusFacts } from './types.ts';

const LOG_LINES = 500;

interface ReportParts {
  /** ISO 8601 UTC */
  readonly at: string;
  readonly status: StatusFacts;
  readonly values: SettingValues;
  readonly logFolder: string;
}

/**
 * Returns the facts that a stranger needs to find a fault, as text: releases, sizes, counts by state, faults by kind, settings without
 * texts, and the end of the log. It names no person, office, number, address, folder or document.
 */
export async function problemReport({ at, status, values, logFolder }: ReportParts): Promise<string> {
  const { items } = await readLogPage(logFolder, { level: 'debug', limit: LOG_LINES });
  const facts = [
    ['Written', at],
    ['Faxdesk', status.release],
    ['Node.js', status.node],
    ['System', status.platform],
    ['Running since', status.started_at],
    ['Database', `${status.database}, ${megabytes(status.store_bytes)}`],
    ['Free on its disk', status.free_bytes === null ? 'unknown' : megabytes(status.free_bytes)],
    ['Documents', status.document_storage.backend],
    ['LibreOffice', status.libreoffice === null ? 'not found' : 'found'],
    ['Receiving', status.receiving.state],
    ['Last fax delivered', status.last_delivered_at ?? 'never'],
    ['Last fax received', status.last_received_at ?? 'never'],
    ['Last backup', status.last_backup?.created_at ?? 'never'],
    ['Sent faxes', countsLine(status.faxes)],
    ['Background work', countsLine(status.waiting)],
  ].map(([name, value]) => `${name}: ${value}`);
  return [
    'Faxdesk problem report',
    REPORT_PROMISE,
    '',
    ...facts,
    ...section('Problems', anonymousFaults(status.problems)),
    ...section('Needs attention', anonymousFaults(status.warnings)),
    ...section(
      'Notifications of providers',
      status.report_problems.map(({ backend, problem, count }) => `${backend} ${problem} ${count}`),
    ),
    ...section('Settings', Object.entries(values).map(settingLine)),
    ...section('End of the log, newest first', items.map(anonymousLine)),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `== ${title}`, ...(lines.length === 0 ? ['none'] : lines)];
}

/** Only switches and counts are shown; of a text, whether there is one. */
function settingLine([name, value]: [string, unknown]): string {
  if (typeof value === 'boolean' || typeof value === 'number') return `${name}: ${value}`;
  const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return `${name}: ${isEmpty ? 'empty' : 'set'}`;
}
