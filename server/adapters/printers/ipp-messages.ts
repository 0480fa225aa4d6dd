import type {
  PrinterFault,
  PrinterJob,
  PrinterJobState,
  PrinterStatus,
} from '../../features/print-rules/printer-port.ts';
import type { OPERATION } from '../../platform/ipp/codes.ts';
import { GROUP, type IppAttribute, type IppMessage } from '../../platform/ipp/message.ts';
import { attribute, groupOf, soleValue, textsOf } from '../../platform/ipp/values.ts';
import { FORM_ATTRIBUTES, formOf } from './print-form.ts';

/** Account of the gateway at printers. Some printers list to a caller only the jobs of its own account. */
const USER = 'faxdesk';
/** Jobs of a list. Printers list ended jobs newest first. */
const MAX_JOBS = 200;
/** Characters of a printer's reason that are kept. */
const MAX_REASON = 200;

/** Attributes of a printer that are read. */
export const STATUS_ATTRIBUTES = [
  ...FORM_ATTRIBUTES,
  'printer-is-accepting-jobs',
  'printer-make-and-model',
  'printer-state',
  'printer-state-reasons',
  'printer-up-time',
] as const;

const JOB_ATTRIBUTES = [
  'job-id',
  'job-state',
  'job-state-message',
  'job-state-reasons',
  'job-impressions-completed',
  'job-media-sheets-completed',
];
const LISTED_ATTRIBUTES = [...JOB_ATTRIBUTES, 'job-name', 'time-at-completed'];

const JOB_STATES: Readonly<Record<number, PrinterJobState>> = {
  3: 'pending',
  4: 'held',
  5: 'processing',
  6: 'stopped',
  7: 'canceled',
  8: 'aborted',
  9: 'completed',
};

const STOPPED = 5;

/** Faults by the beginning of a reason of the printer's state (RFC 8011, 5.4.12), the most telling one first. */
const REASONS: readonly (readonly [string, PrinterFault])[] = [
  ['media-jam', 'jam'],
  ['media-empty', 'no_paper'],
  ['media-needed', 'no_paper'],
  ['input-tray-missing', 'no_paper'],
  ['cover-open', 'open'],
  ['door-open', 'open'],
  ['interlock-open', 'open'],
  ['toner-empty', 'no_ink'],
  ['marker-supply-empty', 'no_ink'],
  ['paused', 'stopped'],
];

/** Returns a request of the gateway to a printer. */
export function requestTo(
  uri: string,
  code: (typeof OPERATION)[keyof typeof OPERATION],
  operation: readonly IppAttribute[],
  job: readonly IppAttribute[] = [],
): IppMessage {
  const head = [
    attribute('attributes-charset', 'charset', 'utf-8'),
    attribute('attributes-natural-language', 'naturalLanguage', 'en'),
    attribute('printer-uri', 'uri', uri),
  ];
  const [first, ...others] = operation;
  // RFC 8011, 4.1.5: the target comes right after the language; a job number belongs to it.
  const target = first?.name === 'job-id' ? [first] : [];
  const rest = first?.name === 'job-id' ? others : operation;
  const attributes = [...head, ...target, attribute('requesting-user-name', 'name', USER), ...rest];
  return {
    version: { major: 2, minor: 0 },
    code,
    requestId: 1,
    groups: [
      { tag: GROUP.operation, attributes },
      ...(job.length > 0 ? [{ tag: GROUP.job, attributes: job }] : []),
    ],
  };
}

/** Returns the attributes of a request for the state of a job. */
export const jobQuery = (job: number): IppAttribute[] => [
  attribute('job-id', 'integer', job),
  attribute('requested-attributes', 'keyword', ...JOB_ATTRIBUTES),
];

/** Returns the attributes of a request for the jobs of the gateway: printers keep the names of others' jobs private. */
export const listQuery = (which: 'completed' | 'not-completed'): IppAttribute[] => [
  attribute('limit', 'integer', MAX_JOBS),
  attribute('requested-attributes', 'keyword', ...LISTED_ATTRIBUTES),
  attribute('which-jobs', 'keyword', which),
  attribute('my-jobs', 'boolean', true),
];

