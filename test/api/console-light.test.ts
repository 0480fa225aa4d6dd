import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Installation } from '../../shared/api/console-installation.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { mountSmallDisk } from '../setup/small-disk.ts';
import { type EventReader, listen } from './console-stream.ts';

let gateway: TestGateway;
afterEach(() => gateway.close());

/** A gateway with a backup, so that all is well. */
async function start(options: TestGatewayOptions = {}): Promise<void> {
  gateway = await startTestGateway(options);
  await gateway.makeBackup();
}

async function read<T>(path: string): Promise<T> {
  return (await (await gateway.request('GET', path)).json()) as T;
}

const installation = () => read<z.infer<typeof Installation>>('/console/installation');

/** Warnings, which are the same wherever they are read. */
async function warnings(): Promise<string[]> {
  const ready = await read<{ warnings: string[] }>('/health/ready');
  const status = await read<{ warnings: string[] }>('/console/status');
  expect(status.warnings).toEqual(ready.warnings);
  return ready.warnings;
}

async function minutes(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    gateway.clock.advance(MINUTE);
    await gateway.processAll();
  }
}

describe('nothing is green without a backup', () => {
  test('that there is', async () => {
    gateway = await startTestGateway({ hasBackup: false });
    const sentence = 'There is no backup yet. Choose an hour for the daily backup in the settings.';
    expect(await warnings()).toEqual([sentence]);
    expect((await installation()).backup).toEqual({ state: 'none', last_at: null, sentence });
    await gateway.makeBackup();
    expect(await warnings()).toEqual([]);
    const last_at = '2026-11-21T09:00:00.000Z';
    expect((await installation()).backup).toEqual({ state: 'ok', last_at, sentence: null });
  });

  test('of last night, by the hour of the office', async () => {
    await start({ settings: { BACKUP_DAILY_AT: '02:00', TIME_ZONE: 'UTC' } });
    // The night after, the backup of the day may take until four.
    gateway.clock.advance(18 * HOUR + 30 * MINUTE);
    expect(await warnings()).toEqual([]);
    gateway.clock.advance(HOUR);
    const sentence = 'The last backup is from November 21. One should have been made since.';
    expect(await warnings()).toEqual([sentence]);
    expect((await installation()).backup).toMatchObject({ state: 'late', sentence });
    await gateway.processAll();
    expect(await warnings()).toEqual([]);
  });

  test('of the last seven days, where no hour is chosen', async () => {
    await start();
    gateway.clock.advance(7 * DAY);
    expect(await warnings()).toEqual([]);
    gateway.clock.advance(MINUTE);
    expect(await warnings()).toEqual([
      'The last backup is from November 21. Choose an hour for the daily backup in the settings.',
    ]);
  });

  test('that is still in its folder', async () => {
    gateway = await startTestGateway({ hasBackup: false });
    await gateway.makeBackup();
    await rm(join(gateway.dataFolder, 'backups'), { recursive: true });
    expect((await installation()).backup.state).toBe('none');
  });
});

describe('nothing is green without a way to send', () => {
  test.each([
    [{ FAX_DISABLED: true }, 'Sending is off. New faxes are held.'],
    [{ FAX_BACKEND: null }, 'No fax provider is set up, so faxes cannot be sent.'],
  ])('%j', async (settings, sentence) => {
    await start();
    await gateway.set(settings);
    expect(await warnings()).toEqual([sentence]);
  });

  test('a provider that did not answer stays away until it answers, and is polled every minute', async () => {
    await start();
    await gateway.emulator.refuseConnections();
    const fax = await gateway.send();
    await gateway.processAll();
    const sentence = 'The fax provider has not answered since 9:00 AM. Faxes are waiting. Nothing is lost.';
    expect(await warnings()).toEqual([sentence]);
    // No fax is left that would try it.
    const { delivery_version } = await gateway.fax(fax.id);
    await gateway.request('POST', `/fax/${fax.id}/cancel`, { json: { delivery_version } });
    await minutes(20);
    expect(await warnings()).toEqual([sentence]);
    await gateway.emulator.acceptConnections();
    await minutes(2);
    expect(await warnings()).toEqual([]);
  });

  test.each([
    [{ kind: 'unauthorized' } as const, 'refused', 'does not accept the account in the settings'],
    [
      { kind: 'refused', status: 402 } as const,
      'no_credit',
      'sends no faxes because the account has no credit',
    ],
  ])('a provider that answers %j', async (fault, name, words) => {
    await start();
    gateway.emulator.setFault({ ...fault, method: 'POST', count: 9 });
    await gateway.send();
    await gateway.processAll();
    const { sending } = await installation();
    // It answers, so it is not called unreachable.
    expect(sending).toMatchObject({ state: 'ok', fault: name });
    expect(sending.sentence).toContain(`Phaxio ${words}`);
    // Anyone may read this, so it names no provider.
    expect((await warnings()).join()).toContain(`The fax provider ${words}`);
    await gateway.request('POST', '/admin/settings/validate', {
      json: { provider: 'cloudone', settings: {} },
    });
    expect(await warnings()).toEqual([]);
  });
});

