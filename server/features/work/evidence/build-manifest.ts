import { WORK_STATE_TEXT } from '../../../../shared/states/work.ts';
import type { FaxAbout } from '../../../platform/fax-about.ts';
import type { RecordedDelivery } from '../../intake/types.ts';
import type { PrintoutRow } from '../../print-rules/types.ts';
import type { HistoryRow, ItemRow } from '../types.ts';
import { stateOf } from '../work-state.ts';
import {
  type Acquisition,
  EVIDENCE_FILES,
  type EvidenceManifest,
  type ManifestDelivery,
  type ManifestItem,
  type ManifestPrintout,
  type MissingPart,
} from './manifest.ts';

type CarriedOriginal = NonNullable<EvidenceManifest['document']['carried_original']>;

/** Recorded facts of an item for the manifest. */
export interface EvidenceFacts {
  readonly item: ItemRow;
  /** Whole and in order. */
  readonly history: readonly HistoryRow[];
  readonly mailboxLabel: string | null;
  readonly about: FaxAbout;
  /** Names of the open ones. */
  readonly legalHolds: readonly string[];
  readonly document: {
    readonly sizeBytes: number | null;
    readonly mediaType: string | null;
    /** `file` is its name in an archive that contains it. */
    readonly carriedOriginal: (Omit<CarriedOriginal, 'file'> & { readonly file: string }) | null;
  };
  readonly acquisition: readonly Acquisition[];
  readonly deliveries: readonly RecordedDelivery[];
  readonly printouts: readonly PrintoutRow[];
  readonly missing: readonly MissingPart[];
}

/** Builds the manifest without its export. The same unchanged item gives the same result for every exporter. */
export function evidenceOf(facts: EvidenceFacts): Omit<EvidenceManifest, 'export'> {
  const { item, document, acquisition, missing } = facts;
  const history = snapshotOf(facts.history);
  const present = <F extends string>(file: F): F | null =>
    missing.some(({ part }) => part === file) ? null : file;
  const carried = document.carriedOriginal;
  return {
    item: itemPart(item, history, facts.mailboxLabel),
    about: facts.about,
    legal_holds: [...facts.legalHolds],
    document: {
      file: present(EVIDENCE_FILES.original),
      sha256: item.sha256,
      size_bytes: document.sizeBytes,
      pages: item.pages,
      media_type: document.mediaType,
      carried_original: carried && { ...carried, file: present(carried.file) },
    },
    acquisition: [...acquisition],
    email_delivery: facts.deliveries.map(deliveryPart),
    printouts: facts.printouts.map(printoutPart),
    history: history.map(({ item_id: _item, ...entry }) => entry),
    missing: [...missing],
  };
}

/**
 * The history up to the last change of the item. Archives that were made since are left out, since they change nothing of it;
 * earlier ones stay, so that the chain is whole.
 */
function snapshotOf(history: readonly HistoryRow[]): readonly HistoryRow[] {
  const last = history.findLastIndex(({ kind }) => kind !== 'exported');
  return history.slice(0, last + 1);
}

function deliveryPart({ item, recipients }: RecordedDelivery): ManifestDelivery {
  return {
    id: item.id,
    connector: { id: item.connector_id, name: item.connector_name },
    state: item.state,
    problem: item.problem,
    message_id: item.message_id,
    recorded_at: item.recorded_at,
    updated_at: item.updated_at,
    recipients: recipients.map(({ address, state, sentence, at }) => ({ address, state, sentence, at })),
  };
}

function printoutPart(row: PrintoutRow): ManifestPrintout {
  const { id, rule_id, rule_name, printer, state, problem } = row;
  const { submitted_at, printed_at, recorded_at, updated_at } = row;
  const rule = { id: rule_id, name: rule_name };
  return { id, rule, printer, state, problem, submitted_at, printed_at, recorded_at, updated_at };
}

function itemPart(item: ItemRow, history: readonly HistoryRow[], label: string | null): ManifestItem {
  const names = namesIn(history);
  const person = (id: string | null) =>
    id === null || id === '' ? null : { id, name: names.get(id) ?? 'unknown' };
  const state = stateOf(item.state_key);
  return {
    id: item.id,
    inbound_fax_id: item.inbound_fax_id,
    version: item.version,
    state,
    state_key: item.state_key,
    state_text: WORK_STATE_TEXT[item.state_key],
    mailbox: item.mailbox_id === null ? null : { id: item.mailbox_id, label },
    from_number: item.from_number,
    to_number: item.to_number,
    pages: item.pages,
    is_test: item.is_test === 1,
    available_at: item.available_at,
    updated_at: item.updated_at,
    duplicate_of: item.duplicate_of,
    due_at: item.due_at,
    due_hours: item.due_hours,
    due_source: item.due_source,
    awaited_until: item.awaited_until,
    missed_at: item.missed_at,
    owner: person(item.owner_id),
    assigned_at: item.assigned_at,
    acknowledged_by: person(item.acknowledged_by),
    acknowledged_at: item.acknowledged_at,
    escalated_to: person(item.escalated_to),
    escalated_at: item.escalated_at,
    done_by: person(item.done_by),
    done_at: item.done_at,
    done_note: item.done_note,
  };
}

/** People as the history knew them last, whatever they are called since. */
function namesIn(history: readonly HistoryRow[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { actor_id, actor, owner_id, owner } of history) {
    if (owner_id !== null && owner !== null) names.set(owner_id, owner);
    if (actor_id !== null) names.set(actor_id, actor);
  }
  return names;
}
