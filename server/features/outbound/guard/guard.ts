import {
  GUARD_SAME_DOCUMENT_MINUTES,
  type GuardCheck,
  type GuardMode,
  lastFourDigits,
} from '../../../../shared/guard.ts';
import { isoTime } from '../../../platform/clock.ts';
import { actorOf, type Caller } from '../../access/service.ts';
import { guardRefused } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { type DocumentIdentity, hasSameDocument } from '../store/guard-store.ts';
import { decideGuard, type GuardFinding, sentenceOf } from './decide.ts';
import { guardFacts, type NumberRecord, readNumberRecord } from './number-record.ts';

type Parts = Pick<OutboundParts, 'db' | 'clock' | 'contacts' | 'settings' | 'transports'>;

const MINUTE_MS = 60_000;

/** Request for the guard with a fax, and the answers of a person to its questions. */
export interface GuardRequest {
  /** `refuse` refuses the fax for findings that are not answered; `ignore` only for what is refused anyway. */
  readonly mode: GuardMode;
  /** Last four digits, typed again; null for none. */
  readonly digits: string | null;
  /** Checks whose question was answered with yes. */
  readonly confirmed: readonly GuardCheck[];
}

/** A fax before it is sent, or a number alone. */
export interface GuardedFax {
  /** E.164. */
  readonly to: string;
  /** Null while no document is known. */
  readonly document: DocumentIdentity | null;
  /** ID of the fax that is sent again on purpose; null for none. */
  readonly resendOf: string | null;
}

/** Returns true for a number of the installation itself, also where a call would be placed to it. */
async function isOwnNumber(
  { transports, settings }: Pick<Parts, 'transports' | 'settings'>,
  to: string,
): Promise<boolean> {
  if (settings.ownNumber() === to) return true;
  const plan = await transports.plan({ to, byCall: false, preferredRoute: null });
  return 'steps' in plan && plan.steps[0]?.transport.kind === 'own_number';
}

/** Returns the findings about a number whose record was read, the gravest first. */
export async function findingsOf(
  parts: Pick<Parts, 'db' | 'clock' | 'settings'>,
  caller: Caller,
  { to, document, resendOf, record, isOwn }: GuardedFax & { record: NumberRecord; isOwn: boolean },
): Promise<GuardFinding[]> {
  const { db, clock, settings } = parts;
  const since = isoTime(clock.now() - GUARD_SAME_DOCUMENT_MINUTES * MINUTE_MS);
  const isSameDocument =
    document !== null &&
    (await hasSameDocument(db.read, document, { to, since, isTest: caller.isTest, except: resendOf }));
  return decideGuard(guardFacts(to, record, { isOwn, isSameDocument }), settings.guard());
}

/**
 * Checks a fax that is being accepted, and returns the sentence of its history on the answers of the person who sends it; null
 * without any. Throws a 409 refusal for a finding that refuses or that is not answered.
 */
export async function guardFax(
  parts: Parts,
  caller: Caller,
  { guard, ...fax }: GuardedFax & { readonly guard: GuardRequest },
): Promise<string | null> {
  const hasDigits = guard.digits !== null;
  if (hasDigits && guard.digits !== lastFourDigits(fax.to)) throw guardRefused(WRONG_DIGITS);
  const { name } = actorOf(caller);
  const byDigits = hasDigits ? `Digits confirmed by ${name}.` : null;
  if (guard.mode === 'ignore') return byDigits;
  const record = await readNumberRecord(parts, caller, fax.to);
  const findings = await findingsOf(parts, caller, {
    ...fax,
    record,
    isOwn: await isOwnNumber(parts, fax.to),
  });
  const isAnswered = ({ check, answer }: GuardFinding) =>
    answer === 'digits' ? hasDigits : guard.confirmed.includes(check);
  const open = findings.find(
    (finding) => finding.action === 'refuse' || (finding.action === 'ask' && !isAnswered(finding)),
  );
  if (open) throw guardRefused(sentenceOf(open));
  const confirmed = findings
    .filter(({ answer }) => answer === 'yes')
    .map(({ fact }) => `Confirmed by ${name}: ${fact}`);
  return [byDigits, ...confirmed].filter((text) => text !== null).join(' ') || null;
}

const WRONG_DIGITS = 'The last four digits do not match the number. Check the number.';

/** Returns true when a fax to a blocked number is refused, whatever the request says about the guard. */
export function isBlockInForce(
  { settings }: Pick<Parts, 'settings'>,
  guard: GuardRequest | undefined,
): boolean {
  const action = settings.guard().blocked;
  return action === 'refuse' || (action === 'ask' && !guard?.confirmed.includes('blocked'));
}
