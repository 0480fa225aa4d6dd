import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startCheck } from '../../server/db/start-check.ts';
import { damageHeader, damageTable } from '../setup/damage-store.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-check-'));
  file = join(folder, 'faxdesk.sqlite');
  const store = new BetterSqlite(file);
  store.exec('create table fax (id text primary key, state text); create index by_state on fax (state)');
  const insert = store.prepare('insert into fax values (?, ?)');
  store.transaction(() => {
    for (let n = 0; n < 2_000; n += 1) insert.run(`fax ${n}`, `state ${n}`);
  })();
  store.close();
});
afterEach(() => rm(folder, { recursive: true }));

/** Makes an index differ from the rows of its table. */
function damageIndex(): void {
  const store = new BetterSqlite(file);
  store.unsafeMode(true).pragma('writable_schema = on');
  store.exec("update sqlite_schema set sql = 'create index by_state on fax (id)' where name = 'by_state'");
  store.close();
}

describe.each(['process', 'thread'] as const)('A check in a %s', (where) => {
  const check = (kind: 'quick' | 'full') => startCheck({ file, kind }, where).result;

  test('reports an undamaged database as sound', async () => {
    expect([await check('quick'), await check('full')]).toEqual([{ state: 'sound' }, { state: 'sound' }]);
  });

  test('finds a page that differs from what was written', async () => {
    await damageTable(folder, 'by_state');
    for (const kind of ['quick', 'full'] as const)
      expect(['damaged', 'unread']).toContain((await check(kind)).state);
  });

  test('finds an index that differs from its table only in a full check', async () => {
    damageIndex();
    expect((await check('quick')).state).toBe('sound');
    expect((await check('full')).state).toBe('damaged');
  });

  test('reports why it could not read a file that is not a database', async () => {
    await damageHeader(folder);
    expect(await check('quick')).toMatchObject({ state: 'unread', code: 'SQLITE_NOTADB' });
  });

  test('can be stopped', async () => {
    const running = startCheck({ file, kind: 'full' }, where);
    running.end();
    expect(['stopped', 'sound']).toContain((await running.result).state);
  });
});
