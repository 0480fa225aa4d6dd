import type { z } from 'zod';
import type { AddedDirectPartner, DirectPartner } from '../../../../shared/api/direct-partners.ts';
import type { DirectCardOutcome } from '../../../../shared/states/direct.ts';
import type { PartnerRow } from '../types.ts';
import type { Card } from '../wire/card.ts';
import { keyDigest } from '../wire/keys.ts';
import { daysLeft, RENEWAL_DAYS, standingOf, statusOf } from './standing.ts';

export type PartnerAnswer = z.infer<typeof DirectPartner>;
export type AddedPartner = z.infer<typeof AddedDirectPartner>;

/** A partner as the contract shows it. `at` is an ISO time. */
export function presentPartner(row: PartnerRow, at: string): PartnerAnswer {
  const standing = standingOf(row, at);
  const { state, code, sendsDirectly, receivesDirectly, verifiedAt, expiresAt } = standing;
  const days = daysLeft(row, at);
  return {
    id: row.id,
    organization: row.organization,
    fax_number: row.fax_number,
    endpoint: row.endpoint,
    state,
    status: statusOf(row, standing),
    sends_directly: sendsDirectly,
    receives_directly: receivesDirectly,
    code_sent: code === 'open',
    code_expires_at: code === 'open' ? row.code_expires_at : null,
    code_fax_id: row.code_fax_id,
    verified_at: verifiedAt,
    expires_at: expiresAt,
    number_confirmed_at: row.number_confirmed_at,
    number_expires_at: row.expires_at,
    confirmed_by_them_at: row.confirmed_by_them_at,
    renewal_due: days !== null && days <= RENEWAL_DAYS[0],
    fingerprint: keyDigest(row.signing_key),
    last_exchange_at: row.last_exchange_at,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

const ADDED_SENTENCES: Readonly<Record<DirectCardOutcome, (organization: string) => string>> = {
  checked: (name) => `The card of ${name} is valid.`,
  added: (name) => `${name} was added. Fax them a code, or type the code that they fax to you.`,
  renewed: (name) => `${name} is a partner already. Its card was replaced by this one.`,
  unchanged: (name) => `${name} is a partner already, with this card. Nothing was changed.`,
};

/** The result of adding a card as the contract shows it. */
export function presentAdded(card: Card, as: DirectCardOutcome, partner: PartnerAnswer | null): AddedPartner {
  const { organization, fax_number, endpoint, signing_key } = card;
  return {
    outcome: as,
    sentence: ADDED_SENTENCES[as](organization),
    card: { organization, fax_number, endpoint, fingerprint: keyDigest(signing_key) },
    partner,
  };
}
