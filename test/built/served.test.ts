import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtCommandLine } from '../../server/platform/built-code.ts';
import { startConnectProxy, startTlsFront } from '../setup/connect-proxy.ts';
import { enrolMara } from '../setup/owner.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { needPostgres } from '../setup/tools.ts';
import { tryCapabilities } from './capabilities.ts';
import { completeAtVendor } from './complete-at-vendor.ts';
import { KEY, Office } from './office.ts';
import { RECEIVING } from './receiving.ts';
import { SENDING } from './sending.ts';
import { command, serve } from './served.ts';

let folder: string;
let office: Office;
const data = () => join(folder, 'data');

describe.skipIf(process.platform === 'win32')(
  'rule (desktop): everything the product does also works in the built gateway',
  () => {
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'faxdesk-built-'));
      office = await Office.open((environment) => serve(data(), environment));
      expect(builtCommandLine(), 'the gateway was built').not.toBeNull();
    });
    afterAll(async () => {
      await office?.close();
      await rm(folder, { recursive: true, force: true });
    });

    tryCapabilities(() => office);

    test('its commands save evidence that holds up, read the histories and write the files of the phone line', async () => {
      const { items } = await office.requestJson('GET', '/work');
      const zip = join(folder, 'item.zip');
      const here = (...words: string[]) => command([...words, '--data', data()], { FAXDESK_API_KEY: KEY });
      await here('work', 'export', items[0].id, '--output', zip);
      expect(await command(['verify-evidence', zip])).toMatch(/./u);
      await here('audit', 'verify');
      // No provider can reach the public address of the test, which is a fault.
      const report = await here('diagnose').catch(({ stdout }: { stdout: string }) => stdout);
      expect(report).toMatch(/^Fault: .+\nCure: [^]*Gateway: +running at/mu);
      await here('telephony', 'config', '--output', join(folder, 'asterisk'));
    });

    test('a fax leaves through a proxy to a provider whose certificate the computer trusts', async () => {
      const { environment } = office.emulators.cloudone;
      const provider = new URL(environment['CLOUDONE_API_URL'] ?? '');
      const front = await startTlsFront('provider.example', Number(provider.port));
      const routes = { 'provider.example:443': front.port };
      const proxy = await startConnectProxy({ routes, signIn: 'clerk:secret' });
      const root = join(folder, 'root.pem');
      await writeFile(root, front.root);
      const proxied = {
        CLOUDONE_API_URL: `https://provider.example${provider.pathname}`,
        HTTPS_PROXY: `http://clerk:secret@127.0.0.1:${proxy.port}`,
        NODE_USE_SYSTEM_CA: '1',
        SSL_CERT_FILE: root,
      };
      const other = await office.openSecond((given) =>
        serve(join(folder, 'proxied'), { ...given, ...proxied }),
      );
      try {
        await enrolMara(other.url, KEY);
        await completeAtVendor(other, office.emulators.cloudone, await other.send('+12025550124'));
        expect(new Set(proxy.targets)).toEqual(new Set(['provider.example:443']));
      } finally {
        await other.gateway.stop();
        await proxy.close();
        await front.close();
      }
    });

    test('a backup is restored onto PostgreSQL, where faxes are sent and received', async (context) => {
      const databaseUrl = await needPostgres(context);
      const zip = join(folder, 'monday.zip');
      await command(['backup', 'create', '--output', zip, '--data', data()]);
      const restored = join(folder, 'restored');
      const there = { DATABASE_URL: databaseUrl };
      await command(['restore', zip, '--data', restored], there);
      const other = await office.openSecond((environment) => serve(restored, { ...environment, ...there }));
      try {
        const before = (await office.requestJson('GET', '/fax?limit=1')).items[0];
        expect((await other.requestJson('GET', `/fax/${before.id}`)).to).toBe(before.to);
        const [byCloudone] = SENDING;
        const [fromCloudone] = RECEIVING;
        for (const each of [byCloudone, fromCloudone]) await each?.run(other, context);
      } finally {
        await other.gateway.stop();
      }
      const owner = await command(['recover-owner', '--login', 'mara', '--data', restored, '--json'], there);
      expect(owner).toContain('password');
      await dropPostgresDatabase(databaseUrl);
    });

    test('an installation moves to PostgreSQL, where faxes are sent and received, and back', async (context) => {
      const databaseUrl = await needPostgres(context);
      const zip = join(folder, 'tuesday.zip');
      await command(['backup', 'create', '--output', zip, '--data', data()]);
      const moving = join(folder, 'moving');
      await command(['restore', zip, '--data', moving]);
      const there = { DATABASE_URL: databaseUrl };
      const move = (to: string) => command(['move', '--to', to, '--data', moving, '--json'], there);
      expect(JSON.parse(await move('postgres'))).toMatchObject({ resumed: false, was_complete: false });
      await expect(command(['serve', '--port', '0', '--data', moving])).rejects.toThrow('was moved to');
      const moved = await office.openSecond((environment) => serve(moving, { ...environment, ...there }));
      try {
        const [byCloudone] = SENDING;
        const [fromCloudone] = RECEIVING;
        for (const each of [byCloudone, fromCloudone]) await each?.run(moved, context);
      } finally {
        await moved.gateway.stop();
      }
      await move('sqlite');
      const back = await office.openSecond((environment) => serve(moving, environment));
      try {
        await completeAtVendor(back, office.emulators.cloudone, await back.send('+12025550125'));
      } finally {
        await back.gateway.stop();
      }
      await dropPostgresDatabase(databaseUrl);
    });
  },
);
