import type { LookupAll } from '../../platform/http-connection.ts';

/** Injected by tests: name look-ups, trusted roots in PEM and the time for a request in ms. */
export interface PeerNetwork {
  readonly lookup?: LookupAll;
  readonly ca?: string;
  readonly timeoutMs?: number;
}

/** Address of a partner and how it may be reached. */
export interface PeerTarget {
  /** Base address of the partner's gateway, without a final slash. */
  readonly endpoint: string;
  /** Allows computers of private networks and this one, there also without encryption. */
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
}

/** A document as it is sent: encrypted, of a length known beforehand. */
export interface PeerDocument {
  readonly manifest: string;
  readonly signature: string;
  readonly sizeBytes: number;
  /** Begins again at each call. */
  pieces(): AsyncIterable<Uint8Array>;
}

/**
 * Result of a request. `not_sent`: it certainly did not reach the partner as a whole, so nothing came of it. `unknown`: the
 * partner may have received all of it. The sentence is for people.
 */
export type PeerResult =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Uint8Array }
  | { readonly kind: 'not_sent' | 'unknown'; readonly sentence: string };

/**
 * Requests to partners: over HTTPS, to an address that was checked just before, without redirects, within 60 seconds and
 * with bounded answers. Never throws but for what the document itself throws.
 */
export interface Peers {
  /** Returns a sentence that says why the address of a partner is refused, or null when it can be used. Sends nothing. */
  findAddressProblem(target: PeerTarget): Promise<string | null>;
  /** Sends JSON to a path that begins with `/direct/`. */
  post(target: PeerTarget, path: string, json: string): Promise<PeerResult>;
  get(target: PeerTarget, path: string, headers: Readonly<Record<string, string>>): Promise<PeerResult>;
  /** Sends the form of `POST /direct/deliveries`. */
  upload(target: PeerTarget, document: PeerDocument): Promise<PeerResult>;
}
