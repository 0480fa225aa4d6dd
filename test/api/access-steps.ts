import type { AccessAdministrator, Item } from '../setup/access-administrator.ts';
import { textFile } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { type AccessModel, EVERYWHERE, MODELED, type ModelKey, type Pair } from './access-model.ts';

/** Numbers that choose what a step is about; each step takes them as it likes. */
export type Choice = readonly [number, number, number];

/** One change, made at the gateway and in the model; false where there is nothing to change like that. */
type Step = (administrator: AccessAdministrator, model: AccessModel, choice: Choice) => Promise<boolean>;

const NUMBERS = ['+12025550101', '+12025550102'] as const;
const SHORT_MS = 12 * MINUTE;

function pick<T>(items: readonly T[], choice: number): T | undefined {
  return items[choice % Math.max(1, items.length)];
}

/** Some of the permissions, by the bits of a number. */
const someOf = (bits: number) => MODELED.filter((_, i) => (bits >> i) % 2 === 1);

/** Everything, a mailbox, or one received fax. */
function resourceOf(model: AccessModel, choice: number): string {
  const resources = [
    ...model.mailboxes.flatMap(({ id }) => [`mailbox:${id}`, `mailbox:${id}`]),
    ...model.received.map(({ id }) => `inbound:${id}`),
    EVERYWHERE,
  ];
  return pick(resources, choice) ?? EVERYWHERE;
}

const versioned = ({ version }: Item, more: object = {}) => ({ version, ...more });

const grant: Step = async (administrator, model, [a, b, c]) => {
  const subject = pick([...model.people, ...model.people, ...model.groups, ...model.groups], a);
  const role = pick(
    model.roles.filter(({ enabled }) => enabled),
    b,
  );
  if (!subject || !role) return false;
  const resource = resourceOf(model, c);
  const given = model.assignments.some(
    (each) => each.subject === subject.id && each.role === role && each.resource === resource,
  );
  if (given) return false;
  const kind = 'members' in subject ? 'group' : 'principal';
  const { id, version } = await administrator.assign(subject, role, resource, kind);
  model.assignments.push({ id, version, subject: subject.id, role, resource });
  return true;
};

const remove: Step = async (administrator, model, [a]) => {
  const assignment = pick(model.assignments, a);
  if (!assignment) return false;
  await administrator.sendOk('POST', `/access/assignments/${assignment.id}/remove`, versioned(assignment));
  model.assignments.splice(model.assignments.indexOf(assignment), 1);
  return true;
};

/** Adds a member to a group, or removes one. */
const moveMember: Step = async (administrator, model, [a, b]) => {
  const group = pick(model.groups, a);
  const person = pick(model.people, b);
  if (!group || !person) return false;
  const membership = group.members.get(person.id);
  if (membership) {
    const path = `/access/groups/${group.id}/members/${membership.id}/remove`;
    const body = { membership_version: membership.version, group_version: group.version };
    group.version = (await administrator.sendOk('POST', path, body)).group.version;
    group.members.delete(person.id);
    return true;
  }
  const made = await administrator.sendOk('POST', `/access/groups/${group.id}/members`, {
    principal_id: person.id,
    principal_version: person.version,
    group_version: group.version,
  });
  group.version = made.group.version;
  group.members.set(person.id, made.member);
  return true;
};

const changeRole: Step = async (administrator, model, [a, b]) => {
  const role = pick(model.roles, a);
  if (!role) return false;
  const permissions = someOf(b);
  const changed = await administrator.sendOk(
    'PATCH',
    `/access/roles/${role.id}`,
    versioned(role, { permissions }),
  );
  Object.assign(role, { permissions, version: changed.role.version });
  return true;
};

/** Enables or disables a person, a group, a role or a mailbox. */
const toggle: Step = async (administrator, model, [a, b]) => {
  const kinds = [
    ['integrations', 'user', model.people],
    ['groups', 'group', model.groups],
    ['roles', 'role', model.roles],
    ['mailboxes', 'mailbox', model.mailboxes],
  ] as const;
  const [path, name, items] = kinds[a % kinds.length] ?? kinds[0];
  const item = pick(items, b);
  if (!item) return false;
  const enabled = !item.enabled;
  const changed = await administrator.sendOk(
    'PATCH',
    `/access/${path}/${item.id}`,
    versioned(item, { enabled }),
  );
  Object.assign(item, { enabled, version: changed[name].version });
  return true;
};

const ceilingOf = (model: AccessModel, b: number, c: number): Pair[] => {
  const resource = resourceOf(model, c);
  return someOf(b).map((permission) => [permission, resource]);
};
const asBody = (ceiling: readonly Pair[]) =>
  ceiling.map(([permission, resource_id]) => ({ permission, resource_id }));

