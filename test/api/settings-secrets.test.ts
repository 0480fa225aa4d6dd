import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { listSecurityEvents } from '../../server/features/audit/service.ts';
import { ConfigurationValidationErrorResponse, SettingsAnswer } from '../../shared/api/settings.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import {
  type Answer,
  CHECKED,
  removeFolder,
  type SettingsProcess,
  startSettings,
  valueOf,
} from '../setup/settings-room.ts';

let room: SettingsProcess;

beforeEach(async () => {
  room = await startSettings(CHECKED);
});

afterEach(async () => {
  await room.stop();
  await removeFolder(room.folder);
});

const change = (changes: Record<string, unknown>): Promise<Answer> =>
  room.call('PUT', '/admin/settings', { changes });

async function shown(name: string): Promise<z.infer<typeof SettingsAnswer>['settings'][number] | undefined> {
  const answer = await room.call('GET', '/admin/settings');
  return SettingsAnswer.parse(answer.body).settings.find((setting) => setting.name === name);
}

function expectInvalid(answer: Answer, loc: (string | number)[], type?: string): void {
  expect(answer.status).toBe(422);
  const { detail } = ConfigurationValidationErrorResponse.parse(answer.body);
  expect(detail.map((entry) => entry.loc)).toContainEqual(loc);
  if (type) expect(detail[0]?.type).toBe(type);
}

describe('secrets', () => {
  const SECRET = 'S3cr3t-Value-9f1b';

  it('rule (installation): secrets are sealed at rest, and never in an answer, a revision, the audit, the log or the recovery copy', async () => {
    const answers = [
      await change({ CLOUDONE_API_SECRET: SECRET, CLOUDONE_API_KEY: `${SECRET}-key` }),
      await change({ CLOUDONE_API_SECRET: `${SECRET}-2` }),
      await change({ CLOUDONE_API_SECRET: `${SECRET} broken` }),
      await room.call('GET', '/admin/settings'),
      await room.call('GET', '/admin/settings/revisions'),
      await room.call('POST', '/admin/settings/persist'),
    ];
    expect(valueOf(room, 'CLOUDONE_API_SECRET')).toBe(`${SECRET}-2`);
    expect(await shown('CLOUDONE_API_SECRET')).toMatchObject({
      value: null,
      is_set: true,
      secret: true,
      type: 'secret',
    });
    expect(await shown('CLOUDONE_CALLBACK_TOKEN')).toMatchObject({ value: null, is_set: false });
    const audit = await listSecurityEvents(room.database.read, { limit: 100 });
    const copy = await readFile(join(room.folder, 'settings-recovery.json'), 'utf8');
    const all = [
      JSON.stringify(answers.map((answer) => answer.body)),
      JSON.stringify(audit),
      copy,
      await room.everythingWritten(),
    ];
    expect(all.at(-1)).toContain('CLOUDONE_API_SECRET');
    expect(all.join('\n')).not.toContain('S3cr3t');
    expect(answers[4]?.body.items[0].changes).toEqual([
      { name: 'CLOUDONE_API_SECRET', from: null, to: null, secret: true },
    ]);
  });

  it('survive a restart, and with another data key have to be entered again', async () => {
    await change({ CLOUDONE_API_SECRET: SECRET });
    room = await room.restart();
    expect(valueOf(room, 'CLOUDONE_API_SECRET')).toBe(SECRET);
    const other = await startSettings({ folder: room.folder, dataKey: Buffer.alloc(32, 8) });
    expect(valueOf(other, 'CLOUDONE_API_SECRET')).toBeNull();
    expect(other.settings.warnings()).toEqual([
      'These settings cannot be opened with the current data key: CLOUDONE_API_SECRET. Put the right key back, or enter them again.',
    ]);
    const elsewhere = { changes: { CLOUDONE_API_URL: 'https://collector.example' } };
    expect((await other.call('PUT', '/admin/settings', elsewhere)).status).toBe(422);
    await other.stop();
  });

  it('that the gateway makes by itself keep it from starting with no data key', async () => {
    await change({ TELEPHONY_INBOUND_SECRET: SECRET });
    const other = await startSettings({ folder: room.folder, dataKey: Buffer.alloc(32, 8) });
    expect(other.settings.get('TELEPHONY_INBOUND_SECRET')).toBeNull();
    await other.stop();
  });

  it('are not sent to another address: with a new one they are entered again', async () => {
    const secrets = { CLOUDONE_API_KEY: 'key', CLOUDONE_API_SECRET: SECRET };
    const elsewhere = { CLOUDONE_API_URL: 'https://collector.example' };
    await change(secrets);
    for (const changes of [elsewhere, { ...elsewhere, CLOUDONE_API_KEY: 'key' }]) {
      const answer = await change(changes);
      expect([answer.status, answer.body.detail]).toEqual([422, ERRORS.secrets_elsewhere.sentence]);
    }
    expect(valueOf(room, 'CLOUDONE_API_URL')).toBeNull();
    expect((await change({ ...elsewhere, ...secrets })).status).toBe(200);
    expect((await change({ CLOUDONE_API_URL: null })).status).toBe(200);
  });

  it('do not count as changed when the same value is sent again', async () => {
    await change({ CLOUDONE_API_SECRET: SECRET });
    expect((await change({ CLOUDONE_API_SECRET: SECRET })).body.changed).toBe(false);
  });
});

