import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { ERRORS, type ErrorCode } from '../../shared/errors/all.ts';
import { ALL_PERMISSIONS } from '../../shared/permissions.ts';
import { FilledGateway, guarded, named } from './access-filled.ts';

/** Routes without an audit entry: their effect is in the history of the fax, or they change nothing that lasts. */
const NOT_AUDITED = [
  // A terminal is audited by its beginning and its end, which also comes without a request.
  'DELETE /console/terminals/:terminal_id',
  // Things of one person that nobody else reads.
  'DELETE /desk/drafts/:id',
  'DELETE /desk/phrases/:id',
  'DELETE /desk/signatures/:id',
  'DELETE /fax/preview/:id',
  // The routes that the tools of an assistant call record its changes.
  'DELETE /mcp',
  'DELETE /scans/:id',
  'POST /admin/fax-jobs/:id/refresh',
  'POST /admin/settings/persist',
  'POST /admin/settings/validate',
  'POST /auth/passkeys/proof',
  'POST /auth/sign-in-notice/dismiss',
  'POST /broadcasts',
  'POST /broadcasts/:id/cancel',
  'POST /broadcasts/:id/continue',
  'POST /broadcasts/:id/pause',
  'POST /broadcasts/:id/retry',
  'POST /cases/:case_id/faxes',
  'POST /console/storage/check',
  'POST /console/terminals/:terminal_id/input',
  'POST /console/terminals/:terminal_id/size',
  'POST /console/upgrade/check',
  'POST /covers/preview',
  'POST /desk/drafts/:id/name',
  'POST /desk/phrases',
  'POST /desk/signatures',
  'POST /fax',
  'POST /fax/:id/about',
  'POST /fax/:id/cancel',
  'POST /fax/:id/reconcile',
  'POST /fax/:id/refresh',
  'POST /fax/:id/release',
  'POST /fax/:id/resend',
  'POST /fax/:id/schedule',
  'POST /fax/:id/try-again',
  'POST /fax/preview',
  'POST /fax/preview/:id/redraw',
  'POST /imports',
  'POST /inbound/:id/about',
  'POST /mcp',
  'POST /mcp/messages',
  // Pages that only the person who scans them sees, until they are sent.
  'POST /scans',
  'POST /scans/:id/finish',
  'POST /scans/:id/pages',
  'POST /telephony/check',
  'POST /work',
  'POST /work/:id/acknowledge',
  'POST /work/:id/assign',
  'POST /work/:id/done',
  'POST /work/:id/notes',
  'POST /work/:id/reopen',
  'POST /work/:id/undo',
  'PUT /desk/defaults',
  'PUT /desk/drafts/:id',
  'PUT /desk/phrases/:id',
  'PUT /desk/tour',
  'PUT /fax/:id/seen',
  'PUT /inbound/:id/read',
  'PUT /inbound/:id/turns',
  'PUT /presence',
];
const SECRET = 'a-text-that-stands-in-no-record';
const NEW_PASSKEY = {
  id: SECRET,
  rawId: SECRET,
  type: 'public-key',
  clientExtensionResults: {},
  response: { attestationObject: SECRET, clientDataJSON: SECRET },
};
/** Bodies that fit, of the routes that everybody signed in may ask; the others refuse before they read one. */
const BODIES: Readonly<Record<string, object>> = {
  'POST /auth/password': { current_password: SECRET, password: `${SECRET}-2` },
  'POST /auth/sessions/:session_id/revoke': { expected_policy_version: 1 },
  'POST /access/sessions/:session_id/revoke': { expected_policy_version: 1 },
  'POST /auth/owner/enroll': { login: SECRET, display_name: SECRET, expected_policy_version: 1 },
  'POST /auth/two-factor/begin': { current_password: SECRET },
  'POST /auth/two-factor/confirm': { code: '123456' },
  'POST /auth/two-factor/recovery-codes': { code: '123456' },
  'POST /auth/two-factor/remove': { current_password: SECRET, code: '123456' },
  'POST /auth/passkeys': { name: SECRET, passkey: NEW_PASSKEY },
  'POST /auth/passkeys/begin': { current_password: SECRET },
  'POST /auth/passkeys/:id/remove': { current_password: SECRET, code: '123456' },
  'POST /auth/quick-sign-in/pin': { current_password: SECRET, pin: '730514' },
  'POST /auth/quick-sign-in/card': { current_password: SECRET, card: SECRET },
  'POST /auth/quick-sign-in/remove': { what: 'pin' },
};
/** Error codes for a key without any authority, by route. */
const REASONS: Readonly<Record<string, ErrorCode>> = {
  'POST /auth/sessions/:session_id/revoke': 'no_such_session',
  'POST /access/sessions/:session_id/revoke': 'no_such_session',
  'POST /auth/logout': 'session_needed',
  'POST /auth/password': 'password_session_needed',
  'POST /auth/two-factor/begin': 'password_session_needed',
  'POST /auth/two-factor/confirm': 'password_session_needed',
  'POST /auth/two-factor/recovery-codes': 'password_session_needed',
  'POST /auth/two-factor/remove': 'password_session_needed',
  'POST /auth/passkeys': 'password_session_needed',
  'POST /auth/passkeys/begin': 'password_session_needed',
  'POST /auth/passkeys/:id/remove': 'password_session_needed',
  'POST /auth/quick-sign-in/pin': 'password_session_needed',
  'POST /auth/quick-sign-in/card': 'password_session_needed',
  'POST /auth/quick-sign-in/remove': 'password_session_needed',
};

