import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { identityOf } from '../../server/db/store-check.ts';
import { startProblem } from '../../server/index.ts';
import { AccessAdministrator } from '../setup/access-administrator.ts';
import { damageHeader, damageTable } from '../setup/damage-store.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions, textFile } from '../setup/gateway.ts';
import { DAY } from '../setup/manual-clock.ts';

const PROBLEM =
  'The database is damaged, so Faxdesk writes nothing to it and sends nothing. Restore a backup: see System > Backups.';
const REFUSED = {
  detail: 'The database is damaged, so Faxdesk writes nothing to it. Restore a backup: see System > Backups.',
};

let gateway: TestGateway;
const ending: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  gateway = await startTestGateway();
  const { emulator, dataFolder } = gateway;
  ending.push(
    () => gateway.stop(),
    () => emulator.close(),
    () => rm(dataFolder, { recursive: true, force: true }),
  );
});
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

const send = () => gateway.sendForm({ to: '+12025550123' }, [textFile()]);
const problems = async () => {
  const answer = await gateway.request('GET', '/health/ready');
  return ((await answer.json()) as { problems: string[] }).problems;
};
const checks = () => gateway.logLines.filter((line) => line.includes('the database was checked'));

/** The key of a program that reads: that of the installation records its own use, which is a change. */
async function readingKey(): Promise<string> {
  const administrator = new AccessAdministrator(gateway);
  const reader = await administrator.integration('Reader');
  await administrator.assign(reader, await administrator.role('Readers', ['fax:read']));
  return (await administrator.key(reader, ['fax:read'])).token;
}

/** Stops the gateway, does something to its data, and starts it again. */
async function restartAfter(work: () => Promise<void>, options: TestGatewayOptions = {}): Promise<void> {
  await gateway.stop();
  await work();
  gateway = await gateway.restart({ checkStore: true, ...options });
  // The check may go on after the start; this waits for it.
  await gateway.processAll();
}

async function expectNothingIsWritten(): Promise<void> {
  const refused = await send();
  expect([refused.status, await refused.json()]).toEqual([503, REFUSED]);
  expect(refused.headers.get('x-error-code')).toBe('database_damaged');
  expect(await problems()).toContain(PROBLEM);
}

describe('A damaged database', () => {
  test('rule (database): a database found damaged at the start can be read but not written, and no job runs', async () => {
    const { id } = await gateway.send();
    const key = await readingKey();
    const accepted = gateway.emulator.counts.accepted;
    await restartAfter(() => damageTable(gateway.dataFolder, 'fax_number'));
    await expectNothingIsWritten();
    await gateway.processAll();
    expect(gateway.emulator.counts.accepted).toBe(accepted);
    const fax = await gateway.request('GET', `/fax/${id}`, { key });
    expect([fax.status, await fax.json()]).toEqual([
      200,
      expect.objectContaining({ delivery_state: 'ready' }),
    ]);
    expect(gateway.logLines.join('')).toContain('nothing is written to it; restore a backup');
  });

  test('stays one at the next start, and not when another file is in its place', async () => {
    const { dataFolder } = gateway;
    const good = await mkdtemp(join(tmpdir(), 'faxdesk-good-'));
    ending.push(() => rm(good, { recursive: true }));
    await restartAfter(async () => {
      await cp(join(dataFolder, 'faxdesk.sqlite'), join(good, 'faxdesk.sqlite'));
      await damageTable(dataFolder, 'fax_number');
    });
    await expectNothingIsWritten();
    await restartAfter(() => Promise.resolve());
    await expectNothingIsWritten();
    await restartAfter(async () => {
      await rm(join(dataFolder, 'faxdesk.sqlite'));
      await cp(join(good, 'faxdesk.sqlite'), join(dataFolder, 'faxdesk.sqlite'));
    });
    expect(await problems()).toEqual([]);
    expect((await send()).status).toBe(202);
  });

  test('rule (database): a database found damaged by a query is written to no more', async () => {
    const { id } = await gateway.send();
    const key = await readingKey();
    await restartAfter(() => damageTable(gateway.dataFolder, 'fax_history'), { checkStore: false });
    const met = await gateway.request('GET', `/fax/${id}/history`, { key });
    expect([met.status, await met.json()]).toEqual([503, REFUSED]);
    await expectNothingIsWritten();
    expect((await gateway.request('GET', `/fax/${id}`, { key })).status).toBe(200);
  });

  test('that cannot be opened at all ends the start with a sentence', async () => {
    await gateway.stop();
    await damageHeader(gateway.dataFolder);
    const error: unknown = await gateway.restart().catch((reason: unknown) => reason);
    expect(startProblem(error)).toBe(
      'The database is damaged, and nothing was written to it. Restore a backup with "faxdesk restore <backup> --replace", which moves the current data aside.',
    );
  });

  test('is no lock: a damaged gateway.lock is made anew', async () => {
    await restartAfter(() => writeFile(join(gateway.dataFolder, 'gateway.lock'), 'x'.repeat(4096)));
    expect(await problems()).toEqual([]);
  });
});

describe('The database is checked', () => {
  test('quickly at a start, whole after an end that was none, and whole every week', async () => {
    const { dataFolder, clock } = gateway;
    const killed = await mkdtemp(join(tmpdir(), 'faxdesk-killed-'));
    ending.push(() => rm(killed, { recursive: true }));
    await restartAfter(() => Promise.resolve());
    expect(checks()).toEqual([expect.stringContaining('"kind":"full"')]);
    await restartAfter(() => Promise.resolve());
    expect(checks()).toEqual([expect.stringContaining('"kind":"quick"')]);
    // State after a kill: the log of the database is still there.
    await cp(dataFolder, killed, { recursive: true });
    await restartAfter(async () => {
      await rm(dataFolder, { recursive: true });
      await cp(killed, dataFolder, { recursive: true });
      const file = await identityOf(join(dataFolder, 'faxdesk.sqlite'));
      const notes = { file, full_check_at: new Date(clock.now()).toISOString(), damaged_at: null };
      await writeFile(join(dataFolder, 'store-check.json'), JSON.stringify(notes));
    });
    expect(checks()).toEqual([expect.stringContaining('"kind":"full"')]);
    clock.advance(7 * DAY);
    await gateway.processAll();
    expect(checks()).toHaveLength(2);
    await gateway.processAll();
    expect(checks()).toHaveLength(2);
  });
});
