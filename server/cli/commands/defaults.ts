import type { Command } from 'commander';
import type { z } from 'zod';
import type { deskRoutes } from '../../../shared/api/desk.ts';
import type { Client } from '../../../shared/client/index.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { findCover } from '../find-cover.ts';
import { facts } from '../terminal.ts';

type Defaults = z.infer<typeof deskRoutes.getDefaults.answer.schema>;

interface SetOptions {
  readonly mailbox?: string;
  readonly cover?: string;
  readonly signature?: string;
  readonly headerName?: string;
}

export function addDefaultsCommands(program: Command): void {
  const defaults = program
    .command('defaults')
    .description('Show or change what your own new faxes begin with: My settings of the console.');
  defaults
    .command('show')
    .description('Show what your new faxes begin with.')
    .action(
      action(async ({ client, answer }) => {
        const rooms = await client();
        const names = await namesOf(rooms);
        answer(await rooms.desk.getDefaults(), (saved) => describe(saved, names));
      }),
    );
  defaults
    .command('change')
    .description('Change what your new faxes begin with. What is left out stays; "" removes it.')
    .option('--mailbox <mailbox>', 'mailbox that new faxes are sent for on Send, by id or label')
    .option('--cover <cover>', 'cover page by id or name; that of a contact or mailbox comes first')
    .option('--signature <text>', 'sender on cover pages, in place of your name')
    .option(
      '--header-name <name>',
      'name in the header line, in place of the organization; number, time and page stay',
    )
    .action(
      action<SetOptions>(async ({ options, client, answer }) => {
        const { mailbox, cover, signature: sender, headerName } = options;
        if ([mailbox, cover, sender, headerName].every((value) => value === undefined))
          throw new CommandFailure(
            'Use at least one of --mailbox, --cover, --signature and --header-name.',
            EXIT.usage,
          );
        const rooms = await client();
        const names = await namesOf(rooms);
        const changes = {
          ...(await chosen('mailbox_id', mailbox, async (one) => mailboxOf(names, one))),
          ...(await chosen('cover_id', cover, async (one) => (await findCover(rooms, one)).id)),
          ...(await chosen('signature', sender)),
          ...(await chosen('header_name', headerName)),
        };
        const { mailbox_id, cover_id, signature, header_name, version } = await rooms.desk.getDefaults();
        const body = { mailbox_id, cover_id, signature, header_name, ...changes, version };
        answer(await rooms.desk.setDefaults({ body }), (saved) => describe(saved, names));
      }),
    );
}

/** Returns the change of one value; an empty one removes it. */
async function chosen<Name extends string>(
  name: Name,
  value: string | undefined,
  resolve: (value: string) => Promise<string> = async (text) => text,
): Promise<{ [name in Name]?: string | null }> {
  if (value === undefined) return {};
  const wanted = value.trim();
  return { [name]: wanted === '' ? null : await resolve(wanted) } as { [name in Name]?: string | null };
}

/** Names that the caller may see, by id. */
interface Names {
  readonly mailboxes: ReadonlyMap<string, string>;
  readonly covers: ReadonlyMap<string, string>;
}

async function namesOf({ console, covers }: Client): Promise<Names> {
  const [{ send }, { items }] = await Promise.all([console.context(), covers.listCovers({ query: {} })]);
  return {
    mailboxes: new Map((send?.mailboxes ?? []).map(({ id, label }) => [id, label])),
    covers: new Map(items.map(({ id, name }) => [id, name])),
  };
}

function mailboxOf({ mailboxes }: Names, wanted: string): string {
  if (mailboxes.has(wanted)) return wanted;
  const label = wanted.toLowerCase();
  const [found] = [...mailboxes].find(([, known]) => known.toLowerCase() === label) ?? [];
  if (found === undefined)
    throw new CommandFailure(`You can send for no mailbox “${wanted}”.`, EXIT.notFound);
  return found;
}

function describe(defaults: Defaults, { mailboxes, covers }: Names): string {
  const { mailbox_id: mailbox, cover_id: cover, header_name: name } = defaults;
  const isUnused = name !== null && !defaults.header_name_allowed;
  return facts([
    ['Mailbox', mailbox && (mailboxes.get(mailbox) ?? mailbox)],
    ['Cover page', cover && (covers.get(cover) ?? cover)],
    ['Name on cover pages', defaults.signature],
    ['Name in the header line', isUnused ? `${name} (not used: the office prints its own)` : name],
  ]);
}
