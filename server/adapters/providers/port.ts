import { z } from 'zod';

/**
 * What a cloud provider must do for the gateway. Implementations live in a folder beside this file; they know the
 * vendor's wire and nothing of rooms or the database.
 */

/** How sure we are that a refused request was not carried out. Only the adapter decides this. */
export type Certainty =
  /** Certain: the provider has not accepted anything; the next step may be taken. */
  | 'not_accepted'
  /** Certain and final: the provider looked at the request and refused it. */
  | 'refused'
  /** It may have been accepted: a person decides. */
  | 'unknown';

export type ProviderErrorCategory =
  | 'transport_ambiguous'
  | 'response_unusable'
  | 'provider_unavailable'
  | 'refused';

/** `message` is for the log; `publicMessage` is one sentence for a person and holds no secret. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly certainty: Certainty;
  readonly category: ProviderErrorCategory;
  readonly publicMessage: string;
  constructor(
    message: string,
    facts: { certainty: Certainty; category: ProviderErrorCategory; publicMessage: string; cause?: unknown },
  ) {
    super(message, { cause: facts.cause });
    this.certainty = facts.certainty;
    this.category = facts.category;
    this.publicMessage = facts.publicMessage;
  }
}

/** The account a fax captured at acceptance. It is stored sealed and never re-read from the settings. */
export interface ProviderAccount {
  readonly backend: string;
  /** For evidence and comparison, e.g. `cloudone:` and 12 hex digits. Holds no secret. */
  readonly accountId: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** The project within the account, for providers that have projects. */
  readonly projectId?: string;
  /** How the key is presented, for providers that know several ways; default `basic`. */
  readonly signIn?: 'basic' | 'oauth2';
  readonly callbackToken: string | null;
  readonly verifySignature: boolean;
}

const AccountShape = z.object({
  backend: z.string(),
  accountId: z.string(),
  baseUrl: z.string(),
  apiKey: z.string(),
  apiSecret: z.string(),
  projectId: z.string().optional(),
  signIn: z.enum(['basic', 'oauth2']).optional(),
  callbackToken: z.string().nullable(),
  verifySignature: z.boolean(),
});

/** An account as it was captured. Throws when it is none, which means that the store was written by another release. */
export function parseAccount(captured: unknown): ProviderAccount {
  return AccountShape.parse(captured);
}

export interface SubmitRequest {
  /** E.164. */
  readonly to: string;
  /** The prepared PDF on local disk: uploaded directly when `documentUrl` is null. */
  readonly document: { readonly path: string; readonly sizeBytes: number; readonly fileName: string };
  /** Tokenised public link of the same PDF, or null when the gateway has no public address. */
  readonly documentUrl: string | null;
  /** At most 50 characters: sender's name and number. */
  readonly headerText: string;
  /** Exact public address of this attempt's callback, or null: then only polling tells the outcome. */
  readonly callbackUrl: string | null;
}

/** One observation of a fax at the provider. `in_progress` also stands for every status we do not know. */
export interface ProviderReport {
  readonly providerId: string;
  readonly outcome: 'in_progress' | 'success' | 'failed';
  /** The provider's own word, for the history. */
  readonly rawStatus: string;
  readonly direction: 'sent' | 'received' | null;
  /** Pages of the fax as the provider counts them; null while unknown. */
  readonly pages: number | null;
  readonly rateBps: number | null;
  /** Minor units (cents) and currency, or null while unknown: never 0 for unknown. */
  readonly cost: { readonly amountMinor: number; readonly currency: string } | null;
  /** ISO 8601 UTC. */
  readonly completedAt: string | null;
  /** E.164 of the receiver as the provider reports it. */
  readonly to: string | null;
  /** One sentence for a person, e.g. `The line was busy. (lineError 17)`; null unless failed. */
  readonly failure: string | null;
}

/** A callback's form as it arrived: decoded values in wire order, file parts by name and lowercase SHA-1 hex. */
export interface CallbackForm {
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>;
  readonly files: ReadonlyArray<readonly [name: string, sha1Hex: string]>;
}

/** `inflight` events (a page passed, a retry planned) are never outcomes. */
export type CallbackReading =
  | { readonly kind: 'report'; readonly report: ProviderReport }
  | { readonly kind: 'inflight'; readonly providerId: string | null; readonly event: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** How signed callbacks are verified and read. */
export interface CallbackReader {
  /** Lower-case names of the header that may carry a callback's signature. */
  readonly signatureHeaders: readonly string[];
  /** True only for a right signature over the exact captured address. Constant time. */
  verifyCallback(token: string, callbackUrl: string, form: CallbackForm, signature: string): boolean;
  readCallback(form: CallbackForm): CallbackReading;
}

export interface CloudProvider {
  readonly backend: string;
  /** The vendor's name, shown to people. */
  readonly displayName: string;
  /** Null when the provider signs nothing: its callbacks prove nothing and are at most a reason to ask at once. */
  readonly callbacks: CallbackReader | null;
  /** Opens a connection to the host and sends nothing. Throws ProviderError `not_accepted` when it cannot. */
  reach(account: ProviderAccount): Promise<void>;
  /** Submits once; never repeats by itself. Throws ProviderError with certainty. */
  submit(account: ProviderAccount, request: SubmitRequest): Promise<{ providerId: string }>;
  /** Asks for the present state. Throws ProviderError. */
  fetchReport(account: ProviderAccount, providerId: string): Promise<ProviderReport>;
  /** For `Check connection`: a sentence for a person. */
  checkAccount(account: ProviderAccount): Promise<{ ok: boolean; detail: string }>;
}
