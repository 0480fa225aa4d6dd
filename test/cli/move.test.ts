import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqlite } from '../../server/db/sqlite-file.ts';
import { allRows } from '../setup/fill-every-table.ts';
import { createLimitedUser, createPostgresDatabase, dropPostgresDatabase } from '../setup/postgres.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
let databaseUrl: string;
beforeEach(async () => {
  cli = await openCommandLine();
  databaseUrl = postgresUrl === null ? '' : await createPostgresDatabase(postgresUrl);
});
afterEach(async () => {
  await cli.close();
  if (databaseUrl !== '') await dropPostgresDatabase(databaseUrl);
});

const AUDIT = ['security_event', 'security_chain', 'installation'];

const move = (...words: string[]) => cli.run(['move', ...words], { DATABASE_URL: databaseUrl });
const sqlite = () => ({ postgresUrl: null, sqliteFile: join(cli.folder, 'faxdesk.sqlite') });
const postgres = () => ({ postgresUrl: databaseUrl, sqliteFile: '' });

/** Starts and stops the gateway, so that there is an installation. */
async function makeInstallation(): Promise<void> {
  await cli.serve();
  await cli.stop();
}

async function query(text: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(text, values);
  } finally {
    await client.end();
  }
}

/** Sentence and exit code with which a start is refused; null where it starts. */
async function startRefusal(environment: Record<string, string>): Promise<[number | null, string]> {
  const { code, err } = await cli.run(['serve', '--port', '0'], environment);
  return [code, err];
}

