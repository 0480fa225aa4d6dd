import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/source-tree.ts';
import { closeDataFolder } from '../../server/config/owner-only.ts';
import type { SystemTool } from '../../server/config/owner-only-windows.ts';

let top: string;
let data: string;

beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'faxdesk-owner-'));
  data = join(top, 'data');
  await mkdir(data);
  await chmod(data, 0o700);
});
afterEach(() => rm(top, { recursive: true, force: true }));

async function folder(name: string, mode: number): Promise<void> {
  await mkdir(join(data, name), { recursive: true });
  await chmod(join(data, name), mode);
}

async function file(name: string, mode: number): Promise<void> {
  await writeFile(join(data, name), 'x');
  await chmod(join(data, name), mode);
}

/** In octal, as `ls` and `chmod` have it. */
async function modeOf(name: string): Promise<string> {
  return ((await stat(join(data, name))).mode & 0o7777).toString(8);
}

describe.skipIf(process.platform === 'win32')('a data folder that existed', () => {
  it('is closed to other accounts with all that is in it', async () => {
    await chmod(data, 0o755);
    await folder('files', 0o755);
    await folder('files/a', 0o775);
    await file('files/a/document.pdf', 0o644);
    await file('faxdesk.sqlite', 0o664);
    const { closed, warnings } = await closeDataFolder(data);
    expect(warnings).toEqual([]);
    expect([...closed].sort()).toEqual(['.', 'faxdesk.sqlite', 'files', 'files/a', 'files/a/document.pdf']);
    const names = ['.', 'files', 'files/a', 'files/a/document.pdf', 'faxdesk.sqlite'];
    expect(await Promise.all(names.map(modeOf))).toEqual(['700', '700', '700', '600', '600']);
    expect(await closeDataFolder(data)).toEqual({ closed: [], warnings: [] });
  });

  it('is looked into where only a folder in it is open', async () => {
    await folder('backups', 0o755);
    await file('backups/faxdesk.zip', 0o644);
    expect((await closeDataFolder(data)).closed).toEqual(['backups', 'backups/faxdesk.zip']);
    expect([await modeOf('backups'), await modeOf('backups/faxdesk.zip')]).toEqual(['700', '600']);
  });

  it('lets the group of the telephone engine through to what it shared, and nobody else', async () => {
    await chmod(data, 0o755);
    await folder('inbound', 0o2775);
    await file('inbound/call.tiff', 0o640);
    await folder('telephony', 0o750);
    await folder('logs', 0o750);
    const { warnings } = await closeDataFolder(data);
    expect(warnings).toEqual([]);
    const names = ['.', 'inbound', 'inbound/call.tiff', 'telephony', 'logs'];
    expect(await Promise.all(names.map(modeOf))).toEqual(['710', '2770', '640', '750', '700']);
  });

  it('leaves what links lead to, and says what others can open there', async () => {
    const elsewhere = join(top, 'other-disk');
    await mkdir(elsewhere);
    await chmod(elsewhere, 0o755);
    await symlink(elsewhere, join(data, 'files'));
    expect(await closeDataFolder(data)).toEqual({
      closed: [],
      warnings: [
        `Other accounts on this computer can open ${join(data, 'files')}, and Faxdesk could not prevent it: it is a link to somewhere else, which is left as it is.`,
      ],
    });
    expect((await stat(elsewhere)).mode & 0o777).toBe(0o755);
  });

  it('leaves a common folder of the computer as it is', async () => {
    await chmod(data, 0o1777);
    await file('faxdesk.sqlite', 0o644);
    const { closed, warnings } = await closeDataFolder(data);
    expect([closed, warnings.length]).toEqual([['faxdesk.sqlite'], 1]);
    expect(warnings[0]).toMatch(/it is a common folder of this computer\.$/u);
    expect(await modeOf('.')).toBe('1777');
  });

  it.skipIf(process.getuid?.() !== 0)('says that it belongs to another account', async () => {
    await chmod(top, 0o755);
    await chmod(data, 0o777);
    await file('faxdesk.sqlite', 0o644);
    await chown(join(data, 'faxdesk.sqlite'), 65_534, 65_534);
    const url = pathToFileURL(join(ROOT, 'server/config/owner-only.ts')).href;
    const code = `import { closeDataFolder } from '${url}';
      console.log(JSON.stringify(await closeDataFolder(process.argv[1])));`;
    const words = ['--input-type=module', '-e', code, data];
    const { stdout } = spawnSync(process.execPath, words, { uid: 65_534, gid: 65_534, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual({
      closed: ['faxdesk.sqlite'],
      warnings: [
        `Other accounts on this computer can open ${data}, and Faxdesk could not prevent it: it belongs to another account.`,
      ],
    });
  });
});

const MARIA = 'S-1-5-21-1-2-3-1001';

/** A folder's access list, changed as icacls does it. */
class Windows {
  list: string;
  /** Paths that took over the list of the folder above. */
  readonly reset: string[] = [];
  obeys = true;

  constructor(list: string) {
    this.list = list;
  }

  readonly runTool: SystemTool = async (tool, words) => {
    if (tool === 'whoami') return `"office\\maria","${MARIA}"\r\n`;
    const [path = '', ...orders] = words;
    if (orders[0] === '/save') await writeFile(orders[1] ?? '', `data\r\n${this.list}\r\n`, 'utf16le');
    else if (path !== data) this.reset.push(path);
    else if (this.obeys) this.#change(orders);
    return '';
  };

  #change(orders: readonly string[]): void {
    const flags = /^D:([A-Z]*)/u.exec(this.list)?.[1] ?? '';
    let entries: string[] = this.list.match(/\([^)]*\)/gu) ?? [];
    for (let at = 0; at < orders.length; at += 1) {
      const sid = /\*(S-[0-9-]+)/u.exec(orders[at + 1] ?? '')?.[1] ?? '';
      const name = { 'S-1-5-18': 'SY', 'S-1-5-32-544': 'BA' }[sid] ?? sid;
      if (orders[at] === '/reset') entries = ['(A;OICIID;FA;;;SY)', '(A;OICIID;0x1200a9;;;BU)'];
      if (orders[at] === '/inheritance:r') {
        this.list = `D:P${entries.filter((entry) => !/^\(A;[A-Z]*ID;/u.test(entry)).join('')}`;
        return;
      }
      if (orders[at] === '/grant:r')
        entries = [
          ...entries.filter((entry) => !entry.endsWith(`OICI;FA;;;${name})`)),
          `(A;OICI;FA;;;${name})`,
        ];
      if (orders[at] === '/remove:g') entries = entries.filter((entry) => !entry.endsWith(`;${name})`));
    }
    this.list = `D:${flags}${entries.join('')}`;
  }
}

