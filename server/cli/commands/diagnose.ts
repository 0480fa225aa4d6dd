import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { jobKindWords } from '../../../shared/job-kinds.ts';
import {
  anonymousFaults,
  anonymousOutput,
  megabytes,
  REPORT_PROMISE,
} from '../../../shared/problem-report.ts';
import { UNCLAIMED_DAYS } from '../../features/storage/types.ts';
import type { HistoryVerification } from '../../features/work/offline.ts';
import { replaceDurably } from '../../platform/durable-file.ts';
import { action } from '../command.ts';
import { bootOf, presentBoot } from '../data-folder.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { listed } from '../readiness.ts';
import { facts, oneLine, terminal } from '../terminal.ts';

interface DiagnoseOptions {
  readonly history?: true;
  readonly output?: string;
  readonly overwrite?: true;
}

export function addDiagnose(program: Command): void {
  program
    .command('diagnose')
    .description(
      'Find faults and say what to do about each, and write a report for the person helping you, without secrets and fax numbers.',
    )
    .addOption(
      new Option(
        '--history',
        'instead, check that no entry in the histories of work items is missing, altered or moved',
      ).conflicts('output'),
    )
    .option('--output <file>', 'also save a problem report for a stranger, without personal data')
    .option('--overwrite', 'replace an existing file once the new one is complete')
    .addHelpText(
      'after',
      '\nRun this on the gateway’s computer; the gateway does not have to be running. The exit code is 1 if a fault was found or, with --history, if something is wrong.',
    )
    .action(
      action<DiagnoseOptions>(async ({ options, answer }) => {
        const boot = await (options.history ? presentBoot : bootOf)(options.data);
        if (options.history) {
          const { verifyStoredHistories } = await import('../history-work.ts');
          const found = await verifyStoredHistories(boot);
          if (!found.intact) throw new CommandFailure(found.problems.join('\n'));
          answer(found, describeHistories);
          return;
        }
        const { diagnose } = await import('../diagnosis.ts');
        const path = options.output === undefined ? null : resolve(options.output);
        if (path !== null && existsSync(path) && !options.overwrite)
          throw new CommandFailure(`${path} already exists. Use --overwrite to replace it.`, EXIT.conflict);
        const report = await diagnose(boot);
        if (path !== null) {
          await replaceDurably(path, 0o600, (handle) => handle.writeFile(anonymousReport(report)));
          terminal.note(`Saved as ${path}.`);
        }
        answer(report, describe);
        const count = report.faults.length;
        if (count > 0)
          throw new CommandFailure(count === 1 ? '1 fault was found.' : `${count} faults were found.`);
      }),
    );
}

/** Formats the report for strangers: without sentences, addresses and folders. */
function anonymousReport({ faults, store, gateway, log, unclaimed, ...rest }: Diagnosis): string {
  const report = facts([
    ['Release', rest.release],
    ['Node.js', rest.node],
    ['System', rest.platform],
    ['Free on its disk', rest.free_bytes === null ? 'no such folder' : megabytes(rest.free_bytes)],
    ['Gateway', gateway.running ? 'running' : 'not running'],
    ['Database', `${store.database}, ${megabytes(store.size_bytes)}`],
    ['Migrations', store.migrations.join(', ') || 'none'],
    ...recordRows(store),
    ['Unclaimed documents', String(unclaimed.count)],
    ...settingRows(store),
  ]);
  const kinds = faults.map(({ kind, cure }) => `${kind}: ${cure}`);
  const others = anonymousFaults([...gateway.problems, ...gateway.warnings]);
  const lines = log.lines.flatMap(anonymousOutput);
  const parts = [report, '', 'Faults:', ...kinds, '', 'Needs attention:', ...others, '', 'Log:', ...lines];
  return `${['Faxdesk problem report', REPORT_PROMISE, '', ...parts].join('\n')}\n`;
}

const recordRows = (store: Diagnosis['store']): [string, string][] => [
  ['Faxes', counts(store.faxes)],
  ['Received faxes', counts(store.received_faxes)],
  ['Work items', counts(store.work_items)],
  ['E-mail deliveries', counts(store.email_deliveries)],
  ['Printouts', counts(store.printouts)],
  ['Printed documents', counts(store.printed_documents)],
  ['Webhook deliveries', counts(store.webhook_deliveries)],
];

const settingRows = (store: Diagnosis['store']): [string, string][] => [
  ['Background work', counts(store.waiting, jobKindWords)],
  ['Settings stored', store.settings.join(', ') || 'none'],
];

function describeHistories({ items, entries, ends_checked }: HistoryVerification): string {
  const whole = `The histories of ${items} work ${items === 1 ? 'item' : 'items'} are complete and unchanged: ${entries} ${entries === 1 ? 'entry' : 'entries'}.`;
  return ends_checked
    ? whole
    : `${whole} Their ends were not checked, because the data key is not available.`;
}

function describe({ faults, store, gateway, log, unclaimed, set_aside, ...rest }: Diagnosis): string {
  const { warnings } = gateway;
  const report = facts([
    ['Release', rest.release],
    ['Node.js', rest.node],
    ['System', rest.platform],
    ['Data folder', rest.data_folder],
    ...(rest.unused === null ? [] : [['Other data folders', rest.unused] as const]),
    ['Free on its disk', rest.free_bytes === null ? 'no such folder' : megabytes(rest.free_bytes)],
    ['Gateway', gateway.running ? `running at ${gateway.url}` : 'not running'],
    ['Gateway problems', gateway.problems.join(' ') || 'none'],
    ['Needs attention', needsAttention(gateway)],
    ['Database', `${store.database}, ${megabytes(store.size_bytes)}`],
    ['Database problems', store.problem ?? 'none'],
    ['Migrations', store.migrations.join(', ') || 'none'],
    ...recordRows(store),
    ['Unclaimed documents', unclaimedWords(unclaimed)],
    ...(set_aside.length > 0 ? [['Documents set aside', set_aside.join(', ')] as const] : []),
    ...settingRows(store),
    ['Log', log.file ?? 'standard error of the gateway'],
  ]);
  const attention = warnings.length > 0 ? ['Needs attention:', listed(warnings)] : [];
  return [...faults.map(faultWords), report, ...attention, ...log.lines].join('\n');
}

function faultWords({ fault, cure }: Diagnosis['faults'][number]): string {
  return `Fault: ${oneLine(fault)}\nCure:  ${cure}\n`;
}

function needsAttention({ running, warnings }: Diagnosis['gateway']): string {
  if (!running) return 'unknown while the gateway is not running';
  return warnings.length === 0 ? 'nothing' : `${warnings.length}, listed below`;
}

/** Describes the documents that no fax names. Each is removed after UNCLAIMED_DAYS. */
function unclaimedWords({ count, size_bytes, since, next_removal, folder }: Diagnosis['unclaimed']): string {
  if (since === null || next_removal === null) return 'none';
  return `${count} (${megabytes(size_bytes)}) in ${folder}, the first since ${since}; removed after ${UNCLAIMED_DAYS} days, the next on ${next_removal}`;
}

function counts(
  values: Readonly<Record<string, number>>,
  words: (name: string) => string = (name) => name,
): string {
  const some = Object.entries(values).filter(([, count]) => count > 0);
  const texts = some.map(([name, count]) => `${words(name)}: ${count}`);
  return texts.join(', ') || 'none';
}
