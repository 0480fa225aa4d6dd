import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/steps.ts';
import { issueRoot, issueServer } from '../../server/adapters/certificates/issue.ts';
import { FAULT_KINDS, faultRows } from '../../shared/fault-kinds.ts';
import { startConnectProxy, startTlsFront } from '../setup/connect-proxy.ts';
import { freePort } from '../setup/free-port.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { createLimitedUser, dropPostgresDatabase } from '../setup/postgres.ts';
import { mountSmallDisk } from '../setup/small-disk.ts';
import { needPostgres } from '../setup/tools.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';
import { diagnosed, type Found } from './diagnose-setup.ts';

const DAY_MS = 24 * 3_600_000;

let cli: CommandLine;
/** A port that nothing uses, which the gateway of the environment would take. */
let environment: Record<string, string>;
beforeAll(async () => {
  cli = await openCommandLine();
  environment = { PORT: String(await freePort()) };
  await cli.serve({ ...sendingSettings(cli.emulator), HTTPS_PORT: '0' });
});
afterAll(() => cli.close());

const kinds = (faults: readonly Found[]) => faults.map(({ kind }) => kind);
const found = async (more: Record<string, string> = {}) =>
  (await diagnosed(cli, { ...environment, ...more })).faults;
const faultIn = (faults: readonly Found[], kind: string) => faults.find((each) => each.kind === kind)?.fault;

/** Runs work while a file or folder of the data folder has another name. */
async function without(name: string, work: () => Promise<void>): Promise<void> {
  const path = join(cli.folder, name);
  await rename(path, `${path}.aside`);
  try {
    await work();
  } finally {
    await rm(path, { recursive: true, force: true });
    await rename(`${path}.aside`, path);
  }
}

test('rule (cli): each fault has one sentence and one cure, and its row in the documentation', async () => {
  const { code, faults } = await diagnosed(cli);
  expect([code, kinds(faults)]).toEqual([1, ['backup_old']]);
  expect(faults[0]).toEqual({
    kind: 'backup_old',
    fault: 'There is no backup yet. Choose an hour for the daily backup in the settings.',
    cure: FAULT_KINDS.backup_old.cure,
  });
  const { out, err } = await cli.run(['diagnose']);
  expect(out).toMatch(
    /^Fault: There is no backup yet\. .*\nCure: {2}Make one with "faxdesk backup create", .*\n\nRelease: /u,
  );
  expect(err).toBe('1 fault was found.\n');
  const page = readFileSync(join(ROOT, 'docs/operating/troubleshooting.md'), 'utf8');
  expect(page).toContain(`| Fault | Meaning | Cure |\n|---|---|---|\n${faultRows().join('\n')}\n`);
  for (const { cure } of Object.values(FAULT_KINDS)) expect(cure).toMatch(/^[A-Z][^]*[^.]\.$/u);
});

test('a problem report for a stranger is saved beside the output, without personal data', async () => {
  const file = join(cli.folder, 'report.txt');
  const { code, out, err } = await cli.run(['diagnose', '--output', file]);
  expect([code, err]).toEqual([1, `Saved as ${file}.\n1 fault was found.\n`]);
  expect(out).toContain(cli.folder);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^Faxdesk problem report\n/u);
  expect(text).toContain('backup_old: ');
  expect(text).toMatch(/the gateway is ready/u);
  for (const left of [cli.folder, '127.0.0.1', cli.emulator.url]) expect(text).not.toContain(left);
  const again = await cli.run(['diagnose', '--output', file]);
  expect(again.err).toBe(`${file} already exists. Use --overwrite to replace it.\n`);
  expect((await cli.run(['diagnose', '--output', file, '--overwrite'])).code).toBe(1);
});

test('sending that is off, and faxes that are held, by the words of System > Health', async () => {
  await cli.run(['settings', 'change', 'FAX_DISABLED=true']);
  const letter = join(cli.folder, 'letter.txt');
  await writeFile(letter, 'Dear colleague\n');
  await cli.run(['send', '(202) 555-0123', letter]);
  const faults = await found();
  expect(faultIn(faults, 'sending_off')).toBe('Sending is off. New faxes are held.');
  expect(faultIn(faults, 'faxes_held')).toBe('1 fax is held.');
});

test('an HTTPS certificate that ends soon', async () => {
  const root = await issueRoot('Office', Date.now());
  const { certificate, key } = await issueServer(root, ['fax.office.example'], Date.now() - 87 * DAY_MS);
  const files = [join(cli.folder, 'server.pem'), join(cli.folder, 'server.key')] as const;
  await writeFile(files[0], certificate);
  await writeFile(files[1], key);
  const values = [`HTTPS_CERTIFICATE_FILE=${files[0]}`, `HTTPS_KEY_FILE=${files[1]}`, 'HTTPS_ENABLED=true'];
  expect((await cli.run(['settings', 'change', ...values])).code).toBe(0);
  expect(faultIn(await found(), 'certificate')).toMatch(
    /^The HTTPS certificate in .*server\.pem ends (?:in 2 days|in 3 days)\.$/u,
  );
  await cli.run(['settings', 'change', 'HTTPS_ENABLED=false']);
});