/** A key that never ends for an even choice, else a short one. */
const makeKey: Step = async (administrator, model, [a, b, c]) => {
  const owner = pick(
    model.people.filter(({ enabled }) => enabled),
    a,
  );
  if (!owner || model.keys.filter(({ isRevoked }) => !isRevoked).length > 6) return false;
  const ceiling = ceilingOf(model, b, c);
  const expiresMs = a % 2 === 0 ? Number.POSITIVE_INFINITY : model.nowMs + SHORT_MS;
  const { key, token } = await administrator.sendOk('POST', '/access/keys', {
    principal: { id: owner.id, version: owner.version },
    ceiling: asBody(ceiling),
    ...(a % 2 === 0 ? {} : { expires_at: new Date(expiresMs).toISOString() }),
  });
  const { key_id: keyId, version } = key;
  model.keys.push({ keyId, token, owner, version, ceiling, expiresMs, isRevoked: false });
  return true;
};

const aliveKey = (model: AccessModel, choice: number): ModelKey | undefined =>
  pick(
    model.keys.filter((key) => model.isAlive(key)),
    choice,
  );

const changeKey: Step = async (administrator, model, [a, b, c]) => {
  const key = aliveKey(model, a);
  if (!key) return false;
  const ceiling = ceilingOf(model, b, c);
  const body = { version: key.version, ceiling: asBody(ceiling) };
  const changed = await administrator.sendOk('PATCH', `/access/keys/${key.keyId}`, body);
  Object.assign(key, { ceiling, version: changed.key.version });
  return true;
};

const revokeKey: Step = async (administrator, model, [a]) => {
  const key = aliveKey(model, a);
  if (!key) return false;
  await administrator.sendOk('POST', `/access/keys/${key.keyId}/revoke`, { version: key.version });
  key.isRevoked = true;
  return true;
};

/** Faxes to a number go elsewhere from now on. */
const moveRule: Step = async (administrator, model, [a, b]) => {
  const number = pick(NUMBERS, a) ?? NUMBERS[0];
  const rule = model.rules.get(number);
  const mailbox = pick([...model.mailboxes, null], b);
  if (!rule && !mailbox) return false;
  if (!rule && mailbox) {
    model.rules.set(number, { item: await administrator.rule(number, mailbox), mailboxId: mailbox.id });
  } else if (rule && mailbox) {
    const body = versioned(rule.item, { mailbox_id: mailbox.id });
    const { rule: item } = await administrator.sendOk('PATCH', `/access/inbound-rules/${rule.item.id}`, body);
    model.rules.set(number, { item, mailboxId: mailbox.id });
  } else if (rule) {
    await administrator.sendOk('POST', `/access/inbound-rules/${rule.item.id}/remove`, versioned(rule.item));
    model.rules.delete(number);
  }
  return true;
};

const arrive: Step = async (administrator, model, [a]) => {
  if (model.received.length > 4) return false;
  const to_number = pick(NUMBERS, a) ?? NUMBERS[0];
  const answer = await administrator.gateway.request('POST', '/inbound/test', { json: { to_number } });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: string };
  model.received.push({ id, mailboxId: model.filedIn(to_number), by: 'bootstrap' });
  return true;
};

/** Sends with the installation key or with a key that may send there. */
const send: Step = async (administrator, model, [a, b]) => {
  if (model.sent.length > 4) return false;
  const mailbox = pick([null, ...model.mailboxes.filter(({ enabled }) => enabled)], b) ?? null;
  const resources = mailbox === null ? [] : [`mailbox:${mailbox.id}`];
  const able = model.keys.filter((key) => model.isAlive(key) && model.may(key, 'fax:send', resources));
  const key = pick([null, ...able], a) ?? null;
  const form = new FormData();
  form.append('to', '+12025550123');
  if (mailbox !== null) form.append('mailbox', mailbox.id);
  form.append('file', textFile());
  const answer = await administrator.gateway.request('POST', '/fax', {
    form,
    ...(key ? { key: key.token } : {}),
  });
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: string };
  model.sent.push({ id, mailboxId: mailbox?.id ?? null, by: key?.owner.id ?? 'bootstrap' });
  return true;
};

const pass: Step = async (administrator, model) => {
  administrator.gateway.clock.advance(5 * MINUTE);
  model.nowMs = administrator.gateway.clock.now();
  return true;
};

export const STEPS = {
  grant,
  remove,
  moveMember,
  changeRole,
  flip: toggle,
  makeKey,
  changeKey,
  revokeKey,
  moveRule,
  arrive,
  send,
  pass,
} as const;
export type StepName = keyof typeof STEPS;
