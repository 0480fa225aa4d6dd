import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { NUMBER, SCAN_MS, SendFolder } from '../api/folders-setup.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { startGatewayOn } from '../setup/both-gateways.ts';
import { startTestGateway } from '../setup/gateway.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl, STORES, withoutPostgres } from '../setup/stores.ts';

const FILES = [1, 2, 3, 4].map((pages) => ({ name: `f${pages}__${NUMBER}.pdf`, content: textPdf(pages) }));
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function leaveAll(folder: SendFolder): Promise<void> {
  for (const { name, content } of FILES) await folder.dropFile(name, content);
}

async function expectEachOnce(folder: SendFolder): Promise<void> {
  const faxes = await folder.faxes();
  expect(faxes.map(({ document }) => `${document.pages}`).sort()).toEqual(['1', '2', '3', '4']);
  expect(await folder.names()).toEqual(['failed', 'sent']);
  expect(folder.gateway.emulator.faxes.size).toBe(FILES.length);
}

describe.each(STORES)(`the send folder on %s${withoutPostgres}`, (kind) => {
  test('rule (folders): scans of the send folder that run at once send each file once', async () => {
    const { gateway, close } = await startGatewayOn(kind);
    cleanups.push(close);
    const folder = new SendFolder(gateway);
    await folder.sendFor();
    await leaveAll(folder);
    await folder.scan(4);
    await expectEachOnce(folder);
    await leaveAll(folder);
    await folder.scan(3);
    await expectEachOnce(folder);
  });
});

test.skipIf(postgresUrl === null)(
  `two gateways of one installation send each file of their folder once${withoutPostgres}`,
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'faxdesk-folder-'));
    cleanups.push(() => rm(root, { recursive: true, force: true }));
    const databaseUrl = await newPostgresDatabase();
    cleanups.push(() => dropPostgresDatabase(databaseUrl));
    const boot = { folders: [root] };
    const one = await startTestGateway({ databaseUrl, boot });
    cleanups.push(() => one.close());
    const folder = new SendFolder(one, root);
    await folder.sendFor(['fax:send'], root);
    const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-second-'));
    cleanups.push(() => rm(dataFolder, { recursive: true, force: true }));
    for (const name of ['files', 'data.key'])
      await symlink(join(one.dataFolder, name), join(dataFolder, name));
    const { clock, emulator } = one;
    const two = await startTestGateway({ databaseUrl, boot, dataFolder, clock, emulator });
    cleanups.push(() => two.stop());
    await leaveAll(folder);
    // Either gateway may scan the folder first, and one of them has to scan twice; the last round submits the faxes.
    for (let looks = 0, rest = 1; looks < 60 && rest >= 0; looks += 1) {
      clock.advance(SCAN_MS);
      await Promise.all([one.processAll(), two.processAll()]);
      if ((await folder.names()).length === 2) rest -= 1;
    }
    await expectEachOnce(folder);
  },
);
