import { ERRORS } from '../../../shared/errors/all.ts';
import type { Backend } from '../../../shared/states.ts';
import type { CloudProvider, ProviderAccount } from '../../adapters/providers/port.ts';

export type { BegunAttempt, CostBook, EndedAttempt } from './cost-book.ts';
export { attemptCost, costOf } from './present-cost.ts';
export { createReachability, type Reachability } from './reachability.ts';
export type { ReportProblems } from './report-problems.ts';
export { reportWarnings } from './report-problems.ts';

/** A cloud provider of this release with the account that the present settings give it. */
export interface ConfiguredProvider {
  readonly provider: CloudProvider;
  /** The vendor's name, shown to people. */
  readonly displayName: string;
  readonly traits: ProviderTraits;
  /** How many faxes an account sends at once; null for no limit. */
  linesOf(account: ProviderAccount): number | null;
  /** The account, or the sentence that says what is missing. */
  account(): ProviderAccount | string;
  /** Since when it does not answer, in epoch milliseconds; null while it does, or when nobody asked it lately. */
  unreachableSince(): number | null;
}

export interface Routing {
  /** The provider that new faxes use, or the sentence that says why there is none. */
  active():
    | {
        readonly route: {
          readonly account: ProviderAccount;
          readonly traits: ProviderTraits;
          readonly lines: number | null;
        };
      }
    | { readonly refusal: string };
  /** A cloud provider by its backend name, or null. */
  cloud(backend: Backend): CloudProvider | null;
  /** The vendors' names by backend, for the console. */
  names(): Record<string, string>;
  /** The provider of the settings, whether it can be used or not. */
  chosen(): Backend | null;
  /** Since when the chosen provider does not answer (epoch milliseconds); null when it does, or nobody asked lately. */
  unreachableSince(): number | null;
  /** The number of this installation (E.164), null while it has none: what is sent to it comes in here again. */
  ownNumber(): string | null;
  /** The providers that call back about sent faxes. */
  callingBack(): Backend[];
}

export interface ProviderTraits {
  /** By what its faxes leave. */
  readonly transport: 'provider' | 'line';
  readonly polls: boolean;
  /** Whether it calls back. An unsigned callback proves nothing, but is a reason to ask at once. */
  readonly callbacks: boolean;
  /** Whether it prints the time of the header line in the zone that it is given. */
  readonly printsOurTime: boolean;
  /** Whether it numbers the pages in the header line as it is asked to. */
  readonly numbersPages: boolean;
  /** What it accepted can be stopped before it is delivered. */
  readonly stops: boolean;
}

/** Chooses by the setting FAX_BACKEND; `ownNumber` is the setting FAX_NUMBER. */
export function createRouting(parts: {
  backend: () => Backend | null;
  ownNumber: () => string | null;
  providers: Readonly<Record<Backend, ConfiguredProvider>>;
}): Routing {
  const { backend, providers } = parts;
  return {
    active() {
      const chosen = backend();
      if (chosen === null) return { refusal: ERRORS.no_provider.sentence };
      const configured = providers[chosen];
      if (!configured)
        return { refusal: `This release cannot send through ${chosen} yet. Choose another provider.` };
      const account = configured.account();
      return typeof account === 'string'
        ? { refusal: account }
        : { route: { account, traits: configured.traits, lines: configured.linesOf(account) } };
    },
    cloud: (name) => providers[name]?.provider ?? null,
    names: () =>
      Object.fromEntries(Object.entries(providers).map(([name, { displayName }]) => [name, displayName])),
    chosen: backend,
    unreachableSince() {
      const chosen = backend();
      return chosen === null ? null : (providers[chosen]?.unreachableSince() ?? null);
    },
    ownNumber: parts.ownNumber,
    callingBack: () => Object.keys(providers).filter((name) => providers[name]?.traits.callbacks),
  };
}
