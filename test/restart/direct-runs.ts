import { join } from 'node:path';
import { openDatabase } from '../../server/db/database.ts';
import type { DirectPartnerTable } from '../../server/db/schema/direct.ts';
import type { Card } from '../../server/features/direct/wire/card.ts';
import { partnerRow } from '../setup/direct-partners.ts';
import type { ChildGateway } from './child-gateway.ts';
import { RunTemplate } from './killed-run.ts';

export const PARTNER_ID = 'partner';
const NUMBER = '+12025550100';

/** Columns of a partner with whom no code was exchanged yet. */
export const UNCHECKED = {
  number_confirmed_at: null,
  expires_at: null,
  confirmed_by_them_at: null,
  confirmed_by_them_until: null,
} as const;

/** Opens a template with direct delivery on. */
export function openDirectTemplate(): Promise<RunTemplate> {
  return RunTemplate.open({
    DIRECT_DELIVERY_ENABLED: 'true',
    DIRECT_ORGANIZATION: 'North Clinic',
    DIRECT_FAX_NUMBER: NUMBER,
    DIRECT_ALLOW_PRIVATE_PEERS: 'true',
    PUBLIC_API_URL: 'https://fax.example.com',
    INBOUND_ENABLED: 'true',
    INBOUND_POLLING: 'off',
  });
}

/** Gives the runs of a template this partner, verified in both directions unless `changes` say otherwise. */
export async function addPartnerTo(
  { root }: RunTemplate,
  card: Card,
  changes: Partial<DirectPartnerTable> = {},
): Promise<void> {
  const db = openDatabase({ postgresUrl: null, sqliteFile: join(root, 'data', 'faxdesk.sqlite') });
  try {
    const row = { ...partnerRow(PARTNER_ID, card, { now: Date.now }), ...changes };
    await db.transaction(async (tx) => void (await tx.insertInto('direct_partner').values(row).execute()));
  } finally {
    await db.close();
  }
}

/** Reads the card of a gateway. Its keys are made by that, so the steps of a run are those of its exchange alone. */
export async function readCard(child: ChildGateway): Promise<Card> {
  const answer = await child.request<{ card: Card }>('GET', '/direct/card');
  if (answer === null) throw new Error(`the child has no card: ${child.errors}`);
  return answer.card;
}
