import type { z } from 'zod';
import type { FaxNumber, NumberCheck } from '../../../../shared/api/outbound-shapes.ts';
import { ERRORS } from '../../../../shared/errors/all.ts';
import type { SendWhen } from '../../../../shared/send-when.ts';
import { isoTime } from '../../../platform/clock.ts';
import { countryOf, formatNumber, toE164 } from '../../../platform/phone-number.ts';
import type { Caller } from '../../access/service.ts';
import type { NumberMemory } from '../../contacts/port.ts';
import { sentenceOf } from '../guard/decide.ts';
import { findingsOf, type GuardedFax, isBlockInForce } from '../guard/guard.ts';
import { readNumberRecord } from '../guard/number-record.ts';
import type { OutboundParts } from '../parts.ts';
import { hoursWait } from '../queue/hours.ts';
import { listJobs } from '../store/job-list.ts';
import { numberFacts, sentSums } from '../store/number-facts.ts';
import { listNumbers } from '../store/number-store.ts';
import { filterVisible, listVisibleNumbers } from '../store/visible-numbers.ts';
import type { TransportKind } from '../transport-port.ts';
import { visibleFaxes } from '../visibility.ts';

/** Numbers of faxes that the caller may see, the last used first; `q` is a part as a person types it. */
export async function recentNumbers(
  parts: Pick<OutboundParts, 'db' | 'contacts'>,
  caller: Caller,
  request: { q?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<{ items: z.infer<typeof FaxNumber>[]; next_cursor: string | null }> {
  const { q = '', limit, cursor } = request;
  const digits = typedDigits(q);
  // A name is no part of a number, and test faxes are sent to nobody.
  if ((digits === '' && q.trim() !== '') || caller.isTest) return { items: [], next_cursor: null };
  const { read } = parts.db;
  const scope = visibleFaxes(caller);
  const asked = { digits, limit, cursor };
  const page = scope ? await listVisibleNumbers(read, scope, asked) : await listNumbers(read, asked);
  const names = await parts.contacts.namesOf(
    caller,
    page.items.map(({ to_number }) => to_number),
  );
  const items = page.items.map(({ to_number: to, ...facts }) => ({
    to,
    ...facts,
    contact: names.get(to) ?? null,
  }));
  return { items, next_cursor: page.next_cursor };
}

/**
 * Checks a typed number against the faxes that the caller may see, so that a typing error is noticed before a stranger has
 * the fax.
 */
export async function checkNumber(
  parts: Pick<OutboundParts, 'db' | 'clock' | 'transports' | 'settings' | 'contacts'>,
  caller: Caller,
  { text, document, resendOf }: { text: string } & Pick<GuardedFax, 'document' | 'resendOf'>,
): Promise<z.infer<typeof NumberCheck>> {
  const to = toE164(text, parts.settings.country());
  if (to === null) {
    const nothing = { display: null, country: null, last_success_at: null, near: null };
    return {
      to,
      ...nothing,
      contact: null,
      blocked: false,
      encoded_pages: 'off',
      together_minutes: 0,
      internal: false,
      direct: false,
      first_time: false,
      hours: { recipient: null, cheap: null },
      findings: [],
      problem: ERRORS.invalid_fax_number.sentence,
    };
  }
  const [record, kind] = await Promise.all([readNumberRecord(parts, caller, to), firstTransport(parts, to)]);
  const { contact, preferences, lastSuccessAt, reached } = record;
  const isOwn = kind === 'own_number' || parts.settings.ownNumber() === to;
  const findings = await findingsOf(parts, caller, { to, document, resendOf, record, isOwn });
  return {
    to,
    display: formatNumber(to),
    country: countryOf(to),
    problem: null,
    internal: kind === 'own_number',
    direct: kind === 'direct',
    contact,
    blocked: preferences.blocked && isBlockInForce(parts, undefined),
    encoded_pages: preferences.encodedPages,
    together_minutes: preferences.togetherMinutes,
    hours: await hoursOfNumber(parts, to, preferences.allowedHours !== null),
    first_time: !record.isUsed && contact === null,
    last_success_at: lastSuccessAt,
    near: kind === 'own_number' ? null : (reached.find((known) => known.to.length === to.length) ?? null),
    findings: findings.map((finding) => ({
      check: finding.check,
      action: finding.action,
      sentence: sentenceOf(finding),
      answer: finding.answer,
      near: finding.near,
    })),
  };
}

/** Returns the hours that a fax accepted now would wait for; null for hours that are not set. */
async function hoursOfNumber(
  parts: Pick<OutboundParts, 'db' | 'clock' | 'settings' | 'contacts'>,
  to: string,
  hasHours: boolean,
): Promise<z.infer<typeof NumberCheck>['hours']> {
  const now = parts.clock.now();
  const look = async (send_when: SendWhen) => {
    const wait = await hoursWait(parts, parts.db.read, { to_number: to, send_at: null, send_when }, now);
    return { open_at: wait.hours_at, reason: wait.hours_reason };
  };
  return {
    recipient: hasHours ? await look('recipient_hours') : null,
    cheap: parts.settings.cheapHours().length === 0 ? null : await look('cheap_hours'),
  };
}

/** Returns the kind of the transport that a fax to the number takes first; null where none can. */
async function firstTransport(
  { transports }: Pick<OutboundParts, 'transports'>,
  to: string,
): Promise<TransportKind | null> {
  const plan = await transports.plan({ to, byCall: false, preferredRoute: null });
  return ('steps' in plan && plan.steps[0]?.transport.kind) || null;
}

/** Age up to which a failure counts for a number, in ms. */
const RECENT_MS = 30 * 24 * 60 * 60_000;

/** Creates the number lookup that the contacts room uses. */
export function createNumberMemory({ db, clock }: Pick<OutboundParts, 'db' | 'clock'>): NumberMemory {
  return {
    async factsOf(caller, numbers) {
      const since = isoTime(clock.now() - RECENT_MS);
      return await numberFacts(db.read, visibleFaxes(caller), { numbers, since });
    },
    async seenNumbers(caller, numbers) {
      const scope = visibleFaxes(caller);
      return scope === null ? new Set(numbers) : await filterVisible(db.read, scope, numbers);
    },
    async recentNumbers(caller, limit) {
      if (caller.isTest) return [];
      const scope = visibleFaxes(caller);
      const asked = { digits: '', limit };
      const { items } = scope
        ? await listVisibleNumbers(db.read, scope, asked)
        : await listNumbers(db.read, asked);
      return items.map(({ to_number, last_used_at }) => ({ number: to_number, usedAt: last_used_at }));
    },
    async historyOf(caller, numbers, limit) {
      const scope = visibleFaxes(caller);
      const sums = await sentSums(db.read, scope, numbers);
      const pages = await Promise.all(numbers.map((to) => listJobs(db.read, { scope, to, limit })));
      const recent = pages
        .flatMap(({ items }) => items)
        .map((job) => ({
          direction: 'sent' as const,
          id: job.id,
          number: job.to_number,
          pages: job.pages ?? job.document_pages,
          delivery_state: job.delivery_state,
          at: job.created_at,
        }))
        .toSorted((a, b) => Number(a.at < b.at) - Number(a.at > b.at));
      return { ...sums, recent: recent.slice(0, limit) };
    },
  };
}

/** The digits of a part of a number. The zeros before a national number are not in its E.164 form. */
function typedDigits(text: string): string {
  if (/\p{L}/u.test(text)) return '';
  return text.replaceAll(/\D/gu, '').replace(/^0+/u, '');
}
