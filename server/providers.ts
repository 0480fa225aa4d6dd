import type { Backend } from '../shared/states.ts';
import { parseSyslogAddress } from './adapters/audit/syslog-address.ts';
import { checkBaseUrl } from './adapters/providers/cloudone/account.ts';
import { createCloudone } from './adapters/providers/cloudone/provider.ts';
import { createCloudoneReceiving } from './adapters/providers/cloudone/receiving.ts';
import { checkCloudtwoUrl } from './adapters/providers/cloudtwo/account.ts';
import { createCaller } from './adapters/providers/cloudtwo/call.ts';
import { createCloudtwo } from './adapters/providers/cloudtwo/provider.ts';
import { createCloudtwoReceiving } from './adapters/providers/cloudtwo/receiving.ts';
import type { CloudProvider, ProviderAccount } from './adapters/providers/port.ts';
import type { ReceivingAccount, ReceivingProvider } from './adapters/providers/receiving-port.ts';
import { Reachability } from './features/routing/reachability.ts';
import { type ConfiguredProvider, createRouting, type Routing } from './features/routing/service.ts';
import type { CheckProvider, Settings, ValueChecks } from './features/settings/service.ts';
import type { Clock } from './platform/clock.ts';
import { accountOf, type CloudBackend, isCloudBackend, receivingAccountOf } from './provider-accounts.ts';

/** A provider through which faxes are received, with the account that the present settings give it. */
export interface ConfiguredReceiving {
  readonly provider: ReceivingProvider;
  /** The account, or the sentence that says what is missing. */
  account(): ReceivingAccount | string;
}

/** The cloud providers of this release, each with the account that the settings name. */
export interface Providers {
  readonly routing: Routing;
  readonly checkProvider: CheckProvider;
  /** By backend, whichever of them sends. */
  readonly receiving: Readonly<Partial<Record<Backend, ConfiguredReceiving>>>;
}

/** Rules for the settings that hold an address. */
export const ADDRESS_CHECKS: ValueChecks = {
  CLOUDONE_API_URL: checkBaseUrl,
  CLOUDTWO_API_URL: checkCloudtwoUrl,
  AUDIT_LOG_SYSLOG_ADDRESS: checkSyslogAddress,
};

export function createProviders(settings: () => Settings, clock: Clock): Providers {
  const values = () => settings().snapshot().values;
  const caller = createCaller({ clock });
  const providers = {
    cloudone: configured(createCloudone(), clock, () => accountOf('cloudone', values())),
    cloudtwo: configured(createCloudtwo(caller), clock, () => accountOf('cloudtwo', values())),
  };
  const receivingThrough = (backend: CloudBackend, provider: ReceivingProvider) => ({
    provider,
    account: () => receivingAccountOf(backend, values()),
  });
  return {
    routing: createRouting({
      backend: () => settings().get('FAX_BACKEND'),
      ownNumber: () => settings().get('FAX_NUMBER'),
      providers,
    }),
    receiving: {
      cloudone: receivingThrough('cloudone', createCloudoneReceiving()),
      cloudtwo: receivingThrough('cloudtwo', createCloudtwoReceiving(caller)),
    },
    async checkProvider(backend, tried) {
      if (!isCloudBackend(backend))
        return { ok: false, detail: `This release cannot send through ${backend} yet.` };
      const account = accountOf(backend, tried);
      return typeof account === 'string'
        ? { ok: false, detail: account }
        : providers[backend].provider.checkAccount(account);
    },
  };
}

function configured(
  provider: CloudProvider,
  clock: Clock,
  account: () => ProviderAccount | string,
): ConfiguredProvider {
  const reachability = new Reachability(clock);
  return {
    provider: reachability.watch(provider),
    account,
    unreachableSince: () => reachability.unreachableSince(),
  };
}

function checkSyslogAddress(text: string): string | null {
  try {
    parseSyslogAddress(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
