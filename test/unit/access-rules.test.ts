import { describe, expect, it } from 'vitest';
import { createAuthenticatedCaller, visibleTo } from '../../server/features/access/authenticated-caller.ts';
import { withinCeiling } from '../../server/features/access/keys/ceiling.ts';
import { fitsSlowHash } from '../../server/features/access/keys/key-secret.ts';
import {
  keyTokenOf,
  newKeyId,
  newKeySecret,
  readKeyToken,
} from '../../server/features/access/keys/key-token.ts';
import { checkNewPassword } from '../../server/features/access/sign-in/password-rules.ts';
import { argon2Hasher, issueTemporaryPassword } from '../../server/features/access/sign-in/passwords.ts';
import type { Grants } from '../../server/features/access/types.ts';
import type { RefusalError } from '../../server/platform/errors.ts';
import { BUILT_IN_ROLES } from '../../shared/permissions.ts';

describe('the rules for passwords', () => {
  const ANNA = {
    login: 'anna.miller@example',
    displayName: 'Anna Miller',
    organization: 'Riverside Family Clinic',
  };
  const refusalOf = async (password: string): Promise<string | null> => {
    try {
      await checkNewPassword(password, ANNA);
      return null;
    } catch (error) {
      return (error as RefusalError).refusalCode;
    }
  };

  it.each([
    ['eleven char', 'password_length'],
    ['anna.miller@example', 'password_is_login'],
    ['password1234', 'password_too_common'],
    ['P@ssw0rd1234!', 'password_too_common'],
    ['Welcome2026!!', 'password_too_common'],
    ['qwertyuiop12', 'password_too_common'],
    ['123456789012', 'password_too_common'],
    ['aaaaaaaaaaaaa', 'password_too_common'],
    ['abcabcabcabcabc', 'password_too_common'],
    ['zyxwvutsrqponml', 'password_too_common'],
    ['correcthorsebatterystaple', 'password_too_common'],
    ['iloveyouforever1', 'password_too_common'],
    ['Frontdesk-Fax-2026', 'password_too_common'],
    ['annamillerexample99', 'password_is_name'],
    ['Riverside2026!', 'password_is_name'],
    ['RiversideFamilyClinic', 'password_is_name'],
    ['Anna+Miller.1987', 'password_is_name'],
    ['Summer2026!!', 'password_is_season'],
    ['Winter2025Winter', 'password_is_season'],
    ['November-2026!', 'password_is_season'],
  ])('refuse %j with the reason', async (password, code) => {
    expect(await refusalOf(password)).toBe(code);
  });

  it.each([
    'seven brown horses',
    'ähnlich-wie-früher',
    'Zb8-kkQ2-pw71',
    'x9'.padEnd(64, 'mnbq7'),
    'the river in summer is warm',
    'anna likes purple teapots',
  ])('take %j', async (password) => {
    expect(await refusalOf(password)).toBeNull();
  });

  it('look at a password of any length in about the same time, and take every temporary one', async () => {
    const hasher = { hash: async () => 'hash', verify: async () => true };
    for (let i = 0; i < 50; i += 1) {
      const { text } = await issueTemporaryPassword(hasher, { now: () => 0 });
      expect(await refusalOf(text)).toBeNull();
    }
    expect(await refusalOf('purple teapots, '.repeat(60))).toBeNull();
  });

  it('store argon2id hashes that fit the same letters in another encoding', async () => {
    const hash = await argon2Hasher.hash('fr\u00fchst\u00fcck um acht');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u);
    expect(await argon2Hasher.verify(hash, 'fru\u0308hstu\u0308ck um acht')).toBe(true);
    expect(await argon2Hasher.verify(hash, 'fruhstuck um acht')).toBe(false);
    expect(await argon2Hasher.verify('no hash', 'x')).toBe(false);
  });
});

