import type { WriteTx } from '../../../db/database.ts';
import type { JobDefinition } from '../../../jobs/define-job.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { Caller } from '../../access/service.ts';
import { noSuchPartner } from '../errors.ts';
import { assertEnabled } from '../own-card.ts';
import { findPartner, listPartners } from '../store/partner-store.ts';
import type { PartnerRow } from '../types.ts';
import { addPartner } from './add-partner.ts';
import { challengePartner } from './challenge.ts';
import { confirmCode } from './confirm.ts';
import type { PartnerRead } from './partner-changes.ts';
import type { PartnerParts } from './parts.ts';
import { type AddedPartner, type PartnerAnswer, presentAdded, presentPartner } from './present.ts';
import { revokePartner } from './revoke.ts';
import { takeStatement } from './statements.ts';
import { defineTelling, planKeyChanges } from './tell-partners.ts';
import { type EndingCheck, endingChecks, endWarnings, scheduleUpkeep } from './upkeep.ts';
import { verifyCode } from './verify-code.ts';

/** Partners of direct delivery, from their card to the end. */
export interface PartnersService {
  readonly jobs: readonly JobDefinition<never>[];
  /** Plans the daily upkeep. */
  plan(): Promise<void>;
  list(): Promise<PartnerAnswer[]>;
  get(id: string): Promise<PartnerAnswer>;
  /** With `checkOnly` nothing is added. */
  add(caller: Caller, pasted: { readonly card: string; readonly checkOnly: boolean }): Promise<AddedPartner>;
  challenge(caller: Caller, read: PartnerRead & { readonly mailbox: string | null }): Promise<PartnerAnswer>;
  confirm(caller: Caller, given: { readonly id: string; readonly code: string }): Promise<PartnerAnswer>;
  revoke(caller: Caller, read: PartnerRead): Promise<PartnerAnswer>;
  readonly verifyCode: (body: Uint8Array) => ReturnType<typeof verifyCode>;
  takeStatement(body: Uint8Array): Promise<void>;
  /** Plans a statement to each partner who does not know this own signing key. */
  readonly planKeyChanges: (tx: WriteTx, signingKey: string) => Promise<void>;
  warnings(): Promise<string[]>;
  /** Lists the checks of partners' numbers that end within 30 days, the earliest first. */
  endingChecks(): Promise<EndingCheck[]>;
}

export function createPartnersService(parts: PartnerParts): PartnersService {
  const { db, clock, settings } = parts;
  const upkeep = scheduleUpkeep(parts);
  const present = (row: PartnerRow) => presentPartner(row, isoTime(clock.now()));
  return {
    jobs: [upkeep.definition, defineTelling(parts)] as unknown as JobDefinition<never>[],
    plan: () => upkeep.plan(),
    async list() {
      assertEnabled(settings);
      return (await listPartners(db.read)).map(present);
    },
    async get(id) {
      assertEnabled(settings);
      const row = await findPartner(db.read, id);
      if (!row) throw noSuchPartner();
      return present(row);
    },
    async add(caller, { card: pasted, checkOnly }) {
      const { card, row, as } = await addPartner(parts, caller, { pasted, checkOnly });
      return presentAdded(card, as, row && present(row));
    },
    challenge: async (caller, read) => present(await challengePartner(parts, caller, read)),
    confirm: async (caller, given) => present(await confirmCode(parts, caller, given)),
    revoke: async (caller, read) => present(await revokePartner(parts, caller, read)),
    verifyCode: (body) => verifyCode(parts, body),
    takeStatement: (body) => takeStatement(parts, body),
    planKeyChanges: (tx, signingKey) => planKeyChanges(parts, tx, signingKey),
    endingChecks: async () => (settings.enabled() ? endingChecks(parts) : []),
    warnings: async () => (settings.enabled() ? endWarnings(parts) : []),
  };
}