test('callbacks: an expired certificate at the public address, and another program there', async () => {
  const provider = Number(new URL(cli.emulator.url).port);
  const front = await startTlsFront('fax.office.example', provider, Date.now() - 200 * DAY_MS);
  const proxy = await startConnectProxy({ routes: { 'fax.office.example:443': front.port } });
  const trusted = join(cli.folder, 'trusted.pem');
  await writeFile(trusted, front.root);
  const proxied = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: trusted };
  await cli.run(['settings', 'change', 'PUBLIC_API_URL=https://fax.office.example']);
  expect(faultIn(await found(proxied), 'callbacks')).toBe(
    'https://fax.office.example, set as PUBLIC_API_URL, has an expired certificate.',
  );
  await front.close();
  await proxy.close();
  const other = await startTlsFront('fax.office.example', provider);
  const second = await startConnectProxy({ routes: { 'fax.office.example:443': other.port } });
  await writeFile(trusted, other.root);
  expect(
    faultIn(await found({ ...proxied, HTTPS_PROXY: `http://127.0.0.1:${second.port}` }), 'callbacks'),
  ).toMatch(/leads to another program, which answers \d+\.$/u);
  await other.close();
  await second.close();
  await cli.run(['settings', 'remove', 'PUBLIC_API_URL']);
});

test('a gateway that does not run: the same sentences by the rules of the gateway', async () => {
  await cli.stop();
  const { code, faults } = await diagnosed(cli, environment);
  expect([code, kinds(faults)]).toEqual([1, ['not_running', 'sending_off', 'faxes_held', 'backup_old']]);
  expect(faultIn(faults, 'not_running')).toBe('Faxdesk does not run, so nothing is sent or received.');
  expect(faultIn(faults, 'sending_off')).toBe('Sending is off. New faxes are held.');
});

test('a port that another program has', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(faultIn(await found({ PORT: String(port) }), 'port_taken')).toBe(
    `Another program uses port ${port}, so Faxdesk cannot start there.`,
  );
  server.close();
});

test('a data key that is missing, or another one', async () => {
  await without('data.key', async () => {
    expect(faultIn(await found(), 'data_key')).toMatch(
      /^The data key of this installation is missing: data\.key/u,
    );
    await writeFile(join(cli.folder, 'data.key'), Buffer.alloc(32, 7).toString('base64'));
    expect(faultIn(await found(), 'data_key')).toMatch(
      /^The data key is not the one that this installation/u,
    );
  });
  expect(kinds(await found())).not.toContain('data_key');
});

test('a folder that cannot be written to', async () => {
  await without('work', async () => {
    await writeFile(join(cli.folder, 'work'), '');
    expect(faultIn(await found(), 'folder_not_writable')).toBe(
      `Faxdesk cannot write to ${join(cli.folder, 'work')}: that folder does not exist. Check that its disk is connected.`,
    );
  });
});

test('no backup for days', async () => {
  const folder = join(cli.folder, 'backups');
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'faxdesk-2026-01-05-090000.zip');
  await writeFile(file, '');
  const at = new Date(Date.now() - 9 * DAY_MS);
  await utimes(file, at, at);
  expect(faultIn(await found(), 'backup_old')).toMatch(/^The last backup is from \w+ \d+\.?/u);
  await writeFile(file, '');
  expect(kinds(await found())).not.toContain('backup_old');
});

test('a database that is away, or of another release', async () => {
  expect(faultIn(await found({ DATABASE_URL: 'postgres://fax@127.0.0.1:1/fax' }), 'database_away')).toBe(
    'The database that DATABASE_URL names cannot be reached.',
  );
  const store = new BetterSqlite(join(cli.folder, 'faxdesk.sqlite'));
  store.exec("insert into migration (name) values ('999-later')");
  expect(faultIn(await found(), 'database_release')).toBe(
    'The data was written by a newer release (999-later). Install that release or restore a backup.',
  );
  store.exec("delete from migration where name = '999-later'");
  store.close();
});

test('a database that accepts no more connections', async (context) => {
  const database = await needPostgres(context);
  const limited = await createLimitedUser(database);
  await limited.allow(0);
  expect(faultIn(await found({ DATABASE_URL: limited.url }), 'database_connections')).toBe(
    'The database accepts no more connections. Raise the limit of PostgreSQL, or close other programs that use it.',
  );
  await dropPostgresDatabase(database);
  await limited.drop();
});

test('a wrong data folder, and two of them', async () => {
  const empty = join(cli.folder, 'empty');
  expect(faultIn(await found({ FAXDESK_DATA: empty }), 'data_folder')).toBe(
    `There is no installation in ${empty}. Use --data to give another folder.`,
  );
  const home = join(cli.folder, 'home');
  const folders = [join(home, '.local/share/faxdesk'), join(home, '.config/Faxdesk/data')];
  for (const folder of folders) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'faxdesk.sqlite'), '');
  }
  expect(faultIn(await found({ FAXDESK_DATA: '', HOME: home }), 'data_folder')).toMatch(
    /^Faxdesk uses .*\.local\/share\/faxdesk and does not use the other installation in .*\.config\/Faxdesk\/data\./u,
  );
});

test('a disk that is nearly full', async (context) => {
  const disk = await mountSmallDisk(40);
  if ('unavailable' in disk) return context.skip(disk.unavailable);
  expect(faultIn(await found({ FAXDESK_DATA: disk.folder }), 'disk_full')).toMatch(
    /^The disk is nearly full: \d+ MB are left\.$/u,
  );
  await disk.remove();
});
