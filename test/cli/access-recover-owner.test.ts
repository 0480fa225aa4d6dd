import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendingSettings } from '../setup/gateway.ts';
import { enrolMara, MARA } from '../setup/owner.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { needPostgres } from '../setup/tools.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeEach(async () => {
  cli = await openCommandLine();
});
afterEach(() => cli.close());

const NEXT_PASSWORD = 'seven brown horses';

/** Starts the gateway on a folder with an owner who signs in with a password of her own. */
async function serveMara(environment = {}): Promise<void> {
  await cli.serve({ ...sendingSettings(cli.emulator), ...environment });
  await enrolMara(cli.url, (await readFile(join(cli.folder, 'installation.key'), 'utf8')).trim());
}

async function request(path: string, { cookie = '', csrf = '', body }: RequestOptions = {}) {
  const response = await fetch(cli.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Origin: cli.url,
      'Content-Type': 'application/json',
      ...(cookie && { Cookie: cookie }),
      ...(csrf && { 'X-CSRF-Token': csrf }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  return { status: response.status, answer, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}
interface RequestOptions {
  readonly cookie?: string;
  readonly csrf?: string;
  readonly body?: unknown;
}

const signIn = (login: string, password: string) => request('/auth/login', { body: { login, password } });

async function sessionOf(login: string, password: string): Promise<{ cookie: string; csrf: string }> {
  const { cookie } = await signIn(login, password);
  const { answer } = await request('/auth/me', { cookie });
  return { cookie, csrf: String(answer['csrf_token']) };
}

async function addSecondFactor(session: { cookie: string; csrf: string }): Promise<void> {
  const body = { current_password: MARA.password };
  const { answer } = await request('/auth/two-factor/begin', { ...session, body });
  const code = new TOTP({ secret: Secret.fromBase32(String(answer['secret'])) }).generate();
  expect((await request('/auth/two-factor/confirm', { ...session, body: { code } })).status).toBe(200);
}

interface Recovered {
  login: string;
  created: boolean;
  temporary_password: string;
}
const recover = (...words: string[]) => cli.json<Recovered>('recover-owner', ...words);

describe('faxdesk recover-owner', () => {
  test('lets an owner in again who lost password and second factor, and says so in the audit', async () => {
    await serveMara();
    const session = await sessionOf(MARA.login, MARA.password);
    await addSecondFactor(session);
    const running = await cli.run(['recover-owner']);
    expect([running.code, running.out, running.err]).toEqual([
      10,
      '',
      `Faxdesk is running on ${cli.folder}. Stop it first. Nothing was changed.\n`,
    ]);
    expect((await request('/auth/me', session)).status).toBe(200);
    await cli.stop();
    const reported = await cli.run(['recover-owner']);
    expect([reported.code, reported.out]).toEqual([
      0,
      expect.stringMatching(
        /^Owner: +Mara Okafor\nSign-in name: +mara\nPassword for the first sign-in: +(?:[a-z]+-){5}[a-z]+\n$/u,
      ),
    ]);
    expect(reported.err).toContain('It is shown only now');
    const password = reported.out.trimEnd().split(' ').at(-1) ?? '';

    await cli.serve();
    expect((await request('/auth/me', session)).status).toBe(401);
    expect((await signIn(MARA.login, MARA.password)).status).toBe(401);
    const begun = await signIn(MARA.login, password);
    expect([begun.status, begun.answer]).toEqual([200, { ok: true, password_change_required: true }]);
    const { cookie } = begun;
    const limited = (await request('/auth/me', { cookie })).answer;
    expect(limited).toMatchObject({ permissions: [], password_change_required: true });
    const body = { current_password: password, password: NEXT_PASSWORD };
    const csrf = String(limited['csrf_token']);
    expect((await request('/auth/password', { cookie, csrf, body })).status).toBe(200);
    const free = (await request('/auth/me', { cookie })).answer;
    expect(free).toMatchObject({ is_owner: true, permissions: expect.arrayContaining(['owner:recover']) });
    expect((await request('/auth/two-factor', { cookie })).answer).toMatchObject({
      enabled: false,
      recovery_codes_left: 0,
    });

    const { answer } = await request('/access/audit?operation=owner.recover', { cookie });
    expect(answer['items']).toMatchObject([
      {
        actor: { id: null, name: 'Local operator' },
        credential_kind: 'command_line',
        outcome: 'done',
        details: {
          login: 'mara',
          created: false,
          was_enabled: true,
          was_owner: true,
          had_second_factor: true,
        },
      },
    ]);
    expect(JSON.stringify(answer)).not.toContain(password);
  });

  test('makes an owner of a disabled or new person beside the others, then requires a name', async () => {
    await serveMara();
    const kept = await sessionOf(MARA.login, MARA.password);
    await cli.json('users', 'create', '--login', 'nils', '--name', 'Nils Berg');
    await cli.json('users', 'change', 'nils', '--enabled', 'no');
    await cli.stop();
    const enabled = await recover('--login', 'Nils', '--name', 'Somebody else');
    expect(enabled).toMatchObject({ login: 'nils', display_name: 'Nils Berg', created: false });
    const made = await recover('--login', 'zoe', '--name', 'Zoe Marsh');
    expect(made).toMatchObject({ login: 'zoe', display_name: 'Zoe Marsh', created: true });
    const several = await cli.run(['recover-owner']);
    expect([several.code, several.err]).toEqual([
      9,
      'This installation has several owners: mara, nils, zoe. Choose one with --login.\n',
    ]);
    await cli.serve();
    expect((await request('/auth/me', kept)).status).toBe(200);
    for (const { login, temporary_password } of [enabled, made]) {
      const { cookie } = await signIn(login, temporary_password);
      expect((await request('/auth/me', { cookie })).answer['is_owner']).toBe(true);
    }
    const reported = ['audit', 'list', '--operation', 'owner.recover'];
    const { items } = await cli.json<{ items: { details: object }[] }>(...reported);
    expect(items.map(({ details }) => details)).toEqual([
      { login: 'zoe', created: true, was_enabled: false, was_owner: false, had_second_factor: false },
      { login: 'nils', created: false, was_enabled: false, was_owner: false, had_second_factor: false },
    ]);
  });

  test('refuses names that are none and folders without an installation', async () => {
    const bad = await cli.run(['recover-owner', '--login', 'two words']);
    expect([bad.code, bad.err]).toEqual([9, expect.stringContaining('A sign-in name can have')]);
    expect((await cli.run(['recover-owner', '--login', 'x', '--name', ' '])).code).toBe(9);
    const folder = join(cli.folder, 'empty');
    await mkdir(folder);
    const none = await cli.run(['recover-owner', '--login', 'x', '--data', folder]);
    expect([none.code, none.err]).toEqual([
      5,
      `There is no installation in ${folder}. Use --data to give another folder.\n`,
    ]);
  });

  test('waits on PostgreSQL for the gateways of other computers', async (context) => {
    const database = await needPostgres(context);
    try {
      const environment = { DATABASE_URL: database };
      await serveMara(environment);
      const other = join(cli.folder, 'another-computer');
      await mkdir(other);
      const words = ['recover-owner', '--login', 'mara', '--json'];
      const busy = await cli.run([...words, '--data', other], environment);
      expect([busy.code, busy.out]).toEqual([10, '']);
      expect(busy.err).toContain('stop every gateway and program on it first');
      await cli.stop();
      const done = await cli.run(words, environment);
      const { temporary_password } = JSON.parse(done.out) as Recovered;
      await cli.serve(environment);
      expect((await signIn('mara', temporary_password)).status).toBe(200);
    } finally {
      await cli.stop();
      await dropPostgresDatabase(database);
    }
  });
});
