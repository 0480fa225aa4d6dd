import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { OPERATION, STATUS } from '../../../../server/platform/ipp/codes.ts';
import { encodeMessage } from '../../../../server/platform/ipp/encode.ts';
import {
  GROUP,
  type IppAttribute,
  type IppGroup,
  type IppMessage,
} from '../../../../server/platform/ipp/message.ts';
import { readMessage } from '../../../../server/platform/ipp/read-message.ts';
import { attribute, groupOf, soleValue } from '../../../../server/platform/ipp/values.ts';
import { Listener } from '../listener.ts';
import { fixedDescription } from './description.ts';

/** Job of the printer. Times are in seconds of its up-time. */
interface EmulatedJob {
  readonly number: number;
  readonly name: string;
  readonly format: string;
  /** Sheet that the job asked for; null where it left that to the printer. */
  readonly sheet: string | null;
  readonly document: Buffer;
  state: number;
  impressions: number;
  endedAt: number | null;
}

const OPEN_STATES = [3, 4, 5, 6];

/** An office printer by RFC 8011, as far as a gateway uses one. It prints when it is told to. */
export class IppPrinter {
  readonly #listener = new Listener((request, response) => this.#serve(request, response));
  readonly jobs: EmulatedJob[] = [];
  #nextNumber = 1;
  /** Documents of the jobs that were submitted, also of those that were forgotten since. */
  readonly taken: Buffer[] = [];
  /** Number of jobs that were submitted, also those that were forgotten since. */
  submitted = 0;
  formats: string[] = ['application/pdf', 'image/pwg-raster', 'image/jpeg'];
  /** Kinds of pixels and dots per inch, for pages in PWG raster. */
  rasterTypes: string[] = ['black_1', 'sgray_8', 'srgb_8'];
  rasterPerInch: number[] = [300, 600];
  sheets: string[] = ['iso_a4_210x297mm', 'na_letter_8.5x11in'];
  state = 3;
  reasons: string[] = ['none'];
  isAccepting = true;
  upTime = 10_000;
  /** False for a printer that forgets jobs when they end. */
  keepsHistory = true;
  /** False for a printer that keeps the names of jobs private. */
  showsNames = true;
  /** Fault of the next submission: cut before the job is made, or after it. */
  cut: 'before' | 'after' | null = null;
  /** Status with which submissions are refused. */
  refusal: number | null = null;
  /** Awaited when a document has arrived, before its job is made, and again before the answer. */
  delay: (() => Promise<unknown>) | null = null;

  async open(): Promise<void> {
    await this.#listener.open();
  }

  close(): Promise<void> {
    return this.#listener.close();
  }

  get url(): string {
    return `ipp://127.0.0.1:${this.#listener.port}/ipp/print`;
  }

  /** Prints the open jobs. */
  print(): void {
    for (const job of this.jobs.filter(({ state }) => OPEN_STATES.includes(state))) this.end(job, 9);
  }

  end(job: EmulatedJob, state: 7 | 8 | 9): void {
    Object.assign(job, { state, endedAt: this.upTime, impressions: state === 9 ? 1 : 0 });
    if (!this.keepsHistory) this.jobs.splice(this.jobs.indexOf(job), 1);
  }