/** Reads the state of a printer; null where the answer is of none. */
export function readStatus(answer: IppMessage): PrinterStatus | null {
  const printer = groupOf(answer, GROUP.printer);
  const state = soleValue(printer, 'printer-state', 'enum');
  if (state === null) return null;
  const reasons = textsOf(printer, 'printer-state-reasons');
  const isAccepting = soleValue(printer, 'printer-is-accepting-jobs', 'boolean') ?? true;
  return {
    model: soleValue(printer, 'printer-make-and-model', 'text') ?? '',
    takes: formOf(printer),
    isAccepting,
    fault: isAccepting ? faultOf(state, reasons) : 'not_accepting',
    upTime: upTimeOf(answer),
  };
}

/** Returns the seconds since the printer was switched on; null where it does not report them. */
export const upTimeOf = (answer: IppMessage): number | null =>
  soleValue(groupOf(answer, GROUP.printer), 'printer-up-time', 'integer');

function faultOf(state: number, reasons: readonly string[]): PrinterFault | null {
  // A report or warning does not keep a printer from printing.
  const serious = reasons.filter((reason) => !/-(?:report|warning)$/u.test(reason));
  const found = REASONS.find(([start]) => serious.some((reason) => reason.startsWith(start)));
  return found?.[1] ?? (state === STOPPED ? 'stopped' : null);
}

/** A job in a list of the printer. */
interface ListedJob extends PrinterJob {
  /** Null where the printer keeps it private. */
  readonly name: string | null;
  /** Seconds of the printer's up-time; null where the job has not ended or the printer does not report it. */
  readonly endedAt: number | null;
}

/** Reads the jobs of an answer, in its order; null where one of them is not one of IPP. */
export function readJobs(answer: IppMessage): ListedJob[] | null {
  const jobs: ListedJob[] = [];
  for (const { tag, attributes } of answer.groups) {
    if (tag !== GROUP.job || attributes.length === 0) continue;
    const job = readJob(attributes);
    if (job === null) return null;
    const name = soleValue(attributes, 'job-name', 'name');
    jobs.push({ ...job, name, endedAt: soleValue(attributes, 'time-at-completed', 'integer') });
  }
  return jobs;
}

function readJob(attributes: readonly IppAttribute[]): PrinterJob | null {
  const number = soleValue(attributes, 'job-id', 'integer');
  const state = JOB_STATES[soleValue(attributes, 'job-state', 'enum') ?? 0];
  if (number === null || state === undefined) return null;
  const counts = ['job-impressions-completed', 'job-media-sheets-completed']
    .map((name) => soleValue(attributes, name, 'integer'))
    .filter((count) => count !== null);
  const printed = counts.length === 0 ? null : Math.max(...counts);
  return { number, state, printed, reason: reasonOf(attributes) };
}

/** Returns the message of the printer about a job; without one, the keywords that it gives as reasons. */
function reasonOf(attributes: readonly IppAttribute[]): string | null {
  const message = soleValue(attributes, 'job-state-message', 'text')?.trim() ?? '';
  const reasons = textsOf(attributes, 'job-state-reasons').filter((reason) => reason !== 'none');
  const text = message === '' ? reasons.join(', ') : message;
  // It is shown in a line.
  return text === '' ? null : text.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, MAX_REASON);
}

/** Returns true when lists that lack a job prove that the printer never had it. Times are in seconds of its up-time. */
export function provesAbsence(
  jobs: { readonly open: readonly ListedJob[]; readonly ended: readonly ListedJob[] },
  { upTime, begunAt }: { readonly upTime: number; readonly begunAt: number },
): boolean {
  if (begunAt <= 0 || upTime <= 0) return false;
  if ([...jobs.open, ...jobs.ended].some(({ name }) => name === null)) return false;
  // A list that was cut need not have the job. Ended jobs are cut at the oldest end only where they come newest first.
  if (jobs.open.length >= MAX_JOBS) return false;
  if (jobs.ended.length >= MAX_JOBS && !isNewestFirst(jobs.ended)) return false;
  return jobs.ended.some(({ endedAt }) => endedAt !== null && endedAt > 0 && endedAt < begunAt);
}

const isNewestFirst = (ended: readonly ListedJob[]): boolean =>
  ended.every(({ endedAt }, at) => {
    const next = ended[at + 1];
    return endedAt !== null && (next === undefined || (next.endedAt !== null && next.endedAt <= endedAt));
  });
