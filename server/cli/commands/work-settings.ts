import type { Command } from 'commander';
import type { AnswerOf } from '../../../shared/api/route.ts';
import type { workRoutes } from '../../../shared/api/work.ts';
import type { Client } from '../../../shared/client/index.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { findMailbox } from '../find-access.ts';
import { findPersonByName } from '../find-person.ts';
import { facts, table } from '../terminal.ts';

type Settings = AnswerOf<typeof workRoutes.workSettings>;
type MailboxSettings = Settings['mailboxes'][number];

interface Options {
  readonly target?: string;
  readonly backup?: string;
}

export function addWorkSettings(work: Command): void {
  work
    .command('settings')
    .description(
      'Show acknowledgement targets and backup people of all mailboxes, or of one. Change them for one.',
    )
    .argument('[mailbox]', 'id or label')
    .option('--target <hours>', 'hours to acknowledge a document; 0 for no target, or installation')
    .option('--backup <person>', 'name or id of the person who gets overdue items, or none')
    .action(
      action<Options>(async ({ options, client, answer }, given) => {
        const rooms = await client();
        const isChange = options.target !== undefined || options.backup !== undefined;
        if (given === undefined) {
          if (isChange) throw new CommandFailure('Give the mailbox to change.', EXIT.usage);
          return answer(await rooms.work.workSettings(), formatSettings);
        }
        const { item } = await findMailbox(rooms, given);
        const before = findSettings(await rooms.work.workSettings(), item.id);
        const after = isChange ? await change(rooms, before, options) : before;
        answer(after, describe);
      }),
    );
}

async function change(
  rooms: Client,
  before: MailboxSettings,
  { target, backup }: Options,
): Promise<MailboxSettings> {
  const { mailbox_id, version, people } = before;
  const wanted = {
    mailbox_id,
    version,
    acknowledge_hours: target === undefined ? before.acknowledge_hours : hoursOf(target),
    backup_principal_id:
      backup === undefined
        ? (before.backup?.id ?? null)
        : backup === 'none'
          ? null
          : findPersonByName(people, backup, 'be the backup person of this mailbox'),
  };
  return findSettings(await rooms.work.changeWorkSettings({ body: { mailboxes: [wanted] } }), mailbox_id);
}

function findSettings({ mailboxes }: Settings, id: string): MailboxSettings {
  const found = mailboxes.find(({ mailbox_id }) => mailbox_id === id);
  if (!found) throw new CommandFailure('There is no such mailbox.', EXIT.notFound);
  return found;
}

/** Null for the target of the installation. */
function hoursOf(target: string): number | null {
  if (target === 'installation') return null;
  const hours = Number(target);
  if (!/^\d+$/u.test(target) || hours > LIMITS.acknowledgeHours)
    throw new CommandFailure(
      `--target must be a number of hours from 0 to ${LIMITS.acknowledgeHours}, or installation.`,
      EXIT.usage,
    );
  return hours;
}

const targetWords = (hours: number | null) =>
  hours === null ? 'target of the installation' : hours === 0 ? 'none' : `${hours} h`;

function formatSettings({ acknowledge_hours, mailboxes }: Settings): string {
  const rows = mailboxes.map((one) => [
    one.mailbox_id,
    one.label,
    targetWords(one.acknowledge_hours),
    one.backup?.name ?? 'none',
  ]);
  const whole = `Target of the installation: ${targetWords(acknowledge_hours)}`;
  return `${whole}\n\n${table(['MAILBOX', 'LABEL', 'TARGET', 'BACKUP'], rows)}`;
}

const describe = (one: MailboxSettings): string =>
  facts([
    ['Mailbox', one.label],
    ['Target', targetWords(one.acknowledge_hours)],
    ['Backup person', one.backup?.name ?? 'none'],
    ['Candidates', one.people.map(({ name }) => name).join(', ') || 'nobody'],
  ]);