interface Entry {
  readonly operation: string;
  readonly target: { kind: string; id: string | null };
  readonly details: Record<string, unknown>;
  readonly actor: { id: string | null };
  readonly count: number;
}

let filled: FilledGateway;
beforeAll(async () => {
  filled = await FilledGateway.open();
});
afterAll(() => filled.close());

const audited = guarded.filter((route) => route.audited !== undefined);

async function refused(query: Record<string, string>): Promise<Entry[]> {
  const parameters = new URLSearchParams({ outcome: 'refused', limit: '200', ...query });
  const answer = await filled.gateway.request('GET', `/access/audit?${parameters.toString()}`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { items: Entry[] }).items;
}

async function principalOf(key: string): Promise<string> {
  const me = await filled.gateway.request('GET', '/auth/me', { key });
  return ((await me.json()) as { principal: { id: string } }).principal.id;
}

/** The id in the address, as the route says where it stands. */
function targetOf({ path, audited: said }: RouteDefinition, address: string, self: string): string | null {
  if (said?.own) return self;
  const at = path.split('/').indexOf(`:${said?.param}`);
  return at === -1 ? null : (address.split('/')[at] ?? null);
}

describe('a refused change', () => {
  it('rule (audit): a refused change is recorded in one place, by the operation that its route declares', () => {
    const rest = guarded.filter(({ method, audited: said }) => method !== 'GET' && said === undefined);
    expect(rest.map(named).sort()).toEqual(NOT_AUDITED);
    for (const { path, audited: said } of audited)
      if (said?.param !== undefined) expect(path).toContain(`:${said.param}`);
  });

  it.each(audited.map((route) => [named(route), route] as const))(
    '%s leaves a record with actor, target and reason',
    async (name, route) => {
      const held = ALL_PERMISSIONS.filter((permission) => permission !== route.access);
      const key = await filled.keyWith(route.access === 'signed-in' ? [] : held);
      const address = filled.addressOf(route);
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(route.method) && name !== 'POST /auth/logout';
      const ask = () =>
        filled.gateway.request(route.method, address, {
          key,
          ...(hasBody ? { json: BODIES[name] ?? { secret: SECRET } } : {}),
        });
      const reason = REASONS[name] ?? 'not_allowed';
      expect((await ask()).status).toBe(ERRORS[reason].status);
      expect((await ask()).status).toBe(ERRORS[reason].status);
      const self = await principalOf(key);
      const { operation = '', target: kind } = route.audited ?? {};
      const items = await refused({ operation, actor_id: self });
      const record = items.find(({ details }) => details['route'] === name);
      expect(record).toMatchObject({
        operation,
        actor: { id: self },
        credential_kind: 'key',
        target: { kind, id: targetOf(route, address, self) },
        details: { reason, route: name },
        request_id: expect.any(String),
        count: 2,
      });
      expect(JSON.stringify(items)).not.toContain(SECRET);
    },
  );

  it('of settings is recorded with its reason, and without names or values of what was wanted', async () => {
    const key = await filled.keyWith(['settings:write']);
    const json = { changes: { MAX_FILE_SIZE_MB: SECRET } };
    expect((await filled.gateway.request('PUT', '/admin/settings', { key, json })).status).toBe(422);
    const [record] = await refused({ operation: 'settings.change', actor_id: await principalOf(key) });
    expect(record).toMatchObject({
      target: { kind: 'settings', id: null },
      details: { reason: 'invalid_settings', route: 'PUT /admin/settings' },
    });
    expect(JSON.stringify(record)).not.toMatch(/MAX_FILE|stands-in-no-record/u);
  });
});
