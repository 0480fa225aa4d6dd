import { type Command, Option } from 'commander';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { findMailbox } from '../find-access.ts';
import { findContact } from '../find-contact.ts';
import { coveredWords, describeHold, dueWords } from '../hold-words.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { parseTime } from '../parse-time.ts';
import { table } from '../terminal.ts';

export function addHoldsCommands(program: Command): void {
  const holds = program
    .command('holds')
    .description('Show, create and release legal holds: their faxes are never deleted.');
  addList(holds);
  holds
    .command('show')
    .description('Show a legal hold with the number of faxes that it covers.')
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        answer(await (await client()).holds.getLegalHold({ params: { id } }), describeHold);
      }),
    );
  addPlace(holds);
  addRelease(holds);
}

interface ListOptions extends PageOptions {
  readonly released?: boolean;
}

function addList(holds: Command): void {
  const list = holds
    .command('list')
    .description('List the open legal holds, newest first.')
    .option('--released', 'those that were released instead');
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { limit, cursor } = options;
      const state = options.released ? 'released' : 'open';
      answer(await (await client()).holds.listLegalHolds({ query: { state, limit, cursor } }), (page) =>
        appendNextPage(
          table(
            ['ID', 'NAME', 'COVERS', 'PLACED', 'BY'],
            page.items.map((hold) => [
              hold.id,
              hold.name,
              coveredWords(hold),
              hold.placed_at,
              hold.placed_by,
            ]),
          ),
          page,
        ),
      );
    }),
  );
}

interface PlaceOptions {
  readonly reason: string;
  readonly fax?: string[];
  readonly case?: string;
  readonly number?: string;
  readonly contact?: string;
  readonly mailbox?: string;
  readonly since?: string;
  readonly until?: string;
}

function addPlace(holds: Command): void {
  holds
    .command('create')
    .description('Place a legal hold on faxes. Faxes that are sent or received later are covered as well.')
    .argument('<name>', 'name of the legal matter')
    .requiredOption('--reason <text>', 'why the faxes are kept')
    .addOption(
      new Option('--fax <id>', 'this sent or received fax; repeat for others').argParser(
        (id: string, ids: string[] | undefined) => [...(ids ?? []), id],
      ),
    )
    .option('--case <id>', 'the packets of this case')
    .option('--number <number>', 'faxes from and to this number')
    .option('--contact <contact>', 'faxes from and to the numbers of this contact; its id, number or name')
    .option('--mailbox <mailbox>', 'faxes of this mailbox; its id or label')
    .option('--since <time>', 'only faxes from this time on, e.g. 2026-01-01T00:00')
    .option('--until <time>', 'only faxes before this time')
    .action(
      action<PlaceOptions>(async ({ options, client, answer }, name = '') => {
        const { reason, fax, case: caseId, number, contact, mailbox, since, until } = options;
        const rooms = await client();
        const body = {
          name,
          reason,
          fax_ids: fax,
          case_id: caseId,
          number,
          contact_id: contact === undefined ? undefined : (await findContact(rooms, contact)).id,
          mailbox_id: mailbox === undefined ? undefined : (await findMailbox(rooms, mailbox)).item.id,
          since: since === undefined ? undefined : parseTime(since),
          until: until === undefined ? undefined : parseTime(until),
        };
        answer(
          await rooms.holds.createLegalHold({ body }),
          (hold) =>
            `Placed: ${hold.id}. It covers ${hold.faxes.sent} sent and ${hold.faxes.received} received faxes now.`,
        );
      }),
    );
}

interface ReleaseOptions {
  readonly note?: string;
  readonly yes?: true;
}

function addRelease(holds: Command): void {
  holds
    .command('release')
    .description('Release a legal hold. Nothing is deleted at once.')
    .argument('<id>')
    .option('--note <text>', 'why it is released')
    .option('--yes', 'release it although documents will be deleted')
    .action(
      action<ReleaseOptions>(async ({ options, client, answer }, id = '') => {
        const rooms = await client();
        const hold = await rooms.holds.getLegalHold({ params: { id } });
        if (hold.released_at === null && hold.documents_due > 0 && !options.yes)
          throw new CommandFailure(
            `After the release the next cleanup deletes ${dueWords(hold)}. Repeat the command with --yes.`,
            EXIT.conflict,
          );
        const body = { version: hold.version, note: options.note };
        answer(
          await rooms.holds.releaseLegalHold({ params: { id }, body }),
          (released) => `Released: ${released.name}. To be deleted: ${dueWords(released)}.`,
        );
      }),
    );
}
