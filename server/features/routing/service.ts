import type { Backend } from '../../../shared/backends.ts';
import { ERRORS } from '../../../shared/errors/all.ts';
import type { AccountProblem } from '../../../shared/states/outbound.ts';
import type { ProviderAccount } from '../../adapters/providers/provider-port.ts';
import type { ConfiguredProvider } from './configured-provider.ts';

export type { ConfiguredProvider } from './configured-provider.ts';
export type { CostBook } from './cost-book.ts';
export { attemptCost, costOf } from './present-cost.ts';
export { createReachability, type Reachability } from './reachability.ts';
export type { ReportProblems } from './report-problems.ts';
export { reportWarnings } from './report-problems.ts';
export type { RouteChoice, RoutesOfFax, UsableRoute } from './route-choice.ts';
export type { SpendingGate } from './spending/gate.ts';

export interface Routing {
  /** Returns the provider that new faxes use, or a sentence that says why there is none. */
  active():
    | {
        readonly route: {
          readonly account: ProviderAccount;
          readonly lines: number | null;
          /** Name under which the faxes that share these lines are counted. */
          readonly lineName: string;
        };
      }
    | { readonly refusal: string };
  /** A cloud provider by its backend name, with the account of the settings; or null. */
  provider(backend: Backend): ConfiguredProvider | null;
  /** The vendors' names by backend, for the console. */
  names(): Record<string, string>;
  /** The provider of the settings, whether it can be used or not. */
  chosen(): Backend | null;
  /** Returns the time since when the chosen provider does not respond (epoch milliseconds); null when it does. */
  unreachableSince(): number | null;
  /** Returns the reason why the chosen provider last refused the account; null when it did not. */
  accountProblem(): AccountProblem | null;
  /** Tries every provider again that did not respond or refused the credentials, each at most once a minute. */
  probe(): Promise<void>;
  /** The number of this installation (E.164), null while it has none: what is sent to it comes in here again. */
  ownNumber(): string | null;
  /** The providers that call back about sent faxes. */
  callingBack(): Backend[];
}

const linesOf = ({ definition }: ConfiguredProvider, account: ProviderAccount) => ({
  lines: definition.linesOf(account),
  lineName: definition.lineNameOf(account),
});

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
        : { route: { account, ...linesOf(configured, account) } };
    },
    provider: (name) => providers[name] ?? null,
    names: () =>
      Object.fromEntries(
        Object.entries(providers).map(([name, { definition }]) => [name, definition.displayName]),
      ),
    chosen: backend,
    unreachableSince() {
      const chosen = backend();
      return chosen === null ? null : (providers[chosen]?.unreachableSince() ?? null);
    },
    accountProblem() {
      const chosen = backend();
      return chosen === null ? null : (providers[chosen]?.accountProblem() ?? null);
    },
    async probe() {
      await Promise.all(Object.values(providers).map((each) => each.probe()));
    },
    ownNumber: parts.ownNumber,
    callingBack: () => Object.keys(providers).filter((name) => providers[name]?.definition.routes.callback),
  };
}
