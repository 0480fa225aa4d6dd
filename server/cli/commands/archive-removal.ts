import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { z } from 'zod';
import { ARCHIVE_PIECE_BYTES, type ArchiveRemoval } from '../../../shared/api/archives-removal.ts';
import type { Client } from '../../../shared/client/index.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { facts, table, terminal } from '../terminal.ts';

type Removal = z.infer<typeof ArchiveRemoval>;

const FOLLOW_MS = 1_000;

/** Adds the commands that remove archived faxes from the store. */
export function addArchiveRemoval(archive: Command): void {
  addRemove(archive);
  archive
    .command('removals')
    .description('List the removals of archived faxes with their progress, newest first.')
    .action(
      action(async ({ client, answer }) => {
        const { removals } = await (await client()).archives.listArchiveRemovals({});
        answer(removals, (listed) =>
          table(
            ['ID', 'TIME', 'STATE', 'REMOVED', 'WAITING', 'CREATED', 'BY'],
            listed.map((each) => [
              each.id,
              timeOf(each),
              each.state,
              each.removed.sent + each.removed.received,
              each.waiting,
              each.created_at,
              each.created_by,
            ]),
          ),
        );
      }),
    );
  archive
    .command('stop')
    .description('Stop a removal of archived faxes. What was removed stays removed.')
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        const rooms = await client();
        const { version } = await rooms.archives.getArchiveRemoval({ params: { id } });
        answer(
          await rooms.archives.endArchiveRemoval({ params: { id }, body: { version } }),
          describeRemoval,
        );
      }),
    );
}

interface RemoveOptions {
  readonly year: string;
  readonly month?: string;
  readonly archive: string;
  readonly yes?: true;
}

function addRemove(archive: Command): void {
  archive
    .command('remove')
    .description('Remove the faxes of an archive from the store for good, with their documents.')
    .requiredOption('--year <year>', 'the year of the archive, e.g. 2023')
    .requiredOption('--archive <zip>', 'the archive, which is handed over and checked byte by byte')
    .option('--month <month>', 'the month of the archive, where it has only one')
    .option('--yes', 'remove them; without it nothing is removed, and the command says what would be')
    .addHelpText(
      'after',
      `
Only an owner can do this. Keep the archive in two places first: what is removed is in the archive alone. Faxes that changed since,
that are under a legal hold, or that belong to open work, a case or a broadcast stay. After an interruption the removal continues.`,
    )
    .action(
      action<RemoveOptions>(async ({ options, client, answer }) => {
        const rooms = await client();
        const upload_id = await handOver(rooms, options.archive);
        const body = { upload_id, year: Number(options.year), ...monthOf(options.month) };
        const checked = await followed(rooms, await rooms.archives.createArchiveRemoval({ body }));
        if (checked.state !== 'ready') throw new CommandFailure(checked.problem ?? 'The check was stopped.');
        if (!options.yes) {
          terminal.note(describeRemoval(checked));
          throw new CommandFailure(
            `Nothing was removed. To remove ${checked.waiting === 1 ? '1 fax' : `${checked.waiting} faxes`} for good, repeat the command with --yes.`,
            EXIT.conflict,
          );
        }
        const read = { params: { id: checked.id }, body: { version: checked.version } };
        const ended = await followed(rooms, await rooms.archives.startArchiveRemoval(read));
        answer(ended, describeRemoval);
        if (ended.state !== 'done') throw new CommandFailure('The removal was stopped.', EXIT.conflict);
      }),
    );
}

const monthOf = (month: string | undefined) => (month === undefined ? {} : { month: Number(month) });

/** Hands a file over piece by piece and returns the id under which the gateway has it. */
async function handOver(rooms: Client, path: string): Promise<string> {
  const file = await opened(path);
  const upload_id = randomBytes(16).toString('hex');
  for (let offset = 0; offset < file.size || offset === 0; offset += ARCHIVE_PIECE_BYTES) {
    const content = file.slice(offset, offset + ARCHIVE_PIECE_BYTES);
    await rooms.archives.addArchivePiece({
      params: { id: upload_id },
      query: { offset },
      fields: {},
      files: { piece: [{ name: 'piece', content }] },
    });
    terminal.progress(`Handing the archive over: ${Math.floor((100 * offset) / Math.max(1, file.size))} %`);
  }
  terminal.progress('');
  return upload_id;
}

async function opened(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch {
    throw new CommandFailure(`The file ${path} cannot be read.`, EXIT.badValues);
  }
}

/** Reads a removal again until it neither checks nor removes. */
async function followed(rooms: Client, begun: Removal): Promise<Removal> {
  let removal = begun;
  while (removal.state === 'checking' || removal.state === 'running') {
    terminal.progress(
      removal.state === 'checking' ? 'Checking the archive' : `Removing: ${removal.waiting} faxes to go`,
    );
    await pause(FOLLOW_MS);
    removal = await rooms.archives.getArchiveRemoval({ params: { id: removal.id } });
  }
  terminal.progress('');
  return removal;
}

const timeOf = ({ year, month }: Removal) =>
  month === null ? String(year) : `${year}-${String(month).padStart(2, '0')}`;

function describeRemoval(removal: Removal): string {
  const { removed, waiting, staying, gone, not_archived } = removal;
  return facts([
    ['Removal', removal.id],
    ['Time', timeOf(removal)],
    ['State', removal.state],
    ['Removed', `${removed.sent} sent and ${removed.received} received faxes`],
    ['To be removed', waiting],
    ...staying.map(({ words, faxes }) => ['Stay', `${faxes} ${words}`] as const),
    ['Not in the archive', not_archived],
    ['Removed before', gone],
  ]);
}