describe('trying a provider', () => {
  const validate = (body: unknown): Promise<Answer> => room.call('POST', '/admin/settings/validate', body);

  it('uses the given values over the saved ones and saves nothing', async () => {
    await change({ CLOUDONE_API_KEY: 'saved-key', CLOUDONE_API_SECRET: 'saved-secret' });
    const answer = await validate({ provider: 'cloudone', settings: { CLOUDONE_API_KEY: 'new-key' } });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.detail)).toEqual(['cloudone', 'new-key', 'saved-secret', null]);
    expect(valueOf(room, 'CLOUDONE_API_KEY')).toBe('saved-key');
    expect(room.settings.snapshot().generation).toBe(2);
  });

  it('does not send saved credentials to another address than the saved', async () => {
    await change({ CLOUDONE_API_KEY: 'saved-key', CLOUDONE_API_SECRET: 'saved-secret' });
    const settings = { CLOUDONE_API_URL: 'https://collector.example', CLOUDONE_API_KEY: 'sent-key' };
    const answer = await validate({ provider: 'cloudone', settings });
    expect(JSON.parse(answer.body.detail)).toEqual([
      'cloudone',
      'sent-key',
      null,
      'https://collector.example',
    ]);
  });

  it('refuses unknown providers, names and values', async () => {
    expectInvalid(await validate({ provider: 'other' }), ['body', 'provider']);
    expectInvalid(await validate({ provider: 'sip', settings: { NOPE: 1 } }), ['body', 'settings', 'NOPE']);
    expectInvalid(await validate({ provider: 'sip', more: 1 }), ['body']);
    const bad = { CLOUDONE_API_URL: 'http://collector.example' };
    expectInvalid(await validate({ provider: 'cloudone', settings: bad }), [
      'body',
      'settings',
      'CLOUDONE_API_URL',
    ]);
  });
});

describe('the recovery copy', () => {
  it('is written owner-only with sealed secrets, and its route says that it goes away', async () => {
    await change({ MAX_FILE_SIZE_MB: 30, CLOUDONE_API_KEY: 'key' });
    const answer = await room.call('POST', '/admin/settings/persist');
    expect(answer.body).toEqual({ ok: true, file: 'settings-recovery.json' });
    expect(answer.headers.get('deprecation')).toBe('true');
    expect(answer.headers.get('link')).toBe('</admin/settings>; rel="successor-version"');
    const path = join(room.folder, 'settings-recovery.json');
    const copy = JSON.parse(await readFile(path, 'utf8'));
    expect(copy).toMatchObject({
      generation: 2,
      settings: { MAX_FILE_SIZE_MB: 30, CLOUDONE_API_KEY: { sealed: expect.stringMatching(/^v1\./u) } },
    });
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});
