import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { ConsoleStatus } from '../../shared/api/console.ts';
import { Installation } from '../../shared/api/console-installation.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { keyWith } from './console-stream.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ hasBackup: false });
});
afterEach(() => gateway.close());

async function facts(key?: string): Promise<z.infer<typeof Installation>> {
  const answer = await gateway.request('GET', '/console/installation', key === undefined ? {} : { key });
  expect(answer.status).toBe(200);
  return Installation.parse(await answer.json());
}

const sending = async () => (await facts()).sending;

describe('the installation', () => {
  test('has name, number, country and time zone', async () => {
    expect(await facts()).toMatchObject({
      organization: 'Example Clinic',
      fax_number: '+12025550100',
      time_zone: 'UTC',
      country: 'US',
      idle_lock_minutes: 10,
      public_address: null,
      public_address_problem: null,
      receiving: {
        enabled: false,
        polling: false,
        state: 'off',
        since: null,
        sentence: 'Receiving is off.',
      },
    });
    await gateway.set({ TIME_ZONE: null, FAX_ORGANIZATION: null, IDLE_LOCK_MINUTES: 0 });
    expect(await facts()).toMatchObject({
      organization: null,
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      idle_lock_minutes: 0,
    });
  });

  test('keeps the provider from who may not see providers, but not whether faxes leave', async () => {
    const key = await keyWith(gateway, 'fax:send');
    const seen = await facts(key);
    expect(seen.sending).toMatchObject({ backend: null, provider_name: null, state: 'ok', enabled: true });
    expect(seen.callback_addresses).toBeNull();
    expect((await facts(await keyWith(gateway, 'providers:read'))).sending).toMatchObject({
      backend: 'cloudone',
      provider_name: 'Phaxio',
    });
  });

  test('counts what is left to set up', async () => {
    expect((await facts()).setup).toEqual({
      owner: false,
      provider: true,
      header_line: true,
      test_fax: false,
    });
    const me = (await (await gateway.request('GET', '/auth/me')).json()) as { policy_version: number };
    const json = { login: 'mara', display_name: 'Mara', expected_policy_version: me.policy_version };
    await gateway.request('POST', '/auth/owner/enroll', { json });
    const { id } = await gateway.send();
    await gateway.processAll();
    gateway.emulator.complete(String((await gateway.fax(id)).provider_sid));
    await gateway.request('POST', `/fax/${id}/refresh`);
    expect((await facts()).setup).toEqual({ owner: true, provider: true, header_line: true, test_fax: true });
    await gateway.set({ FAX_NUMBER: null });
    expect((await facts()).setup.header_line).toBe(false);
  });
});

