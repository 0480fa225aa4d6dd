import {
  PrinterError,
  type PrinterJob,
  type Printers,
  type PrintOrder,
} from '../../features/print-rules/printer-port.ts';
import { errorCode } from '../../platform/errors.ts';
import { createHttpClient, HttpFailure, type HttpRequest } from '../../platform/http-client.ts';
import { OPERATION, STATUS } from '../../platform/ipp/codes.ts';
import { decodeMessage } from '../../platform/ipp/decode.ts';
import { encodeMessage } from '../../platform/ipp/encode.ts';
import { IppFormatError, type IppMessage } from '../../platform/ipp/message.ts';
import { attribute } from '../../platform/ipp/values.ts';
import {
  jobQuery,
  listQuery,
  provesAbsence,
  readJobs,
  readStatus,
  requestTo,
  STATUS_ATTRIBUTES,
  upTimeOf,
} from './ipp-messages.ts';

const MESSAGE_BYTES = 1024 * 1024;
const ANSWER_MS = 15_000;
/** A printer may read a document at the pace of its paper. */
const SUBMIT_MS = 10 * 60_000;
const IPP_PORT = '631';
const CERTIFICATE_CODES = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET_ISSUER))/u;
/** Clocks of printers count whole seconds. */
const MARGIN_SECONDS = 5;
const FIRST_FAILURE = 0x0100;

/** Printers that speak IPP, at addresses such as `ipp://192.0.2.30/ipp/print` or `ipps://printer.example/ipp/print`. */
export function createIppPrinters(): Printers {
  return {
    async describe(url, signal) {
      const status = readStatus(await printerFacts(url, signal));
      if (status === null) throw new PrinterError('not_a_printer', 'it reports no state');
      return status;
    },
    submit,
    async findJob(url, job, signal) {
      const answer = await ask(url, requestTo(url, OPERATION.getJobAttributes, jobQuery(job)), signal);
      if (answer.code === STATUS.notFound) return null;
      return onlyJob(checked(answer));
    },
    async searchJob(url, { jobName, begunMsAgo, begunAtUpTime }, signal) {
      // Open jobs first: one that ends between the two questions is in the second list.
      const open = await listJobs(url, 'not-completed', signal);
      const ended = await listJobs(url, 'completed', signal);
      const job = [...open, ...ended].find(({ name }) => name === jobName);
      if (job) return { job: withoutName(job), isConclusive: true };
      const upTime = upTimeOf(await printerFacts(url, signal)) ?? 0;
      // The earlier of two measures: our clock may have been set back, and the printer may have been switched off.
      const begunAt = Math.min(begunAtUpTime ?? 0, upTime - Math.ceil(begunMsAgo / 1_000)) - MARGIN_SECONDS;
      return { job: null, isConclusive: provesAbsence({ open, ended }, { upTime, begunAt }) };
    },
  };
}

async function printerFacts(url: string, signal?: AbortSignal): Promise<IppMessage> {
  const wanted = [attribute('requested-attributes', 'keyword', ...STATUS_ATTRIBUTES)];
  return checked(await ask(url, requestTo(url, OPERATION.getPrinterAttributes, wanted), signal));
}

async function listJobs(url: string, which: 'completed' | 'not-completed', signal?: AbortSignal) {
  const jobs = readJobs(checked(await ask(url, requestTo(url, OPERATION.getJobs, listQuery(which)), signal)));
  if (jobs === null) throw new PrinterError('refused', 'its list of jobs is not one of IPP');
  return jobs;
}

