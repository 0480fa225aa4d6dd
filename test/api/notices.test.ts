import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccessAdministrator } from '../setup/access-administrator.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES, withoutPostgres } from '../setup/stores.ts';
import { Assistant, WAYS } from './assistant-setup.ts';
import { InboundGateway } from './inbound-setup.ts';

interface Notice {
  id: string;
  what: string;
  instead: string;
  sunset: string;
  used_by: { id: string | null; name: string; first_at: string; last_at: string }[];
}

describe.each(STORES)(`notices in %s${withoutPostgres}`, (name) => {
  let databaseUrl: string | null = null;
  let inbound: InboundGateway;
  let key: string;
  let integration: { id: string };

  beforeAll(async () => {
    if (name === 'postgres') databaseUrl = await newPostgresDatabase();
    inbound = await InboundGateway.start({
      databaseUrl,
      settings: { PLUGIN_REGISTRY_PATH: '/srv/plugins.json' },
    });
    const administrator = new AccessAdministrator(inbound.gateway);
    const role = await administrator.role('Providers', [
      'providers:read',
      'providers:write',
      'settings:read',
      'settings:write',
      'inbound:list',
    ]);
    const made = await administrator.integration('Old console');
    integration = made;
    await administrator.assign(made, role);
    ({ token: key } = await administrator.key(made, [
      'providers:read',
      'providers:write',
      'settings:read',
      'settings:write',
      'inbound:list',
    ]));
  });
  afterAll(async () => {
    await inbound.close();
    if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
  });

  const notices = async () =>
    (await (await inbound.gateway.request('GET', '/console/notices')).json()) as {
      deprecated: Notice[];
      ignored_settings: string[];
    };
  const noticeOf = async (id: string) => (await notices()).deprecated.find((notice) => notice.id === id);
  const logged = (what: string) =>
    inbound.gateway.logLines.filter(
      (line) => line.includes('a deprecated part is still used') && line.includes(what),
    );

  test('name settings of removed parts, and nothing before anything deprecated is used', async () => {
    expect(await notices()).toEqual({
      deprecated: [],
      ignored_settings: ['PLUGIN_REGISTRY_PATH'],
      number_checks: [],
    });
  });

  test('name who uses a deprecated route, with the last time, and log it once a day', async () => {
    const { gateway } = inbound;
    const first = await gateway.request('GET', '/plugins', { key });
    expect(first.status).toBe(200);
    expect(first.headers.get('Deprecation')).toBe('true');
    expect(first.headers.get('Sunset')).toBe('Mon, 01 Nov 2027 00:00:00 GMT');
    expect(first.headers.get('Link')).toBe('</admin/settings>; rel="successor-version"');
    const notice = await noticeOf('plugins');
    expect(notice).toMatchObject({
      what: expect.stringContaining('/plugins'),
      instead: expect.stringContaining('/admin/settings'),
      used_by: [{ id: integration.id, name: 'Old console' }],
    });
    expect(logged('/plugins')).toHaveLength(1);
    gateway.clock.advance(2 * HOUR);
    await gateway.request('GET', '/plugins', { key });
    expect(logged('/plugins')).toHaveLength(1);
    const later = await noticeOf('plugins');
    expect(later?.used_by[0]?.first_at).toBe(notice?.used_by[0]?.first_at);
    expect(Date.parse(later?.used_by[0]?.last_at ?? '')).toBe(gateway.clock.now());
    gateway.clock.advance(DAY);
    await gateway.request('GET', '/plugins', { key });
    expect(logged('/plugins')).toHaveLength(2);
  });

  test('do not name who was refused', async () => {
    await inbound.gateway.request('POST', '/admin/settings/persist', { key: 'key_live_wrong_wrong' });
    expect(await noticeOf('settings_copy')).toBeUndefined();
    await inbound.gateway.request('POST', '/admin/settings/persist', { key });
    expect((await noticeOf('settings_copy'))?.used_by).toMatchObject([{ name: 'Old console' }]);
  });

  test('name the provider that calls an address of an earlier release, once its report is verified', async () => {
    const fax = inbound.arrive();
    const former = { url: `${inbound.gateway.url}/phaxio-inbound` };
    await inbound.gateway.request('POST', '/phaxio-inbound', { key: null, json: {} });
    expect(await noticeOf('provider_addresses')).toBeUndefined();
    const signedUrl = 'https://fax.example.com/phaxio-inbound';
    expect(await inbound.notify(fax, { ...former, signedUrl })).toMatchObject({ status: 200 });
    expect((await noticeOf('provider_addresses'))?.used_by).toMatchObject([{ id: null, name: 'Phaxio' }]);
  });

  test('name an assistant that uses server-sent events', async () => {
    const assistant = await Assistant.connect({ way: WAYS[4], url: inbound.gateway.url, key });
    await assistant.facts('list_inbound');
    await assistant.close();
    expect((await noticeOf('assistant_events'))?.used_by).toMatchObject([{ name: 'Old console' }]);
  });

  test('forget a use after 90 days', async () => {
    inbound.gateway.clock.advance(91 * DAY);
    expect((await notices()).deprecated).toEqual([]);
    inbound.gateway.clock.advance(MINUTE);
  });
});