describe('nothing is green without a way to receive, where receiving is on', () => {
  const polled = { INBOUND_ENABLED: 'true' };

  test('a provider that refuses the account when it is polled for faxes', async () => {
    await start({ settings: polled });
    await minutes(1);
    expect(await warnings()).toEqual([]);
    gateway.emulator.setFault({ kind: 'unauthorized', method: 'GET', count: 9 });
    await minutes(1);
    const sentence =
      'The provider does not accept the account in the settings. Faxes wait there and arrive once it does.';
    expect((await installation()).receiving).toMatchObject({
      state: 'unreachable',
      fault: 'refused',
      sentence,
    });
    expect(await warnings()).toEqual([sentence]);
  });

  test('notifications that are refused while nothing polls for faxes', async () => {
    await start({
      settings: {
        ...polled,
        PUBLIC_API_URL: 'https://fax.example.com',
        INBOUND_POLLING: 'off',
        CLOUDONE_CALLBACK_TOKEN: '',
      },
    });
    const { receiving } = await installation();
    expect(receiving.state).toBe('not_set_up');
    expect(await warnings()).toContain(receiving.sentence);
  });

  test('an office that only sends is well', async () => {
    await start();
    expect((await installation()).receiving.state).toBe('off');
    expect(await warnings()).toEqual([]);
  });
});

describe('consoles are notified', () => {
  let stream: EventReader;
  afterEach(() => stream.close());
  const changes = () => stream.events.filter(({ kind }) => kind === 'installation.changed').length;
  const eventually = { timeout: 15_000 };

  test('when something stops working and when it works again, without a change of settings', async () => {
    await start();
    stream = await listen(gateway);
    await expect.poll(() => stream.comments.length, eventually).toBeGreaterThan(1);
    expect(changes()).toBe(0);
    await gateway.emulator.refuseConnections();
    await gateway.send();
    await gateway.processAll();
    await expect.poll(changes, eventually).toBe(1);
    await gateway.emulator.acceptConnections();
    await minutes(2);
    await expect.poll(changes, eventually).toBe(2);
  });

  test('as soon as a backup is made, also right after a console read that there is none', async () => {
    gateway = await startTestGateway({ hasBackup: false });
    stream = await listen(gateway);
    expect((await installation()).backup.state).toBe('none');
    await gateway.makeBackup();
    await expect.poll(changes, { timeout: 1_000 }).toBe(1);
    expect((await installation()).backup.state).toBe('ok');
  });

  test('when the disk fills up right after a console read that faxes are taken', async (context) => {
    const disk = await mountSmallDisk(260);
    if ('unavailable' in disk) return context.skip(disk.unavailable);
    try {
      await start({ dataFolder: join(disk.folder, 'data') });
      expect(await read('/health/ready')).toMatchObject({ problems: [] });
      await disk.fill(50 * 1024 * 1024);
      stream = await listen(gateway);
      await expect.poll(changes, eventually).toBeGreaterThan(0);
      expect((await read<{ problems: string[] }>('/health/ready')).problems.join()).toContain('nearly full');
      await disk.makeRoom();
    } finally {
      await disk.remove();
    }
  });

  test('within five seconds of a backup that somebody else puts into the folder', async () => {
    gateway = await startTestGateway({ hasBackup: false });
    await gateway.makeBackup();
    const folder = join(gateway.dataFolder, 'backups');
    const aside = join(gateway.dataFolder, 'aside');
    await rename(folder, aside);
    stream = await listen(gateway);
    await expect.poll(async () => (await installation()).backup.state, eventually).toBe('none');
    const before = changes();
    await rename(aside, folder);
    await expect.poll(changes, { timeout: 5_000 }).toBeGreaterThan(before);
    expect((await installation()).backup.state).toBe('ok');
  });
});
