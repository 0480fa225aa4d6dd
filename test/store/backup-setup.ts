import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalStorage } from '../../server/adapters/storage/local.ts';
import type { Storage } from '../../server/adapters/storage/port.ts';
import { type BackupSource, createBackup } from '../../server/backup/create-backup.ts';
import { backupSource } from '../../server/backup/installation.ts';
import { type RestoreTarget, restoreBackup } from '../../server/backup/restore-backup.ts';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrator.ts';
import type { FaxJobTable } from '../../server/db/schema/outbound.ts';
import { type RestoredFaxes, settleRestored } from '../../server/features/outbound/offline.ts';
import { joinRestored } from '../../server/features/storage/offline.ts';
import { isoTime } from '../../server/platform/clock.ts';
import { createPostgresDatabase, dropPostgresDatabase } from '../setup/postgres.ts';

export const NOW = Date.UTC(2025, 2, 4, 12, 0, 0);
export const RELEASE = '0.1.0';
const clock = { now: () => NOW };

/** A data folder with its store. */
export interface Installation {
  readonly folder: string;
  readonly postgresUrl: string | null;
  readonly db: Database;
  readonly storage: Storage;
  close(): Promise<void>;
  remove(): Promise<void>;
}

/** An empty data folder, and an empty database when `postgres` is the address of a server. */
export async function emptyLocation(postgres: string | null) {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-backup-'));
  const postgresUrl = postgres === null ? null : await createPostgresDatabase(postgres);
  const remove = async () => {
    await rm(folder, { recursive: true, force: true });
    if (postgresUrl) await dropPostgresDatabase(postgresUrl);
  };
  return { folder, postgresUrl, remove };
}

export async function open(location: Awaited<ReturnType<typeof emptyLocation>>): Promise<Installation> {
  const { folder, postgresUrl } = location;
  const db = openDatabase({ postgresUrl, sqliteFile: join(folder, 'faxdesk.sqlite') });
  await migrate(db.unrestricted as never);
  const storage = await createLocalStorage(join(folder, 'files'));
  let closed: Promise<void> | null = null;
  const close = () => (closed ??= db.close());
  return {
    ...location,
    db,
    storage,
    close,
    remove: async () => {
      await close();
      await location.remove();
    },
  };
}

