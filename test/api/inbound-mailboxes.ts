import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { SECOND } from '../setup/manual-clock.ts';
import type { InboundGateway } from './inbound-setup.ts';

const AT = '2026-11-21T08:00:00.000Z';

/** A mailbox and the number whose faxes go there, as another program puts them into the store. */
export function addMailbox(
  inbound: InboundGateway,
  mailbox: { id: string; label: string; number: string },
): void {
  change(inbound, (store) => {
    store
      .prepare(
        'insert into mailbox (id, label, enabled, version, created_at, updated_at) values (?, ?, 1, 1, ?, ?)',
      )
      .run(mailbox.id, mailbox.label, AT, AT);
    store
      .prepare(
        'insert into inbound_rule (id, to_number, mailbox_id, version, created_at, updated_at) values (?, ?, ?, 1, ?, ?)',
      )
      .run(`rule-${mailbox.id}`, mailbox.number, mailbox.id, AT, AT);
  });
}

/** A key whose permissions hold on these resources only. */
export async function keyOn(inbound: InboundGateway, scopes: string[], resources: string[]): Promise<string> {
  const answer = await inbound.gateway.request('POST', '/admin/api-keys', { json: { scopes } });
  if (answer.status !== 200) throw new Error(await answer.text());
  const { token, key_id } = (await answer.json()) as { token: string; key_id: string };
  change(inbound, (store) => {
    const { principal_id } = store
      .prepare('select principal_id from api_key where key_id = ?')
      .get(key_id) as {
      principal_id: string;
    };
    const held = store.prepare('select * from assignment where subject_id = ?').all(principal_id) as {
      id: string;
      role_id: string;
    }[];
    store.prepare('delete from assignment where subject_id = ?').run(principal_id);
    for (const { role_id } of held)
      for (const resource of resources)
        store
          .prepare(
            "insert into assignment (id, subject_kind, subject_id, role_id, resource_id, version, created_at) values (?, 'principal', ?, ?, ?, 1, ?)",
          )
          .run(`${role_id}-${resource}`.slice(-40), principal_id, role_id, resource, AT);
    store.prepare('update policy set version = version + 1, revision = revision + 1').run();
  });
  inbound.gateway.clock.advance(SECOND);
  return token;
}

function change(inbound: InboundGateway, work: (store: BetterSqlite.Database) => void): void {
  const store = new BetterSqlite(join(inbound.gateway.dataFolder, 'faxdesk.sqlite'));
  try {
    store.pragma('busy_timeout = 5000');
    work(store);
  } finally {
    store.close();
  }
}
