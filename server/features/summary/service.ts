import type { z } from 'zod';
import { SUMMARY_SHOWS, type Summary, type SummarySent } from '../../../shared/api/summary.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import { schedule } from '../../jobs/schedule.ts';
import { newId } from '../../platform/ids.ts';
import { lastWholeDay } from '../../platform/local-days.ts';
import { assertMayOpen } from '../../platform/may-open.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { figuresOf } from './figures.ts';
import { dayWords } from './message.ts';
import type { SummaryParts } from './parts.ts';
import { NO_CONNECTOR, sendDue, sendSummary, sentenceOf } from './send.ts';
import { newestDays } from './store.ts';
import type { SummaryRow } from './types.ts';

const CHECK_INTERVAL_MS = 60_000;
const SHOWN_DAYS = 30;

/** The daily summary. */
export interface SummaryService {
  readonly jobs: readonly JobDefinition<never>[];
  plan(): Promise<void>;
  /** Throws a 403 refusal when the caller may not see its contents. */
  read(caller: Caller): Promise<z.infer<typeof Summary>>;
  /** Sends that of the last whole day to all recipients, even if it was sent before. */
  sendNow(caller: Caller): Promise<z.infer<typeof SummarySent>>;
  /** Lists problems that keep the newest one from being delivered, as sentences. */
  warnings(): Promise<string[]>;
}

export function createSummaryService(parts: SummaryParts): SummaryService {
  const { db, queue, clock, settings } = parts;
  const job = schedule({
    kind: 'summary.send',
    everyMs: () => CHECK_INTERVAL_MS,
    run: () => sendDue(parts),
    db,
    queue,
    clock,
  });
  const day = () => lastWholeDay(clock.now(), settings.locality().timeZone);
  return {
    jobs: [job.definition] as unknown as JobDefinition<never>[],
    plan: () => job.plan(),
    async read(caller) {
      assertMayOpen(caller, SUMMARY_SHOWS, 'To see the daily summary');
      const sent = (await newestDays(db.read, SHOWN_DAYS)).map(presentDay);
      return { day: day(), figures: await figuresOf(parts, day()), sent };
    },
    sendNow: (caller) => sendNow(parts, caller, day()),
    warnings: () => warningsOf(parts),
  };
}

function presentDay({ day, state, problem, retry_at, updated_at }: SummaryRow) {
  return { day, state, sentence: problem, retry_at, updated_at };
}

async function sendNow(
  parts: SummaryParts,
  caller: Caller,
  day: string,
): Promise<z.infer<typeof SummarySent>> {
  const to = parts.settings.recipients();
  const result = await resultFor(parts, day, to);
  await parts.db.transaction((tx) =>
    parts.audit.record(tx, {
      ...recordedActor(actorOf(caller)),
      operation: 'summary.send',
      target: { kind: 'summary', id: null },
      outcome: 'done',
      details: { day },
    }),
  );
  return { day, ...result };
}

async function resultFor(parts: SummaryParts, day: string, to: readonly string[]) {
  if (to.length === 0)
    return { ok: false, detail: 'The setting “Daily summary to” names no e-mail address.' };
  const order = { day, to, idName: `summary.${day}.${newId()}` };
  const outcome = await sendSummary(parts, order, async () => undefined);
  if (outcome.kind === 'accepted' && outcome.refused.size === 0) {
    const whom = to.length === 1 ? 'the recipient' : `all ${to.length} recipients`;
    return { ok: true, detail: `The e-mail server accepted the summary for ${whom}.` };
  }
  const each = outcome.kind === 'unknown' ? [] : [...outcome.refused].map((pair) => pair.join(': '));
  return { ok: false, detail: each.length > 0 ? each.join(' ') : sentenceOf(outcome) };
}

/** Sentences of a server may name an address, so they stay where the summary is read. */
async function warningsOf({ db, settings }: SummaryParts): Promise<string[]> {
  if (settings.recipients().length === 0) return [];
  if (settings.connector() === null) return [`No daily summary can be sent. ${NO_CONNECTOR}`];
  const [newest] = await newestDays(db.read, 1);
  if (!newest) return [];
  const summary = `The daily summary of ${dayWords(newest.day, settings.locality())}`;
  if (newest.state === 'uncertain') return [`${summary} may or may not have arrived. It is not sent again.`];
  if (newest.state === 'failed') return [`${summary} could not be sent to everyone.`];
  if (newest.state === 'waiting' && newest.failures > 0)
    return [`${summary} was refused. Faxdesk sends it again automatically.`];
  return [];
}
