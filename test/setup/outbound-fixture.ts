import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalStorage } from '../../server/adapters/storage/local.ts';
import type { Storage } from '../../server/adapters/storage/port.ts';
import type { FaxJobTable } from '../../server/db/schema/outbound.ts';
import type { Documents } from '../../server/documents/documents.ts';
import { defineDispatch } from '../../server/features/outbound/dispatch/dispatch.ts';
import { defineWait } from '../../server/features/outbound/dispatch/timing.ts';
import { definePoll } from '../../server/features/outbound/outcome/poll.ts';
import type { OutboundSettings } from '../../server/features/outbound/parts.ts';
import { capturePlan, openStep, sealPlan } from '../../server/features/outbound/plan/plan.ts';
import { planSending } from '../../server/features/outbound/queue/send-later.ts';
import { togetherAt } from '../../server/features/outbound/queue/together.ts';
import { readFax } from '../../server/features/outbound/record/record.ts';
import { listHistory } from '../../server/features/outbound/store/history-store.ts';
import { insertJob } from '../../server/features/outbound/store/job-store.ts';
import type { Fax } from '../../server/features/outbound/transition/fact.ts';
import type { JobRow } from '../../server/features/outbound/types.ts';
import type { JobDefinition } from '../../server/jobs/define-job.ts';
import { createQueue } from '../../server/jobs/queue.ts';
import { createWorker, type Worker } from '../../server/jobs/worker.ts';
import { ManualClock, SECOND } from './manual-clock.ts';
import { outboundParts, type SharedParts } from './outbound-parts.ts';
import { faxRow } from './outbound-rows.ts';
import { ScriptedTransports } from './scripted-transports.ts';
import type { TestStore } from './stores.ts';

/** The background work of sent faxes on one database, as one process does it. */
interface OutboundProcess {
  readonly parts: SharedParts;
  readonly worker: Worker;
}

/** Sent faxes on a store without a gateway: their transports are scripted, and what several are sent as names the faxes in it. */
export class OutboundFixture {
  readonly clock = new ManualClock();
  readonly transports = new ScriptedTransports();
  readonly store: TestStore;
  readonly folder: string;
  readonly #storage: Storage;
  main: OutboundProcess;

  constructor(given: { store: TestStore; folder: string; storage: Storage }) {
    this.store = given.store;
    this.folder = given.folder;
    this.#storage = given.storage;
    this.main = this.process(given.store.db);
  }

  process(db: TestStore['db'], settings: Partial<OutboundSettings> = {}): OutboundProcess {
    const { store, folder, clock, transports } = this;
    const queue = createQueue(db, clock);
    const parts = outboundParts({
      store,
      db,
      storage: this.#storage,
      folder,
      clock,
      queue,
      transports,
      settings,
      documents: namingDocuments(),
    });
    const definitions = [
      defineDispatch(parts),
      defineWait(parts),
      definePoll(parts),
    ] as unknown as JobDefinition<never>[];
    return { parts, worker: createWorker({ db, queue, clock, logger: parts.logger, definitions }) };
  }

  async work(by = this.main): Promise<void> {
    await by.worker.processAll();
  }

  /** Accepts a fax of a number that sends them together within `minutes`; without them it waits for no other. */
  async accept(to: string, given: Partial<FaxJobTable> = {}, minutes: number | null = null): Promise<JobRow> {
    const { parts } = this.main;
    const { id } = faxRow();
    const plan = await capturePlan(parts, { to, byCall: false, preferredRoute: null }, null);
    const content = Buffer.from(`<${id}>`.repeat(given.document_pages ?? 1));
    const artifact = `fax/${id}.pdf`;
    await this.#storage.write(artifact, content);
    const job = faxRow({
      id,
      to_number: to,
      artifact,
      created_at: new Date(this.clock.now()).toISOString(),
      document_sha256: createHash('sha256').update(content).digest('hex'),
      document_size: content.length,
      plan: sealPlan(parts.seal, id, plan),
      plan_steps: plan.steps.length,
      account_id: 'account 1',
      ...given,
    });
    const accepted = await this.store.db.transaction(async (tx) => {
      const now = this.clock.now();
      const together_at = minutes === null ? null : await togetherAt(tx, job, { minutes, now });
      const row = { ...job, together_at };
      await insertJob(tx, row);
      await planSending(parts, tx, row, null);
      return row;
    });
    this.clock.advance(SECOND);
    return accepted;
  }

  /** Gives each fax a second step like its first. */
  async planTwoSteps(faxes: readonly JobRow[]): Promise<void> {
    const { seal, settings } = this.main.parts;
    await this.store.db.transaction(async (tx) => {
      for (const job of faxes) {
        const step = openStep(seal, job, 1);
        const { backend } = job;
        const two = { steps: [step, step], backend, configuration: settings.configuration() };
        const plan = sealPlan(seal, job.id, two);
        await tx.updateTable('fax_job').set({ plan, plan_steps: 2 }).where('id', '=', job.id).execute();
      }
    });
  }

  async fax({ id }: Pick<JobRow, 'id'>): Promise<Fax> {
    const fax = await readFax(this.store.db.read, id);
    if (!fax) throw new Error('the fax is gone');
    return fax;
  }

  async stateOf(job: JobRow): Promise<JobRow['delivery_state']> {
    return (await this.fax(job)).job.delivery_state;
  }

  async historyOf({ id }: JobRow): Promise<string[]> {
    return (await listHistory(this.store.db.read, id)).map(({ text }) => text);
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

export async function openOutboundFixture(store: TestStore): Promise<OutboundFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-desk-'));
  return new OutboundFixture({ store, folder, storage: await createLocalStorage(folder) });
}

/** A page is the id of its fax in angle brackets, but for the list; documents are put together one after the other. */
function namingDocuments(): Documents {
  const prepare: Documents['prepare'] = async (sources, outputPath) => {
    const contents = await Promise.all(
      sources.map(async (source) => ('bytes' in source ? source.bytes : readFile(source.path))),
    );
    const whole = Buffer.concat(contents);
    await writeFile(outputPath, whole);
    return {
      path: outputPath,
      isUpload: false,
      sha256: createHash('sha256').update(whole).digest('hex'),
      sizeBytes: whole.length,
      pages: 1 + whole.toString().split('<').length - 1,
      mediaType: 'application/pdf',
      sourceMediaType: 'application/pdf',
    };
  };
  const listPage: Documents['listPage'] = async ({ rows }) => Buffer.from(`list of ${rows.length} `);
  return { prepare, listPage } as unknown as Documents;
}
