import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startCheck } from '../../server/db/start-check.ts';
import { harmHeader, harmStore } from '../setup/harm-store.ts';

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

/** The index says what no row says any more. */
function letIndexDiffer(): void {
  const store = new BetterSqlite(file);
  store.unsafeMode(true).pragma('writable_schema = on');
  store.exec("update sqlite_schema set sql = 'create index by_state on fax (id)' where name = 'by_state'");
  store.close();
}

describe.each(['process', 'thread'] as const)('A check in a %s', (where) => {
  const check = (kind: 'quick' | 'full') => startCheck({ file, kind }, where).result;

  test('finds a sound database sound', async () => {
    expect([await check('quick'), await check('full')]).toEqual([{ state: 'sound' }, { state: 'sound' }]);
  });

  test('finds a page that is not what was written', async () => {
    await harmStore(folder, 'by_state');
    for (const kind of ['quick', 'full'] as const)
      expect(['damaged', 'unread']).toContain((await check(kind)).state);
  });

  test('finds only as a whole that an index and its table differ', async () => {
    letIndexDiffer();
    expect((await check('quick')).state).toBe('sound');
    expect((await check('full')).state).toBe('damaged');
  });

  test('says of what is no database why it was not read', async () => {
    await harmHeader(folder);
    expect(await check('quick')).toMatchObject({ state: 'unread', code: 'SQLITE_NOTADB' });
  });

  test('can be ended', async () => {
    const running = startCheck({ file, kind: 'full' }, where);
    running.end();
    expect(['stopped', 'sound']).toContain((await running.result).state);
  });
});
