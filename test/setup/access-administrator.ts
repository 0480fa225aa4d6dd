import { INSTALLATION_KEY, type TestGateway } from './gateway.ts';

export interface Item {
  readonly id: string;
  readonly version: number;
}

// Answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type ResponseBody = any;

/** Changes access over HTTP as one caller does, each time with the policy version of the moment. */
export class AccessAdministrator {
  readonly gateway: TestGateway;
  readonly #key: string;

  constructor(gateway: TestGateway, key: string = INSTALLATION_KEY) {
    this.gateway = gateway;
    this.#key = key;
  }

  async get(path: string): Promise<ResponseBody> {
    const answer = await this.gateway.request('GET', path, { key: this.#key });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async policy(): Promise<number> {
    return (await this.get('/auth/me')).policy_version;
  }

  async send(method: string, path: string, body: object): Promise<Response> {
    const json = { expected_policy_version: await this.policy(), ...body };
    return this.gateway.request(method, path, { key: this.#key, json });
  }

  /** A change that must succeed. */
  async sendOk(method: string, path: string, body: object): Promise<ResponseBody> {
    const answer = await this.send(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async role(name: string, permissions: readonly string[]): Promise<Item> {
    return (await this.sendOk('POST', '/access/roles', { name, permissions })).role;
  }

  async group(name: string): Promise<Item> {
    return (await this.sendOk('POST', '/access/groups', { name })).group;
  }

  async join(group: Item, principal: Item): Promise<Item> {
    const body = {
      principal_id: principal.id,
      principal_version: principal.version,
      group_version: group.version,
    };
    return (await this.sendOk('POST', `/access/groups/${group.id}/members`, body)).member;
  }

  /** Gives a role to a person or integration, or to a group. */
  async assign(
    subject: Item,
    role: Item,
    resource_id = 'installation',
    kind: 'principal' | 'group' = 'principal',
  ): Promise<Item> {
    const body = {
      subject: { kind, id: subject.id, version: subject.version },
      role: { id: role.id, version: role.version },
      resource_id,
    };
    return (await this.sendOk('POST', '/access/assignments', body)).assignment;
  }

  async integration(display_name: string): Promise<Item> {
    return (await this.sendOk('POST', '/access/integrations', { display_name })).user;
  }

  /** A person who still has to choose a password. */
  async person(login: string, display_name: string): Promise<Item & { temporaryPassword: string }> {
    const { user, temporary_password } = await this.sendOk('POST', '/access/users', { login, display_name });
    return { ...user, temporaryPassword: temporary_password };
  }

  async mailbox(label: string): Promise<Item> {
    return (await this.sendOk('POST', '/access/mailboxes', { label })).mailbox;
  }

  async rule(to_number: string, mailbox: { id: string }): Promise<Item> {
    return (await this.sendOk('POST', '/access/inbound-rules', { to_number, mailbox_id: mailbox.id })).rule;
  }

  /** Creates a key for a principal; its ceiling contains the permissions on the resource. */
  async key(
    principal: Item,
    permissions: readonly string[],
    more: { resourceId?: string; name?: string; expires_at?: string } = {},
  ): Promise<{ keyId: string; version: number; token: string }> {
    const { resourceId = 'installation', ...rest } = more;
    const ceiling = permissions.map((permission) => ({ permission, resource_id: resourceId }));
    const body = { principal: { id: principal.id, version: principal.version }, ceiling, ...rest };
    const { key, token } = await this.sendOk('POST', '/access/keys', body);
    return { keyId: key.key_id, version: key.version, token };
  }
}
