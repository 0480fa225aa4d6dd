import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackupError } from '../../server/backup/errors.ts';
import { finishRestore } from '../../server/backup/finish-restore.ts';
import { type FaultedRun, runWithFault, type StepFault } from '../setup/step-faults.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { addFax, backUp, emptyLocation, makeInstallation, open, restore } from './backup-setup.ts';

const DATABASES = [
  { name: 'SQLite', server: null, skip: false },
  { name: `PostgreSQL${withoutPostgres}`, server: postgresUrl, skip: postgresUrl === null },
];

let folder: string;
let backup: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-broken-'));
  backup = join(folder, 'b.zip');
  const installation = await makeInstallation(null);
  await backUp(installation, backup);
  await installation.remove();
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

type Location = Awaited<ReturnType<typeof emptyLocation>>;
type State = 'nothing' | 'older' | 'restored';

/** An installation that a restore replaces: with a fax, a document and a key of its own. */
async function makeOlder(location: Location): Promise<void> {
  const installation = await open(location);
  const rows = await installation.db.read.selectFrom('fax_job').select('id').execute();
  if (!rows.some(({ id }) => id === 'fax-older'))
    await addFax(installation.db, { id: 'fax-older', artifact: 'fax/older.pdf' });
  await installation.storage.write('fax/older.pdf', Buffer.from('%PDF of older'));
  await writeFile(join(location.folder, 'data.key'), 'older key\n');
  await installation.close();
}

async function query(location: Location, text: string): Promise<{ name: string }[]> {
  const client = new Client({ connectionString: location.postgresUrl ?? '' });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(text);
  await client.end();
  return rows;
}

async function schemas(location: Location): Promise<string[]> {
  if (location.postgresUrl === null) return [];
  const rows = await query(
    location,
    "select nspname as name from pg_namespace where nspname like '%restore%' order by 1",
  );
  return rows.map(({ name }) => name);
}

/** Nothing is left of what was there before. */
async function empty(location: Location): Promise<void> {
  for (const name of await readdir(location.folder))
    await rm(join(location.folder, name), { recursive: true });
  if (location.postgresUrl === null) return;
  for (const name of ['public', ...(await schemas(location))])
    await query(location, `drop schema "${name}" cascade`);
  await query(location, 'create schema public');
}

/** Identifies the installation that is complete: its rows, documents and keys match, and there are no other files. */
async function stateOf(location: Location, isReplacing: boolean): Promise<State> {
  const names = (await readdir(location.folder)).sort();
  const asides = names.filter((name) => name.startsWith('before_restore_'));
  const others = names.filter((name) => !name.startsWith('gateway.lock') && !asides.includes(name));
  if (others.length === 0 && (await tableCount(location)) === 0) return 'nothing';
  const installation = await open(location);
  try {
    const rows = await installation.db.read.selectFrom('fax_job').select(['id', 'artifact']).execute();
    const key = await readFile(join(location.folder, 'data.key'), 'utf8');
    const documents = [];
    for await (const name of installation.storage.names('')) documents.push(name);
    expect(new Set(documents)).toEqual(new Set(rows.map(({ artifact }) => artifact)));
    const isOlder = rows.some(({ id }) => id === 'fax-older');
    expect(key === 'older key\n').toBe(isOlder);
    const store = location.postgresUrl === null ? ['faxdesk.sqlite'] : [];
    const keys =
      isOlder && !names.includes('https') ? ['data.key'] : ['data.key', 'https', 'installation.key'];
    expect(others).toEqual([...keys, ...store, 'files'].sort());
    const left = !isOlder && isReplacing ? 1 : 0;
    expect(asides).toHaveLength(left);
    expect(await schemas(location)).toHaveLength(location.postgresUrl === null ? 0 : left);
    return isOlder ? 'older' : 'restored';
  } finally {
    await installation.close();
  }
}

async function tableCount(location: Location): Promise<number> {
  if (location.postgresUrl === null) return 0;
  expect(await schemas(location)).toEqual([]);
  return (await query(location, "select tablename as name from pg_tables where schemaname = 'public'"))
    .length;
}

/**
 * The moments that differ: after each change from the journal on, and one before, as others differ only in how much was filled.
 * The folder goes the same way with both databases, so on the slower one a move of it and what decides there are enough.
 */
function momentsOf(steps: readonly string[], server: string | null): number[] {
  const first = steps.findIndex((label) => JOURNAL.test(label));
  const changes = steps.flatMap((label, index) =>
    index > first && label.startsWith('after ') ? [index + 1] : [],
  );
  if (server === null) return [Math.ceil(first / 2), ...changes];
  const labelled = (pattern: RegExp) => changes.filter((step) => pattern.test(steps[step - 1] ?? ''));
  const [move] = labelled(/rename .*data\.key/u);
  const commits = labelled(/query commit/u);
  const [decided] = labelled(/rename .*restore-undecided/u).slice(-1);
  const ended = [labelled(/ rm .*restore-forward/u), labelled(/query drop/u)].map((found) => found.at(-1));
  return [move, ...commits, decided, ...ended].filter((step) => step !== undefined);
}
const JOURNAL = /^rename .*restore-(?:undecided|forward)\.json/u;

const placeOf = ({ folder: dataFolder, postgresUrl: url }: Location) => ({ dataFolder, postgresUrl: url });

