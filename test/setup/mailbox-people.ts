import { join } from 'node:path';
import { openDatabase, type WriteTx } from '../../server/db/database.ts';
import type { PrincipalTable } from '../../server/db/schema/access.ts';
import { newId } from '../../server/platform/ids.ts';
import type { TestGateway } from './gateway.ts';
import { SECOND } from './manual-clock.ts';

const AT = '2026-11-21T08:00:00.000Z';

/** Permissions of a person, by resource. */
type PermissionsByResource = Readonly<Record<string, readonly string[]>>;

/** Somebody with a key, whose permissions hold on some resources only. */
export interface Person {
  readonly id: string;
  readonly key: string;
}

/** Gateway that may run in a process of its own. */
interface PeoplesGateway extends Pick<TestGateway, 'dataFolder' | 'request'> {
  readonly clock: Pick<TestGateway['clock'], 'advance'>;
}

/** Mailboxes and the people of them, put into the store as another process does. */
export class MailboxPeople {
  readonly #gateway: PeoplesGateway;
  readonly #databaseUrl: { postgresUrl: string | null; sqliteFile: string };

  constructor(gateway: PeoplesGateway, databaseUrl: string | null = null) {
    this.#gateway = gateway;
    this.#databaseUrl = { postgresUrl: databaseUrl, sqliteFile: join(gateway.dataFolder, 'faxdesk.sqlite') };
  }

  async addMailbox(id: string, label: string, options: { enabled?: boolean } = {}): Promise<void> {
    const row = { id, label, version: 1, created_at: AT, updated_at: AT };
    await this.#change(async (tx) => {
      await tx
        .insertInto('mailbox')
        .values({ ...row, enabled: options.enabled === false ? 0 : 1 })
        .execute();
    });
  }

  /** Faxes to the number are filed in the mailbox. */
  async addRule(to_number: string, mailbox_id: string): Promise<void> {
    const row = { id: newId(), to_number, mailbox_id, version: 1, created_at: AT, updated_at: AT };
    await this.#change(async (tx) => {
      await tx.insertInto('inbound_rule').values(row).execute();
    });
  }

  async addPerson(permissionsByResource: PermissionsByResource): Promise<Person> {
    const scopes = [...new Set(Object.values(permissionsByResource).flat())];
    const answer = await this.#gateway.request('POST', '/admin/api-keys', { json: { scopes } });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    const { token, key_id } = (await answer.json()) as { token: string; key_id: string };
    const id = await this.#change(async (tx) => {
      const row = await tx
        .selectFrom('api_key')
        .select('principal_id')
        .where('key_id', '=', key_id)
        .executeTakeFirstOrThrow();
      return row.principal_id;
    });
    await this.grant(id, permissionsByResource);
    return { id, key: token };
  }

  /** Adds a person who can own work items: with a name and a password. */
  async addUser(display_name: string, permissionsByResource: PermissionsByResource): Promise<Person> {
    const person = await this.addPerson(permissionsByResource);
    await this.setUser(person.id, { kind: 'user', login: person.id, display_name, password_hash: 'set' });
    return person;
  }

  async setUser(id: string, row: Partial<PrincipalTable>): Promise<void> {
    await this.#change(async (tx) => {
      await tx.updateTable('principal').set(row).where('id', '=', id).execute();
    });
  }

  /** Instead of all that the person held before. */
  async grant(id: string, permissionsByResource: PermissionsByResource): Promise<void> {
    await this.#change(async (tx) => {
      await tx.deleteFrom('assignment').where('subject_id', '=', id).execute();
      for (const [resource_id, permissions] of Object.entries(permissionsByResource)) {
        const role_id = newId();
        await addRole(tx, role_id, permissions);
        const subject = { subject_kind: 'principal', subject_id: id } as const;
        const row = { id: newId(), ...subject, role_id, resource_id, version: 1, created_at: AT };
        await tx.insertInto('assignment').values(row).execute();
      }
    });
  }

  /** Seen by the gateway when it looks again. */
  async #change<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    const db = openDatabase(this.#databaseUrl);
    try {
      return await db.transaction(async (tx) => {
        const result = await work(tx);
        await tx
          .updateTable('policy')
          .set((eb) => ({ version: eb('version', '+', 1), revision: eb('revision', '+', 1) }))
          .execute();
        return result;
      });
    } finally {
      await db.close();
      this.#gateway.clock.advance(SECOND);
    }
  }
}

async function addRole(tx: WriteTx, id: string, permissions: readonly string[]): Promise<void> {
  const flags = { built_in: 0, hidden: 0, enabled: 1, requires_two_factor: 0, version: 1 } as const;
  const row = { id, name: `role ${id}`, description: '', ...flags, created_at: AT, updated_at: AT };
  await tx.insertInto('role').values(row).execute();
  for (const permission of permissions)
    await tx.insertInto('role_permission').values({ role_id: id, permission }).execute();
}
