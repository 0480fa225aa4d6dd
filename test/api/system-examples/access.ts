import { HOUR } from '../../setup/manual-clock.ts';
import type { Examples } from './examples.ts';

const policy = async (x: Examples): Promise<{ expected_policy_version: number }> => ({
  expected_policy_version: (await x.call('getMe')).policy_version,
});

/** People, integrations, groups, roles, assignments, keys and mailboxes. */
export async function callAccess(x: Examples): Promise<void> {
  const change = async (id: string, json: object, params?: Record<string, string>) =>
    await x.call(id, { json: { ...json, ...(await policy(x)) }, ...(params ? { params } : {}) });
  const { user: person } = await change('createUser', { login: 'ann', display_name: 'Ann Lee' });
  const { user: integration } = await change('createIntegration', { display_name: 'Lab system' });
  await x.call('listUsers', { query: { limit: '20' } });
  await x.call('getUser', { params: { id: person.id } });
  const changed = await change(
    'changeUser',
    { display_name: 'Ann B. Lee', version: person.version },
    { id: person.id },
  );
  await x.call('listIntegrations');
  const { user: renamed } = await change(
    'changeIntegration',
    { display_name: 'Laboratory', version: integration.version },
    { id: integration.id },
  );
  await callGroups(x, change, changed.user);
  await callAssignments(x, change, renamed);
  await callMailboxes(x, change);
  await x.call('listAudit', { query: { limit: '20' } });
  await x.call('exportAudit');
  await x.call('verifyAudit');
  await x.gateway.set({ SPENDING_CURRENCY: 'USD' });
  const limit = await x.call('getPersonLimit', { params: { id: person.id } });
  await x.call('setPersonLimit', {
    params: { id: person.id },
    json: { version: limit.version, per_day: '20', per_month: null },
  });
  const { user: reset } = await change('resetPassword', { version: changed.user.version }, { id: person.id });
  const { user: now } = await change('resetTwoFactor', { version: reset.version }, { id: person.id });
  await change('resetQuickSignIn', { version: now.version }, { id: person.id });
}

interface Item {
  readonly id: string;
  readonly version: number;
}
// Answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Change = (id: string, json: object, params?: Record<string, string>) => Promise<any>;

async function callGroups(x: Examples, change: Change, person: Item): Promise<void> {
  const { group } = await change('createGroup', { name: 'Front desk' });
  const params = { id: group.id };
  const { member } = await change(
    'addMember',
    { principal_id: person.id, principal_version: person.version, group_version: group.version },
    params,
  );
  await x.call('listGroups');
  const read = await x.call('getGroup', { params });
  await change(
    'removeMember',
    { membership_version: member.version, group_version: (read.group ?? read).version },
    { id: group.id, membership_id: member.id },
  );
  const { group: now } = await x.call('getGroup', { params });
  await change('changeGroup', { description: 'Reception', version: now.version }, params);
}

async function callAssignments(x: Examples, change: Change, integration: Item): Promise<void> {
  await x.call('listPermissions');
  const { role } = await change('createRole', { name: 'Sender', permissions: ['fax:send', 'fax:read'] });
  await x.call('listRoles');
  await x.call('getRole', { params: { id: role.id } });
  const { role: changed } = await change(
    'changeRole',
    { description: 'Sends faxes', version: role.version },
    { id: role.id },
  );
  await x.call('listResources');
  const { assignment } = await change('createAssignment', {
    subject: { kind: 'principal', id: integration.id, version: integration.version },
    role: { id: changed.id, version: changed.version },
    resource_id: 'installation',
  });
  await x.call('listAssignments');
  await callAccessKeys(x, change, integration);
  await change('removeAssignment', { version: assignment.version }, { id: assignment.id });
}

async function callAccessKeys(x: Examples, change: Change, integration: Item): Promise<void> {
  const { key } = await change('createAccessKey', {
    principal: { id: integration.id, version: integration.version },
    name: 'Lab key',
    ceiling: [{ permission: 'fax:send', resource_id: 'installation' }],
  });
  const params = { key_id: key.key_id };
  await x.call('listAccessKeys');
  const { key: noted } = await change('changeAccessKey', { note: 'Lab', version: key.version }, params);
  const { key: rotated } = await change('rotateAccessKey', { version: noted.version }, params);
  const old_expires_at = new Date(x.gateway.clock.now() + HOUR).toISOString();
  await change('replaceAccessKey', { old_expires_at, version: rotated.version }, params);
  const { items } = await x.call('listAccessKeys');
  const old = items.find((each: { key_id: string }) => each.key_id === key.key_id);
  await change('revokeAccessKey', { version: old.version }, params);
}

async function callMailboxes(x: Examples, change: Change): Promise<void> {
  const { mailbox } = await change('createMailbox', { label: 'Radiology' });
  await x.call('listMailboxes');
  await change('changeMailbox', { label: 'X-ray', version: mailbox.version }, { id: mailbox.id });
  const { rule } = await change('createInboundRule', { to_number: '+12025550101', mailbox_id: mailbox.id });
  await x.call('listInboundRules');
  const { rule: changed } = await change(
    'changeInboundRule',
    { to_number: '+12025550102', version: rule.version },
    { id: rule.id },
  );
  const received = await x.call('testInbound', { json: { to_number: '+12025550100' } });
  await x.gateway.processAll();
  await x.call('listInboundTargets', { params: { id: received.id } });
  await x.call('moveInbound', { params: { id: received.id }, json: { mailbox: mailbox.id } });
  await change('removeInboundRule', { version: changed.version }, { id: rule.id });
}

/** API keys of earlier releases, and mobile devices. */
export async function callKeys(x: Examples): Promise<void> {
  const { key_id, token } = await x.call('createKey', { json: { name: 'Pharmacy', scopes: ['fax:send'] } });
  await x.call('listKeys');
  await x.call('signInWithKey', {
    key: null,
    json: { api_key: token },
    session: { Origin: x.gateway.url },
  });
  await x.call('rotateKey', { params: { keyId: key_id } });
  await x.call('revokeKey', { params: { keyId: key_id } });
  await x.gateway.set({ PUBLIC_API_URL: 'https://fax.example.com' });
  const { code } = await x.call('createPairingCode', { json: { device_name: 'Phone of Ann' } });
  await x.call('pairDevice', { key: null, json: { code, device_name: 'Phone of Ann' } });
}