/** Only an answer with a status of refusal, or a connection over which nothing went, proves that no job arrived. */
async function submit(url: string, order: PrintOrder, signal: AbortSignal): Promise<PrinterJob> {
  const operation = [
    attribute('job-name', 'name', order.jobName),
    // A printer that cannot print the pages as they are refuses them.
    attribute('ipp-attribute-fidelity', 'boolean', false),
    attribute('document-format', 'mimeMediaType', order.format),
  ];
  const head = encodeMessage(requestTo(url, OPERATION.printJob, operation, sheetAttributes(order)));
  const body = {
    contentType: 'application/ipp',
    contentLength: order.bytes === null ? null : head.length + order.bytes,
    async *chunks() {
      yield head;
      yield* order.chunks();
    },
  };
  const request = {
    method: 'POST' as const,
    url: httpAddress(url),
    body,
    maxAnswerBytes: MESSAGE_BYTES,
    signal,
  };
  const answer = await exchange(slow, request);
  if (answer.code >= FIRST_FAILURE) throw refusalOf(answer.code);
  const job = readJobs(answer)?.[0];
  if (job === undefined)
    throw new PrinterError('lost', 'it accepted a job without a number', { mayHaveArrived: true });
  return withoutName(job);
}

/** Pages of pixels are drawn for the front of a sheet of this size. */
const sheetAttributes = ({ sheet }: PrintOrder) =>
  sheet === null ? [] : [attribute('media', 'keyword', sheet), attribute('sides', 'keyword', 'one-sided')];

const withoutName = ({ number, state, printed, reason }: PrinterJob): PrinterJob => ({
  number,
  state,
  printed,
  reason,
});

function onlyJob(answer: IppMessage): PrinterJob {
  const job = readJobs(answer)?.[0];
  if (job === undefined) throw new PrinterError('refused', 'its answer has no job');
  return withoutName(job);
}

function checked(answer: IppMessage): IppMessage {
  if (answer.code >= FIRST_FAILURE) throw refusalOf(answer.code);
  return answer;
}

function refusalOf(code: number): PrinterError {
  const message = `status 0x${code.toString(16).padStart(4, '0')}`;
  if (code === STATUS.busy || code === STATUS.temporaryError) return new PrinterError('busy', message);
  if (code === 0x0506) return new PrinterError('not_accepting', message);
  if (code === STATUS.formatNotSupported || code === STATUS.formatError)
    return new PrinterError('format', message);
  // An internal error may come after the pages.
  return new PrinterError('refused', message, { mayHaveArrived: code === STATUS.internalError });
}

const quick = createHttpClient({ timeoutMs: ANSWER_MS });
const slow = createHttpClient({ timeoutMs: SUBMIT_MS });

function ask(url: string, message: IppMessage, signal?: AbortSignal): Promise<IppMessage> {
  const bytes = encodeMessage(message);
  const body = {
    contentType: 'application/ipp',
    contentLength: bytes.length,
    async *chunks() {
      yield bytes;
    },
  };
  return exchange(quick, {
    method: 'POST',
    url: httpAddress(url),
    body,
    maxAnswerBytes: MESSAGE_BYTES,
    ...(signal === undefined ? {} : { signal }),
  });
}

async function exchange(client: typeof quick, request: HttpRequest): Promise<IppMessage> {
  try {
    const { status, body } = await client.request(request);
    if (status !== 200)
      throw new PrinterError(status === 503 ? 'busy' : 'not_a_printer', `HTTP status ${status}`, {
        mayHaveArrived: status >= 500,
      });
    return decodeMessage(body);
  } catch (error) {
    if (error instanceof IppFormatError)
      throw new PrinterError('not_a_printer', error.message, { mayHaveArrived: true, cause: error });
    if (!(error instanceof HttpFailure)) throw error;
    const isUntrusted = CERTIFICATE_CODES.test(errorCode(error.cause));
    const fault = isUntrusted ? 'certificate' : error.connected ? 'lost' : 'unreachable';
    throw new PrinterError(fault, error.message, { mayHaveArrived: error.wrote, cause: error });
  }
}

/** Returns the address that HTTP connects to (RFC 8010, 4.2; RFC 7472): port 631 where none is named. */
function httpAddress(address: string): string {
  const url = new URL(address.replace(/^ipp/iu, 'http'));
  const named = /^ipps?:\/\/(?:\[[^\]]*\]|[^:/?#]*):(\d+)/iu.exec(address)?.[1];
  url.port = named ?? IPP_PORT;
  return url.href;
}