/** A migrated installation with key files and one fax of each of the states, `fax-<state>`. */
export async function makeInstallation(postgres: string | null): Promise<Installation> {
  const installation = await open(await emptyLocation(postgres));
  const { folder, db, storage } = installation;
  await writeFile(join(folder, 'data.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
  await writeFile(join(folder, 'installation.key'), 'installation-key\n');
  await mkdir(join(folder, 'https'));
  await writeFile(join(folder, 'https/root.sealed'), 'the sealed root\n');
  for (const state of ['held', 'ready', 'preparing', 'submitting', 'in_progress', 'success'] as const) {
    await storage.write(`fax/fax-${state}.pdf`, Buffer.from(`%PDF of ${state}`));
    await addFax(db, { id: `fax-${state}`, delivery_state: state, artifact: `fax/fax-${state}.pdf` });
  }
  return installation;
}

export async function addFax(db: Database, facts: Partial<FaxJobTable> & { id: string }): Promise<void> {
  const row: FaxJobTable = {
    to_number: '+15551230000',
    delivery_state: 'ready',
    dispatch_mode: 'normal',
    delivery_version: 3,
    reconciliation_reason: null,
    error: null,
    backend: 'cloudone',
    provider_sid: null,
    pages: null,
    created_at: isoTime(NOW),
    updated_at: isoTime(NOW),
    document_name: 'Brief – “Ärzte” 📠\n.pdf',
    document_media_type: 'application/pdf',
    document_sha256: '0'.repeat(64),
    document_size: 12,
    document_pages: 1,
    artifact: null,
    plan_steps: 1,
    subject: null,
    reference: null,
    document_type: null,
    described_at: null,
    plan: 'v1.sealed',
    account_id: 'a',
    queue_only: 0,
    send_now: 0,
    urgent: 0,
    send_by_call: 0,
    resend_of: null,
    answers: null,
    tried_again_as: null,
    automatic_tries: 0,
    case_id: null,
    cover: null,
    broadcast_id: null,
    packet: null,
    page_edits: null,
    mailbox_id: null,
    created_by: 'p',
    created_by_name: 'P',
    header_name: null,
    delivered_by: null,
    decided_by_name: null,
    decided_note: null,
    ask_again_at: null,
    call_seconds: null,
    source_digest: null,
    held_reason: null,
    arrival_warning: null,
    arrival_proved: 0,
    over_limit: 0,
    send_at: null,
    send_by: null,
    send_when: 'now',
    hours_at: null,
    hours_reason: null,
    waits_for: null,
    together_at: null,
    route_id: null,
    route_name: null,
    route_reason: null,
    clean_greys: 0,
    kind: 'fax',
    page_form: 'automatic',
    encoded_mode: null,
    encoded_sha256: null,
    encoded_size: null,
    encoded_pages: null,
    encoded_seconds: null,
    titles: '[]',
    search_text: 'letter.pdf',
    test: 0,
    ...facts,
  };
  const kind = row.send_at === null ? 'fax.dispatch' : 'fax.wait';
  const dispatch = { id: `job-${facts.id}`, kind, key: `${kind}:${facts.id}` };
  const claimed = row.delivery_state !== 'ready';
  await db.transaction(async (tx) => {
    await tx.insertInto('fax_job').values(row).execute();
    const attempt = { id: `attempt-${row.id}`, job_id: row.id, number: 1, phase: 'submitting' as const };
    const unknown = {
      provider_sid: null,
      submitted_at: null,
      completed_at: null,
      pages_sent: null,
      seconds: null,
    };
    const step = {
      step: 1,
      transport: 'provider',
      backend: 'cloudone',
      callback_result: null,
      waiting_since: null,
      retry_at: null,
      ends_here: 0,
    } as const;
    const rest = {
      ...step,
      provider_account: 'a',
      rate_bps: null,
      error_category: null,
      failure_code: null,
      callback_url: null,
    };
    if (row.delivery_state === 'submitting')
      await tx
        .insertInto('fax_attempt')
        .values({ ...attempt, ...unknown, ...rest })
        .execute();
    if (!['ready', 'preparing', 'submitting'].includes(row.delivery_state)) return;
    await tx
      .insertInto('job')
      .values({
        ...dispatch,
        payload: JSON.stringify({ job_id: row.id, step: 1 }),
        priority: 100,
        run_at: NOW,
        attempts: 1,
        locked_by: claimed ? 'w' : null,
        locked_until: claimed ? NOW + 60_000 : null,
        last_error: null,
      })
      .execute();
  });
}

async function sourceOf({ folder, postgresUrl, storage }: Installation): Promise<BackupSource> {
  const source = await backupSource({ dataFolder: folder, databaseUrl: postgresUrl, dataKey: null });
  return { ...source, storage };
}

/** Makes a backup in a folder of its own, removed by the caller. */
export async function backUp(
  installation: Installation,
  file: string,
  more: { recipients?: readonly Uint8Array[] } = {},
) {
  await mkdir(join(file, '..'), { recursive: true });
  return createBackup(await sourceOf(installation), file, {
    release: RELEASE,
    clock,
    recipients: [],
    ...more,
  });
}

/** Writes the backup of an installation that is gone then. */
export async function makeBackup(file: string): Promise<void> {
  const installation = await makeInstallation(null);
  await backUp(installation, file);
  await installation.remove();
}

export function restore(
  file: string,
  target: Partial<RestoreTarget> & { dataFolder: string },
  release = RELEASE,
) {
  return restoreBackup<RestoredFaxes>(
    file,
    { postgresUrl: null, replace: false, fixedDataKey: null, identities: null, ...target },
    { release, clock, settle: (tx) => settleRestored(tx, isoTime(NOW)), join: joinRestored },
  );
}
