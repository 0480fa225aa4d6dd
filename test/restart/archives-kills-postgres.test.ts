import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { sendingSettings, startTestEmulator, startTestGateway } from '../setup/gateway.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import { createPostgresDatabase, dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl, withoutPostgres } from '../setup/stores.ts';
import {
  begin,
  checked,
  expectContinued,
  LATER_MS,
  makeFaxes,
  type Removal,
  settled,
} from './archives-kills.ts';
import { ChildGateway } from './child-gateway.ts';

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

  async function start(folder: string, databaseUrl: string, killAt?: number): Promise<ChildGateway> {
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

  test('rule (archives): a removal on PostgreSQL that is killed at any commit continues at the next start, and removes each fax once', async () => {
    const removal = await plan();
    const found: string[] = [];
    for (let killAt = 1, isKilled = true; isKilled; killAt += 1) {
      const databaseUrl = await createPostgresDatabase(original, new URL(original).pathname.slice(1));
      databases.push(databaseUrl);
      const folder = join(root, String(killAt));
      await cp(join(root, 'data'), folder, { recursive: true });
      const child = await start(folder, databaseUrl, killAt);
      child.order({ arm: true });
      await begin(child, removal);
      const ended = await settled(child, removal.id);
      isKilled = ended === null;
      if (!isKilled) {
        expect(ended).toMatchObject({ state: 'done' });
        await child.kill();
        break;
      }
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
        const before = await expectContinued(gateway, removal.id, `${killAt} ${child.diedAt}`);
        found.push(`${child.diedAt}: ${before.state}, ${before.removed.sent} removed`);
      } finally {
        await gateway.stop();
      }
    }
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringContaining('running, 0 removed'),
        expect.stringContaining('running, 20 removed'),
        expect.stringContaining('running, 22 removed'),
      ]),
    );
  }, 300_000);
});
