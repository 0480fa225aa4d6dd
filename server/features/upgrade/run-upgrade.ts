import type { Database, WriteTx } from '../../db/database.ts';
import { type Clock, epochOf, isoTime } from '../../platform/clock.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { newId } from '../../platform/ids.ts';
import type { EarlierEnvironment } from '../settings/types.ts';
import type { EarlierFiles } from './files.ts';
import { moveKeys, moveMailboxes, moveRules } from './move-access.ts';
import { moveNotifications, moveReceived } from './move-received.ts';
import { moveSent } from './move-sent.ts';
import { moveSettings } from './move-settings.ts';
import type { PartContext } from './parts.ts';
import type { Takers } from './port.ts';
import { createRecorder, type OnProgress } from './recorder.ts';
import { type EarlierStore, findRun, insertRun, listNotes } from './store.ts';
import {
  UPGRADE_PARTS,
  type UpgradeNote,
  type UpgradePart,
  type UpgradeReport,
  type UpgradeRun,
} from './types.ts';

/** Tables of an earlier release, each with the columns without which nothing of it can be read. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  fax_jobs: ['id', 'to_number', 'status', 'backend', 'created_at'],
  api_keys: ['key_id', 'key_hash', 'scopes'],
  inbound_faxes: ['id', 'status', 'backend', 'received_at'],
  mailboxes: ['id', 'label'],
  inbound_rules: ['id', 'to_number', 'mailbox_label'],
  inbound_events: ['id', 'provider_sid', 'event_type'],
};
/** Days before the upgrade from which on received documents may still have to be read. */
const OPEN_DAYS = 7;
const DAY_MS = 24 * 3_600_000;
/** Lines that a report has at once. */
const SHOWN_NOTES = 200;

/** Thrown when what was named is not an installation of an earlier release. The message is one sentence for a person. */
class NoEarlierReleaseError extends Error {
  override name = 'NoEarlierReleaseError';
}

interface UpgradeParts {
  /** The store of this installation; a dry run only reads it. */
  readonly db: Database;
  readonly clock: Clock;
  readonly earlier: EarlierStore;
  readonly files: EarlierFiles;
  readonly takers: Takers;
  readonly environment: EarlierEnvironment | null;
  readonly onProgress: OnProgress;
  /** Makes a backup; called once, before anything is changed. */
  readonly beforeFirstChange: () => Promise<void>;
  /** Records the finished upgrade in the audit, with its lines. */
  readonly recordInAudit: (tx: WriteTx, run: UpgradeRun) => Promise<void>;
}

interface UpgradeRequest {
  /** Database and folder in words, without a password. */
  readonly source: string;
  readonly files: string;
  readonly isDryRun: boolean;
}

/**
 * Moves an installation of an earlier release over. It continues where an interrupted one ended, and adds nothing that is
 * there already. Throws NoEarlierReleaseError.
 */
export async function runUpgrade(parts: UpgradeParts, request: UpgradeRequest): Promise<UpgradeReport> {
  const { db, clock } = parts;
  const { isDryRun } = request;
  await assertEarlierRelease(parts.earlier);
  const sourceMark = await markOf(parts.earlier, request);
  const before = await findRun(db.read, sourceMark);
  if (before !== null && before.finishedAt !== null)
    return reportOf(parts, before, { isDryRun, isRepeated: true });
  const begun = before ?? newRun(request, sourceMark, isoTime(clock.now()));
  if (before === null && !isDryRun) {
    await parts.beforeFirstChange();
    await db.transaction((tx) => insertRun(tx, begun));
  }
  const recorder = createRecorder(
    isDryRun ? null : db,
    isDryRun ? newRun(request, sourceMark, begun.startedAt) : begun,
  );
  const context: PartContext = {
    ...parts,
    recorder,
    isDryRun,
    country: parts.environment?.country ?? 'US',
    upgradedAt: begun.startedAt,
    openSince: isoTime(epochOf(begun.startedAt) - OPEN_DAYS * DAY_MS),
  };
  while (recorder.run.part !== 'summary') await STEPS[recorder.run.part](context);
  if (isDryRun) return dryReport(context);
  await addSummary(context);
  await recorder.finish(isoTime(clock.now()), parts.recordInAudit);
  return reportOf(parts, recorder.run, { isDryRun, isRepeated: false });
}

