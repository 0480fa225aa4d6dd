import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConsoleContextResponse } from '../../shared/api/console-context.ts';
import { ALL_PERMISSIONS } from '../../shared/permissions.ts';
import { allRoutes } from '../setup/every-route.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { INBOUND_ENABLED: 'true' } });
});
afterAll(() => gateway.close());

type Context = (typeof ConsoleContextResponse)['_output'];
const context = async () => (await (await gateway.request('GET', '/auth/context')).json()) as Context;

describe('the navigation', () => {
  test('leads to a work queue as soon as there is one, and not before', async () => {
    const { permissions, navigation } = await context();
    expect([...permissions].sort()).toEqual([...ALL_PERMISSIONS].sort());
    expect(navigation).toEqual({
      jobs: true,
      inbox: true,
      send: true,
      work: allRoutes.some(({ path }) => path === '/work'),
    });
  });
});

describe('the provider through which faxes come in', () => {
  const CLOUDTWO = {
    CLOUDTWO_PROJECT_ID: 'a-project',
    CLOUDTWO_API_KEY: 'a-key',
    CLOUDTWO_API_SECRET: 'a-secret',
  };
  const active = async (changes: Record<string, unknown>) => {
    await gateway.set(changes);
    return (await context()).provider_view?.active_inbound;
  };

  test('is the chosen one while it is polled or may notify', async () => {
    expect(await active({})).toBe('cloudone');
    expect(await active({ INBOUND_POLLING: 'off', PUBLIC_API_URL: 'https://fax.example.com' })).toBe(
      'cloudone',
    );
  });

  test('is none when nothing can come in, whatever is chosen', async () => {
    expect(await active({ INBOUND_POLLING: 'off', PUBLIC_API_URL: null })).toBe('');
    expect(await active({ INBOUND_POLLING: null, INBOUND_ENABLED: false })).toBe('');
    expect(await active({ INBOUND_ENABLED: true })).toBe('cloudone');
  });

  test('is another one that is set up, when the chosen one receives nothing', async () => {
    expect(await active({ FAX_BACKEND: 'cloudtwo' })).toBe('cloudone');
    expect(await active(CLOUDTWO)).toBe('cloudtwo');
    expect(await active({ FAX_BACKEND: null })).toBe('cloudone');
  });

  test('is the telephone engine where that is chosen, which hands over while receiving is on', async () => {
    expect(await active({ FAX_BACKEND: 'sip' })).toBe('sip');
    expect(await active({ INBOUND_ENABLED: false })).toBe('');
  });
});

describe('the way out', () => {
  test('names the routes that are on, and the preset of the trunk; an unknown preset is refused', async () => {
    const view = async () => (await context()).provider_view;
    expect(await view()).toMatchObject({ extra_routes: [], trunk_preset: '' });
    for (const [name, priority, enabled] of [
      ['Norway', 200, true],
      ['Sweden', 5, true],
      ['Denmark', 1, false],
    ] as const) {
      const json = { name, backend: 'cloudone', prefixes: [], priority, enabled };
      expect((await gateway.request('POST', '/routing/routes', { json })).status).toBe(201);
    }
    await gateway.set({ TRUNK_PRESET: 'telnyx' });
    expect(await view()).toMatchObject({ extra_routes: ['Sweden', 'Norway'], trunk_preset: 'telnyx' });
    const json = { changes: { TRUNK_PRESET: 'telnix' } };
    const refused = await gateway.request('PUT', '/admin/settings', { json });
    expect(refused.status).toBe(422);
    expect((await view())?.trunk_preset).toBe('telnyx');
  });
});
