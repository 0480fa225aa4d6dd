import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type WriteTx } from '../../server/db/database.ts';
import { startChild } from './child.ts';
import { makeKey } from './fax-upload.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import { filledId, fillStore } from './fill-store.ts';
import type { GatewayReady } from './gateway-process.ts';
import { Load } from './load.ts';

const JOBS = 2_000;
const MAILBOXES = 50;
const GROUPS = 20;
const ROUNDS = 15;
const REQUESTS = 250;
const AT = '2026-11-21T08:00:00.000Z';
const JOB = 1_000;
/** Of one of the person's mailboxes, of none, and never sent. */
const VISIBLE = `/fax/${filledId(JOB)}`;
const HIDDEN = `/fax/${filledId(JOB + 1)}`;
const MISSING = `/fax/${filledId(JOBS + 1)}`;

/**
 * Compares the fax of a person with 50 grants in 20 groups with that of a caller who holds everything, and a hidden fax
 * with a missing one.
 */
export async function run(): Promise<Figure[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const where = { postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') };
  await fillStore(where, JOBS);
  const options = { dataFolder, environment: {} };
  const child = await startChild<GatewayReady>('gateway-process.ts', options);
  const load = new Load(child.ready.url, 1);
  try {
    const everything = await makeKey(load);
    const person = await makeKey(load);
    await giveGrants(where, person);
    const microseconds = (key: string, path: string, expect: number) => async () => {
      const shot = { method: 'GET', path, headers: { 'X-API-Key': key }, expect };
      return 1_000_000 / (await load.sendAll(REQUESTS, shot));
    };
    const list = [microseconds(person, '/fax', 200), microseconds(everything, '/fax', 200)];
    const seen = [microseconds(person, VISIBLE, 200), microseconds(everything, VISIBLE, 200)];
    const unseen = [microseconds(person, HIDDEN, 404), microseconds(person, MISSING, 404)];
    return [
      await compare('a fax for 50 grants in 20 groups', seen, { bar: 1.3, unit: 'of everything' }),
      await compare('a page of the list for them', list, { bar: 0, unit: 'of everything' }),
      await compare('a hidden fax', unseen, { bar: 0, unit: 'of a missing one' }),
    ];
  } finally {
    load.close();
    await child.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function compare(
  name: string,
  sides: readonly (() => Promise<number>)[],
  { bar, unit }: { bar: number; unit: string },
): Promise<Figure> {
  await measureInTurns(2, sides);
  const [measured = [], reference = []] = await measureInTurns(ROUNDS, sides);
  return {
    name,
    ratio: ratioOf(measured, reference),
    bar,
    atMost: bar > 0,
    unit,
    detail: `${median(measured).toFixed(0)} µs, the other ${median(reference).toFixed(0)} µs`,
  };
}

/** Takes what the key's principal holds on everything and gives it on mailboxes instead, through groups. */
async function giveGrants(where: Parameters<typeof openDatabase>[0], token: string): Promise<void> {
  const db = openDatabase(where);
  const keyId = token.split('_')[2] ?? '';
  try {
    await db.transaction(async (tx) => {
      const { principal_id } = await tx
        .selectFrom('api_key')
        .select('principal_id')
        .where('key_id', '=', keyId)
        .executeTakeFirstOrThrow();
      const { role_id } = await tx
        .selectFrom('assignment')
        .select('role_id')
        .where('subject_id', '=', principal_id)
        .executeTakeFirstOrThrow();
      await tx.deleteFrom('assignment').where('subject_id', '=', principal_id).execute();
      for (let n = 0; n < GROUPS; n += 1) await addGroup(tx, n, principal_id);
      for (let n = 0; n < MAILBOXES; n += 1) await addMailbox(tx, n, role_id);
      await tx
        .updateTable('policy')
        .set((eb) => ({ version: eb('version', '+', 1), revision: eb('revision', '+', 1) }))
        .execute();
    });
  } finally {
    await db.close();
  }
}

async function addGroup(tx: WriteTx, n: number, principal_id: string): Promise<void> {
  const id = `group-${n}`;
  const row = {
    id,
    name: id,
    description: '',
    enabled: 1,
    version: 1,
    created_at: AT,
    updated_at: AT,
  } as const;
  await tx.insertInto('principal_group').values(row).execute();
  const member = { id: `member-${n}`, group_id: id, principal_id, version: 1, created_at: AT };
  await tx.insertInto('group_member').values(member).execute();
}

async function addMailbox(tx: WriteTx, n: number, role_id: string): Promise<void> {
  const id = `mailbox-${n}`;
  const stamps = { version: 1, created_at: AT };
  await tx
    .insertInto('mailbox')
    .values({ id, label: id, enabled: 1, ...stamps, updated_at: AT })
    .execute();
  // Every second fax is in one of the mailboxes.
  const faxes = Array.from({ length: JOBS / MAILBOXES / 2 }, (_, i) => filledId(2 * (n + i * MAILBOXES)));
  await tx.updateTable('fax_job').set({ mailbox_id: id }).where('id', 'in', faxes).execute();
  const subject = { subject_kind: 'group', subject_id: `group-${n % GROUPS}` } as const;
  const row = { id: `grant-${n}`, ...subject, role_id, resource_id: `mailbox:${id}`, ...stamps };
  await tx.insertInto('assignment').values(row).execute();
}