  /** Adds a job of another computer. */
  addJob(name: string, given: Partial<EmulatedJob> = {}): EmulatedJob {
    const number = this.#nextNumber++;
    const made = {
      number,
      name,
      format: '',
      sheet: null,
      document: Buffer.alloc(0),
      state: 3,
      impressions: 0,
      endedAt: null,
    };
    const job = { ...made, ...given };
    this.jobs.push(job);
    return job;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { message, document } = await readMessage(request);
    const operation = groupOf(message, GROUP.operation);
    const bytes = await buffer(document);
    if (message.code === OPERATION.printJob) {
      if (this.cut === 'before') return void request.socket.destroy();
      if (this.refusal !== null) return answer(response, message, this.refusal, []);
      await this.delay?.();
      this.submitted += 1;
      this.taken.push(bytes);
      const job = this.addJob(soleValue(operation, 'job-name', 'name') ?? 'Untitled', {
        format: soleValue(operation, 'document-format', 'mimeMediaType') ?? '',
        sheet: soleValue(groupOf(message, GROUP.job), 'media', 'keyword'),
        document: bytes,
      });
      if (this.cut === 'after') return void request.socket.destroy();
      await this.delay?.();
      return answer(response, message, STATUS.ok, [this.#jobGroup(job)]);
    }
    if (message.code === OPERATION.getPrinterAttributes)
      return answer(response, message, STATUS.ok, [this.#printerGroup()]);
    if (message.code === OPERATION.getJobAttributes) {
      // RFC 8011, 4.1.5: a job is named by its own address, or by that of the printer and its number.
      const own = /\d+$/u.exec(soleValue(operation, 'job-uri', 'uri') ?? '')?.[0] ?? Number.NaN;
      const wanted = soleValue(operation, 'job-id', 'integer') ?? Number(own);
      const job = this.jobs.find(({ number }) => number === wanted);
      if (!job) return answer(response, message, STATUS.notFound, []);
      return answer(response, message, STATUS.ok, [this.#jobGroup(job)]);
    }
    if (message.code !== OPERATION.getJobs)
      return answer(response, message, STATUS.operationNotSupported, []);
    const limit = soleValue(operation, 'limit', 'integer') ?? Number.POSITIVE_INFINITY;
    const isOpen = soleValue(operation, 'which-jobs', 'keyword') !== 'completed';
    const found = this.jobs
      .filter(({ state }) => OPEN_STATES.includes(state) === isOpen)
      .toSorted((one, other) => (other.endedAt ?? 0) - (one.endedAt ?? 0))
      .slice(0, limit);
    answer(
      response,
      message,
      STATUS.ok,
      found.map((job) => this.#jobGroup(job)),
    );
  }

  #jobGroup({ number, name, state, impressions, endedAt }: EmulatedJob): IppGroup {
    const attributes: IppAttribute[] = [
      attribute('job-id', 'integer', number),
      attribute('job-uri', 'uri', `${this.url}/${number}`),
      attribute('job-printer-uri', 'uri', this.url),
      attribute('job-state-reasons', 'keyword', 'none'),
      attribute('job-state', 'enum', state),
      attribute('job-impressions-completed', 'integer', impressions),
      ...(this.showsNames ? [attribute('job-name', 'name', name)] : []),
      ...(endedAt === null ? [] : [attribute('time-at-completed', 'integer', endedAt)]),
    ];
    return { tag: GROUP.job, attributes };
  }

  #printerGroup(): IppGroup {
    const attributes = [
      ...fixedDescription(this.url),
      attribute('document-format-supported', 'mimeMediaType', ...this.formats),
      attribute('media-ready', 'keyword', ...this.sheets),
      attribute('pwg-raster-document-type-supported', 'keyword', ...this.rasterTypes),
      attribute(
        'pwg-raster-document-resolution-supported',
        'resolution',
        ...this.rasterPerInch.map((perInch) => ({ x: perInch, y: perInch, unit: 3 })),
      ),
      ...['left', 'right', 'top', 'bottom'].map((edge) =>
        attribute(`media-${edge}-margin-supported`, 'integer', 0, 423),
      ),
      attribute('printer-is-accepting-jobs', 'boolean', this.isAccepting),
      attribute('printer-state', 'enum', this.state),
      attribute('printer-state-reasons', 'keyword', ...this.reasons),
      attribute('printer-up-time', 'integer', this.upTime),
    ];
    return { tag: GROUP.printer, attributes };
  }
}

function answer(
  response: ServerResponse,
  request: IppMessage,
  code: number,
  groups: readonly IppGroup[],
): void {
  const operation = [
    attribute('attributes-charset', 'charset', 'utf-8'),
    attribute('attributes-natural-language', 'naturalLanguage', 'en'),
  ];
  const message = {
    // RFC 8011, 4.1.8: the version and number of the request.
    version: request.version,
    code,
    requestId: request.requestId,
    groups: [{ tag: GROUP.operation, attributes: operation }, ...groups],
  };
  response.writeHead(200, { 'Content-Type': 'application/ipp' }).end(encodeMessage(message));
}
