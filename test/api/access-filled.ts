import type { RouteDefinition } from '../../shared/api/route.ts';
import { ALL_PERMISSIONS, type Permission } from '../../shared/permissions.ts';
import { AccessAdministrator } from '../setup/access-administrator.ts';
import { allRoutes } from '../setup/every-route.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import { sessionWith } from './console-stream.ts';

const NOTHING = '01900000-0000-7000-8000-000000000000';
export const guarded = allRoutes.filter(({ access }) => access !== 'public');
export const named = (route: RouteDefinition) => `${route.method} ${route.path}`;

/** Words that stand in what only some may see; no answer to the others has them. */
const HIDDEN_WORDS = ['Quagga', '+12025550177', '+12025550188', 'zebra'];

export type EndedCredential =
  | 'an expired key'
  | 'a revoked key'
  | 'a key of somebody disabled'
  | 'a session of a revoked key'
  | 'a session that signed out'
  | 'an idle session';

interface RequestOptions {
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  /** Asks for things that do not exist. */
  readonly missing?: boolean;
}

/** A gateway where there is one thing of every kind that a route can be about. */
export class FilledGateway {
  readonly gateway: TestGateway;
  readonly administrator: AccessAdministrator;
  readonly #ids: Readonly<Record<string, string>>;
  /** Keys that did everything once: `X-API-Key` or a cookie with its CSRF token. */
  readonly ended: Readonly<Record<EndedCredential, Record<string, string>>>;
  readonly #keys = new Map<string, string>();
  readonly #elsewhere = new Map<Permission, string>();
  readonly #people: MailboxPeople;

  private constructor(parts: {
    gateway: TestGateway;
    administrator: AccessAdministrator;
    ids: Record<string, string>;
    ended: FilledGateway['ended'];
    people: MailboxPeople;
  }) {
    this.gateway = parts.gateway;
    this.administrator = parts.administrator;
    this.#ids = parts.ids;
    this.ended = parts.ended;
    this.#people = parts.people;
  }

  static async open(databaseUrl: string | null = null): Promise<FilledGateway> {
    const gateway = await startTestGateway({ databaseUrl, settings: { INBOUND_ENABLED: 'true' } });
    const administrator = new AccessAdministrator(gateway);
    const ids = await fill(gateway, administrator);
    const ended = await endedCredentials(gateway, administrator);
    const people = new MailboxPeople(gateway, databaseUrl);
    await people.addMailbox('elsewhere', 'Elsewhere');
    return new FilledGateway({ gateway, administrator, ids, ended, people });
  }

  /** Of what the paths with this beginning are about. */
  idOf(prefix: string): string {
    return this.#ids[prefix] ?? NOTHING;
  }

  /** An address of the route, about what exists, or about nothing. */
  addressOf({ path }: RouteDefinition, missing = false): string {
    const prefix = path.slice(0, path.indexOf('/:'));
    return path
      .replace(/:\w+/u, missing ? NOTHING : this.idOf(prefix))
      .replace(':page', '1')
      .replaceAll(/:\w+/gu, NOTHING);
  }

  /** A request with a body that fits nothing, so that nothing changes. */
  request(route: RouteDefinition, { key = null, headers = {}, missing }: RequestOptions): Promise<Response> {
    const hasJson = ['POST', 'PUT', 'PATCH'].includes(route.method) && !route.form;
    return this.gateway.request(route.method, this.addressOf(route, missing), {
      key,
      headers,
      ...(hasJson ? { json: { nonsense: 1 } } : {}),
    });
  }

  /** A key with these permissions on everything, made once. */
  async keyWith(scopes: readonly Permission[]): Promise<string> {
    const name = scopes.join(' ');
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const response = await this.gateway.request('POST', '/admin/api-keys', { json: { scopes } });
    if (response.status !== 200) throw new Error(await response.text());
    const { token } = (await response.json()) as { token: string };
    this.#keys.set(name, token);
    return token;
  }

  /** Returns a key of a person who holds the permission on another mailbox only. */
  async keyElsewhere(permission: Permission): Promise<string> {
    const known = this.#elsewhere.get(permission);
    if (known !== undefined) return known;
    const { key } = await this.#people.addPerson({ 'mailbox:elsewhere': [permission] });
    this.#elsewhere.set(permission, key);
    return key;
  }

