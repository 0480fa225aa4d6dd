import { JOB_STATE, OPERATION, STATUS } from '../../../platform/ipp/codes.ts';
import { GROUP, type IppAttribute, type IppGroup } from '../../../platform/ipp/message.ts';
import { soleValue, valuesOf } from '../../../platform/ipp/values.ts';
import { PrintError } from '../print-error.ts';
import { maxJobBytes } from '../sizes.ts';
import { networkConsoleUrl } from './announced-printer.ts';
import { CREATED_ATTRIBUTES, jobAttributes } from './job-attributes.ts';
import { documentForm, requestedJob } from './job-request.ts';
import type { Printout } from './job-table.ts';
import { createJob, printDocument } from './print.ts';
import type { FaxPrinter } from './printer.ts';
import {
  descriptionAttributes,
  FAX_PRINTER_NAME,
  faxOutUuid,
  mediaDatabase,
  PRINTER_NAME,
  templateAttributes,
} from './printer-attributes.ts';
import { keywordsOf, type PrinterRequest } from './request.ts';

/** Status and groups of an answer, without the operation group. */
export interface Answered {
  readonly status: number;
  readonly groups: readonly IppGroup[];
}

type Operation = (printer: FaxPrinter, request: PrinterRequest) => Promise<Answered>;

const OK: Answered = { status: STATUS.ok, groups: [] };

const OPERATIONS: Readonly<Record<number, Operation>> = {
  [OPERATION.printJob]: printJob,
  [OPERATION.validateJob]: validateJob,
  [OPERATION.createJob]: openJob,
  [OPERATION.sendDocument]: sendDocument,
  [OPERATION.cancelJob]: cancelJob,
  [OPERATION.getJobAttributes]: getJobAttributes,
  [OPERATION.getJobs]: getJobs,
  [OPERATION.getPrinterAttributes]: getPrinterAttributes,
  [OPERATION.cancelMyJobs]: cancelMyJobs,
  [OPERATION.closeJob]: closeJob,
  [OPERATION.identifyPrinter]: async () => OK,
};

/** Carries out a request. Throws PrintError for what is refused, and errors of the connection. */
export async function runOperation(printer: FaxPrinter, request: PrinterRequest): Promise<Answered> {
  const operation = OPERATIONS[request.operation];
  if (operation === undefined)
    throw new PrintError('operationNotSupported', 'The printer does not have this operation.');
  return await operation(printer, request);
}

async function printJob(printer: FaxPrinter, request: PrinterRequest): Promise<Answered> {
  const wanted = requestedJob(request);
  const form = documentForm(request.attributes);
  const job = await createJob(printer, wanted);
  await printDocument(printer, job, { document: request.document, form });
  return created(printer, request, { job, unsupported: wanted.unsupported });
}

async function validateJob(_printer: FaxPrinter, request: PrinterRequest): Promise<Answered> {
  documentForm(request.attributes);
  return withUnsupported(requestedJob(request).unsupported, []);
}

async function openJob(printer: FaxPrinter, request: PrinterRequest): Promise<Answered> {
  const wanted = requestedJob(request);
  const job = await createJob(printer, wanted);
  return created(printer, request, { job, unsupported: wanted.unsupported });
}

async function sendDocument(printer: FaxPrinter, request: PrinterRequest): Promise<Answered> {
  const job = jobOf(printer, request);
  const isLast = soleValue(request.attributes, 'last-document', 'boolean');
  if (isLast === null) throw new PrintError('badRequest', 'The request does not say whether it is the last.');
  const form = documentForm(request.attributes);
  if (job.state !== JOB_STATE.pending) {
    if (job.pages !== null && !isLast)
      throw new PrintError('multipleDocumentsNotSupported', 'A job has one document.');
    throw new PrintError('notPossible', 'The job takes no document now.');
  }
  await printDocument(printer, job, { document: request.document, form });
  return created(printer, request, { job, unsupported: [] });
}

async function cancelJob(printer: FaxPrinter, request: PrinterRequest): Promise<Answered> {
  const job = jobOf(printer, request);
  if (job.completedAt !== null) throw new PrintError('notPossible', 'The job has ended already.');
  endCanceled(printer, job);
  return OK;
}

async function cancelMyJobs(printer: FaxPrinter, request: PrinterRequest): Promise<Answered> {
  const { attributes, user } = request;
  const numbers = valuesOf(attributes, 'job-ids').map(({ value }) => value);
  const mine = visibleJobs(printer.jobs.open(), request).filter((job) => job.user === user);
  const named = numbers.length === 0 ? mine : mine.filter(({ number }) => numbers.includes(number));
  if (named.length < numbers.length) throw new PrintError('notFound', 'There is no such job.');
  for (const job of named) endCanceled(printer, job);
  return OK;
}

function endCanceled({ jobs }: FaxPrinter, job: Printout): void {
  jobs.end(job, {
    state: JOB_STATE.canceled,
    reason: 'job-canceled-by-user',
    message: 'The job was canceled at the computer that printed it.',
  });
}

async function closeJob(printer: FaxPrinter, request: PrinterRequest): Promise<Answered> {
  const job = jobOf(printer, request);
  if (job.state === JOB_STATE.pending)
    printer.jobs.end(job, {
      state: JOB_STATE.aborted,
      reason: 'aborted-by-system',
      message: 'The job was closed without a document.',
    });
  return OK;
}

