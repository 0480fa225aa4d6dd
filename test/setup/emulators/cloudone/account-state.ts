import type { EmulatedFax } from './fax-record.ts';

interface EmulatedNumber {
  readonly phone_number: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
  readonly cost: number;
  readonly last_billed_at: string;
  readonly provisioned_at: string;
  readonly callback_url: string | null;
  readonly ata_name: string | null;
}

/** Everything the emulator remembers, in memory. */
export interface AccountState {
  readonly faxes: Map<string, EmulatedFax>;
  readonly numbers: Map<string, EmulatedNumber>;
  nextFaxId: number;
  /** Cents. */
  balance: number;
  /** Receives webhooks of received faxes and of faxes without an address of their own. */
  accountWebhook: string | null;
  now(): number;
}

export function newAccountState(now: () => number, accountWebhook: string | null): AccountState {
  const state: AccountState = {
    faxes: new Map(),
    numbers: new Map(),
    nextFaxId: 323_034_811,
    balance: 5_000,
    accountWebhook,
    now,
  };
  addNumber(state, '+12025550100', null);
  addNumber(state, '+13125550100', null);
  return state;
}

export function addNumber(
  state: AccountState,
  phoneNumber: string,
  callbackUrl: string | null,
): EmulatedNumber {
  const since = new Date(state.now()).toISOString();
  const number: EmulatedNumber = {
    phone_number: phoneNumber,
    city: phoneNumber.startsWith('+1312') ? 'Chicago' : 'Washington',
    state: phoneNumber.startsWith('+1312') ? 'Illinois' : 'District of Columbia',
    country: 'United States',
    cost: 200,
    last_billed_at: since,
    provisioned_at: since,
    callback_url: callbackUrl,
    ata_name: null,
  };
  state.numbers.set(phoneNumber, number);
  return number;
}