describe('the provider plugins of earlier releases', () => {
  let inbound: InboundGateway;
  beforeAll(async () => {
    inbound = await InboundGateway.start();
  });
  afterAll(() => inbound.close());

  // Answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  const json = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await inbound.gateway.request(method, path, body === undefined ? {} : { json: body });
    return { status: answer.status, ...((await answer.json()) as object) };
  };

  test('list the built-in providers, with the one that sends', async () => {
    const { items } = await json('GET', '/plugins');
    expect(items).toMatchObject([
      { id: 'cloudone', name: 'Phaxio', enabled: true, configurable: true },
      { id: 'cloudtwo', enabled: false },
      { id: 'sip', enabled: false },
    ]);
  });

  test('read and change the settings of one, without its secrets', async () => {
    const read = await json('GET', '/plugins/cloudone/config');
    expect(read).toMatchObject({ status: 200, enabled: true, settings: { CLOUDONE_API_SECRET: null } });
    const settings = { CLOUDTWO_PROJECT_ID: 'project-7' };
    const changed = await json('PUT', '/plugins/cloudtwo/config', { enabled: true, settings });
    expect(changed).toMatchObject({ status: 200, enabled: true, settings });
    expect((await json('GET', '/plugins')).items).toMatchObject([{ enabled: false }, { enabled: true }, {}]);
    expect(await json('PUT', '/plugins/cloudtwo/config', { enabled: false })).toMatchObject({
      enabled: false,
    });
  });

  test.each([
    ['PUT', '/plugins/cloudtwo/config', { settings: { FAX_ORGANIZATION: 'Theirs' } }, 422],
    ['PUT', '/plugins/cloudtwo/config', { settings: { CLOUDONE_API_KEY: 'theirs' } }, 422],
    ['GET', '/plugins/freeswitch/config', undefined, 404],
  ])('%s %s %o is refused with %i', async (method, path, body, status) => {
    expect((await json(method, path, body)).status).toBe(status);
  });
});

describe('a part that was removed', () => {
  let inbound: InboundGateway;
  beforeAll(async () => {
    inbound = await InboundGateway.start();
  });
  afterAll(() => inbound.close());

  test.each([
    ['GET', '/admin/tunnel/status', 'remote access'],
    ['POST', '/admin/actions/run', 'Server actions were removed'],
    ['GET', '/plugin-registry', 'The list of provider plugins was removed'],
  ])('%s %s answers 410 with a sentence', async (method, path, sentence) => {
    const answer = await inbound.gateway.request(method, path);
    expect(answer.status).toBe(410);
    expect(answer.headers.get('X-Error-Code')).toBe('address_removed');
    expect(((await answer.json()) as { detail: string }).detail).toContain(sentence);
  });

  test('leaves the addresses beside it as they are', async () => {
    expect((await inbound.gateway.request('POST', '/admin/tunnel/pair')).status).toBe(200);
  });
});