async function getJobAttributes(printer: FaxPrinter, request: PrinterRequest): Promise<Answered> {
  const job = jobOf(printer, request);
  const all = describedJob(printer, request, job);
  const names = keywordsOf(request.attributes, 'requested-attributes');
  return { status: STATUS.ok, groups: [{ tag: GROUP.job, attributes: chosenOfJob(all, names, job) }] };
}

async function getJobs(printer: FaxPrinter, request: PrinterRequest): Promise<Answered> {
  const { attributes, user } = request;
  const which = soleValue(attributes, 'which-jobs', 'keyword') ?? 'not-completed';
  const limit = soleValue(attributes, 'limit', 'integer') ?? Number.POSITIVE_INFINITY;
  const isMine = soleValue(attributes, 'my-jobs', 'boolean') ?? false;
  if (limit < 1) throw new PrintError('badRequest', 'The limit is not valid.');
  printer.jobs.expire();
  const { jobs } = printer;
  const lists: Record<string, () => Printout[]> = {
    'not-completed': () => jobs.open(),
    completed: () => jobs.ended(),
    all: () => [...jobs.open(), ...jobs.ended()],
  };
  const list = lists[which];
  if (list === undefined) throw new PrintError('attributesNotSupported', 'There are no such lists of jobs.');
  const names = keywordsOf(attributes, 'requested-attributes');
  const listed = visibleJobs(list(), request)
    .filter((job) => !isMine || job.user === user)
    .slice(0, Math.min(limit, Number.MAX_SAFE_INTEGER));
  return {
    status: STATUS.ok,
    groups: listed.map((job) => ({
      tag: GROUP.job,
      attributes: chosenOfJob(
        describedJob(printer, request, job),
        names.length === 0 ? ['job-uri', 'job-id'] : names,
        job,
      ),
    })),
  };
}

async function getPrinterAttributes(printer: FaxPrinter, request: PrinterRequest): Promise<Answered> {
  const { parts, jobs, uuid, startedAt } = printer;
  const named = keywordsOf(request.attributes, 'requested-attributes');
  const names = named.length === 0 ? ['all'] : named;
  jobs.expire();
  const open = jobs.open();
  const description = descriptionAttributes({
    uri: request.uri,
    isFaxOut: request.isFaxOut,
    consoleUrl: request.uri.startsWith('ipps:') ? networkConsoleUrl(parts) : parts.consoleUrl(),
    uuid: request.isFaxOut ? faxOutUuid(uuid) : uuid,
    name: request.isFaxOut ? FAX_PRINTER_NAME : PRINTER_NAME,
    announcedName: request.isFaxOut ? FAX_PRINTER_NAME : (parts.https.announcedPrinter() ?? PRINTER_NAME),
    organization: parts.organization() ?? '',
    release: parts.release,
    startedAt,
    now: parts.clock.now(),
    maxBytes: maxJobBytes(parts),
    openJobs: open.length,
    isBusy: open.some(({ state }) => state === JOB_STATE.processing),
  });
  const template = templateAttributes();
  const has = (name: string) => names.includes(name) || names.includes('all');
  const attributes = [
    ...(has('printer-description') ? description : description.filter(({ name }) => has(name))),
    ...(has('job-template') ? template : template.filter(({ name }) => has(name))),
    ...(names.includes('media-col-database') ? [mediaDatabase()] : []),
  ];
  return { status: STATUS.ok, groups: [{ tag: GROUP.printer, attributes }] };
}

/** Jobs of this printer that are of the person, or of this computer where nobody proved who they are. */
const visibleJobs = (jobs: readonly Printout[], { person, isFaxOut }: PrinterRequest): Printout[] =>
  jobs.filter((job) => job.ownerId === (person?.id ?? null) && job.isFaxOut === isFaxOut);

function jobOf({ jobs }: FaxPrinter, request: PrinterRequest): Printout {
  const { jobNumber } = request;
  if (jobNumber === null) throw new PrintError('badRequest', 'The request names no job.');
  const found = jobs.find(jobNumber);
  const [job] = found ? visibleJobs([found], request) : [];
  if (job === undefined) throw new PrintError('notFound', 'There is no such job.');
  return job;
}

const describedJob = ({ parts, startedAt }: FaxPrinter, { uri, user }: PrinterRequest, job: Printout) =>
  jobAttributes(job, { uri, user, startedAt, now: parts.clock.now() });

/** The attributes that a request names, by themselves or by a group of them; all where it names none. */
function chosenOfJob(
  all: readonly IppAttribute[],
  names: readonly string[],
  { template }: Printout,
): readonly IppAttribute[] {
  if (names.length === 0 || names.includes('all')) return all;
  return all.filter((attribute) => {
    const isTemplate = template.includes(attribute);
    const group = isTemplate ? 'job-template' : 'job-description';
    return names.includes(attribute.name) || names.includes(group);
  });
}

function created(
  printer: FaxPrinter,
  request: PrinterRequest,
  { job, unsupported }: { readonly job: Printout; readonly unsupported: readonly IppAttribute[] },
): Answered {
  const all = describedJob(printer, request, job);
  const attributes = all.filter(({ name }) => CREATED_ATTRIBUTES.includes(name));
  return withUnsupported(unsupported, [{ tag: GROUP.job, attributes }]);
}

function withUnsupported(unsupported: readonly IppAttribute[], groups: readonly IppGroup[]): Answered {
  if (unsupported.length === 0) return { status: STATUS.ok, groups };
  return {
    status: STATUS.okIgnored,
    groups: [{ tag: GROUP.unsupported, attributes: unsupported }, ...groups],
  };
}
