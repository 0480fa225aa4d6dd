import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installNow, isInstallable } from '../../main/updates/install.ts';

/** Records what is done to the gateway, in order. */
class Gateway extends EventEmitter<{ state: []; submitting: [boolean] }> {
  readonly steps: string[] = [];
  isAlive = true;
  submitting = false;
  problem: string | null = null;

  async suspend(): Promise<void> {
    this.steps.push('suspend');
  }

  resume(): void {
    this.steps.push('resume');
  }

  async backUp(): Promise<string | null> {
    this.steps.push('back up');
    return this.problem;
  }

  async stop(): Promise<void> {
    this.steps.push('stop');
  }

  async start(): Promise<void> {
    this.steps.push('start');
  }
}

describe('an installation', () => {
  let gateway: Gateway;
  beforeEach(() => {
    gateway = new Gateway();
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  const install = (reason = '') =>
    installNow('/updates/Faxdesk.exe', {
      gateway: gateway as never,
      open: async (file) => {
        gateway.steps.push(`open ${file}`);
        return reason;
      },
      quit: () => void gateway.steps.push('quit'),
    });
  const OPEN = 'open /updates/Faxdesk.exe';

  it('backs up, stops the gateway, opens the installer and quits, in this order', async () => {
    expect(await install()).toBe(null);
    expect(gateway.steps).toEqual(['suspend', 'back up', 'stop', OPEN, 'quit']);
  });

  it('waits for a fax that is being sent', async () => {
    gateway.submitting = true;
    const done = install();
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    expect(gateway.steps).toEqual([]);
    gateway.emit('submitting', false);
    expect(await done).toBe(null);
    expect(gateway.steps.at(-1)).toBe('quit');
    expect(gateway.listenerCount('submitting')).toBe(0);
  });

  it('does not begin while faxes are sent for ten minutes without a break', async () => {
    gateway.submitting = true;
    const done = install();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(await done).toMatch(/^A fax is still being sent\. Nothing was installed\./u);
    expect(gateway.steps).toEqual([]);
    expect(gateway.listenerCount('submitting')).toBe(0);
  });

  it('does not go on without a backup', async () => {
    gateway.problem = 'The disk is full.';
    expect(await install()).toMatch(/nothing was installed\. The disk is full\.$/u);
    expect(gateway.steps).toEqual(['suspend', 'back up', 'resume']);
  });

  it('starts the gateway again when the installer cannot be opened', async () => {
    expect(await install('no program')).toMatch(/^The installer could not be opened \(no program\)\./u);
    expect(gateway.steps).toEqual(['suspend', 'back up', 'stop', OPEN, 'start']);
  });

  it('leaves the gateway of another computer alone', async () => {
    gateway.isAlive = false;
    expect(await install()).toBe(null);
    expect(gateway.steps).toEqual([OPEN, 'quit']);
  });
});

it('an installer is installed, and an AppImage is only shown', () => {
  expect(['a.exe', 'a.dmg', 'a.AppImage'].map(isInstallable)).toEqual([true, true, false]);
});
