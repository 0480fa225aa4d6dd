import type { Backend } from '../../../shared/states.ts';
import type { CallbackReader, CloudProvider, ProviderAccount } from '../../adapters/providers/port.ts';

/** A way by which a fax leaves: a cloud provider now, the telephone line, own numbers and partners later. */
export type Transport = Pick<CloudProvider, 'reach' | 'submit' | 'fetchReport'>;

/** What the active provider gives a fax at acceptance. */
export interface ActiveRoute {
  readonly account: ProviderAccount;
  readonly traits: { readonly polls: boolean; readonly callbacks: boolean };
}

/** Owned here, filled by the composition root: this room knows no provider by name. */
export interface Transports {
  /** The provider that new faxes use, or the sentence that says why there is none. */
  active(): { readonly route: ActiveRoute } | { readonly refusal: string };
  /** The way of a captured backend. Throws when this release has none of that name. */
  of(backend: Backend): Transport;
  /** How callbacks under this name are verified and read; null when the provider signs none. */
  callbacksOf(backend: Backend): CallbackReader | null;
}
