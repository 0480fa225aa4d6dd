import { setTimeout as pause } from 'node:timers/promises';
import { ScannerError, type ScannerFault, type Scanners } from '../../features/scanning/scanner-port.ts';
import {
  createHttpClient,
  type HttpAnswer,
  HttpFailure,
  type HttpRequest,
} from '../../platform/http-client.ts';

const MESSAGE_BYTES = 1024 * 1024;
/** A page of 600 dots per inch in color. */
const PAGE_BYTES = 48 * 1024 * 1024;
const ANSWER_MS = 15_000;
/** A scanner warms up, and answers when the page has passed. */
const PAGE_MS = 120_000;
const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);
const MAX_WAITS = 240;
const MAX_WAIT_S = 5;

/** Faults by the state of the feeder. */
const FEEDER_FAULTS: Readonly<Record<string, ScannerFault>> = {
  ScannerAdfEmpty: 'feeder_empty',
  ScannerAdfJam: 'feeder_jam',
  ScannerAdfHatchOpen: 'feeder_open',
  ScannerAdfDoorOpen: 'feeder_open',
  ScannerAdfMispick: 'feeder_jam',
  ScannerAdfMultipickDetected: 'feeder_jam',
};

/** Scanners that speak eSCL (AirScan), at addresses such as `http://192.0.2.20/eSCL`. */
export function createEsclScanners(): Scanners {
  return {
    // Loaded for a search alone.
    search: async () => (await import('./search.ts')).searchScanners(),
    identify: async (url) => (await import('./identity.ts')).identifyScanner(url),
    async describe(url, signal) {
      const { readCapabilities } = await messages();
      const answer = await ask({ method: 'GET', url: `${url}/ScannerCapabilities`, ...withSignal(signal) });
      const abilities = answer.status === 200 ? readCapabilities(answer.body.toString('utf8')) : null;
      if (abilities === null || abilities.sources.length === 0)
        throw new ScannerError('not_a_scanner', `status ${answer.status} for its abilities`);
      const { feeder } = await statusOf(url, signal);
      return { ...abilities, feederLoaded: feeder === '' ? null : feeder !== 'ScannerAdfEmpty' };
    },
    async begin(url, order, signal) {
      const { writeSettings } = await messages();
      const bytes = Buffer.from(writeSettings(order));
      const body = {
        contentType: 'text/xml',
        contentLength: bytes.length,
        async *chunks() {
          yield bytes;
        },
      };
      const { status, headers } = await ask({ method: 'POST', url: `${url}/ScanJobs`, body, signal });
      const job = headers.location;
      if (status !== 201 || job === undefined) throw await refusal(url, order.source, status);
      // Scanners name themselves by addresses that not every computer can reach.
      const { pathname, search } = new URL(job, url);
      return new URL(`${pathname}${search}`, url).href.replace(/\/$/u, '');
    },
    async nextPage(url, job, signal) {
      for (let waits = 0; waits < MAX_WAITS; waits += 1) {
        const answer = await askForPage({ method: 'GET', url: `${job}/NextDocument`, signal });
        if (answer.status === 200) {
          if (!answer.body.subarray(0, JPEG_START.length).equals(JPEG_START))
            throw new ScannerError('refused', 'the page is no JPEG');
          return answer.body;
        }
        if (answer.status === 404 || answer.status === 410) return await afterLast(url);
        if (answer.status !== 503) throw await refusal(url, 'feeder', answer.status);
        const seconds = Number(answer.headers['retry-after'] ?? 1);
        await pause(Math.min(MAX_WAIT_S, Number.isFinite(seconds) ? seconds : 1) * 1_000, null, { signal });
      }
      throw new ScannerError('lost', 'it asked to wait for too long');
    },
    async cancel(job) {
      await ask({ method: 'DELETE', url: job }).catch(() => undefined);
    },
  };
}

/** The reader of XML is loaded when a scanner is used: most offices have none. */
const messages = () => import('./escl-documents.ts');

const withSignal = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

const quick = createHttpClient({ timeoutMs: ANSWER_MS });
const slow = createHttpClient({ timeoutMs: PAGE_MS });

const ask = (request: Omit<HttpRequest, 'maxAnswerBytes'>) =>
  answered(quick.request({ ...request, maxAnswerBytes: MESSAGE_BYTES }));

const askForPage = (request: Omit<HttpRequest, 'maxAnswerBytes'>) =>
  answered(slow.request({ ...request, maxAnswerBytes: PAGE_BYTES }));

async function answered(request: Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    throw new ScannerError(error.connected ? 'lost' : 'unreachable', error.message, { cause: error });
  }
}

/** Empty where the scanner reports none. */
async function statusOf(url: string, signal?: AbortSignal): Promise<{ state: string; feeder: string }> {
  const { readStatus } = await messages();
  const { body } = await ask({ method: 'GET', url: `${url}/ScannerStatus`, ...withSignal(signal) });
  return readStatus(body.toString('utf8')) ?? { state: '', feeder: '' };
}

/** Distinguishes the end of the paper from a feeder that stopped in the middle. */
async function afterLast(url: string): Promise<null> {
  const { feeder } = await statusOf(url);
  const fault = FEEDER_FAULTS[feeder];
  if (fault !== undefined && fault !== 'feeder_empty') throw new ScannerError(fault, feeder);
  return null;
}

async function refusal(url: string, source: string, status: number): Promise<ScannerError> {
  const { state, feeder } = await statusOf(url);
  const message = `status ${status}, ${state} ${feeder}`;
  const fault = source === 'glass' ? undefined : FEEDER_FAULTS[feeder];
  if (fault !== undefined && fault !== 'feeder_empty') return new ScannerError(fault, message);
  if (state === 'Stopped' || state === 'Down') return new ScannerError('stopped', message);
  if (state === 'Processing') return new ScannerError('busy', message);
  if (fault !== undefined) return new ScannerError(fault, message);
  if (status === 503 || status === 409) return new ScannerError('busy', message);
  return new ScannerError('refused', message);
}