describe('key tokens', () => {
  it('hold an id without the separator and 256 random bits', () => {
    const keyId = newKeyId();
    const { secret } = newKeySecret();
    const token = keyTokenOf({ keyId, isTest: false }, secret);
    expect(token).toBe(`key_live_${keyId}_${secret}`);
    expect(readKeyToken(token)).toEqual({ keyId, secret, isTest: false });
    const test = keyTokenOf({ keyId, isTest: true }, secret);
    expect(test).toBe(`key_test_${keyId}_${secret}`);
    expect(readKeyToken(test)).toEqual({ keyId, secret, isTest: true });
    expect(Buffer.from(readKeyToken(token)?.secret ?? '', 'base64url')).toHaveLength(32);
    for (const other of ['', 'key_live_', 'key_live_a_short', 'key_demo_a_0123456789abcdef', ` ${token}`])
      expect(readKeyToken(other)).toBeNull();
  });

  it('refuse scrypt hashes that cannot be read or would cost too much', async () => {
    const salt = 'c2FsdHNhbHRzYWx0c2FsdA==';
    for (const hash of [
      '',
      'scrypt$',
      `scrypt$1048576$8$1$${salt}$${salt}`,
      `scrypt$1000$8$1$${salt}$${salt}`,
    ])
      expect(await fitsSlowHash('secret', hash)).toBe(false);
  });
});

describe('grants', () => {
  const grants = (entries: [string, string[]][]): Grants =>
    new Map(entries.map(([id, held]) => [id, new Set(held)])) as unknown as Grants;

  it('within a ceiling are never wider than either', () => {
    const held = grants([
      ['installation', ['fax:send']],
      ['mailbox:a', ['inbound:list']],
    ]);
    const ceiling = (permission: string, resource_id: string) => [{ permission, resource_id }];
    expect(withinCeiling(held, ceiling('fax:send', 'installation'))).toEqual(
      grants([['installation', ['fax:send']]]),
    );
    expect(withinCeiling(held, ceiling('fax:send', 'mailbox:b'))).toEqual(
      grants([['mailbox:b', ['fax:send']]]),
    );
    expect(withinCeiling(held, ceiling('inbound:list', 'installation'))).toEqual(
      grants([['mailbox:a', ['inbound:list']]]),
    );
    expect(withinCeiling(held, ceiling('inbound:list', 'mailbox:b'))).toEqual(new Map());
    expect(withinCeiling(held, ceiling('*', 'installation'))).toEqual(new Map());
    expect(withinCeiling(held, [])).toEqual(new Map());
  });

  it('limit queries to what may match', () => {
    const caller = createAuthenticatedCaller({
      principal: { id: 'p', kind: 'user', displayName: 'P', version: 1 },
      credential: { kind: 'session', id: 's' },
      policyVersion: 1,
      grants: grants([
        ['installation', ['fax:read']],
        ['mailbox:a', ['inbound:list']],
        ['inbound:b', ['inbound:list', 'inbound:read']],
      ]),
      session: null,
      keyId: null,
      ceiling: null,
      isTest: false,
      passwordChangeRequired: false,
      twoFactorSetupRequired: false,
    });
    expect(visibleTo(caller, 'fax:read')).toEqual({ everything: true, mailboxIds: [], documentIds: [] });
    expect(visibleTo(caller, 'inbound:list')).toEqual({
      everything: false,
      mailboxIds: ['a'],
      documentIds: ['b'],
    });
    expect(visibleTo(caller, 'work:read')).toEqual({ everything: false, mailboxIds: [], documentIds: [] });
    expect(caller.holds('inbound:read', 'mailbox:a')).toBe(false);
    expect(caller.holds('fax:read', 'mailbox:a')).toBe(true);
    expect(caller.holdsAnywhere('inbound:read')).toBe(true);
  });
});

describe('built-in roles', () => {
  it('give work permissions as the contract says', () => {
    const work = Object.fromEntries(
      BUILT_IN_ROLES.map((role) => [role.id, role.permissions.filter((p) => p.startsWith('work:')).length]),
    );
    expect(work).toEqual({
      role_owner: 4,
      role_administrator: 4,
      role_fax_operator: 2,
      role_fax_viewer: 1,
      role_auditor: 2,
    });
  });
});
