import { join } from 'node:path';
import { type Database, openDatabase } from '../../server/db/database.ts';
import type { DirectPartnerTable } from '../../server/db/schema/direct.ts';
import { canonicalJson } from '../../server/features/direct/wire/canonical-json.ts';
import type { Card } from '../../server/features/direct/wire/card.ts';
import type { Clock } from '../../server/platform/clock.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';

const YEAR_MS = 365 * 24 * 3_600_000;

/** A gateway with direct delivery on, which partners reach through a proxy with faults. */
export interface DirectSide {
  gateway: TestGateway;
  readonly proxy: FaultProxy;
  readonly organization: string;
  readonly faxNumber: string;
  readonly databaseUrl: string | null;
}

/** Starts a gateway with direct delivery, reachable by partners at the address of its proxy. */
export async function startDirectSide(
  { organization, faxNumber }: Pick<DirectSide, 'organization' | 'faxNumber'>,
  options: TestGatewayOptions = {},
): Promise<DirectSide> {
  const proxy = await startFaultProxy();
  const gateway = await startTestGateway({
    ...options,
    settings: {
      DIRECT_DELIVERY_ENABLED: 'true',
      DIRECT_ORGANIZATION: organization,
      DIRECT_FAX_NUMBER: faxNumber,
      DIRECT_ALLOW_PRIVATE_PEERS: 'true',
      PUBLIC_API_URL: proxy.url,
      FAX_NUMBER: faxNumber,
      ...options.settings,
    },
  });
  proxy.target = gateway.url;
  return { gateway, proxy, organization, faxNumber, databaseUrl: options.databaseUrl ?? null };
}

export async function closeSide({ gateway, proxy }: DirectSide): Promise<void> {
  await gateway.close();
  await proxy.close();
}

/** Opens the store of a side beside its gateway. */
function openStoreOf({ gateway, databaseUrl }: DirectSide): Database {
  return openDatabase({
    postgresUrl: databaseUrl,
    sqliteFile: join(gateway.dataFolder, 'faxdesk.sqlite'),
  });
}

export async function cardOf({ gateway }: DirectSide): Promise<Card> {
  const { card } = (await (await gateway.request('GET', '/direct/card')).json()) as { card: Card };
  return card;
}

/** Makes both sides verified partners of each other, as after both had faxed and confirmed a code. */
export async function makePartners(one: DirectSide, other: DirectSide): Promise<void> {
  await addPartner(one, other);
  await addPartner(other, one);
}

/** Writes the partner `other` into the store of `side`, verified in both directions. */
async function addPartner(side: DirectSide, other: DirectSide): Promise<string> {
  const id = `partner-${other.organization.replaceAll(' ', '-')}`;
  await changeStore(side, async (db) => {
    await db.transaction(async (tx) => {
      await tx
        .insertInto('direct_partner')
        .values(partnerRow(id, await cardOf(other), side.gateway.clock))
        .execute();
    });
  });
  return id;
}

/** Changes the partners of a side in its store. */
export async function changePartners(side: DirectSide, changes: Partial<DirectPartnerTable>): Promise<void> {
  await changeStore(side, async (db) => {
    await db.transaction(async (tx) => {
      await tx.updateTable('direct_partner').set(changes).execute();
    });
  });
}

async function changeStore(side: DirectSide, work: (db: Database) => Promise<void>): Promise<void> {
  const db = openStoreOf(side);
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

/** Row of a partner that is verified in both directions for a year from now. */
export function partnerRow(id: string, card: Card, clock: Clock): DirectPartnerTable {
  const at = new Date(clock.now()).toISOString();
  const until = new Date(clock.now() + YEAR_MS).toISOString();
  return {
    id,
    organization: card.organization,
    fax_number: card.fax_number,
    endpoint: card.endpoint,
    signing_key: card.signing_key,
    exchange_key: card.exchange_key,
    previous_signing_key: null,
    previous_exchange_key: null,
    previous_until: null,
    told_signing_key: null,
    card: canonicalJson(card),
    code_id: null,
    revoked_by_them: 0,
    code_hmac: null,
    code_sent_at: null,
    code_expires_at: null,
    code_tries: 0,
    code_fax_id: null,
    number_confirmed_at: at,
    expires_at: until,
    confirmed_by_them_at: at,
    confirmed_by_them_until: until,
    revoked_at: null,
    last_exchange_at: null,
    notice_30_for: null,
    notice_7_for: null,
    version: 1,
    created_at: at,
    updated_at: at,
  };
}

interface DirectItem {
  readonly message_id: string;
  readonly direction: 'sent' | 'received';
  readonly partner: string;
  readonly job_id: string | null;
  readonly inbound_id: string | null;
  readonly state: string;
  readonly status: string;
  readonly receipt: unknown;
}

/** Reads every page of the list of a side. */
export async function listDirect(
  { gateway }: Pick<DirectSide, 'gateway'>,
  query = '',
): Promise<DirectItem[]> {
  const found: DirectItem[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const answer = await gateway.request('GET', `/direct/deliveries?limit=100${query}${page}`);
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    const { items, next_cursor } = (await answer.json()) as {
      items: DirectItem[];
      next_cursor: string | null;
    };
    found.push(...items);
    cursor = next_cursor;
  }
  return found;
}
