import { type Answer, json, refusal } from './answer.ts';

export type FaultKind =
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
  /** 200 with JSON, but not the documented one: `data` without an id. */
  | 'wrong-shape'
  /** The first half of the announced answer, then the connection ends. */
  | 'truncated'
  | 'rate-limited'
  | 'unauthorized'
  /** 200 with `success:false`. */
  | 'unsuccessful'
  /** The refusal with `status`. */
  | 'refused'
  /** `status` around a body that claims success. */
  | 'contradiction';

export interface Fault {
  readonly kind: FaultKind;
  /** Whether the request is carried out inside all the same. Default: only for `slow`. */
  readonly accepted?: boolean;
  /** How many matching requests it meets, default 1. */
  readonly count?: number;
  /** Only requests of this method. */
  readonly method?: string;
  /** For `redirect`. */
  readonly location?: string;
  /** For `refused`, `server-error` and `contradiction`. */
  readonly status?: number;
  readonly message?: string;
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
  take(method: string): Fault | null {
    const found = this.#waiting.find(({ fault }) => fault.method === undefined || fault.method === method);
    if (found === undefined) return null;
    found.left -= 1;
    if (found.left === 0) this.#waiting = this.#waiting.filter((entry) => entry !== found);
    return found.fault;
  }
}

/** The answer of a fault that answers. `regular` is what would have been said. */
export function faultyAnswer(fault: Fault, regular: Answer): Answer {
  switch (fault.kind) {
    case 'server-error':
      return html(fault.status ?? 500, '<html><body><h1>Internal Server Error</h1></body></html>');
    case 'redirect':
      return { ...html(302, ''), headers: { location: fault.location ?? '/elsewhere' } };
    case 'oversized':
      return json(200, { success: true, message: 'x'.repeat(4 * 1024 * 1024), data: { id: 1 } });
    case 'garbage':
      return {
        status: 200,
        body: Buffer.from('\u0000<<not json>>'),
        headers: { 'content-type': 'application/json' },
      };
    case 'wrong-shape':
      return json(200, { success: true, message: 'Fax queued for sending', data: { identifier: 'none' } });
    case 'rate-limited':
      return refusal(429, fault.message ?? 'Too many requests.');
    case 'unauthorized':
      return refusal(401, fault.message ?? 'The API key or secret is not valid.');
    case 'unsuccessful':
      return refusal(200, fault.message ?? 'The fax was not queued.');
    case 'refused':
      return refusal(fault.status ?? 422, fault.message ?? 'The request is not valid.');
    case 'contradiction':
      return { ...regular, status: fault.status ?? 400 };
    case 'slow':
    case 'dropped':
    case 'truncated':
      return regular;
    default:
      return fault.kind satisfies never;
  }
}

function html(status: number, text: string): Answer {
  return { status, body: Buffer.from(text), headers: { 'content-type': 'text/html' } };
}
