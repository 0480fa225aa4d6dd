import { join } from 'node:path';
import { DisplayName, LoginName } from '../../shared/api/access-values.ts';
import { usersSentence } from '../backup/errors.ts';
import { storeLocationOf } from '../backup/installation.ts';
import type { BootOptions } from '../config/boot.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrator.ts';
import { lockFile } from '../db/sqlite-file.ts';
import { countUsage } from '../db/staging.ts';
import { ownerLogins, recoverOwner } from '../features/access/offline.ts';
import { refuseMoved } from '../features/gateways/offline.ts';
import { systemClock } from '../platform/clock.ts';
import type { ActionContext } from './command.ts';
import { installedBoot, presentBoot } from './data-folder.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { settleFolder } from './settled-folder.ts';
import { facts, terminal } from './terminal.ts';

export interface RecoverOptions {
  readonly login?: string;
  readonly name?: string;
}

/** `faxdesk recover-owner`. */
export async function recover({ options, answer }: ActionContext<RecoverOptions>): Promise<void> {
  const wanted = { login: options.login, displayName: options.name };
  assertFits(wanted);
  await settleFolder(await presentBoot(options.data));
  const boot = await installedBoot(options.data);
  const { person, created, temporaryPassword } = await withStore(boot, async (db) => {
    const login = wanted.login ?? soleOwner(await ownerLogins(db));
    return recoverOwner({ db, clock: systemClock }, { ...wanted, login });
  });
  const { id, login, displayName } = person;
  const value = { id, login, display_name: displayName, created, temporary_password: temporaryPassword };
  answer(value, () =>
    facts([
      ['Owner', created ? `${displayName} (new)` : displayName],
      ['Sign-in name', login],
      ['Password for the first sign-in', temporaryPassword],
    ]),
  );
  terminal.note('It is shown only now, and must be changed at the first sign-in.');
  if (!created) terminal.note('The second factor of that person was removed and their sessions have ended.');
}

function assertFits({ login, displayName }: { login: string | undefined; displayName: string | undefined }) {
  if (!LoginName.optional().safeParse(login).success)
    throw new CommandFailure(
      'A sign-in name can have at most 64 letters, digits and . _ @ + -',
      EXIT.badValues,
    );
  if (!DisplayName.optional().safeParse(displayName).success)
    throw new CommandFailure('A name has 1 to 100 characters on one line.', EXIT.badValues);
}

function soleOwner(logins: readonly string[]): string {
  const [login, ...others] = logins;
  if (login === undefined)
    throw new CommandFailure(
      'This installation has no owner. Use --login to name its new owner.',
      EXIT.badValues,
    );
  if (others.length > 0)
    throw new CommandFailure(
      `This installation has several owners: ${logins.join(', ')}. Choose one with --login.`,
      EXIT.badValues,
    );
  return login;
}

/** The store of an installation that no gateway works on. */
async function withStore<T>(boot: BootOptions, work: (db: Database) => Promise<T>): Promise<T> {
  const { dataFolder } = boot;
  const lock = lockFile(join(dataFolder, 'gateway.lock'));
  if (!lock)
    throw new CommandFailure(
      `Faxdesk is running on ${dataFolder}. Stop it first. Nothing was changed.`,
      EXIT.running,
    );
  try {
    await refuseOthers(boot);
    const db = openDatabase(storeLocationOf(boot));
    try {
      await refuseMoved(db);
      await migrate(db.unrestricted as never);
      return await work(db);
    } finally {
      await db.close();
    }
  } finally {
    lock.release();
  }
}

/** The lock of this folder says nothing of gateways on other computers that share the database. */
async function refuseOthers(boot: BootOptions): Promise<void> {
  if (boot.databaseUrl === null) return;
  const { tables, users } = await countUsage(storeLocationOf(boot));
  if (tables === 0) throw new CommandFailure('The database contains no installation.', EXIT.notFound);
  if (users > 0) throw new CommandFailure(usersSentence(users), EXIT.running);
}
