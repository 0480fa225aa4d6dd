import type { Command } from 'commander';
import { jobKindWords } from '../../../shared/job-kinds.ts';
import { UNCLAIMED_DAYS } from '../../features/storage/types.ts';
import type { HistoryVerification } from '../../features/work/offline.ts';
import { action } from '../command.ts';
import { bootOf, presentBoot } from '../data-folder.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { CommandFailure } from '../exit-codes.ts';
import { listed } from '../readiness.ts';
import { facts, oneLine } from '../terminal.ts';

const MB = 1024 * 1024;

export function addDiagnose(program: Command): void {
  program
    .command('diagnose')
    .description(
      'Find faults and say what to do about each, and write a report for the person helping you, without secrets and fax numbers.',
    )
    .option(
      '--history',
      'instead, check that no entry in the histories of work items is missing, altered or moved',
    )
    .addHelpText(
      'after',
      '\nRun this on the gateway’s computer; the gateway does not have to be running. The exit code is 1 if a fault was found or, with --history, if something is wrong.',
    )
    .action(
      action<{ history?: true }>(async ({ options, answer }) => {
        const boot = await (options.history ? presentBoot : bootOf)(options.data);
        if (options.history) {
          const { verifyStoredHistories } = await import('../history-work.ts');
          const found = await verifyStoredHistories(boot);
          if (!found.intact) throw new CommandFailure(found.problems.join('\n'));
          answer(found, describeHistories);
          return;
        }
        const { diagnose } = await import('../diagnosis.ts');
        const report = await diagnose(boot);
        answer(report, describe);
        const count = report.faults.length;
        if (count > 0)
          throw new CommandFailure(count === 1 ? '1 fault was found.' : `${count} faults were found.`);
      }),
    );
}

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
    ['Faxes', counts(store.faxes)],
    ['Received faxes', counts(store.received_faxes)],
    ['Work items', counts(store.work_items)],
    ['E-mail deliveries', counts(store.email_deliveries)],
    ['Printed documents', counts(store.printed_documents)],
    ['Webhook deliveries', counts(store.webhook_deliveries)],
    ['Unclaimed documents', unclaimedWords(unclaimed)],
    ...(set_aside.length > 0 ? [['Documents set aside', set_aside.join(', ')] as const] : []),
    ['Background work', counts(store.waiting, jobKindWords)],
    ['Settings stored', store.settings.join(', ') || 'none'],
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

/** Describes the unclaimed documents, each kept for 30 days. */
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

function megabytes(bytes: number): string {
  return `${(bytes / MB).toFixed(1)} MB`;
}
