import type { WriteTx } from '../../server/db/database.ts';
import type { PrincipalTable } from '../../server/db/schema/access.ts';
import { holders } from '../../server/features/access/store/grants.ts';
import { createSecurityAudit } from '../../server/features/audit/service.ts';
import { createWork, type WorkEvents, type WorkRoom } from '../../server/features/work/room.ts';
import type { ItemRow } from '../../server/features/work/types.ts';
import { createQueue } from '../../server/jobs/queue.ts';
import { isoTime } from '../../server/platform/clock.ts';
import { createEventBus } from '../../server/platform/events.ts';
import { newId } from '../../server/platform/ids.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { inboundRow } from './inbound-rows.ts';
import { ManualClock } from './manual-clock.ts';
import type { TestStore } from './stores.ts';

export const WORK_SEAL = createSeal(Buffer.alloc(32, 7));
const AT = '2026-11-21T08:00:00.000Z';

const refuse = () => Promise.reject(new Error('nothing is exported here'));
/** `test/store/work-export.test.ts` has what exports need. */
const NO_EXPORTS = {
  signing: { signer: refuse },
  inbound: {
    recorded: refuse,
    openStored: refuse,
    about: { ofFaxes: async () => new Map(), find: async () => [] },
    incomplete: { textsByFax: async () => new Map(), count: async () => 0 },
    junkAmong: async () => new Set<string>(),
    recoveredOriginal: async () => null,
    undoJunk: refuse,
  },
  mail: { deliveriesOf: refuse },
  prints: { printoutsOf: refuse },
  imports: { find: refuse },
  overdue: { passed: async () => undefined },
  noteDocumentRead: refuse,
  contacts: { namesOf: async () => new Map(), findNumbers: async () => [] },
};

/** The room of the work queue on a real database, without a gateway. */
export class WorkProcess {
  readonly store: TestStore;
  readonly clock = new ManualClock();
  readonly room: WorkRoom;
  /** The target of the installation. */
  hours = 0;
  /** Called before the holders of permissions are queried; a test makes it throw. */
  beforeHolders: () => void = () => undefined;

  /** On a database of its own connection where `again`, as another gateway has it. */
  constructor(store: TestStore, again = false) {
    this.store = store;
    const db = again ? store.connectAgain() : store.db;
    const { clock } = this;
    const settings = { get: () => this.hours } as unknown as Parameters<typeof createWork>[0]['settings'];
    this.room = createWork({
      db,
      clock,
      settings,
      queue: createQueue(db, clock),
      logger: createLogger({ write: () => undefined }),
      seal: WORK_SEAL,
      audit: createSecurityAudit({ clock }),
      access: {
        holders: (...asked) => {
          this.beforeHolders();
          return holders(...asked);
        },
      },
      events: createEventBus<WorkEvents>((error) => {
        throw error;
      }),
      ...NO_EXPORTS,
    });
  }

  /** The store as it was in the beginning: another one takes a while. */
  async clear(): Promise<void> {
    const tables = [
      'work_undo',
      'work_history',
      'work_item',
      'work_mailbox',
      'inbound_fax',
      'assignment',
      'role_permission',
      'role',
      'principal',
      'mailbox',
      'job',
    ] as const;
    await this.change(async (tx) => {
      for (const table of tables) await tx.deleteFrom(table).execute();
    });
  }

  /** A document is filed; the item that it got, or undefined. */
  async file(given: { mailboxId?: string | null; backend?: string; sha256?: string } = {}): Promise<ItemRow> {
    const { mailboxId: mailbox_id = null, backend = 'cloudone', sha256 = newId().padEnd(64, '0') } = given;
    const fax = inboundRow({ backend, mailbox_id, sha256, received_at: isoTime(this.clock.now()) });
    await this.store.db.transaction(async (tx) => {
      await tx.insertInto('inbound_fax').values(fax).execute();
      await this.room.items.onFiled(tx, {
        id: fax.id,
        backend,
        fromNumber: fax.from_number,
        toNumber: fax.to_number,
        mailboxId: mailbox_id,
        isTest: false,
        isOfTestKey: false,
        isJunk: false,
        filedAt: fax.received_at,
        document: { name: '', sha256, sizeBytes: 1000, pages: 1, mediaType: 'application/pdf' },
      });
    });
    return this.itemOfFax(fax.id) as Promise<ItemRow>;
  }

  async itemOfFax(faxId: string): Promise<ItemRow | undefined> {
    const items = this.store.db.read.selectFrom('work_item').selectAll();
    return items.where('inbound_fax_id', '=', faxId).executeTakeFirst();
  }

  async item(id: string): Promise<ItemRow> {
    const items = this.store.db.read.selectFrom('work_item').selectAll();
    return items.where('id', '=', id).executeTakeFirstOrThrow();
  }

  async history(id: string) {
    return this.store.db.read
      .selectFrom('work_history')
      .selectAll()
      .where('item_id', '=', id)
      .orderBy('position')
      .execute();
  }

  async kinds(id: string): Promise<string[]> {
    return (await this.history(id)).map(({ kind }) => kind);
  }

  /** The look for what passed its due time, once. */
  async sweep(): Promise<void> {
    const [job] = this.room.jobs;
    await job?.run({} as never, { attempt: 1, signal: new AbortController().signal });
  }

  async change(work: (tx: WriteTx) => Promise<unknown>): Promise<void> {
    await this.store.db.transaction(work);
  }

  async addMailbox(id: string): Promise<void> {
    const row = { id, label: id, enabled: 1, version: 1, created_at: AT, updated_at: AT } as const;
    await this.change((tx) => tx.insertInto('mailbox').values(row).execute());
  }

  async setMailbox(id: string, hours: number | null, backup: string | null): Promise<void> {
    const row = { mailbox_id: id, acknowledge_hours: hours, backup_principal_id: backup };
    await this.change(async (tx) => {
      await tx.deleteFrom('work_mailbox').where('mailbox_id', '=', id).execute();
      await tx
        .insertInto('work_mailbox')
        .values({ ...row, version: 2, updated_at: AT })
        .execute();
    });
  }

  /** A person with a password who holds this on a resource. */
  async addPerson(
    id: string,
    resource_id: string,
    permissions = ['work:read', 'inbound:read'],
  ): Promise<void> {
    const stamps = { version: 1, created_at: AT, updated_at: AT };
    const flags = { totp_secret: null, totp_pending: null, totp_last_step: null, passkeys_since: null };
    const role = { id: `role of ${id}`, name: `role of ${id}`, description: '', enabled: 1 } as const;
    await this.change(async (tx) => {
      await tx
        .insertInto('principal')
        .values({
          id,
          kind: 'user',
          login: id,
          display_name: id,
          search_text: id,
          enabled: 1,
          password_hash: 'set',
          password_change_required: 0,
          temporary_until: null,
          ...flags,
          ...stamps,
        })
        .execute();
      await tx
        .insertInto('role')
        .values({ ...role, built_in: 0, hidden: 0, requires_two_factor: 0, ...stamps })
        .execute();
      for (const permission of permissions)
        await tx.insertInto('role_permission').values({ role_id: role.id, permission }).execute();
      await tx
        .insertInto('assignment')
        .values({
          id: newId(),
          subject_kind: 'principal',
          subject_id: id,
          role_id: role.id,
          resource_id,
          version: 1,
          created_at: AT,
        })
        .execute();
    });
  }

  async setPerson(id: string, row: Partial<PrincipalTable>): Promise<void> {
    await this.change((tx) => tx.updateTable('principal').set(row).where('id', '=', id).execute());
  }
}