describe.skipIf(postgresUrl === null)(`faxdesk move${withoutPostgres}`, () => {
  test('says that a database accepts no more connections, and moves when it does', async () => {
    await makeInstallation();
    const user = await createLimitedUser(databaseUrl);
    try {
      await user.allow(0);
      const words = ['move', '--to', 'postgres'];
      const refused = await cli.run(words, { DATABASE_URL: user.url });
      expect([refused.code, refused.err]).toEqual([
        1,
        'The database accepts no more connections. Raise the limit of PostgreSQL, or close other programs that use it. Nothing is lost: when it answers again, run the command again, and it continues.\n',
      ]);
      await user.allow(-1);
      expect((await cli.run(words, { DATABASE_URL: user.url })).err).toMatch(
        /^Start Faxdesk with this DATABASE_URL/mu,
      );
    } finally {
      await dropPostgresDatabase(databaseUrl);
      databaseUrl = '';
      await user.drop();
    }
  });

  test('moves an installation to PostgreSQL and back, and refuses to start on what was left', async () => {
    await makeInstallation();
    const check = await move('--to', 'postgres', '--check', '--json');
    expect([check.code, check.err]).toEqual([0, 'This was a check: nothing was changed.\n']);
    expect(JSON.parse(check.out)).toMatchObject({
      target: 'empty',
      from: expect.stringContaining(cli.folder),
    });
    const before = await allRows(sqlite());
    const there = await move('--to', 'postgres');
    expect([there.code, there.err]).toEqual([
      0,
      'Start Faxdesk with this DATABASE_URL from now on, in its service or in the .env file of the data folder.\n',
    ]);
    expect(there.out).toMatch(
      /^Moved from: .*\nMoved to: +the database fax_\w+ at 127\.0\.0\.1:\d+\nRecords: /u,
    );
    expect(there.out).toMatch(/^setting +\d+ +[0-9a-f]{64}$/mu);
    expect(await allRows(sqlite())).toEqual(before);
    const without = Object.fromEntries(Object.entries(before).filter(([name]) => !AUDIT.includes(name)));
    expect(await allRows(postgres(), AUDIT)).toEqual(without);
    const [code, sentence] = await startRefusal({});
    expect(code).toBe(6);
    expect(sentence).toMatch(
      /^This installation was moved to the database fax_\w+ at 127\.0\.0\.1:\d+ at .*\. Start Faxdesk there: started here as well, it would send faxes twice\. .*--take-back\.\n$/u,
    );
    expect((await cli.run(['diagnose'])).out).toMatch(/This installation was moved to the database fax_/u);
    const again = await move('--to', 'postgres');
    expect([again.code, again.out.split('\n')[0]]).toEqual([0, 'The move was complete already.']);
    await cli.serve({ DATABASE_URL: databaseUrl });
    await cli.stop();
    const verified = await cli.run(['audit', 'verify', '--offline'], { DATABASE_URL: databaseUrl });
    expect([verified.code, verified.err]).toEqual([0, '']);
    const back = await move('--to', 'sqlite');
    expect([back.code, back.err.split('\n')[0]]).toEqual([
      0,
      expect.stringMatching(
        /^The records that were left there before are kept: .*before_move_\d{17}\.sqlite$/u,
      ),
    ]);
    expect((await startRefusal({ DATABASE_URL: databaseUrl }))[1]).toContain(
      'This installation was moved to ',
    );
    await makeInstallation();
    // The rows that the installation left in PostgreSQL go aside when it comes again.
    const thrice = await move('--to', 'postgres');
    expect([thrice.code, thrice.err.split('\n')[0]]).toEqual([
      0,
      expect.stringMatching(/kept: the schema before_move_\d{17} of the database$/u),
    ]);
  });

  test('takes a move back only while no gateway was started on the target', async () => {
    await makeInstallation();
    expect((await move('--take-back')).err).toMatch(/^There is no move to take back/u);
    const file = openSqlite(sqlite().sqliteFile);
    file.prepare("insert into fax_number values (?, '2026', null, 1)").run('+1202555\0');
    file.close();
    const there = await move('--to', 'postgres');
    expect([there.code, there.err.split('\n')[0]]).toEqual([
      0,
      'One text was moved without the character NUL, which PostgreSQL cannot store.',
    ]);
    const taken = await move('--take-back');
    expect([taken.code, taken.out]).toEqual([0, expect.stringContaining('faxdesk.sqlite')]);
    expect((await startRefusal({ DATABASE_URL: databaseUrl }))[1]).toContain(
      'This installation was moved to ',
    );
    await makeInstallation();
    expect((await move('--to', 'postgres')).code).toBe(0);
    await cli.serve({ DATABASE_URL: databaseUrl });
    await cli.stop();
    const refused = await move('--take-back');
    expect([refused.code, refused.err]).toEqual([
      6,
      expect.stringMatching(
        /^Faxdesk was started on the database .* since the move, .* --to sqlite\. Nothing was changed\.\n$/u,
      ),
    ]);
    const lost = await move('--take-back', '--target-lost');
    expect([lost.code, lost.err.split('\n')[1]]).toEqual([
      0,
      'Release each held fax that was not sent from the other database since the move.',
    ]);
  });

  test('refuses a target that is in use or not empty, and a source in use, of another release or without an address', async () => {
    await makeInstallation();
    const without = await cli.run(['move', '--to', 'postgres']);
    expect([without.code, without.err]).toEqual([9, expect.stringMatching(/^Set DATABASE_URL /u)]);
    expect((await cli.run(['move'])).code).toBe(2);
    await query('create table notes (id integer)');
    expect((await move('--to', 'postgres')).err).toMatch(/^The database .* has tables of another program\./u);
    await query('drop table notes');
    await cli.serve();
    const running = await move('--to', 'postgres');
    expect([running.code, running.err]).toEqual([10, `Faxdesk is already running on ${cli.folder}.\n`]);
    await cli.stop();
    // Another installation, on the database.
    const other = await openCommandLine();
    try {
      await other.serve({ DATABASE_URL: databaseUrl });
      const used = await move('--to', 'postgres');
      expect([used.code, used.err]).toEqual([
        10,
        expect.stringMatching(/^\d+ other connections? uses? the database; /u),
      ]);
      await other.stop();
    } finally {
      await other.close();
    }
    const filled = await move('--to', 'postgres');
    expect([filled.code, filled.err]).toEqual([
      6,
      expect.stringMatching(/^There is already an installation in /u),
    ]);
    const file = openSqlite(sqlite().sqliteFile);
    file.exec("insert into migration values ('999-later')");
    file.close();
    expect((await move('--to', 'postgres')).err).toMatch(
      /^The data was written by a newer release \(999-later\)/u,
    );
  });

  test('goes on after it failed in the middle, and refuses a gateway on what has not all arrived', async () => {
    await makeInstallation();
    const file = openSqlite(sqlite().sqliteFile);
    file.exec("insert into fax_number values ('+12025550100', '2026', null, 'x')");
    file.close();
    const failed = await move('--to', 'postgres');
    expect([failed.code, failed.out, failed.err]).toEqual([
      1,
      '',
      'The other database does not take a record of the table fax_number (22P02). The installation that is moved was not changed.\n',
    ]);
    const [code, sentence] = await startRefusal({ DATABASE_URL: databaseUrl });
    expect(code).toBe(6);
    expect(sentence).toMatch(
      /^An installation is being moved here from .*faxdesk\.sqlite on .*, and not all of it has arrived\. Run faxdesk move again to finish the move\.\n$/u,
    );
    const backup = await cli.run(['backup', 'create', '--output', join(cli.folder, 'half.zip')], {
      DATABASE_URL: databaseUrl,
    });
    expect([backup.code, backup.err]).toEqual([
      1,
      expect.stringMatching(/^An installation is being moved to this/u),
    ]);
    const mended = openSqlite(sqlite().sqliteFile);
    mended.exec("delete from fax_number where uses = 'x'");
    mended.close();
    // The source is as before, and may be used until the move goes on.
    await makeInstallation();
    const resumed = await move('--to', 'postgres', '--json');
    expect(JSON.parse(resumed.out)).toMatchObject({ resumed: true, was_complete: false });
    await cli.serve({ DATABASE_URL: databaseUrl });
    await cli.stop();
  });
});