/** Restores into nothing, or over an older installation, and breaks it off as planned. */
async function attempt(
  location: Location,
  isReplacing: boolean,
  plan: StepFault | null,
): Promise<FaultedRun> {
  await empty(location);
  if (isReplacing) await makeOlder(location);
  return runWithFault(plan, () => restore(backup, { ...placeOf(location), replace: isReplacing }));
}

describe.each(DATABASES)('A restore on $name', ({ server, skip }) => {
  let location: Location;
  beforeAll(async () => {
    if (!skip) location = await emptyLocation(server);
  });
  afterAll(() => location?.remove());

  it.skipIf(skip).each([{ isReplacing: false }, { isReplacing: true }])(
    'rule (installation): a killed restore leaves the complete older or the complete restored installation [replacing: $isReplacing]',
    async ({ isReplacing }) => {
      const before: State = isReplacing ? 'older' : 'nothing';
      const whole = await attempt(location, isReplacing, null);
      expect([whole.error, await stateOf(location, isReplacing)]).toEqual([null, 'restored']);
      const reached = new Set<State>();
      for (const at of momentsOf(whole.steps, server)) {
        const { steps, wasBroken } = await attempt(location, isReplacing, { at, with: 'kill' });
        expect(wasBroken, `step ${at} was reached`).toBe(true);
        await finishRestore(placeOf(location));
        const state = await stateOf(location, isReplacing);
        expect([before, 'restored'], `killed at ${at}: ${steps.at(-1)}`).toContain(state);
        reached.add(state);
      }
      expect(reached).toEqual(new Set([before, 'restored']));
    },
  );

  it.skipIf(skip)('that fails says that nothing was changed, and that is so', async () => {
    const busy = { at: new RegExp(`^rename ${location.folder}/files$`, 'u'), with: failure('EBUSY') };
    const { error } = await attempt(location, true, busy);
    expect(error).toBeInstanceOf(BackupError);
    expect(String(error)).toMatch(/A part of the data folder cannot be moved .* nothing was changed\.$/u);
    expect(await stateOf(location, true)).toBe('older');
  });
});

describe('A restore', () => {
  it('says the truth wherever the disk is full', async () => {
    const location = await emptyLocation(null);
    const { steps } = await attempt(location, true, null);
    const first = steps.findIndex((label) => JOURNAL.test(label));
    for (const [index, label] of steps.entries()) {
      if (label.startsWith('after') || (index < first && index % 60 !== 0)) continue;
      const { error } = await attempt(location, true, { at: index + 1, with: failure('ENOSPC') });
      if (error !== null) expect(error).toMatchObject({ message: 'The disk is full; nothing was changed.' });
      // The next start removes files that could not be removed.
      if (label.startsWith('rm')) await finishRestore(placeOf(location));
      expect(await stateOf(location, true), label).toBe(error === null ? 'restored' : 'older');
    }
    await location.remove();
  });

  it('keeps each installation that it moves aside, also within a second', async () => {
    const location = await emptyLocation(null);
    await attempt(location, true, null);
    await makeOlder(location);
    const { setAside } = await restore(backup, { ...placeOf(location), replace: true });
    expect(setAside).toMatch(/_2$/u);
    for (const name of ['before_restore_20250304120000', 'before_restore_20250304120000_2'])
      expect(await readdir(join(location.folder, name, 'files/fax'))).toContain('older.pdf');
    await location.remove();
  });

  it('leaves no folder where there was none', async () => {
    const location = await emptyLocation(null);
    const dataFolder = join(location.folder, 'new', 'data');
    const full = { at: /^open .*files\/fax/u, with: failure('ENOSPC') };
    const { error } = await runWithFault(full, () => restore(backup, { dataFolder }));
    expect(String(error)).toContain('nothing was changed');
    expect(await readdir(location.folder)).toEqual([]);
    await location.remove();
  });

  it.skipIf(postgresUrl === null)(
    `is done when only the answer of the commit was lost${withoutPostgres}`,
    async () => {
      const location = await emptyLocation(postgresUrl);
      const { steps } = await attempt(location, true, null);
      const renamed = steps.findIndex((label) => label.startsWith('after query alter schema'));
      const at = steps.indexOf('after query commit', renamed) + 1;
      const { error } = await attempt(location, true, {
        at,
        with: failure('ECONNRESET'),
        mayFailAfter: true,
      });
      expect([error, await stateOf(location, true)]).toEqual([null, 'restored']);
      await location.remove();
    },
  );

  it.skipIf(postgresUrl === null)(
    `that was killed is finished only on the database that it was for${withoutPostgres}`,
    async () => {
      const [location, other] = [await emptyLocation(postgresUrl), await emptyLocation(postgresUrl)];
      const { steps } = await attempt(location, false, null);
      const at = steps.findIndex((label) => label.startsWith('query alter schema')) + 1;
      await attempt(location, false, { at, with: 'kill' });
      for (const url of [null, other.postgresUrl])
        await expect(finishRestore({ ...placeOf(location), postgresUrl: url })).rejects.toThrow(
          'DATABASE_URL does not name the database',
        );
      expect(await finishRestore(placeOf(location))).toBe('undone');
      expect(await stateOf(location, false)).toBe('nothing');
      for (const each of [location, other]) await each.remove();
    },
  );
});

const failure = (code: string) => Object.assign(new Error(`${code}: of the system`), { code });