describe('a data folder on Windows', () => {
  const close = ({ runTool }: Windows) => closeDataFolder(data, { platform: 'win32', runTool });

  it.each([
    ['what it takes over from above', 'D:AI(A;OICIID;FA;;;SY)(A;OICIID;0x1200a9;;;BU)'],
    ['a grant to another person', `D:PAI(A;OICI;FA;;;${MARIA})(A;OICI;FA;;;S-1-5-21-1-2-3-1002)`],
    ['a grant to everybody', `D:PAI(A;OICI;FA;;;${MARIA})(A;OICI;FA;;;WD)`],
  ])('loses %s', async (_what, list) => {
    await folder('files', 0o700);
    await folder('inbound', 0o700);
    const windows = new Windows(list);
    expect(await close(windows)).toEqual({ closed: ['.'], warnings: [] });
    expect(windows.list.match(/;;;[^)]+/gu)?.sort()).toEqual([';;;BA', `;;;${MARIA}`, ';;;SY']);
    expect(windows.reset).toEqual([join(data, 'files')]);
  });

  it('is left alone when its list names nobody else', async () => {
    const list = `D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(D;;FA;;;WD)(A;OICI;FA;;;${MARIA})`;
    const windows = new Windows(list);
    expect(await close(windows)).toEqual({ closed: [], warnings: [] });
    expect(windows.list).toBe(list);
  });

  it('is a warning when its list stays as it was, or cannot be read', async () => {
    const windows = new Windows('D:AI(A;OICIID;FA;;;WD)');
    windows.obeys = false;
    const started = `Other accounts on this computer may be able to open ${data}, and Faxdesk could not prevent it:`;
    expect((await close(windows)).warnings).toEqual([`${started} its access list stayed as it was.`]);
    const runTool: SystemTool = () => Promise.reject(new Error('no such tool'));
    const { warnings } = await closeDataFolder(data, { platform: 'win32', runTool });
    expect(warnings).toEqual([`${started} the system refuses it.`]);
  });
});
