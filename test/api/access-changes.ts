import { sha256Hex } from '../../server/platform/hash.ts';
import { addKey, addPerson, changeFromOutside } from './access-records.ts';
import { type Answer, INSTALLATION_KEY, type TestGateway } from './access-setup.ts';

const SECRET = 'a-secret-of-forty-three-characters-at-least';
export const STALE = 'This changed in the meantime; reload and try again.';
export const NOT_ALLOWED = [403, 'You do not have permission to do that.'];
export const GRANTS_MORE = 'You can give only permissions that you have there yourself.';

/** Changes access over HTTP as one caller does, each time with the policy version of the moment. */
export class AccessClient {
  readonly gateway: TestGateway;
  readonly key: string;
  constructor(gateway: TestGateway, key: string = INSTALLATION_KEY) {
    this.gateway = gateway;
    this.key = key;
  }

  /** Returns the same client with another key. */
  as({ key }: { key: string }): AccessClient {
    return new AccessClient(this.gateway, key);
  }

  async get(path: string): Promise<Answer> {
    return this.gateway.request('GET', path, { key: this.key });
  }

  async policy(): Promise<number> {
    return (await this.get('/auth/me')).body.policy_version;
  }

  async send(method: 'POST' | 'PATCH', path: string, body: object): Promise<Answer> {
    const whole = { expected_policy_version: await this.policy(), ...body };
    return this.gateway.request(method, path, { key: this.key, body: whole });
  }

  /** Status and sentence of a refused change. */
  async refusal(method: 'POST' | 'PATCH', path: string, body: object): Promise<[number, string]> {
    const answer = await this.send(method, path, body);
    return [answer.status, answer.body.detail];
  }

  // Tests look into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  async sendOk(method: 'POST' | 'PATCH', path: string, body: object): Promise<any> {
    const answer = await this.send(method, path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async role(name: string, permissions: readonly string[], more: object = {}) {
    return (await this.sendOk('POST', '/access/roles', { name, permissions, ...more })).role;
  }

  async group(name: string, more: object = {}) {
    return (await this.sendOk('POST', '/access/groups', { name, ...more })).group;
  }

  /** Gives a role. */
  async assign(
    subject: { kind: string; id: string; version: number },
    role: { id: string; version: number },
    resourceId = 'installation',
  ) {
    const body = {
      subject: pick(subject),
      role: { id: role.id, version: role.version },
      resource_id: resourceId,
    };
    return (await this.sendOk('POST', '/access/assignments', body)).assignment;
  }

  /** Adds a person to a group and returns the changed group. */
  async join(group: { id: string; version: number }, person: { id: string }) {
    const body = { principal_id: person.id, principal_version: 1, group_version: group.version };
    return this.sendOk('POST', `/access/groups/${group.id}/members`, body);
  }

  /** Lists the entries of an operation in the security audit, newest first. */
  async audit(operation: string) {
    const events = await this.gateway.events();
    return events.filter((event) => event.operation === operation && event.outcome === 'done');
  }
}

const pick = ({ kind, id, version }: { kind: string; id: string; version: number }) => ({
  kind,
  id,
  version,
});

export const asPerson = ({ id }: { id: string }) => ({ kind: 'principal', id, version: 1 });
export const asGroup = ({ id, version }: { id: string; version: number }) => ({ kind: 'group', id, version });

/** A person who holds `permissions` on a resource, and a key of theirs that allows all of it and of `more`. */
export async function person(
  gateway: TestGateway,
  facts: { login: string; permissions?: string[]; resourceId?: string; more?: string[] },
): Promise<{ id: string; roleId: string; key: string }> {
  const { login, permissions = [], more = [] } = facts;
  const sendOk = await addPerson(gateway, { ...facts, login, permissions });
  const ceiling = [...permissions, ...more].map((name): [string, string] => [name, 'installation']);
  const keyId = await addKey(gateway, { principalId: sendOk.id, ceiling, secretHash: sha256Hex(SECRET) });
  return { ...sendOk, key: `key_live_${keyId}_${SECRET}` };
}

export async function addMailbox(gateway: TestGateway, id: string, label = `Mailbox ${id}`): Promise<void> {
  const at = '2026-10-05T08:00:00.000Z';
  const row = { id, label, enabled: 1, version: 1, created_at: at, updated_at: at } as const;
  await changeFromOutside(gateway, (tx) => tx.insertInto('mailbox').values(row).execute());
}
