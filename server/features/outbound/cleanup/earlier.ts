import type { WriteTx } from '../../../db/database.ts';
import type { FaxNumberTable } from '../../../db/schema/outbound.ts';
import { epochOf } from '../../../platform/clock.ts';
import { NO_ABOUT } from '../../../platform/fax-about.ts';
import { derivedId } from '../../../platform/ids.ts';
import type { Seal } from '../../../platform/seal.ts';
import { searchTextOf } from '../../../platform/search-text.ts';
import { sealPlan } from '../plan/plan.ts';
import { addNumberUses, type EarlierHistory, insertEarlierJobs } from '../store/earlier-store.ts';
import { NOT_ENCODED } from '../transmitted-pages.ts';
import type { EarlierFax, JobRow } from '../types.ts';

/** In place of a sender, whom no earlier release recorded. */
const SENDER = { created_by: 'earlier-release', created_by_name: 'Earlier release' } as const;
const ACTOR = 'Earlier release';
const ADVICE = 'Check with the recipient, then decide.';

/** Values of the columns that no earlier release had. */
const UNRECORDED = {
  kind: 'fax',
  delivery_version: 1,
  plan_steps: 0,
  account_id: '',
  route_id: null,
  route_name: null,
  route_reason: null,
  queue_only: 0,
  send_now: 0,
  urgent: 0,
  send_by_call: 0,
  resend_of: null,
  answers: null,
  tried_again_as: null,
  automatic_tries: 0,
  case_id: null,
  broadcast_id: null,
  packet: null,
  cover: null,
  page_edits: null,
  mailbox_id: null,
  header_name: null,
  delivered_by: null,
  decided_by_name: null,
  decided_note: null,
  ask_again_at: null,
  call_seconds: null,
  source_digest: null,
  send_at: null,
  send_by: null,
  send_when: 'now',
  hours_at: null,
  hours_reason: null,
  waits_for: null,
  held_reason: null,
  arrival_warning: null,
  arrival_proved: 0,
  over_limit: 0,
  together_at: null,
  clean_greys: 0,
  page_form: 'automatic',
  ...NOT_ENCODED,
  test: 0,
  titles: '[]',
  ...NO_ABOUT,
  described_at: null,
} as const;

/**
 * Adds sent faxes of an earlier release, none of which is there yet. Nothing about them is queued: a fax without a record
 * of its outcome waits for a person, and no attempt and no cost is made up for it.
 */
export async function addEarlierFaxes(tx: WriteTx, seal: Seal, faxes: readonly EarlierFax[]): Promise<void> {
  await insertEarlierJobs(
    tx,
    faxes.map((fax) => rowOf(seal, fax)),
    faxes.flatMap(historyOf),
  );
  await addNumberUses(tx, usesOf(faxes));
}

function rowOf(seal: Seal, fax: EarlierFax): JobRow {
  const { id, backend, document } = fax;
  const plan = { steps: [], backend, configuration: { revisionId: '', generation: 0 } };
  return {
    ...UNRECORDED,
    ...SENDER,
    id,
    to_number: fax.to,
    delivery_state: fax.isDelivered ? 'success' : 'reconciliation_required',
    dispatch_mode: 'legacy',
    reconciliation_reason: fax.isDelivered ? null : `${reasonOf(fax)} ${ADVICE}`,
    error: fax.error,
    backend,
    provider_sid: fax.providerId,
    pages: fax.pages,
    created_at: fax.createdAt,
    updated_at: fax.updatedAt,
    document_name: fax.fileName,
    document_media_type: 'application/pdf',
    document_sha256: document?.sha256 ?? '',
    document_size: document?.sizeBytes ?? 0,
    document_pages: document?.pages ?? fax.pages ?? 0,
    artifact: document?.name ?? null,
    plan: sealPlan(seal, id, plan),
    search_text: searchTextOf([fax.to, fax.fileName]),
  };
}

/** The state as the earlier release wrote it, which proves nothing. */
function reasonOf({ status, error }: EarlierFax): string {
  const said = error === null ? '' : ` with the message “${error}”`;
  return `The earlier release left this fax as “${status}”${said}, without a record that shows whether it was sent.`;
}

function historyOf(fax: EarlierFax): EarlierHistory[] {
  const { id, createdAt, updatedAt } = fax;
  const entry = (position: number, at: string, rest: Pick<EarlierHistory, 'kind' | 'text'>) => ({
    id: derivedId(epochOf(at), `history ${position} of ${id}`),
    job_id: id,
    position,
    occurred_at: at,
    actor: ACTOR,
    ...rest,
  });
  const asTyped = fax.toText === fax.to ? '' : ` to ${fax.toText}`;
  const accepted = { kind: 'accepted', text: `Accepted by an earlier release${asTyped}.` } as const;
  const outcome = fax.isDelivered
    ? ({ kind: 'success', text: `The earlier release recorded it as “${fax.status}”.` } as const)
    : ({ kind: 'reconciliation_required', text: reasonOf(fax) } as const);
  return [entry(1, createdAt, accepted), entry(2, updatedAt, outcome)];
}

/** Facts about the numbers, one entry for each. */
function usesOf(faxes: readonly EarlierFax[]): FaxNumberTable[] {
  const used = Map.groupBy(
    faxes.filter(({ isNumber }) => isNumber),
    ({ to }) => to,
  );
  return [...used].map(([to_number, ofNumber]) => ({
    to_number,
    uses: ofNumber.length,
    last_used_at:
      ofNumber
        .map(({ createdAt }) => createdAt)
        .sort()
        .at(-1) ?? '',
    last_success_at:
      ofNumber
        .filter(({ isDelivered }) => isDelivered)
        .map(({ updatedAt }) => updatedAt)
        .sort()
        .at(-1) ?? null,
  }));
}
