import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installNow, isInstallable } from '../../main/updates/install.ts';
import type { Installer } from '../../main/updates/update-record.ts';
import { INSTALLER } from '../setup/update-feed.ts';

const BACKUP = '/backups/faxdesk.zip';

/** Records what is done to the gateway, in order. */
class Gateway extends EventEmitter<{ state: []; submitting: [boolean] }> {
  readonly steps: string[] = [];
  isAlive = true;
  submitting = false;
  failure: { problem: string; isStopped: boolean } | null = null;
  onSuspend: () => void = () => {};

  async suspend(): Promise<void> {
    this.steps.push('suspend');
    this.onSuspend();
  }

  resume(): void {
    this.steps.push('resume');
  }

  async backUp() {
    this.steps.push('back up');
    return { problem: null, isStopped: true, file: BACKUP, ...this.failure };
  }

  async stop(): Promise<void> {
    this.steps.push('stop');
  }

  async start(): Promise<void> {
    this.steps.push('start');
  }

  async restart(): Promise<void> {
    this.steps.push('restart');
  }
}

describe('an installation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-install-'));
  const file = join(folder, 'Faxdesk.exe');
  const sha512 = createHash('sha512').update(INSTALLER).digest('hex');
  const installer: Installer = { version: '0.2.0', file, size: INSTALLER.length, sha512 };
  const OPEN = `open ${file}`;
  let gateway: Gateway;
  let isRecorded = true;
  beforeEach(() => {
    gateway = new Gateway();
    isRecorded = true;
    writeFileSync(file, INSTALLER);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    rmSync(file, { force: true });
  });

  const install = (reason = '') =>
    installNow(installer, {
      gateway: gateway as never,
      onBegin: () => void gateway.steps.push('begin'),
      record: async (begun) => {
        gateway.steps.push(begun === null ? 'forget' : `record ${begun.backup}`);
        if (!isRecorded) throw new Error('full');
      },
      open: async (opened) => {
        gateway.steps.push(`open ${opened.file}`);
        return reason;
      },
      quit: () => void gateway.steps.push('quit'),
    });
  const untilWaiting = () => vi.waitUntil(() => gateway.listenerCount('submitting') > 0, { timeout: 60_000 });
  const BEFORE = ['suspend', 'begin', 'back up', 'stop', `record ${BACKUP}`];

  it('backs up, stops the gateway, records it, opens the installer and quits, in this order', async () => {
    expect(await install()).toBe(null);
    expect(gateway.steps).toEqual([...BEFORE, OPEN, 'quit']);
  });

  it('waits for a fax that is being sent', async () => {
    gateway.submitting = true;
    const done = install();
    await untilWaiting();
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    expect(gateway.steps).toEqual([]);
    gateway.submitting = false;
    gateway.emit('submitting', false);
    expect(await done).toBe(null);
    expect(gateway.steps.at(-1)).toBe('quit');
    expect(gateway.listenerCount('submitting')).toBe(0);
  });

  it('waits for a fax that began in the last moment as well', async () => {
    gateway.onSuspend = () => {
      gateway.submitting = gateway.steps.length === 1;
    };
    const done = install();
    await untilWaiting();
    expect(gateway.steps).toEqual(['suspend', 'resume']);
    gateway.submitting = false;
    gateway.emit('submitting', false);
    expect(await done).toBe(null);
    expect(gateway.steps).toEqual(['suspend', 'resume', ...BEFORE, OPEN, 'quit']);
  });

  it('does not begin while faxes are sent for ten minutes without a break', async () => {
    gateway.submitting = true;
    const done = install();
    await untilWaiting();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(await done).toMatch(/^A fax is still being sent\. Nothing was installed\./u);
    expect(gateway.steps).toEqual([]);
    expect(gateway.listenerCount('submitting')).toBe(0);
  });

  it('does not go on without a backup', async () => {
    gateway.failure = { problem: 'The folder is missing.', isStopped: false };
    expect(await install()).toMatch(/nothing was installed\. The folder is missing\.$/u);
    expect(gateway.steps).toEqual(['suspend', 'begin', 'back up', 'resume']);
  });

  it('starts the gateway again that stopped for a backup that failed', async () => {
    gateway.failure = { problem: 'The disk is full.', isStopped: true };
    expect(await install()).toMatch(/nothing was installed\. The disk is full\.$/u);
    expect(gateway.steps).toEqual(['suspend', 'begin', 'back up', 'restart']);
  });

  it('opens no installer that it could not record', async () => {
    isRecorded = false;
    expect(await install()).toMatch(
      /^Faxdesk could not write to its own folder, so nothing was installed\./u,
    );
    expect(gateway.steps).toEqual([...BEFORE, 'forget', 'start']);
  });

  it('starts the gateway again when the installer cannot be opened', async () => {
    expect(await install('no program')).toMatch(/^The installer could not be opened \(no program\)\./u);
    expect(gateway.steps).toEqual([...BEFORE, OPEN, 'forget', 'start']);
  });

  it('opens no installer that was changed during the backup, and the gateway works on', async () => {
    gateway.onSuspend = () => writeFileSync(file, Buffer.alloc(INSTALLER.length));
    expect(await install()).toContain('(it was changed after its download). Nothing was installed');
    expect(gateway.steps).toEqual([...BEFORE, 'forget', 'start']);
  });

  it('opens no installer that was changed since its download', async () => {
    writeFileSync(file, Buffer.from(INSTALLER).reverse());
    expect(await install()).toMatch(/^The installer on this computer was changed after its download/u);
    expect(gateway.steps).toEqual([]);
  });

  it('leaves the gateway of another computer alone', async () => {
    gateway.isAlive = false;
    expect(await install()).toBe(null);
    expect(gateway.steps).toEqual(['record null', OPEN, 'quit']);
  });
});

it('an installer is installed, and an AppImage is only shown where none runs', () => {
  expect(['a.exe', 'a.dmg', 'a.AppImage'].map(isInstallable)).toEqual([true, true, false]);
});
