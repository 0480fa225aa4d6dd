import { expect, test } from 'vitest';
import { UnfinishedRestoreError } from '../../server/backup/errors.ts';
import { EXIT, outcomeOf, STAYS_STOPPED } from '../../server/cli/exit-codes.ts';
import { GatewayRunningError } from '../../server/composition/data-folder.ts';
import { BootError } from '../../server/config/boot.ts';
import { NewerStoreError } from '../../server/db/migrator.ts';
import { DatabaseAwayError } from '../../server/db/postgres.ts';
import { OtherGatewaysError, StoreMovedError } from '../../server/features/gateways/errors.ts';
import { SettingsStartError } from '../../server/features/settings/errors.ts';
import { StoreMismatchError } from '../../server/features/storage/errors.ts';

const system = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });
/** Error of a class by its name alone: the code follows from that. */
const named = (error: { readonly prototype: Error; readonly name: string }) =>
  Object.assign(new Error('a sentence'), { name: error.name });
const away = (code: string) => new DatabaseAwayError('away', { cause: system(code) });

test.each([
  ['a damaged SQLite file', system('SQLITE_CORRUPT'), EXIT.broken],
  ['a file that is no database', system('SQLITE_NOTADB'), EXIT.broken],
  ['a damaged index of PostgreSQL', system('XX002'), EXIT.broken],
  ['a refused password', away('28P01'), EXIT.broken],
  ['a refused user', away('28000'), EXIT.broken],
  ['a missing database', away('3D000'), EXIT.broken],
  ['missing rights in the database', system('42501'), EXIT.broken],
  ['an unfinished restore', named(UnfinishedRestoreError), EXIT.broken],
  [
    'a port that the system refuses',
    system('EACCES', { syscall: 'listen', message: 'listen EACCES' }),
    EXIT.broken,
  ],
  ['a database of a newer release', named(NewerStoreError), EXIT.conflict],
  ['documents of another database', named(StoreMismatchError), EXIT.conflict],
  ['an installation that was moved', named(StoreMovedError), EXIT.conflict],
  ['a wrong value of the environment', named(BootError), EXIT.badValues],
  ['a wrong setting', named(SettingsStartError), EXIT.badValues],
])('rule (cli): a service stays stopped after a start that needs a person [%s]', (_, error, code) => {
  expect(outcomeOf(error).exitCode).toBe(code);
  expect(STAYS_STOPPED).toContain(code);
});

test.each([
  ['a database that is away', away('ECONNREFUSED'), EXIT.failed],
  ['a database that accepts no more connections', away('53300'), EXIT.failed],
  ['a full disk', system('SQLITE_FULL'), EXIT.failed],
  ['a port that another program uses', system('EADDRINUSE'), EXIT.failed],
  ['an address that the computer does not have yet', system('EADDRNOTAVAIL'), EXIT.failed],
  ['a gateway on the data folder', named(GatewayRunningError), EXIT.running],
  ['a gateway on the database', named(OtherGatewaysError), EXIT.running],
  ['anything unforeseen', new TypeError('x is not a function'), EXIT.failed],
])('a service starts again after %s', (_, error, code) => {
  expect(outcomeOf(error).exitCode).toBe(code);
  expect(STAYS_STOPPED).not.toContain(code);
});