describe('sending', () => {
  test('is off while all faxes are held', async () => {
    await gateway.set({ FAX_DISABLED: true });
    expect(await sending()).toMatchObject({
      enabled: false,
      state: 'off',
      sentence: 'Sending is off. New faxes are held.',
    });
  });

  test('is not set up without a provider', async () => {
    await gateway.set({ FAX_BACKEND: null });
    expect(await sending()).toMatchObject({ backend: null, provider_name: null, state: 'not_set_up' });
    expect((await sending()).sentence).toMatch(/^[A-Z].*\.$/u);
    expect((await facts()).setup.provider).toBe(false);
  });

  test('reports time since which the provider has not answered, and that it does again', async () => {
    await gateway.set({ TIME_ZONE: 'Europe/Berlin' });
    const { id } = await gateway.send();
    await gateway.processAll();
    await gateway.emulator.refuseConnections();
    gateway.clock.advance(MINUTE);
    await gateway.processAll();
    const since = new Date(gateway.clock.now()).toISOString();
    gateway.clock.advance(MINUTE);
    await gateway.processAll();
    expect(await sending()).toMatchObject({
      state: 'unreachable',
      since,
      sentence: 'Phaxio has not answered since 10:01 AM. Faxes are waiting. Nothing is lost.',
    });
    await gateway.emulator.acceptConnections();
    await gateway.request('POST', `/fax/${id}/refresh`);
    expect(await sending()).toMatchObject({ state: 'ok', since: null, sentence: null });
  });

  test('ends with a connection that was checked', async () => {
    await gateway.emulator.refuseConnections();
    await gateway.send();
    await gateway.processAll();
    expect((await sending()).state).toBe('unreachable');
    await gateway.emulator.acceptConnections();
    await gateway.request('POST', '/admin/settings/validate', {
      json: { provider: 'cloudone', settings: {} },
    });
    expect((await sending()).state).toBe('ok');
  });

  test('names the day when that was not today', async () => {
    gateway.clock.advance(DAY - 10 * HOUR + 55 * MINUTE);
    await gateway.emulator.refuseConnections();
    await gateway.send();
    await gateway.processAll();
    gateway.clock.advance(10 * MINUTE);
    await gateway.processAll();
    expect((await sending()).sentence).toContain('since November 21, 11:55 PM.');
  });

  test.each(['server-error', 'unauthorized', 'rate-limited'] as const)(
    'is not called unreachable by the answer %s',
    async (kind) => {
      const { id } = await gateway.send();
      await gateway.processAll();
      gateway.emulator.setFault({ kind });
      await gateway.request('POST', `/fax/${id}/refresh`);
      expect((await sending()).state).toBe('ok');
    },
  );

  test('stays unreachable until it answers, however long no fax tries it', async () => {
    await gateway.emulator.refuseConnections();
    const { id, delivery_version } = await gateway.send();
    await gateway.processAll();
    const since = new Date(gateway.clock.now()).toISOString();
    expect(await sending()).toMatchObject({
      state: 'unreachable',
      since,
      fault: 'no_answer',
      sentence: 'Phaxio has not answered since 9:00 AM. Faxes are waiting. Nothing is lost.',
    });
    gateway.clock.advance(MINUTE);
    await gateway.processAll();
    expect(await sending()).toMatchObject({ state: 'unreachable', since });
    const json = { delivery_version: (await gateway.fax(id)).delivery_version ?? delivery_version };
    await gateway.request('POST', `/fax/${id}/cancel`, { json });
    gateway.clock.advance(HOUR);
    await gateway.processAll();
    expect(await sending()).toMatchObject({ state: 'unreachable', since });
    await gateway.emulator.acceptConnections();
    gateway.clock.advance(MINUTE);
    await gateway.processAll();
    expect(await sending()).toMatchObject({ state: 'ok', since: null, fault: null, sentence: null });
  });
});

