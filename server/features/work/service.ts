import type { z } from 'zod';
import type { WorkSettingsAnswer, WorkSettingsChange } from '../../../shared/api/work-settings.ts';
import type { WorkCounts, WorkHistory, WorkItemDetails, WorkNotes } from '../../../shared/api/work-shapes.ts';
import type { Permission } from '../../../shared/permissions.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Caller } from '../access/service.ts';
import { type ActRequest, act, actOnAll, assignees } from './acts.ts';
import { createWorkArchiving, type WorkArchiving } from './archived-items.ts';
import { type EvidenceDownload, type ExportRequest, exportEvidence } from './evidence/export-evidence.ts';
import { countWork, listWork, presentAll, type WorkPage, type WorkRequest } from './listing.ts';
import { changeSettings, readSettings } from './mailbox-settings.ts';
import { noteSentences } from './note-sentences.ts';
import { defineOverdue } from './overdue.ts';
import type { WorkEvents, WorkParts } from './parts.ts';
import { presentHistory, presentNotes, presentOwnerChange, type WorkItemAnswer } from './present.ts';
import { type Statistics, type WantedSpan, workStatistics } from './statistics.ts';
import { changedSince, listHistory } from './store/history-store.ts';
import { countByState, countInRange, findItem } from './store/item-store.ts';
import { overdueRange } from './store/list-key.ts';
import { type ItemRow, NOBODY, type Person } from './types.ts';
import { undo } from './undo.ts';
import { assertMay, mayReceiveItemEvents } from './visibility.ts';

/** The work queue. Refusals are WorkRefusalError. */
export function createWorkService(parts: WorkParts): WorkService {
  return new WorkService(parts);
}

export type { WorkService };

interface Seen {
  readonly id: string;
  readonly version: number;
}

class WorkService {
  readonly #parts: WorkParts;
  readonly #overdue: ReturnType<typeof defineOverdue>;
  readonly jobs: readonly JobDefinition<never>[];
  /** Revisions and removal for the room of archives. */
  readonly archiving: WorkArchiving;

  constructor(parts: WorkParts) {
    this.#parts = parts;
    this.archiving = createWorkArchiving(parts);
    this.#overdue = defineOverdue(parts);
    this.jobs = [this.#overdue.definition] as unknown as JobDefinition<never>[];
  }

  async plan(): Promise<void> {
    await this.#overdue.plan();
  }

  async list(caller: Caller, request: WorkRequest): Promise<WorkPage> {
    return listWork(this.#parts, caller, request);
  }

  /** All items, for figures. */
  countByState(): Promise<Record<string, number>> {
    return countByState(this.#parts.db.read);
  }

  /** Counts the open items past their due time, for figures. */
  countOverdue(): Promise<number> {
    return countInRange(this.#parts.db.read, overdueRange(isoTime(this.#parts.clock.now())));
  }

  async counts(caller: Caller): Promise<z.infer<typeof WorkCounts>> {
    return countWork(this.#parts, caller);
  }

  async get(caller: Caller, id: string): Promise<z.infer<typeof WorkItemDetails>> {
    const row = await this.#find(caller, 'work:read', id);
    const history = await listHistory(this.#parts.db.read, id);
    return {
      ...(await this.#present(caller, row)),
      owner_can_see: await this.#canOwnerSee(row),
      notes: presentNotes(history),
      owner_change: presentOwnerChange(history, caller.principal.id),
    };
  }

  /** Returns true when there is such an item, and the caller may receive events about it. */
  async mayReceiveEvents(caller: Caller, id: string): Promise<boolean> {
    const row = await findItem(this.#parts.db.read, id);
    return row !== undefined && mayReceiveItemEvents(caller, row);
  }

  async history(caller: Caller, id: string): Promise<z.infer<typeof WorkHistory>> {
    await this.#find(caller, 'work:read', id);
    return presentHistory(await listHistory(this.#parts.db.read, id));
  }

  /** Lists the people who can own the item, by name. */
  async assignees(caller: Caller, id: string): Promise<Person[]> {
    const row = await this.#find(caller, 'work:manage', id);
    return assignees(this.#parts, this.#parts.db.read, row);
  }

  async act(caller: Caller, seen: Seen, order: ActRequest): Promise<WorkItemAnswer> {
    return this.#present(caller, await act(this.#parts, caller, seen, order));
  }

  /** Does it to all of the items, or to none. */
  async actOnAll(caller: Caller, items: readonly Seen[], order: ActRequest): Promise<WorkItemAnswer[]> {
    return presentAll(this.#parts, caller, await actOnAll(this.#parts, caller, items, order));
  }

  /** Sentences for the note of a finished item. */
  async noteSentences(caller: Caller): Promise<z.infer<typeof WorkNotes>> {
    return noteSentences(this.#parts, caller);
  }

  /** The evidence archive of an item, which its history then names. */
  async export(request: ExportRequest, id: string): Promise<EvidenceDownload> {
    return exportEvidence(this.#parts, request, id);
  }

  /** Takes back what the caller did to the item last. */
  async undo(caller: Caller, seen: Seen): Promise<WorkItemAnswer> {
    return this.#present(caller, await undo(this.#parts, caller, seen));
  }

  async settings(): Promise<z.infer<typeof WorkSettingsAnswer>> {
    return readSettings(this.#parts);
  }

  async changeSettings(
    caller: Caller,
    { mailboxes }: z.infer<typeof WorkSettingsChange>,
  ): Promise<z.infer<typeof WorkSettingsAnswer>> {
    return changeSettings(this.#parts, caller, mailboxes);
  }

  /** Throws 400 for a span that is empty or too long. */
  async statistics(span: WantedSpan): Promise<Statistics> {
    return workStatistics(this.#parts, span);
  }

  /** Lists the items that any gateway on the store changed after an entry of a history. */
  async changedSince(entryId: string, limit: number): Promise<WorkEvents['work.changed'][]> {
    return changedSince(this.#parts.db.read, entryId, limit);
  }

  async #canOwnerSee(row: ItemRow): Promise<boolean | null> {
    if (row.owner_id === NOBODY) return null;
    const people = await assignees(this.#parts, this.#parts.db.read, row);
    return people.some(({ id }) => id === row.owner_id);
  }

  async #find(caller: Caller, permission: Permission, id: string): Promise<ItemRow> {
    return assertMay(caller, permission, await findItem(this.#parts.db.read, id));
  }

  async #present(caller: Caller, row: ItemRow): Promise<WorkItemAnswer> {
    const [answer] = await presentAll(this.#parts, caller, [row]);
    if (!answer) throw new Error('a work item was not presented');
    return answer;
  }
}
