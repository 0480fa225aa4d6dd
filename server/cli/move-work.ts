import { type MoveReport, moveInstallation } from '../composition/move.ts';
import { checkInstallationMove, type MoveCheck } from '../composition/move-check.ts';
import { takeBack } from '../composition/take-back.ts';
import type { BootOptions } from '../config/boot.ts';
import { DATABASE_AWAY } from '../db/postgres.ts';
import { connectionSentence } from '../platform/connection-trouble.ts';
import { errorCode } from '../platform/errors.ts';
import type { ActionContext } from './command.ts';
import { presentBoot } from './data-folder.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { facts, table, terminal } from './terminal.ts';

export interface MoveCommandOptions {
  readonly to?: 'postgres' | 'sqlite';
  readonly check?: boolean;
  readonly takeBack?: boolean;
  readonly targetLost?: boolean;
}

type Context = ActionContext<MoveCommandOptions>;
type Target = NonNullable<MoveCommandOptions['to']>;

const START_WORDS: Readonly<Record<Target, string>> = {
  postgres:
    'Start Faxdesk with this DATABASE_URL from now on, in its service or in the .env file of the data folder.',
  sqlite:
    'Start Faxdesk without DATABASE_URL from now on: remove it from its service and from the .env file.',
};

/** Least time between two lines of progress. */
const PROGRESS_MS = 100;
/** Sentence for a move that was broken off because the database was away, or accepts no more connections. */
const brokenOff = (error: unknown) =>
  `${connectionSentence(error) ?? 'The database cannot be reached.'} Nothing is lost: when it answers again, run the command again, and it continues.`;

/** `faxdesk move`. Throws MoveRefusedError, StoreMovedError and what a start throws. */
export async function move(context: Context): Promise<void> {
  const { to, check, takeBack: isBack, targetLost } = context.options;
  if ((to === undefined) === !isBack)
    throw new CommandFailure('Give one of --to postgres, --to sqlite and --take-back.', EXIT.usage);
  if (targetLost && !isBack) throw new CommandFailure('Use --target-lost with --take-back only.', EXIT.usage);
  if (check && isBack) throw new CommandFailure('Use --check with --to only.', EXIT.usage);
  const boot = await presentBoot(context.options.data);
  if (to === undefined) return undo(context, boot);
  return check ? report(context, boot, to) : run(context, boot, to);
}

async function run({ answer }: Context, boot: BootOptions, to: Target): Promise<void> {
  const began = performance.now();
  let shownAt = began;
  let withoutNul = 0;
  const moved = await moveInstallation(boot, to, {
    onProgress({ part, done, total }) {
      if (performance.now() - shownAt < PROGRESS_MS && done < total) return;
      shownAt = performance.now();
      terminal.progress(`${part === 'copy' ? 'Moved' : 'Compared'}: ${done} of ${total} records…`);
    },
    onNul: () => {
      withoutNul += 1;
    },
    onAside: (name) => terminal.note(`The records that were left there before are kept: ${name}`),
  })
    .catch((error: unknown) => {
      throw errorCode(error) === DATABASE_AWAY ? new CommandFailure(brokenOff(error)) : error;
    })
    .finally(() => terminal.progress(''));
  answer(valueOf(moved), () => wordsOf(moved, Math.round((performance.now() - began) / 1000)));
  if (withoutNul > 0)
    terminal.note(
      `${withoutNul === 1 ? 'One text was' : `${withoutNul} texts were`} moved without the character NUL, which PostgreSQL cannot store.`,
    );
  terminal.note(START_WORDS[to]);
}

function valueOf({ from, to, isResumed, wasComplete, tables }: MoveReport) {
  return { from, to, resumed: isResumed, was_complete: wasComplete, records: recordsIn(tables), tables };
}

function wordsOf({ from, to, isResumed, wasComplete, tables }: MoveReport, seconds: number): string {
  const ends = [
    ['Moved from', from],
    ['Moved to', to],
  ] as const;
  if (wasComplete) return `The move was complete already.\n\n${facts(ends)}`;
  if (tables.length === 0)
    return `The move is complete: an earlier run had moved and compared all records.\n\n${facts(ends)}`;
  const rows = tables
    .filter(({ rows: count }) => count > 0)
    .map(({ name, rows: count, digest }) => [name, count, digest]);
  return [
    facts([
      ...ends,
      ['Records', `${recordsIn(tables)} in ${tables.length} tables, the same in both databases`],
      ['Duration', `${seconds} s${isResumed ? ', continued from an earlier run' : ''}`],
    ]),
    '',
    table(['TABLE', 'RECORDS', 'DIGEST'], rows),
  ].join('\n');
}

const recordsIn = (tables: readonly { readonly rows: number }[]) =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

async function report({ answer }: Context, boot: BootOptions, to: Target): Promise<void> {
  const found = await checkInstallationMove(boot, to);
  const value = { ...found, records: recordsIn(found.tables) };
  answer(value, () => facts(checkFacts(found)));
  terminal.note('This was a check: nothing was changed.');
}

const TARGET_WORDS: Readonly<Record<MoveCheck['target'], string>> = {
  empty: 'empty',
  begun: 'partly filled by an earlier run, which this one continues',
  left: 'has records that the installation left there before; they are kept',
};

function checkFacts({ from, to, target, tables }: MoveCheck) {
  return [
    ['Would move from', from],
    ['Would move to', to],
    ['Target', TARGET_WORDS[target]],
    ['Records', `${recordsIn(tables)} in ${tables.length} tables`],
  ] as const;
}

async function undo({ answer, options }: Context, boot: BootOptions): Promise<void> {
  const { store, kind, held } = await takeBack(boot, { isTargetLost: options.targetLost ?? false });
  answer({ store, held }, () =>
    facts([
      ['Faxdesk can be started again on', store],
      ...(held > 0 ? ([['Held faxes', held]] as const) : []),
    ]),
  );
  terminal.note(START_WORDS[kind]);
  if (options.targetLost)
    terminal.note('Release each held fax that was not sent from the other database since the move.');
}
