import type { Command } from 'commander';
import { WORK_VIEWS, type WorkView } from '../../../shared/api/work-shapes.ts';
import type { Client } from '../../../shared/client/index.ts';
import { WORK_LIST_STATES, type WorkListState } from '../../../shared/states/work.ts';
import { aboutColumn } from '../about-words.ts';
import { choiceOption } from '../choice-option.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { findPersonByName } from '../find-person.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { table } from '../terminal.ts';
import { describeWork, historyLines, stateWords } from '../work-words.ts';
import { addWorkExport } from './work-export.ts';
import { addWorkSettings } from './work-settings.ts';
import { addWorkStatistics } from './work-statistics.ts';

export function addWorkCommands(program: Command): void {
  const work = program
    .command('work')
    .description('Manage received documents: who handles them, and by when.');
  addList(work);
  addShow(work);
  addAssign(work);
  addActs(work);
  addWorkExport(work);
  addWorkSettings(work);
  addWorkStatistics(work);
}

interface ListOptions extends PageOptions {
  readonly view?: WorkView;
  readonly state?: WorkListState;
  readonly mailbox?: string;
  readonly search?: string;
}

function addList(work: Command): void {
  const list = work
    .command('list')
    .description('List work items: open, acknowledged, done; first due first, then newest first.')
    .addOption(choiceOption('--view <view>', WORK_VIEWS, '; all if left out'))
    .addOption(choiceOption('--state <state>', WORK_LIST_STATES))
    .option('--mailbox <label>', 'in this mailbox')
    .option('--search <text>', 'part of a number, name, note or mailbox, or a day');
  addPagingOptions(list).action(
    action<ListOptions>(async ({ options, client, answer }) => {
      const { view, state, mailbox, search, limit, cursor } = options;
      const query = { view, state, mailbox, q: search, limit, cursor };
      answer(await (await client()).work.listWork({ query }), (page) => {
        const rows = page.items.map((item) => [
          item.id,
          item.due_text ?? item.due_at,
          item.from_number,
          item.mailbox,
          item.pages,
          item.owner?.name ?? null,
          stateWords(item),
          aboutColumn(item),
        ]);
        const columns = ['ID', 'DUE', 'FROM', 'MAILBOX', 'PAGES', 'OWNER', 'STATE', 'ABOUT'];
        return appendNextPage(table(columns, rows), page);
      });
    }),
  );
}

function addShow(work: Command): void {
  work
    .command('show')
    .description('Show a work item with its history.')
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        const { work: room } = await client();
        const item = await room.getWork({ params: { id } });
        const { events } = await room.workHistory({ params: { id } });
        answer({ ...item, events }, (shown) => `${describeWork(shown)}\n\n${historyLines(shown)}`);
      }),
    );
}

const VERSION = ['--if-version <n>', 'the version last seen; if left out, the current one'] as const;

interface ActOptions {
  readonly ifVersion?: string;
  readonly note?: string;
}

function addAssign(work: Command): void {
  work
    .command('assign')
    .description('Assign a work item to a person who can see its document.')
    .argument('<id>')
    .argument('<person>', 'name or id of the person to assign it to')
    .option(...VERSION)
    .action(
      action<ActOptions>(async ({ options, client, answer }, id = '', person = '') => {
        const { work: room } = await client();
        const version = await versionOf(room, id, options);
        const principal_id = await assigneeOf(room, id, person);
        answer(await room.assignWork({ params: { id }, body: { principal_id, version } }), describeWork);
      }),
    );
}

function addActs(work: Command): void {
  addAct(work, 'acknowledge', 'Acknowledge a work item that is assigned to you.').action(
    createAct((room, id, version) => room.acknowledgeWork({ params: { id }, body: { version } })),
  );
  addAct(work, 'done', 'Mark a work item as done.')
    .requiredOption('--note <text>', 'the note, 1 to 200 characters')
    .action(
      createAct((room, id, version, { note = '' }) =>
        room.finishWork({ params: { id }, body: { note, version } }),
      ),
    );
  addAct(work, 'note', 'Add a note to a work item without finishing it.')
    .requiredOption('--note <text>', '1 to 200 characters')
    .action(
      createAct((room, id, version, { note = '' }) =>
        room.noteWork({ params: { id }, body: { note, version } }),
      ),
    );
  addAct(work, 'reopen', 'Reopen a done work item.').action(
    createAct((room, id, version) => room.reopenWork({ params: { id }, body: { version } })),
  );
}

const addAct = (work: Command, name: string, description: string): Command =>
  work
    .command(name)
    .description(description)
    .argument('<id>')
    .option(...VERSION);

type Room = Client['work'];

/** Does something with the version that was named or is there now, and shows what the item is then. */
function createAct(
  act: (room: Room, id: string, version: number, options: ActOptions) => ReturnType<Room['reopenWork']>,
) {
  return action<ActOptions>(async ({ options, client, answer }, id = '') => {
    const { work: room } = await client();
    answer(await act(room, id, await versionOf(room, id, options), options), describeWork);
  });
}

/** The version that was named, or the one that the item has now. */
async function versionOf(room: Client['work'], id: string, { ifVersion }: ActOptions): Promise<number> {
  if (ifVersion === undefined) return (await room.getWork({ params: { id } })).version;
  const version = Number(ifVersion);
  if (!Number.isInteger(version) || version < 1)
    throw new CommandFailure('--if-version must be a number from 1.', EXIT.usage);
  return version;
}

/** Somebody who can own the item, by name in any case, or by id. */
async function assigneeOf(room: Client['work'], id: string, typed: string): Promise<string> {
  const { people } = await room.workAssignees({ params: { id } });
  return findPersonByName(people, typed, 'be assigned this item');
}
