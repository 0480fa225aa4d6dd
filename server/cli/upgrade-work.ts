import { upgradeInstallation } from '../composition/upgrade.ts';
import { readBoot } from '../config/boot.ts';
import { upgradeLines } from '../features/upgrade/service.ts';
import type { UpgradeReport } from '../features/upgrade/types.ts';
import type { ActionContext } from './command.ts';
import { settleFolder } from './settled-folder.ts';
import { facts, oneLine, terminal } from './terminal.ts';

export interface UpgradeOptions {
  readonly from: string;
  readonly files: string;
  readonly env?: string;
  readonly dryRun?: boolean;
}

const PART_WORDS = {
  settings: 'settings',
  mailboxes: 'mailboxes',
  rules: 'number rules',
  keys: 'API keys',
  received: 'received faxes',
  notifications: 'notifications',
  sent: 'sent faxes',
  summary: 'report',
} as const;

/** `faxdesk upgrade`. */
export async function upgrade({ options, answer }: ActionContext<UpgradeOptions>): Promise<void> {
  const { from, files, env = null, dryRun = false } = options;
  const overrides = options.data === undefined ? {} : { dataFolder: options.data };
  const { options: boot, environment } = await readBoot(overrides);
  if (!dryRun) await settleFolder(boot);
  const report = await upgradeInstallation(
    boot,
    environment,
    { from, files, environmentFile: env },
    {
      dryRun,
      onProgress: ({ part, done, total }) => terminal.progress(`${PART_WORDS[part]}: ${done} of ${total}…`),
      onBackup: (file) => terminal.note(`A backup of this installation was made first: ${file}`),
    },
  ).finally(() => terminal.progress(''));
  answer(summaryOf(report), () => words(report));
  if (report.dryRun) terminal.note('This was a dry run: nothing was changed.');
}

function summaryOf({ notes, ...report }: UpgradeReport) {
  return {
    id: report.id,
    source: report.source,
    files: report.files,
    started_at: report.startedAt,
    finished_at: report.finishedAt,
    dry_run: report.dryRun,
    repeated: report.isRepeated,
    counts: report.counts,
    lines: report.noteCount,
    notes: notes.map(({ kind, subjectId, text }) => ({ kind, subject_id: subjectId, text })),
  };
}

function words(report: UpgradeReport): string {
  const title = report.isRepeated
    ? 'This installation was upgraded before; nothing was added.'
    : report.dryRun
      ? 'An upgrade would do this:'
      : 'The upgrade is complete.';
  const lines = [title, '', facts(upgradeLines(report.counts))];
  if (report.noteCount === 0) return lines.join('\n');
  lines.push(
    '',
    `${report.noteCount === 1 ? 'One thing needs' : `${report.noteCount} things need`} a person:`,
  );
  lines.push(...report.notes.map(({ text }) => `- ${oneLine(text)}`));
  const more = report.noteCount - report.notes.length;
  if (more > 0)
    lines.push(`- and ${more} more, which the console shows under System and the security audit keeps`);
  return lines.join('\n');
}
