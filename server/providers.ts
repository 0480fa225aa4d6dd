import { parseSyslogAddress } from './adapters/audit/syslog-address.ts';
import { checkBaseUrl, cloudoneAccountId, cloudoneBaseUrl } from './adapters/providers/cloudone/account.ts';
import { createCloudone } from './adapters/providers/cloudone/provider.ts';
import type { ProviderAccount } from './adapters/providers/port.ts';
import type { Transports } from './features/outbound/transport.ts';
import { createRouting, type Routing } from './features/routing/service.ts';
import type { CheckProvider, Settings, SettingValues, ValueChecks } from './features/settings/service.ts';

/** The cloud providers of this release, each with the account that the settings name. */
export interface Providers {
  readonly routing: Routing;
  readonly checkProvider: CheckProvider;
}

/** Rules for the settings that hold an address. */
export const ADDRESS_CHECKS: ValueChecks = {
  CLOUDONE_API_URL: checkBaseUrl,
  AUDIT_LOG_SYSLOG_ADDRESS: checkSyslogAddress,
};

export function createProviders(settings: () => Settings): Providers {
  const provider = createCloudone();
  return {
    routing: createRouting({
      backend: () => settings().get('FAX_BACKEND'),
      providers: { cloudone: { provider, account: () => cloudoneAccount(settings().snapshot().values) } },
    }),
    async checkProvider(backend, values) {
      if (backend !== provider.backend)
        return { ok: false, detail: `This release cannot send through ${backend} yet.` };
      const account = cloudoneAccount(values);
      return typeof account === 'string' ? { ok: false, detail: account } : provider.checkAccount(account);
    },
  };
}

/** The room of outgoing faxes sees the providers as ways out. */
export function transportsOf(routing: Routing): Transports {
  return {
    active: () => routing.active(),
    of(backend) {
      const provider = routing.cloud(backend);
      if (!provider) throw new Error(`no transport ${backend}`);
      return provider;
    },
    callbacksOf: (backend) => routing.cloud(backend),
  };
}

function cloudoneAccount(values: SettingValues): ProviderAccount | string {
  const apiKey = values.CLOUDONE_API_KEY;
  const apiSecret = values.CLOUDONE_API_SECRET;
  if (!apiKey || !apiSecret)
    return 'The fax provider has no credentials yet: set its API key and secret first.';
  return {
    backend: 'cloudone',
    accountId: cloudoneAccountId(apiKey),
    baseUrl: values.CLOUDONE_API_URL ?? cloudoneBaseUrl,
    apiKey,
    apiSecret,
    callbackToken: values.CLOUDONE_CALLBACK_TOKEN,
    verifySignature: values.CLOUDONE_VERIFY_SIGNATURE,
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