describe('callback addresses', () => {
  const instead = (name: string) =>
    `Without a public address, Faxdesk asks ${name} every 30 seconds instead.`;
  const ofSentFaxes = (reported: Awaited<ReturnType<typeof facts>>) =>
    reported.callback_addresses?.filter(({ purpose }) => purpose === 'outcome of sent faxes');

  test('are none without a public address, and say what happens instead', async () => {
    const none = {
      purpose: 'outcome of sent faxes',
      address: null,
      has_password: false,
    };
    expect(ofSentFaxes(await facts())).toEqual([
      { backend: 'cloudone', ...none, sentence: instead('Phaxio') },
      { backend: 'cloudtwo', ...none, sentence: instead('Sinch') },
    ]);
  });

  test('of received faxes say what happens instead, also before receiving is switched on', async () => {
    const ofReceived = async () =>
      (await facts()).callback_addresses?.find(({ purpose }) => purpose === 'received faxes');
    expect(await ofReceived()).toEqual({
      backend: 'cloudone',
      purpose: 'received faxes',
      address: null,
      has_password: false,
      sentence: 'Without a public address, Faxdesk asks Phaxio every minute instead.',
    });
    await gateway.set({ INBOUND_ENABLED: true, INBOUND_POLLING: 'off' });
    expect((await ofReceived())?.sentence).toBe(
      'Without a public address, Phaxio cannot report received faxes.',
    );
    await gateway.set({ PUBLIC_API_URL: 'https://fax.example.com' });
    expect(await ofReceived()).toMatchObject({
      address: 'https://fax.example.com/cloudone-inbound',
      sentence: null,
    });
  });

  test('are complete only on request: user name and password are hidden until then', async () => {
    await gateway.set({
      PUBLIC_API_URL: 'https://fax.example.com',
      CLOUDTWO_INBOUND_BASIC_USER: 'si@nch',
      CLOUDTWO_INBOUND_BASIC_PASS: 'p/ss:word$&',
    });
    expect((await facts()).callback_addresses).toContainEqual({
      backend: 'cloudtwo',
      purpose: 'received faxes',
      address: 'https://si%40nch:•••••@fax.example.com/cloudtwo-inbound',
      has_password: true,
      sentence: null,
    });
    const ask = (backend: string, key?: string) =>
      gateway.request('POST', `/console/callback-addresses/${backend}`, key === undefined ? {} : { key });
    const answer = await ask('cloudtwo');
    expect(await answer.json()).toEqual({
      address: 'https://si%40nch:p%2Fss%3Aword%24%26@fax.example.com/cloudtwo-inbound',
    });
    const audit = await gateway.request('GET', '/access/audit?operation=callback_address.show');
    expect(((await audit.json()) as { items: unknown[] }).items).toMatchObject([
      { target: { kind: 'provider', id: 'cloudtwo' }, outcome: 'done' },
    ]);
    expect(await (await ask('cloudone')).json()).toEqual({
      address: 'https://fax.example.com/cloudone-inbound',
    });
    expect((await ask('sip')).status).toBe(404);
    const made = await gateway.request('POST', '/admin/api-keys', { json: { scopes: ['providers:read'] } });
    expect((await ask('cloudtwo', ((await made.json()) as { token: string }).token)).status).toBe(403);
    await gateway.set({ PUBLIC_API_URL: 'https://192.168.1.5' });
    expect((await ask('cloudtwo')).status).toBe(404);
  });

  test('of sent faxes are not offered with a public address: each fax brings its own', async () => {
    await gateway.set({ PUBLIC_API_URL: 'https://fax.example.com/desk/' });
    const { id } = await gateway.send();
    await gateway.processAll();
    const sent = gateway.emulator.faxes.get(String((await gateway.fax(id)).provider_sid));
    expect(String(sent?.callbackUrl).split('?')[0]).toBe('https://fax.example.com/desk/cloudone-callback');
    expect(sent?.contentUrls[0]).toContain(`https://fax.example.com/desk/fax/${id}/pdf?token=`);
    const reported = await facts();
    expect(reported).toMatchObject({
      public_address: 'https://fax.example.com/desk',
      public_address_problem: null,
    });
    expect(ofSentFaxes(reported)).toEqual([]);
  });

  test.each(['http://127.0.0.1:8080/desk', 'https://192.168.1.5', 'https://fax', 'https://fax.office.local'])(
    'are none when no provider can reach %s, and say why',
    async (address) => {
      await gateway.set({ PUBLIC_API_URL: address, INBOUND_ENABLED: true, INBOUND_POLLING: 'auto' });
      const { id } = await gateway.send();
      await gateway.processAll();
      const sent = gateway.emulator.faxes.get(String((await gateway.fax(id)).provider_sid));
      expect(sent).toMatchObject({ callbackUrl: null, contentUrls: [] });
      const reported = await facts();
      expect(reported.public_address_problem).toMatch(
        new RegExp(`^No provider can reach ${address}: .*\\.$`, 'u'),
      );
      expect(reported.receiving).toMatchObject({ polling: true, state: 'ok' });
      expect(reported.callback_addresses).toContainEqual({
        backend: 'cloudone',
        purpose: 'outcome of sent faxes',
        address: null,
        has_password: false,
        sentence: `${reported.public_address_problem ?? ''} So Faxdesk asks Phaxio every 30 seconds instead.`,
      });
      expect(reported.callback_addresses).toContainEqual({
        backend: 'cloudone',
        purpose: 'received faxes',
        address: null,
        has_password: false,
        sentence: `${reported.public_address_problem ?? ''} So Faxdesk asks Phaxio every minute instead.`,
      });
    },
  );
});

describe('the status', () => {
  const status = async () =>
    (await (await gateway.request('GET', '/console/status')).json()) as z.infer<typeof ConsoleStatus>;

  test('reports the gateway, its store and its work', async () => {
    const started_at = new Date(gateway.clock.now()).toISOString();
    gateway.clock.advance(HOUR);
    await gateway.send();
    const reported = await status();
    expect(reported).toMatchObject({
      release: expect.stringMatching(/^\d+\.\d+\.\d+/u) as string,
      node: process.version,
      started_at,
      listening: gateway.url,
      data_folder: gateway.dataFolder,
      libreoffice: null,
      database: 'sqlite',
      problems: [],
      faxes: { ready: 1 },
      waiting: { 'fax.dispatch': 1, 'fax.cleanup': 1 },
      last_backup: null,
    });
    expect(reported.store_bytes).toBeGreaterThan(100_000);
    expect(reported.free_bytes).toBeGreaterThan(0);
  });

  test('names the newest backup', async () => {
    const made = await gateway.request('POST', '/console/backups');
    const { name } = (await made.json()) as { name: string };
    await expect.poll(async () => (await status()).last_backup).toMatchObject({ name, state: 'done' });
  });
});
