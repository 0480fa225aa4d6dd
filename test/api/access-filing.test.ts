import { afterEach, beforeEach, expect, test } from 'vitest';
import { MINUTE } from '../setup/manual-clock.ts';
import { type Inbound, InboundGateway } from './inbound-setup.ts';

const NUMBER = '+12025550101';

let inbound: InboundGateway;
beforeEach(async () => {
  inbound = await InboundGateway.start();
});
afterEach(() => inbound.close());

const request = async (method: string, path: string, json?: object) => {
  const response = await inbound.gateway.request(method, path, json ? { json } : {});
  // Answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  return (await response.json()) as any;
};

/** A change with the policy version of the moment. */
async function change(method: string, path: string, body: object) {
  const { policy_version } = await request('GET', '/auth/me');
  const answer = await request(method, path, { ...body, expected_policy_version: policy_version });
  if (answer.detail !== undefined) throw new Error(`${path}: ${answer.detail}`);
  return answer;
}

const mailboxOf = async (label: string) => (await change('POST', '/access/mailboxes', { label })).mailbox;
const viewer = async () => (await request('GET', '/access/roles/role_fax_viewer')).role;

/** The next fax to the number, as the provider reports it. */
async function arrive(to = NUMBER): Promise<Inbound> {
  inbound.gateway.clock.advance(MINUTE);
  await inbound.notify(inbound.arrive({ to }));
  const [newest] = await inbound.list('?limit=1');
  return newest as Inbound;
}

/** An integration with the role of a viewer on one resource, and its key. */
async function readerOf(resource_id: string): Promise<{ id: string; key: string }> {
  const { user } = await change('POST', '/access/integrations', { display_name: `Reader of ${resource_id}` });
  const subject = { kind: 'principal', id: user.id, version: user.version };
  const role = await viewer();
  await change('POST', '/access/assignments', {
    subject,
    role: { id: role.id, version: role.version },
    resource_id,
  });
  const ceiling = role.permissions.map((permission: string) => ({ permission, resource_id: 'installation' }));
  const principal = { id: user.id, version: user.version };
  const { token } = await change('POST', '/access/keys', { principal, ceiling });
  return { id: user.id, key: token };
}

const seenWith = async (key: string) => (await inbound.list('', key)).map(({ id }) => id);
const opened = async (key: string, { id }: Inbound) =>
  (await inbound.gateway.request('GET', `/inbound/${id}/pdf`, { key })).status;

test('the next fax to a number is filed where its rule says, and what is filed stays', async () => {
  const front = await mailboxOf('Front desk');
  const lab = await mailboxOf('Laboratory');
  const inFront = await readerOf(`mailbox:${front.id}`);
  const inLab = await readerOf(`mailbox:${lab.id}`);
  const before = await arrive();
  expect(before.mailbox).toBeNull();

  const body = { to_number: '(202) 555-0101', mailbox_id: front.id };
  let { rule } = await change('POST', '/access/inbound-rules', body);
  const first = await arrive();
  const elsewhere = await arrive('+12025550155');
  expect([first.mailbox, elsewhere.mailbox]).toEqual(['Front desk', null]);
  const tried = await request('POST', '/inbound/test', { to_number: NUMBER });
  expect(tried.mailbox).toBe('Front desk');
  expect(new Set(await seenWith(inFront.key))).toEqual(new Set([tried.id, first.id]));
  expect([await opened(inFront.key, first), await opened(inFront.key, elsewhere)]).toEqual([200, 404]);
  expect(await inbound.counts(inFront.key)).toMatchObject({ unread: 1 });
  expect(await seenWith(inLab.key)).toEqual([]);

  const path = `/access/inbound-rules/${rule.id}`;
  ({ rule } = await change('PATCH', path, { mailbox_id: lab.id, version: rule.version }));
  const second = await arrive();
  expect(second.mailbox).toBe('Laboratory');
  expect(await seenWith(inLab.key)).toEqual([second.id]);
  expect(new Set(await seenWith(inFront.key))).toEqual(new Set([tried.id, first.id]));

  await change('PATCH', `/access/mailboxes/${lab.id}`, {
    label: 'Lab',
    enabled: false,
    version: lab.version,
  });
  const third = await arrive();
  expect(third.mailbox).toBeNull();
  expect(await seenWith(inLab.key)).toEqual([second.id]);
  expect((await request('GET', `/inbound/${second.id}`)).mailbox).toBe('Lab');

  await change('POST', `${path}/remove`, { version: rule.version });
  expect((await arrive()).mailbox).toBeNull();
  expect(await inbound.list()).toHaveLength(7);
});

test('a role on one document shows it alone, by its name, until it is taken away', async () => {
  const fax = await arrive();
  await arrive();
  const reader = await readerOf(`inbound:${fax.id}`);
  expect(await seenWith(reader.key)).toEqual([fax.id]);
  expect(await opened(reader.key, fax)).toBe(200);
  const name = 'Fax of Nov 21, 2026 from +1 202 555 0199';
  const { items } = await request('GET', '/access/resources?kind=inbound');
  expect(items).toEqual([{ id: `inbound:${fax.id}`, kind: 'inbound', name }]);
  const given = await request('GET', `/access/assignments?subject_id=${reader.id}`);
  expect(given.items).toMatchObject([{ resource: { name } }]);
  const [{ id, version }] = given.items;
  await change('POST', `/access/assignments/${id}/remove`, { version });
  const refused = await inbound.gateway.request('GET', '/inbound', { key: reader.key });
  expect(refused.status).toBe(403);
  expect((await request('GET', '/access/resources?kind=inbound')).items).toEqual([]);
});
