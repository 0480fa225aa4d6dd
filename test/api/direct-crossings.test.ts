import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createBackup } from '../../server/backup/create-backup.ts';
import { backupSource } from '../../server/backup/installation.ts';
import { diagnose } from '../../server/cli/diagnosis.ts';
import { COMMAND_LINE, restoreInstallation } from '../../server/composition/backups.ts';
import type { BootOptions } from '../../server/config/boot.ts';
import { RELEASE } from '../../server/config/release.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { bootOptions } from '../setup/boot-options.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';

const SETTINGS = {
  DIRECT_DELIVERY_ENABLED: 'true',
  DIRECT_ORGANIZATION: 'North Clinic',
  DIRECT_FAX_NUMBER: '+12025550100',
  PUBLIC_API_URL: 'https://fax.north.example',
};
const KEY_FILE = '.direct-identity.key';

const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'faxdesk-direct-'));
  cleanups.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function start(options: Parameters<typeof startTestGateway>[0] = {}): Promise<TestGateway> {
  const gateway = await startTestGateway({ settings: SETTINGS, ...options });
  cleanups.push(() => gateway.close());
  return gateway;
}

const cardOf = async (gateway: TestGateway) =>
  (await (await gateway.request('GET', '/direct/card')).json()) as { card: object; keys_made_at: string };

const bootOf = (dataFolder: string): BootOptions => bootOptions(dataFolder, null);

test('rule (crossings): the identity of direct delivery is sealed in a backup, and restored with it', async () => {
  const gateway = await start();
  const card = await cardOf(gateway);
  const backup = join(await folder(), 'b.zip');
  const parts = { release: RELEASE, clock: gateway.clock, recipients: [] };
  await createBackup(await backupSource(bootOf(gateway.dataFolder)), backup, parts);
  await gateway.stop();
  const target = await folder();
  // Another installation is there, with keys of its own.
  const other = await start({ dataFolder: target });
  expect(await cardOf(other)).not.toEqual(card);
  await other.stop();
  await restoreInstallation(backup, bootOf(target), { replace: true, by: COMMAND_LINE });
  expect(await readdir(target)).not.toContain(KEY_FILE);
  const restored = await start({ dataFolder: target });
  expect(await cardOf(restored)).toEqual(card);
  expect(await readdir(target)).toContain(KEY_FILE);
});

test('rule (crossings): the private keys of direct delivery are in no log and no diagnosis', async () => {
  const gateway = await start();
  await cardOf(gateway);
  await gateway.request('POST', '/direct/card/rotate');
  const { dataFolder, logLines } = gateway;
  const seal = createSeal(Buffer.from(await readFile(join(dataFolder, 'data.key'), 'utf8'), 'base64'));
  const sealed = (await readFile(join(dataFolder, KEY_FILE), 'utf8')).trim();
  const { keys } = JSON.parse(seal.open(sealed, 'direct_identity')) as { keys: Record<string, string>[] };
  const secrets = [sealed, ...keys.flatMap(({ signing = '', exchange = '' }) => [signing, exchange])];
  expect(secrets).toHaveLength(5);
  const shown = `${logLines.join('')}${JSON.stringify(await diagnose(bootOf(dataFolder)))}`;
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(40);
    expect(shown).not.toContain(secret);
  }
});

test('rule (direct): the key file is where SERVICE_DIRECT_KEY_PATH says, and an unwritable one is a warning', async () => {
  const directKeyPath = join(await folder(), 'own.key');
  const gateway = await start({ boot: { directKeyPath } });
  const card = await cardOf(gateway);
  expect(await readFile(directKeyPath, 'utf8')).toMatch(/^v1\./u);
  expect(await readdir(gateway.dataFolder)).not.toContain(KEY_FILE);
  await gateway.stop();
  const nowhere = join(await folder(), 'missing', 'own.key');
  const again = await start({ dataFolder: gateway.dataFolder, boot: { directKeyPath: nowhere } });
  expect(await cardOf(again)).toEqual(card);
  const { warnings } = (await (await again.request('GET', '/health/ready')).json()) as { warnings: string[] };
  expect(warnings.join(' ')).toContain('The key file of direct delivery cannot be written.');
});
