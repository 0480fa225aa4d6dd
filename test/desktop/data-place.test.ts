import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/source-tree.ts';
import { launch, missing } from './desktop-app.ts';
import { builtDesktop } from './each-kind.ts';

/** Runs the command line under the same account and returns its output. */
async function faxdesk(env: Record<string, string>, ...words: string[]): Promise<string> {
  const passed = { PATH: process.env['PATH'] ?? '', ...env };
  const child = spawn(process.execPath, ['server/faxdesk.mjs', ...words], { cwd: ROOT, env: passed });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await once(child, 'close');
  return out;
}

const reason = missing('stand-in');
describe.skipIf(reason !== null || process.platform !== 'linux')(
  `the data folder of the window${reason ?? ''}`,
  () => {
    beforeAll(() => builtDesktop());

    it('is that of the command line, which finds its gateway, also at the place of an earlier release', async () => {
      const home = await mkdtemp(join(tmpdir(), 'faxdesk-place-'));
      const account = {
        HOME: home,
        XDG_DATA_HOME: join(home, 'local'),
        XDG_CONFIG_HOME: join(home, 'config'),
        FAXDESK_DATA: '',
      };
      const local = join(home, 'local', 'faxdesk');
      const former = join(home, 'config', 'Faxdesk', 'data');
      const expectFound = async (folder: string) => {
        const app = await launch('stand-in', { appData: join(home, 'config'), env: account });
        try {
          await app.console();
          const told = JSON.parse(await faxdesk(account, 'diagnose', '--json')) as object;
          expect(told).toMatchObject({ data_folder: folder, unused: null, gateway: { running: true } });
          expect(await faxdesk(account, 'health')).toContain('The gateway is ready.');
        } finally {
          await app.close({ keepData: true });
        }
      };
      await mkdir(join(home, 'config'));
      await expectFound(local);
      await rename(local, former);
      await expectFound(former);
      expect(await readdir(join(home, 'local'))).toEqual([]);
      await rm(home, { recursive: true });
    });
  },
);
