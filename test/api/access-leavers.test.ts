import { afterEach, beforeEach, expect, test } from 'vitest';
import { ERRORS } from '../../shared/errors/all.ts';
import { AccessAdministrator, type Item } from '../setup/access-administrator.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';

const DAY = 24 * 60 * MINUTE;
const RIGHTS = ['keys:manage', 'fax:read'];

let gateway: TestGateway;
let administrator: AccessAdministrator;
/** Principal who created a key for the integration. */
let maker: Item;
let made: { keyId: string; version: number; token: string };

beforeEach(async () => {
  gateway = await startTestGateway();
  administrator = new AccessAdministrator(gateway);
  maker = await administrator.integration('Ines');
  await administrator.assign(maker, await administrator.role('Keys', RIGHTS));
  const system = await administrator.integration('Pharmacy');
  await administrator.assign(system, await administrator.role('Reads', ['fax:read']));
  const { token } = await administrator.key(maker, RIGHTS);
  const { policy_version } = await administrator.get('/auth/me');
  const answer = await gateway.request('POST', '/access/keys', {
    key: token,
    json: {
      principal: { id: system.id, version: system.version },
      ceiling: [{ permission: 'fax:read', resource_id: 'installation' }],
      expected_policy_version: policy_version,
    },
  });
  const body = (await answer.json()) as { key: { key_id: string; version: number }; token: string };
  made = { keyId: body.key.key_id, version: body.key.version, token: body.token };
});

afterEach(() => gateway.close());

const setEnabled = async (enabled: boolean) => {
  const { user } = await administrator.get(`/access/users/${maker.id}`);
  await administrator.sendOk('PATCH', `/access/integrations/${maker.id}`, { enabled, version: user.version });
};
const requestFaxes = async () => (await gateway.request('GET', '/fax', { key: made.token })).status;
const listed = async () => (await administrator.get('/access/keys')).items;
const warned = async () =>
  ((await administrator.get('/health/ready')) as { warnings: string[] }).warnings.some((text) =>
    text.includes('created by someone who is now disabled'),
  );

test('a key says who made it', async () => {
  const key = (await listed()).find((each: { key_id: string }) => each.key_id === made.keyId);
  expect(key).toMatchObject({
    made_by: { id: maker.id, display_name: 'Ines' },
    maker_left_at: null,
    stops_at: null,
  });
  expect(await warned()).toBe(false);
});

test('rule (crossings): a key of a person who left works for seven days with a warning, and then stops', async () => {
  const left = gateway.clock.now();
  await setEnabled(false);
  gateway.clock.advance(MINUTE);
  await administrator.key(await administrator.integration('Newer'), ['fax:read']);
  expect((await listed())[0]).toMatchObject({
    key_id: made.keyId,
    state: 'active',
    maker_left_at: new Date(left).toISOString(),
    stops_at: new Date(left + 7 * DAY).toISOString(),
  });
  expect(await warned()).toBe(true);
  expect(await requestFaxes()).toBe(200);
  gateway.clock.advance(7 * DAY - 2 * MINUTE);
  expect(await requestFaxes()).toBe(200);
  gateway.clock.advance(MINUTE);
  const stopped = await gateway.request('GET', '/fax', { key: made.token });
  expect([stopped.status, await stopped.json()]).toEqual([401, { detail: ERRORS.key_maker_left.sentence }]);
  expect((await listed())[0]).toMatchObject({ key_id: made.keyId, state: 'expired' });
});

test('who takes it over answers for it, and it goes on', async () => {
  await setEnabled(false);
  const body = { version: made.version, take_over: true };
  const { key } = await administrator.sendOk('PATCH', `/access/keys/${made.keyId}`, body);
  expect(key).toMatchObject({ made_by: { display_name: 'Installation key' }, maker_left_at: null });
  gateway.clock.advance(30 * DAY);
  expect(await requestFaxes()).toBe(200);
  expect(await warned()).toBe(false);
});

test('it goes on when its maker is back, even after it stopped', async () => {
  await setEnabled(false);
  gateway.clock.advance(8 * DAY);
  expect(await requestFaxes()).toBe(401);
  await setEnabled(true);
  expect(await requestFaxes()).toBe(200);
});
