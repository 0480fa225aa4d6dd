import { epochOf, isoTime } from '../../../platform/clock.ts';
import type { OutboundParts } from '../parts.ts';
import { openStep } from '../plan/plan.ts';
import { transportOf } from '../plan/transport-of.ts';
import { readFaxOf } from '../record/record.ts';
import { hasOtherUncertain, isTaken } from '../store/attempt-store.ts';
import { attemptOfLead } from '../store/together-store.ts';
import type { Fax } from '../transition/fact.ts';
import { transmittedPages } from '../transmitted-pages.ts';
import type { FoundFax } from '../transport-port.ts';
import { type AttemptRow, type JobRow, PROVIDER } from '../types.ts';
import type { ReportRecorder } from './report.ts';

/** Our clock and that of the provider differ, and an upload takes its time. */
const BEFORE_MS = 5 * 60_000;
const AFTER_MS = 15 * 60_000;

type DoubtfulFax = Fax & { readonly attempt: AttemptRow & { readonly submitted_at: string } };

/** Returns true when the provider may have the fax under an ID that we never received. */
export function isLost(fax: Fax | null): fax is DoubtfulFax {
  const { job, attempt } = fax ?? {};
  if (job?.delivery_state !== 'reconciliation_required' || attempt === null) return false;
  return attempt?.provider_sid === null && attempt.submitted_at !== null;
}

/**
 * Searches the faxes that the provider sent to the same number at that time. A single match with the page count of our
 * document, and with no sign of being another fax, is ours and settles it; otherwise the outcome stays open. Returns
 * the provider's ID of the fax; null where nothing was settled. Throws TransportError.
 */
export async function findLost(
  parts: Pick<OutboundParts, 'db' | 'seal' | 'transports'> & { readonly reports: ReportRecorder },
  fax: DoubtfulFax,
): Promise<string | null> {
  const { job, attempt } = fax;
  const { account, transport } = openStep(parts.seal, job, attempt.step);
  const { findSent } = transportOf(parts, [job], transport);
  if (!findSent || account.id !== attempt.provider_account) return null;
  const submitted = epochOf(attempt.submitted_at);
  const from = isoTime(submitted - BEFORE_MS);
  const until = isoTime(submitted + AFTER_MS);
  const lead = await attemptOfLead(parts.db.read, attempt);
  const search = { attemptId: lead.id, to: job.to_number, from, until };
  const found = await findSent(account.credentials, search);
  const alike = found.filter((each) => matchesFax({ job, attempt: lead }, each, { from, until }));
  return parts.db.transaction(async (tx) => {
    const now = await readFaxOf(tx, attempt.id);
    if (!now || !isLost(now)) return null;
    const free: FoundFax[] = [];
    for (const each of alike) {
      const taken = { account: account.id, providerSid: each.report.reference, except: attempt };
      if (!(await isTaken(tx, taken))) free.push(each);
    }
    const [only, another] = free;
    if (!only || another) return null;
    // Unless it carries our address, it may be another fax of ours whose answer was lost as well.
    const others = { account: account.id, except: attempt, to: job.to_number, from, until };
    const isNamed = only.attemptId !== null || only.callbackUrl !== null;
    if (!isNamed && (await hasOtherUncertain(tx, others))) return null;
    await parts.reports.recordReport(tx, now, only.report, PROVIDER);
    return only.report.reference;
  });
}

function matchesFax(
  { job, attempt }: { readonly job: JobRow; readonly attempt: AttemptRow },
  { report, attemptId, beganAt, documentPages, callbackUrl }: FoundFax,
  { from, until }: { from: string; until: string },
): boolean {
  if (attemptId !== null) return attemptId === attempt.id;
  if (report.direction === 'received' || report.to !== job.to_number) return false;
  if (documentPages !== (attempt.call_pages ?? transmittedPages(job, attempt))) return false;
  if (beganAt === null || beganAt < from || beganAt > until) return false;
  return (
    callbackUrl === null || withoutCredentials(callbackUrl) === withoutCredentials(attempt.callback_url ?? '')
  );
}

/** Providers do not show user and password of an address again. */
function withoutCredentials(address: string): string {
  return address.replace(/\/\/[^/@]*@/u, '//');
}
