import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { thisComputer } from '../../main/computer.ts';
import { parseOfficeFile } from '../../main/office-file.ts';
import { readPackage, readPolicy } from '../../main/office-policy.ts';
import { needTools, toolPath } from '../setup/tools.ts';
import { buildMsi, msiProject } from './msi-package.ts';
import { WineComputer } from './wine.ts';

const TOOLS = ['wine', 'wixl', 'msibuild'] as const;
const GATEWAY = 'https://fax.example.office:8443';
const FINGERPRINT = 'AB'.repeat(32);
const ALL = [
  `GATEWAY=${GATEWAY}`,
  `CERTIFICATE=${FINGERPRINT}`,
  'START_AT_LOGIN=true',
  'NETWORK=off',
  String.raw`UPDATES=\\office\fax desk`,
];
const WRITTEN = {
  gateway: GATEWAY,
  certificate: FINGERPRINT,
  start_at_login: true,
  network: 'off',
  updates: String.raw`\\office\fax desk`,
};

describe('the decisions of the MSI package of Windows', () => {
  let computer: WineComputer;

  beforeAll(() => {
    if (TOOLS.some((name) => toolPath(name) === null)) return;
    computer = new WineComputer();
    buildMsi(join(computer.folder, 'first.msi'), '0.1.0');
    buildMsi(join(computer.folder, 'second.msi'), '0.2.0');
  }, 180_000);
  afterAll(() => computer?.close());
  beforeEach((context) => {
    needTools(context, ...TOOLS);
    for (const name of ['first.msi', 'second.msi']) msi('/x', name);
  });

  const msi = (action: '/i' | '/x', name: string, ...words: string[]) =>
    computer.run('msiexec', action, name, '/qn', ...words).code;

  /** Reads with the application's own words for `reg`, in the Windows of the test. */
  const onWine = () => ({
    ...thisComputer(undefined),
    platform: 'win32',
    run: async (_program: string, words: readonly string[]) => {
      const { code, output } = computer.run('reg', ...words);
      if (code !== 0) throw Object.assign(new Error(output), { code });
      return output;
    },
  });
  const written = async () => readPackage(onWine());

  it('are written, kept by a repair and an update without them, and removed with the program', async () => {
    expect(msi('/i', 'first.msi', ...ALL)).toBe(0);
    expect(await written()).toEqual(WRITTEN);
    expect(parseOfficeFile(null, {}, (await written()) ?? {})?.gateway?.address).toBe(GATEWAY);
    expect(msi('/i', 'first.msi', 'REINSTALL=ALL', 'REINSTALLMODE=omus')).toBe(0);
    expect(await written()).toEqual(WRITTEN);
    expect(msi('/i', 'second.msi')).toBe(0);
    expect(await written()).toEqual(WRITTEN);
    expect(msi('/x', 'second.msi')).toBe(0);
    expect(await written()).toEqual({});
  });

  it('are changed one by one, and a new gateway has no certificate of the one before', async () => {
    expect(msi('/i', 'first.msi')).toBe(0);
    expect(await written()).toEqual({});
    expect(msi('/i', 'second.msi', ...ALL)).toBe(0);
    expect(msi('/x', 'second.msi')).toBe(0);
    expect(msi('/i', 'first.msi', ...ALL)).toBe(0);
    expect(msi('/i', 'second.msi', 'GATEWAY=https://other.example', 'START_AT_LOGIN=false')).toBe(0);
    const { certificate: _none, ...others } = WRITTEN;
    expect(await written()).toEqual({ ...others, gateway: 'https://other.example', start_at_login: false });
  });

  it('leave a group policy as it is', async () => {
    const key = String.raw`HKLM\SOFTWARE\Policies\Faxdesk`;
    computer.run('reg', 'add', key, '/v', 'Updates', '/d', 'off', '/f');
    expect(msi('/i', 'first.msi', ...ALL)).toBe(0);
    expect(msi('/x', 'first.msi')).toBe(0);
    expect(await readPolicy(onWine())).toEqual({ updates: 'off' });
  });

  it.each(['GATEWAY=fax.example.office', `CERTIFICATE=${FINGERPRINT}`, 'START_AT_LOGIN=1', 'NETWORK=none'])(
    'install nothing with %s',
    async (word) => {
      expect(msi('/i', 'first.msi', word)).not.toBe(0);
      expect(await written()).toEqual({});
    },
  );

  it('are taken from the command line also when Windows asks for an administrator', () => {
    const project = msiProject();
    const used = [...project.matchAll(/<Component Id="decision\w+".*?Value="\[(\w+)\]"/gu)];
    expect(used).toHaveLength(ALL.length);
    for (const [, name = ''] of used) expect(project).toContain(`<Property Id="${name}" Secure="yes"/>`);
  });
});
