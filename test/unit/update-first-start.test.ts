import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LocalStatus } from '../../main/channels.ts';
import type { GatewayState } from '../../main/gateway.ts';
import { CHOICE_MS, READY_MS, watchFirstStart } from '../../main/updates/first-start.ts';
import { type Installer, openUpdateRecord, type UpdateRecord } from '../../main/updates/update-record.ts';
import { ManualTimers } from '../setup/manual-timers.ts';

/** Repeats a check on a busy machine as well. */
const until = (check: () => boolean) => vi.waitUntil(check, { timeout: 60_000 });

let folder: string;
let steps: string[];
let shown: LocalStatus[];
let timers: ManualTimers;
let record: UpdateRecord;
let isOpen: boolean;
let gateway: Gateway;

/** A gateway whose states a test plays. */
class Gateway extends EventEmitter<{ state: [GatewayState] }> {
  state: GatewayState = { kind: 'starting', again: false };

  enter(state: GatewayState): void {
    this.state = state;
    this.emit('state', state);
  }

  async start(): Promise<void> {
    steps.push('start');
  }

  async stop(): Promise<void> {
    steps.push('stop');
    this.enter({ kind: 'stopped' });
  }
}

type Parts = Parameters<typeof watchFirstStart>[0];

const RUNNING: GatewayState = { kind: 'running', origin: 'http://127.0.0.1:1' };
const kept = () => join(folder, 'kept-installer');

function installerOf(version: string, place: string, extension = 'exe'): Installer {
  const bytes = Buffer.from(`installer of ${version}`);
  mkdirSync(place, { recursive: true });
  const file = join(place, `Faxdesk-${version}.${extension}`);
  writeFileSync(file, bytes);
  return { version, file, size: bytes.length, sha512: createHash('sha512').update(bytes).digest('hex') };
}

async function open(
  { hasKept = true, extension = 'exe', canRestore = true } = {},
  change: (parts: Parts) => Parts = (parts) => parts,
) {
  const installer = installerOf('0.2.0', join(folder, 'updates'), extension);
  record = await openUpdateRecord(folder);
  const underway = {
    from: '0.1.0',
    to: '0.2.0',
    backup: '/backups/faxdesk.zip',
    canRestore,
    installer,
    hasStarted: false,
  };
  await record.change({ underway, kept: hasKept ? installerOf('0.1.0', kept(), extension) : null });
  const beginning = await record.begin('0.2.0');
  if (beginning.kind !== 'updated') throw new Error('not the first start');
  return watchFirstStart(
    change({
      underway: beginning.underway,
      record,
      gateway: gateway as never,
      folder: kept(),
      isWayBackOpen: () => isOpen,
      show: async (status) => void shown.push(status),
      onSuccess: () => void steps.push('updated'),
      open: async ({ file }) => {
        steps.push(`open ${file.slice(folder.length + 1)}`);
        return '';
      },
      quit: () => void steps.push('quit'),
      later: (work, ms) => timers.after(ms, work),
      note: (line) => void steps.push(line),
    }),
  );
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faxdesk-first-start-'));
  [steps, shown, timers, isOpen, gateway] = [[], [], new ManualTimers(), true, new Gateway()];
});

afterEach(() => rmSync(folder, { recursive: true }));

const BACK = ['stop', 'open kept-installer/Faxdesk-0.1.0.exe', 'quit'];
const wayBack = (status: LocalStatus | undefined) =>
  status?.kind === 'update-failed' ? status.wayBack : expect.unreachable('another status');

