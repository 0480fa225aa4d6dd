import type { ServerResponse } from 'node:http';
import { type Answer, html, json, sendAnswer } from './answer.ts';

type FaultKind =
  /** Handles the request and holds the answer until `release()`. */
  | 'slow'
  /** Reads the request, then drops the connection without a byte of an answer. */
  | 'dropped'
  /** 500 with an HTML body. */
  | 'server-error'
  /** 302 to `location`. */
  | 'redirect'
  /** A valid JSON answer of more than 4 MB. */
  | 'oversized'
  /** 200 with bytes that are not JSON. */
  | 'garbage'
  /** 200 with JSON, but not the documented one: no id in it. */
  | 'wrong-shape'
  /** The first half of the announced answer, then the connection ends. */
  | 'truncated'
  | 'rate-limited'
  | 'unauthorized'
  /** 200 with `success:false`, for a vendor that has such answers. */
  | 'unsuccessful'
  /** The refusal with `status`. */
  | 'refused'
  /** `status` around a body that claims success. */
  | 'contradiction'
  /** 200 with a web page. */
  | 'web-page'
  /** The first half of the document as if it were the whole. */
  | 'half-document'
  /** A document of 51 MB; its length is announced unless `announced` is false. */
  | 'huge-document'
  /** Announces a document and sends a byte of it every 50 ms, without end. */
  | 'drip';

export interface Fault {
  readonly kind: FaultKind;
  /** True to process the request all the same. Default: only for `slow` and `half-document`. */
  readonly accepted?: boolean;
  /** Number of matching requests that it affects, default 1. */
  readonly count?: number;
  /** Only requests of this method. */
  readonly method?: string;
  /** Only requests whose path matches, e.g. `/\/file$/`. */
  readonly path?: RegExp;
  /** For `redirect`. */
  readonly location?: string;
  /** For `refused`, `server-error` and `contradiction`. */
  readonly status?: number;
  readonly message?: string;
  /** For `refused`: the JSON of the answer instead of the vendor's documented one. */
  readonly body?: unknown;
  /** For `rate-limited`: the header, in either of its forms. */
  readonly retryAfter?: string;
  /** For `huge-document`. */
  readonly announced?: boolean;
}

/** Answers of a fault in the form of a vendor. */
export interface FaultAnswers {
  refusal(status: number, message: string): Answer;
  /** Success without an id. */
  wrongShape(): Answer;
}

/** The faults still to come, in the order they were set. */
export class FaultPlan {
  #waiting: Array<{ fault: Fault; left: number }> = [];

  set(fault: Fault): void {
    this.#waiting.push({ fault, left: fault.count ?? 1 });
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The fault that meets this request, counted down. */
  take(request: { method: string; path: string }): Fault | null {
    const found = this.#waiting.find(({ fault }) => matchesRequest(fault, request));
    if (found === undefined) return null;
    found.left -= 1;
    if (found.left === 0) this.#waiting = this.#waiting.filter((entry) => entry !== found);
    return found.fault;
  }
}

/** Returns true when the request is processed in spite of the fault. */
export function isProcessed(fault: Fault): boolean {
  return fault.accepted ?? ['slow', 'half-document'].includes(fault.kind);
}

/** Sends what the fault makes of the regular answer. */
export function sendFaulty(
  response: ServerResponse,
  fault: Fault,
  regular: Answer,
  answers: FaultAnswers,
): void {
  switch (fault.kind) {
    case 'dropped':
      return void response.destroy();
    case 'truncated':
      return truncate(response, regular);
    case 'huge-document':
      return sendHuge(response, fault.announced !== false);
    case 'drip':
      return drip(response);
    default:
      sendAnswer(response, faultyAnswer({ ...fault, kind: fault.kind }, regular, answers));
  }
}

type AnsweringKind = Exclude<FaultKind, 'dropped' | 'truncated' | 'huge-document' | 'drip'>;

function faultyAnswer(
  fault: Fault & { kind: AnsweringKind },
  regular: Answer,
  answers: FaultAnswers,
): Answer {
  switch (fault.kind) {
    case 'server-error':
      return html(fault.status ?? 500, '<html><body><h1>Internal Server Error</h1></body></html>');
    case 'web-page':
      return html(200, '<!doctype html><title>Sign in</title><h1>Please sign in</h1>');
    case 'redirect':
      return { ...html(302, ''), headers: { location: fault.location ?? '/elsewhere' } };
    case 'oversized':
      return json(200, { success: true, message: 'x'.repeat(4 * 1024 * 1024), data: { id: 1 }, id: 'f1' });
    case 'garbage':
      return { ...json(200, null), body: Buffer.from('\u0000<<not json>>') };
    case 'wrong-shape':
      return answers.wrongShape();
    case 'rate-limited':
      return rateLimitedAnswer(fault, answers);
    case 'unauthorized':
      return answers.refusal(401, fault.message ?? 'The API key or secret is not valid.');
    case 'unsuccessful':
      return answers.refusal(200, fault.message ?? 'The fax was not queued.');
    case 'refused':
      if (fault.body !== undefined) return json(fault.status ?? 422, fault.body);
      return answers.refusal(fault.status ?? 422, fault.message ?? 'The request is not valid.');
    case 'contradiction':
      return { ...regular, status: fault.status ?? 400 };
    case 'half-document':
      return { ...regular, body: regular.body.subarray(0, Math.floor(regular.body.length / 2)) };
    case 'slow':
      return regular;
    default:
      return fault.kind satisfies never;
  }
}

function rateLimitedAnswer(fault: Fault, answers: FaultAnswers): Answer {
  const answer = answers.refusal(429, fault.message ?? 'Too many requests.');
  if (fault.retryAfter === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': fault.retryAfter } };
}

function matchesRequest(fault: Fault, request: { method: string; path: string }): boolean {
  if (fault.method !== undefined && fault.method !== request.method) return false;
  return fault.path === undefined || fault.path.test(request.path);
}

function truncate(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length });
  response.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)), () => response.destroy());
}

const hugeBytes = 51 * 1024 * 1024;
const document = { 'content-type': 'application/pdf' };

function sendHuge(response: ServerResponse, announced: boolean): void {
  response.writeHead(200, { ...document, ...(announced ? { 'content-length': hugeBytes } : {}) });
  const piece = Buffer.alloc(64 * 1024, '%');
  let left = hugeBytes;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length;
      if (!response.write(piece)) return void response.once('drain', more);
    }
    response.end();
  };
  response.write('%PDF-1.4\n');
  left -= 9;
  more();
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { ...document, 'content-length': 100_000 });
  response.write('%PDF-1.4\n');
  const timer = setInterval(() => response.write('%'), 50);
  response.on('close', () => clearInterval(timer));
}