const STEPS: Readonly<Record<Exclude<UpgradePart, 'summary'>, (context: PartContext) => Promise<void>>> = {
  settings: moveSettings,
  mailboxes: moveMailboxes,
  rules: moveRules,
  keys: moveKeys,
  received: moveReceived,
  notifications: moveNotifications,
  sent: moveSent,
};

async function assertEarlierRelease(earlier: EarlierStore): Promise<void> {
  for (const [table, needed] of Object.entries(TABLES)) {
    const columns = await earlier.columns(table);
    const missing = needed.filter((name) => !columns.has(name));
    if (table === 'fax_jobs' && columns.size === 0)
      throw new NoEarlierReleaseError(
        'That database is not one of an earlier release: it has no table fax_jobs. Nothing was changed.',
      );
    if (columns.size > 0 && missing.length > 0)
      throw new NoEarlierReleaseError(
        `That database is not one of an earlier release: its table ${table} has no ${missing.join(' and no ')}. Nothing was changed.`,
      );
  }
}

/** Identifies the source with what is in it: after a change it is another one, and what is new is moved over. */
async function markOf(earlier: EarlierStore, { source }: UpgradeRequest): Promise<string> {
  const counts: [string, number][] = [];
  for (const table of Object.keys(TABLES)) counts.push([table, await earlier.count(table)]);
  return sha256Hex(JSON.stringify([source, counts]));
}

function newRun({ source, files }: UpgradeRequest, sourceMark: string, startedAt: string): UpgradeRun {
  const [part] = UPGRADE_PARTS;
  const begun = { part, after: null, counts: {}, notes: 0 };
  return { id: newId(), sourceMark, source, files, startedAt, finishedAt: null, ...begun };
}

/** The line about faxes that a person has to confirm: each has its own reason, and a list of its own in the console. */
function summaryNotes({ recorder }: PartContext): UpgradeNote[] {
  const count = recorder.run.counts['sent_unconfirmed'] ?? 0;
  if (count === 0) return [];
  const faxes = count === 1 ? '1 sent fax has' : `${count} sent faxes have`;
  const text = `${faxes} no record of their outcome. Each is listed under Sent and needs confirmation; none is sent again.`;
  return [{ kind: 'unconfirmed', subjectId: null, text: count === 1 ? text.replace('their', 'its') : text }];
}

async function addSummary(context: PartContext): Promise<void> {
  const notes = summaryNotes(context);
  // The key says that the line is there, should the end be interrupted.
  if (context.recorder.run.after === 'summarized') return;
  await context.recorder.commit('summary', { counts: {}, notes, after: 'summarized' });
}

function dryReport(context: PartContext): UpgradeReport {
  const { run, notes } = context.recorder;
  const all = [...notes, ...summaryNotes(context)];
  return {
    ...shownRun(run),
    dryRun: true,
    isRepeated: false,
    noteCount: all.length,
    notes: all,
  };
}

function shownRun({ id, source, files, startedAt, finishedAt, counts }: UpgradeRun) {
  return { id, source, files, startedAt, finishedAt, counts };
}

/** Returns the report of a finished upgrade, with its first lines. */
export async function reportOf(
  { db }: Pick<UpgradeParts, 'db'>,
  run: UpgradeRun,
  { isDryRun, isRepeated }: { isDryRun: boolean; isRepeated: boolean },
): Promise<UpgradeReport> {
  const notes = await listNotes(db.read, run.id, { after: 0, limit: SHOWN_NOTES });
  return { ...shownRun(run), dryRun: isDryRun, isRepeated, noteCount: run.notes, notes };
}
