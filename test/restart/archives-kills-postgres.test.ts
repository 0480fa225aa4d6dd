import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { sendingSettings, startTestEmulator, startTestGateway } from '../setup/gateway.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import { createPostgresDatabase, dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { begin, checked, expectContinued, LATER_MS, makeFaxes, type Removal } from './archives-kills.ts';
import { ChildGateway, type CommitPoint } from './child-gateway.ts';

describe.skipIf(postgresUrl === null)(`a removal on PostgreSQL${withoutPostgres}`, () => {
  let root: string;
  let emulator: CloudoneEmulator;
  let original: string;
  const databases: string[] = [];
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'faxdesk-archives-'));
    emulator = await startTestEmulator();
    original = await newPostgresDatabase();
    databases.push(original);
  });
  afterEach(async () => {
    await emulator.close();
    for (const each of databases.splice(0)) await dropPostgresDatabase(each);
    await rm(root, { recursive: true, force: true });
  });

  const settings = () => ({ ...sendingSettings(emulator), INBOUND_POLLING: 'off', ARTIFACT_TTL_DAYS: '0' });

  async function start(folder: string, databaseUrl: string, killAt?: CommitPoint): Promise<ChildGateway> {
    const codeCache = process.env['NODE_COMPILE_CACHE'] ?? join(root, 'code');
    const options = { databaseUrl, isAlone: true, codeCache, ...(killAt === undefined ? {} : { killAt }) };
    const child = new ChildGateway(folder, settings(), options);
    if (!(await child.ready())) throw new Error(`the child did not start: ${child.errors}`);
    child.order({ advanceMs: LATER_MS });
    return child;
  }

  async function plan(): Promise<Removal> {
    const first = new ChildGateway(join(root, 'data'), settings(), {
      databaseUrl: original,
      isAlone: true,
      codeCache: process.env['NODE_COMPILE_CACHE'] ?? join(root, 'code'),
    });
    if (!(await first.ready())) throw new Error(`the child did not start: ${first.errors}`);
    await makeFaxes(first);
    first.order({ advanceMs: LATER_MS });
    const removal = await checked(first);
    first.order({ stop: true });
    await first.ended;
    return removal;
  }

  test('rule (archives): a removal on PostgreSQL that is killed at any of its commits continues at the next start, and removes each fax once', async () => {
    const removal = await plan();
    const reached = [
      ['running', 0],
      ['running', 20],
      ['running', 22],
      ['done', 22],
    ] as const;
    let stored = 'ready, 0 removed';
    for (const [state, removed] of reached) {
      const returns = `select 1 from archive_removal where state = '${state}' and removed_sent = ${removed}`;
      expect(await killed(removal, { label: 'before a commit', returns })).toBe(stored);
      stored = `${state}, ${removed} removed`;
      expect(await killed(removal, { label: 'after a commit', returns })).toBe(stored);
    }
  }, 300_000);

  /** Kills a gateway that removes, lets another one continue, and returns the removal as the other one found it. */
  async function killed(removal: Removal, point: CommitPoint): Promise<string> {
    const databaseUrl = await createPostgresDatabase(original, new URL(original).pathname.slice(1));
    databases.push(databaseUrl);
    const folder = await mkdtemp(join(root, 'killed-'));
    await cp(join(root, 'data'), folder, { recursive: true });
    const child = await start(folder, databaseUrl, point);
    child.order({ arm: true });
    await begin(child, removal);
    expect(await child.ended).toEqual({ killed: true });
    const clock = new ManualClock(new Date(Date.now() + LATER_MS).toISOString());
    const gateway = await startTestGateway({
      dataFolder: folder,
      databaseUrl,
      emulator,
      clock,
      settings: settings(),
    });
    try {
      const label = `${point.label}: ${point.returns}`;
      const { state, removed } = await expectContinued(gateway, removal.id, label);
      return `${state}, ${removed.sent} removed`;
    } finally {
      await gateway.stop();
    }
  }
});
