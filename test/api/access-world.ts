import type { RouteDefinition } from '../../shared/api/route.ts';
import { ALL_PERMISSIONS, type Permission } from '../../shared/permissions.ts';
import { AccessOffice } from '../setup/access-office.ts';
import { allRoutes } from '../setup/every-route.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import { sessionWith } from './console-stream.ts';

export const NOTHING = '01900000-0000-7000-8000-000000000000';
export const guarded = allRoutes.filter(({ access }) => access !== 'public');
export const named = (route: RouteDefinition) => `${route.method} ${route.path}`;

/** Words that stand in what only some may see; no answer to the others has them. */
const HIDDEN_WORDS = ['Quagga', '+12025550177', '+12025550188', 'zebra'];

export type Ended =
  | 'an expired key'
  | 'a revoked key'
  | 'a key of somebody disabled'
  | 'a session of a revoked key'
  | 'a session that signed out'
  | 'an idle session';

export interface AskOptions {
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  /** Asks for things that do not exist. */
  readonly missing?: boolean;
}

/** A gateway where there is one thing of every kind that a route can be about. */
export class AccessWorld {
  readonly desk: TestGateway;
  readonly office: AccessOffice;
  readonly #ids: Readonly<Record<string, string>>;
  /** Keys that did everything once: `X-API-Key` or a cookie with its CSRF token. */
  readonly ended: Readonly<Record<Ended, Record<string, string>>>;
  readonly #keys = new Map<string, string>();
  readonly #elsewhere = new Map<Permission, string>();
  readonly #people: MailboxPeople;

  private constructor(parts: {
    desk: TestGateway;
    office: AccessOffice;
    ids: Record<string, string>;
    ended: AccessWorld['ended'];
    people: MailboxPeople;
  }) {
    this.desk = parts.desk;
    this.office = parts.office;
    this.#ids = parts.ids;
    this.ended = parts.ended;
    this.#people = parts.people;
  }

  static async open(databaseUrl: string | null = null): Promise<AccessWorld> {
    const desk = await startTestGateway({ databaseUrl, settings: { INBOUND_ENABLED: 'true' } });
    const office = new AccessOffice(desk);
    const ids = await fill(desk, office);
    const ended = await endedCredentials(desk, office);
    const people = new MailboxPeople(desk, databaseUrl);
    await people.addMailbox('elsewhere', 'Elsewhere');
    return new AccessWorld({ desk, office, ids, ended, people });
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
  ask(route: RouteDefinition, { key = null, headers = {}, missing }: AskOptions): Promise<Response> {
    const hasJson = ['POST', 'PUT', 'PATCH'].includes(route.method) && !route.form;
    return this.desk.request(route.method, this.addressOf(route, missing), {
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
    const response = await this.desk.request('POST', '/admin/api-keys', { json: { scopes } });
    if (response.status !== 200) throw new Error(await response.text());
    const { token } = (await response.json()) as { token: string };
    this.#keys.set(name, token);
    return token;
  }

  /** A key of somebody who may do this, and only on another mailbox. */
  async keyElsewhere(permission: Permission): Promise<string> {
    const known = this.#elsewhere.get(permission);
    if (known !== undefined) return known;
    const { key } = await this.#people.addPerson({ 'mailbox:elsewhere': [permission] });
    this.#elsewhere.set(permission, key);
    return key;
  }

  /** What of the hidden things a text tells. */
  leaksIn(text: string): string[] {
    return [...HIDDEN_WORDS, ...Object.values(this.#ids)].filter((word) => text.includes(word));
  }

  close(): Promise<void> {
    return this.desk.close();
  }
}

/** One of everything. Ids by the beginning of the path that takes them. */
async function fill(desk: TestGateway, office: AccessOffice): Promise<Record<string, string>> {
  const fax = await desk.send({ to: '+12025550177', titles: 'zebra' });
  const received = await desk.request('POST', '/inbound/test', { json: { to_number: '+12025550188' } });
  const inbound = (await received.json()) as { id: string };
  const mailbox = await office.mailbox('Quagga ward');
  const rule = await office.rule('+12025550188', mailbox);
  const user = await office.person('quagga', 'Quagga');
  const integration = await office.integration('Quagga system');
  const group = await office.group('Quagga group');
  const role = await office.role('Quagga role', ['fax:read']);
  await office.join(group, user);
  const assignment = await office.assign(integration, role, `mailbox:${mailbox.id}`);
  const key = await office.key(integration, ['fax:read']);
  await office.made('POST', `/access/keys/${key.keyId}/revoke`, { version: key.version });
  const session = await anySession(desk, office);
  return {
    '/fax': fax.id,
    '/admin/fax-jobs': fax.id,
    '/inbound': inbound.id,
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

async function anySession(desk: TestGateway, office: AccessOffice): Promise<string> {
  const principal = await office.integration('Quagga console');
  const { token } = await office.key(principal, []);
  const headers = await sessionWith(desk, token);
  const me = await desk.request('GET', '/auth/me', { key: null, headers });
  return ((await me.json()) as { session: { id: string } }).session.id;
}

/** Credentials that opened everything until they ended, each in its own way. */
async function endedCredentials(desk: TestGateway, office: AccessOffice): Promise<AccessWorld['ended']> {
  const principal = await office.integration('Ended');
  const owner = (await office.get('/access/roles/role_owner')).role;
  await office.assign(principal, owner);
  const soon = new Date(desk.clock.now() + HOUR).toISOString();
  const expired = await office.key(principal, ALL_PERMISSIONS, { expires_at: soon });
  const revoked = await office.key(principal, ALL_PERMISSIONS);
  const good = await office.key(principal, ALL_PERMISSIONS);
  const gone = await office.integration('Gone');
  await office.assign(gone, owner);
  const disabled = await office.key(gone, ALL_PERMISSIONS);
  const ofRevoked = await sessionWith(desk, revoked.token);
  const signedOut = await sessionWith(desk, good.token);
  const idle = await sessionWith(desk, good.token);
  const ended = {
    'an expired key': { 'X-API-Key': expired.token },
    'a revoked key': { 'X-API-Key': revoked.token },
    'a key of somebody disabled': { 'X-API-Key': disabled.token },
    'a session of a revoked key': ofRevoked,
    'a session that signed out': signedOut,
    'an idle session': idle,
  };
  for (const headers of Object.values(ended)) {
    const answer = await desk.request('GET', '/fax', { key: null, headers });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }
  await office.made('POST', `/access/keys/${revoked.keyId}/revoke`, { version: revoked.version });
  await office.made('PATCH', `/access/integrations/${gone.id}`, { version: gone.version, enabled: false });
  await desk.request('POST', '/auth/logout', { key: null, headers: signedOut });
  desk.clock.advance(HOUR + MINUTE);
  return ended;
}