describe('the first start of a new version', () => {
  it('has succeeded when the gateway is ready, and keeps its installer in place of the older one', async () => {
    await open();
    gateway.enter(RUNNING);
    await until(() => steps.includes('updated'));
    expect(readdirSync(kept())).toEqual(['Faxdesk-0.2.0.exe']);
    const written = JSON.parse(readFileSync(join(folder, 'update.json'), 'utf8')) as object;
    const file = join(kept(), 'Faxdesk-0.2.0.exe');
    expect(written).toMatchObject({ underway: null, kept: { version: '0.2.0', file }, paused: null });
    expect(timers.waits).toEqual([]);
    expect((await openUpdateRecord(folder)).current.kept?.version).toBe('0.2.0');
  });

  it('has succeeded without an installer to keep as well', async () => {
    const start = await open();
    rmSync(join(folder, 'updates'), { recursive: true });
    await start.succeed();
    expect(record.current).toMatchObject({ underway: null, kept: null });
    expect(readdirSync(kept())).toEqual([]);
  });

  it('is said to be late after two minutes, and goes back by itself when no one chooses', async () => {
    await open();
    timers.ring(READY_MS);
    await until(() => shown.length === 1);
    expect(shown[0]).toMatchObject({ isLate: true, version: '0.2.0', before: '0.1.0' });
    expect(wayBack(shown[0])).toMatchObject({ isOpen: true });
    expect(wayBack(shown[0]).sentence).toContain('within five minutes, Faxdesk goes back by itself');
    timers.ring(CHOICE_MS);
    await until(() => steps.includes('quit'));
    expect(steps).toEqual(BACK);
    expect(shown.at(-1)).toEqual({ kind: 'installing', version: '0.1.0', isBack: true });
  });

  it('may take longer when a person waits', async () => {
    const start = await open();
    timers.ring(READY_MS);
    await until(() => shown.length === 1);
    start.keepWaiting();
    timers.ring(CHOICE_MS);
    gateway.enter(RUNNING);
    await until(() => steps.includes('updated'));
    expect(steps).toEqual(['updated']);
  });

  it('of an AppImage goes back without a person as well', async () => {
    vi.stubEnv('APPIMAGE', '/home/ann/Faxdesk.AppImage');
    vi.stubEnv('APPDIR', dirname(process.execPath));
    try {
      const start = await open({ extension: 'AppImage' });
      const status = await start.describe({ sentence: 'It ended.', lines: [] });
      expect(wayBack(status).sentence).toContain('Faxdesk goes back by itself');
      timers.ring(CHOICE_MS);
      await until(() => steps.includes('quit'));
      expect(steps).toEqual(['stop', 'open kept-installer/Faxdesk-0.1.0.AppImage', 'quit']);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('of a disk image waits for a person', async () => {
    const start = await open({ extension: 'dmg' });
    const status = await start.describe({ sentence: 'It ended.', lines: [] });
    expect(wayBack(status)).toMatchObject({ isOpen: true });
    expect(wayBack(status).sentence).not.toContain('by itself');
    expect(timers.waits).toEqual([]);
  });

  it('that became ready at the last moment is not gone back from', async () => {
    const start = await open();
    gateway.stop = async () => {
      isOpen = false;
      steps.push('stop');
    };
    await start.goBack();
    expect(steps).toEqual(['stop', 'start']);
    gateway.enter(RUNNING);
    await until(() => steps.includes('updated'));
  });
});

describe('there is no way back', () => {
  const describeFailure = async (options: Parameters<typeof open>[0]) =>
    wayBack(await (await open(options)).describe({ sentence: 'It ended.', lines: [] }));

  it('without a kept installer; a person can install the version before', async () => {
    const { isOpen: isOffered, sentence } = await describeFailure({ hasKept: false });
    expect(isOffered).toBe(false);
    expect(sentence).toBe(
      'There is no installer of version 0.1.0 on this computer. To go back, install version 0.1.0 yourself: it then restores the data from before the update.',
    );
  });

  it('with a kept installer that was changed', async () => {
    const start = await open();
    const file = join(kept(), 'Faxdesk-0.1.0.exe');
    writeFileSync(file, 'installer of 6.6.6');
    const { isOpen: isOffered, sentence } = wayBack(await start.describe({ sentence: '', lines: [] }));
    expect(isOffered).toBe(false);
    expect(sentence).toMatch(/^The kept installer of version 0\.1\.0 is damaged\./u);
    await start.goBack();
    expect(steps).toEqual(['stop']);
    expect(existsSync(file)).toBe(true);
  });

  it('once a gateway has opened: it may have accepted faxes', async () => {
    isOpen = false;
    const { isOpen: isOffered, sentence } = await describeFailure({});
    expect({ isOffered, sentence }).toEqual({
      isOffered: false,
      sentence:
        'Version 0.2.0 may have taken faxes already, and going back to version 0.1.0 would lose them.',
    });
  });

  it('to a backup that only a person can restore', async () => {
    isOpen = false;
    const { sentence } = await describeFailure({ canRestore: false });
    expect(sentence).toMatch(/because only a person can restore the backup from before\.$/u);
  });
});

describe('the record', () => {
  it('of the version before pauses the one that did not work', async () => {
    await open();
    const again = await openUpdateRecord(folder);
    expect(await again.begin('0.1.0')).toEqual({ kind: 'returned', from: '0.2.0' });
    expect(again.current).toMatchObject({ underway: null, paused: '0.2.0', kept: { version: '0.1.0' } });
    expect(await again.begin('0.1.0')).toEqual({ kind: 'usual' });
  });

  it('of an installer that was closed ends, and the version is offered again', async () => {
    await open();
    const { underway } = record.current;
    await record.change({ underway: underway && { ...underway, hasStarted: false } });
    expect(await record.begin('0.1.0')).toEqual({ kind: 'usual' });
    expect(record.current).toMatchObject({ underway: null, paused: null });
  });

  it('that is damaged, or of a third version, counts as none', async () => {
    await open();
    expect(await record.begin('0.1.5')).toEqual({ kind: 'usual' });
    writeFileSync(join(folder, 'update.json'), '{"underway":');
    const damaged = await openUpdateRecord(folder);
    expect(damaged.current).toEqual({ underway: null, kept: null, paused: null });
  });
});

describe('the way back is killed', () => {
  /** The process ends there: nothing after it is done. */
  const end = () => new Promise<never>(() => {});

  it.each(['at its beginning', 'while the gateway stops', 'while the installer opens', 'before it quits'])(
    '%s, and is there again at the next start of the new version and ended by that of the version before',
    async (place) => {
      const start = await open({}, (parts) => ({
        ...parts,
        ...(place === 'at its beginning' && { show: end }),
        ...(place === 'while the installer opens' && { open: end }),
        ...(place === 'before it quits' && { quit: () => void steps.push('killed') }),
      }));
      if (place === 'while the gateway stops') gateway.stop = end;
      void start.goBack();
      await until(() => place !== 'before it quits' || steps.includes('killed'));
      const again = await openUpdateRecord(folder);
      expect(await again.begin('0.2.0')).toMatchObject({ kind: 'updated' });
      expect(again.current.kept).toMatchObject({ version: '0.1.0' });
      expect(await (await openUpdateRecord(folder)).begin('0.1.0')).toEqual({
        kind: 'returned',
        from: '0.2.0',
      });
      // Killed again before its gateway was ready: the gateway goes back by its own file.
      expect(await (await openUpdateRecord(folder)).begin('0.1.0')).toEqual({ kind: 'usual' });
      expect((await openUpdateRecord(folder)).current).toMatchObject({
        paused: '0.2.0',
        kept: { version: '0.1.0' },
      });
    },
  );
});