  /** Returns the hidden words and IDs that occur in a text. */
  findLeaks(text: string): string[] {
    return [...HIDDEN_WORDS, ...Object.values(this.#ids)].filter((word) => text.includes(word));
  }

  close(): Promise<void> {
    return this.gateway.close();
  }
}

/** One of everything. Ids by the beginning of the path that takes them. */
async function fill(
  gateway: TestGateway,
  administrator: AccessAdministrator,
): Promise<Record<string, string>> {
  const fax = await gateway.send({ to: '+12025550177', titles: 'zebra' });
  const received = await gateway.request('POST', '/inbound/test', { json: { to_number: '+12025550188' } });
  const inbound = (await received.json()) as { id: string; work_item_id: string };
  const mailbox = await administrator.mailbox('Quagga ward');
  const rule = await administrator.rule('+12025550188', mailbox);
  const user = await administrator.person('quagga', 'Quagga');
  const integration = await administrator.integration('Quagga system');
  const group = await administrator.group('Quagga group');
  const role = await administrator.role('Quagga role', ['fax:read']);
  await administrator.join(group, user);
  const assignment = await administrator.assign(integration, role, `mailbox:${mailbox.id}`);
  const key = await administrator.key(integration, ['fax:read']);
  await administrator.sendOk('POST', `/access/keys/${key.keyId}/revoke`, { version: key.version });
  const session = await anySession(gateway, administrator);
  return {
    '/fax': fax.id,
    '/admin/fax-jobs': fax.id,
    '/inbound': inbound.id,
    '/work': inbound.work_item_id,
    '/access/users': user.id,
    '/access/integrations': integration.id,
    '/access/groups': group.id,
    '/access/roles': role.id,
    '/access/assignments': assignment.id,
    '/access/keys': key.keyId,
    '/admin/api-keys': key.keyId,
    '/access/mailboxes': mailbox.id,
    '/access/inbound-rules': rule.id,
    '/auth/sessions': session,
    '/access/sessions': session,
  };
}

async function anySession(gateway: TestGateway, administrator: AccessAdministrator): Promise<string> {
  const principal = await administrator.integration('Quagga console');
  const { token } = await administrator.key(principal, []);
  const headers = await sessionWith(gateway, token);
  const me = await gateway.request('GET', '/auth/me', { key: null, headers });
  return ((await me.json()) as { session: { id: string } }).session.id;
}

/** Credentials that opened everything until they ended, each in its own way. */
async function endedCredentials(
  gateway: TestGateway,
  administrator: AccessAdministrator,
): Promise<FilledGateway['ended']> {
  const principal = await administrator.integration('Ended');
  const owner = (await administrator.get('/access/roles/role_owner')).role;
  await administrator.assign(principal, owner);
  const soon = new Date(gateway.clock.now() + HOUR).toISOString();
  const expired = await administrator.key(principal, ALL_PERMISSIONS, { expires_at: soon });
  const revoked = await administrator.key(principal, ALL_PERMISSIONS);
  const good = await administrator.key(principal, ALL_PERMISSIONS);
  const gone = await administrator.integration('Gone');
  await administrator.assign(gone, owner);
  const disabled = await administrator.key(gone, ALL_PERMISSIONS);
  const ofRevoked = await sessionWith(gateway, revoked.token);
  const signedOut = await sessionWith(gateway, good.token);
  const idle = await sessionWith(gateway, good.token);
  const ended = {
    'an expired key': { 'X-API-Key': expired.token },
    'a revoked key': { 'X-API-Key': revoked.token },
    'a key of somebody disabled': { 'X-API-Key': disabled.token },
    'a session of a revoked key': ofRevoked,
    'a session that signed out': signedOut,
    'an idle session': idle,
  };
  for (const headers of Object.values(ended)) {
    const answer = await gateway.request('GET', '/fax', { key: null, headers });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }
  await administrator.sendOk('POST', `/access/keys/${revoked.keyId}/revoke`, { version: revoked.version });
  await administrator.sendOk('PATCH', `/access/integrations/${gone.id}`, {
    version: gone.version,
    enabled: false,
  });
  await gateway.request('POST', '/auth/logout', { key: null, headers: signedOut });
  gateway.clock.advance(HOUR + MINUTE);
  return ended;
}
