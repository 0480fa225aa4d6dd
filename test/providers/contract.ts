import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KeyedAccount } from '../../server/adapters/providers/failures.ts';
import type { Sender } from '../../server/adapters/providers/provider-port.ts';
import {
  type Certainty,
  type FaxToSend,
  TransportError,
} from '../../server/features/outbound/transport-port.ts';
import type { ErrorCategory } from '../../shared/states/outbound.ts';

/** Faults of a provider's host. `accepted`: the fax is processed anyway. */
export type ContractFault =
  | 'slow'
  | 'dropped, accepted'
  | 'dropped, not accepted'
  | 'truncated, accepted'
  | 'server error, accepted'
  | 'server error, not accepted'
  | 'redirect'
  | 'oversized, accepted'
  | 'garbage, accepted'
  | 'wrong shape, accepted'
  | 'rate limited'
  | 'wrong credentials'
  | 'refused';

/** Account with the secrets that no message may contain. */
type SecretAccount = KeyedAccount & { readonly callbackToken?: string | null };

/** Provider connected to its emulator. */
export interface ContractSetup<A extends SecretAccount> {
  provider(options?: { timeoutMs?: number }): Sender<A>;
  readonly account: A;
  /** Sentence that a check of the account returns. */
  readonly accountAccepted: string;
  readonly request: FaxToSend;
  /** Makes the emulator answer the next request with the fault. */
  setNextFault(fault: ContractFault): void;
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
  /** Faxes the emulator has accepted, and requests it has read. */
  counts(): { accepted: number; requests: number };
  finish(reference: string, outcome: 'success' | 'failed'): void;
  /** Puts the fax into a state that no documentation names. */
  setUnknownStatus(reference: string): void;
  close(): Promise<void>;
}

type Expected = { certainty: Certainty; category: ErrorCategory; accepted: number };

const afterSubmitting: Readonly<Record<ContractFault, Expected>> = {
  slow: { certainty: 'unknown', category: 'transport_ambiguous', accepted: 1 },
  'dropped, accepted': { certainty: 'unknown', category: 'transport_ambiguous', accepted: 1 },
  'dropped, not accepted': { certainty: 'unknown', category: 'transport_ambiguous', accepted: 0 },
  'truncated, accepted': { certainty: 'unknown', category: 'transport_ambiguous', accepted: 1 },
  'server error, accepted': { certainty: 'unknown', category: 'transport_ambiguous', accepted: 1 },
  'server error, not accepted': { certainty: 'unknown', category: 'transport_ambiguous', accepted: 0 },
  redirect: { certainty: 'unknown', category: 'response_unusable', accepted: 0 },
  'oversized, accepted': { certainty: 'unknown', category: 'response_unusable', accepted: 1 },
  'garbage, accepted': { certainty: 'unknown', category: 'response_unusable', accepted: 1 },
  'wrong shape, accepted': { certainty: 'unknown', category: 'response_unusable', accepted: 1 },
  'rate limited': { certainty: 'try_later', category: 'provider_unavailable', accepted: 0 },
  'wrong credentials': { certainty: 'not_accepted', category: 'refused', accepted: 0 },
  refused: { certainty: 'not_accepted', category: 'refused', accepted: 0 },
};

const afterPolling: Readonly<Partial<Record<ContractFault, ErrorCategory>>> = {
  slow: 'provider_unavailable',
  'dropped, not accepted': 'provider_unavailable',
  'server error, not accepted': 'provider_unavailable',
  redirect: 'response_unusable',
  'oversized, accepted': 'response_unusable',
  'garbage, accepted': 'response_unusable',
  'rate limited': 'provider_unavailable',
  'wrong credentials': 'refused',
};

/** Returns the error of a call. Fails when the call succeeds or throws any other error. */
export async function providerErrorOf(call: Promise<unknown>): Promise<TransportError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TransportError);
  return error as TransportError;
}

/** Tests the rules for every cloud provider that keep faxes from being sent twice or lost. */
export function describeProviderContract<A extends SecretAccount>(
  name: string,
  startSetup: () => Promise<ContractSetup<A>>,
): void {
  describe(`${name} keeps the contract of providers`, () => {
    let setup: ContractSetup<A>;
    beforeEach(async () => {
      setup = await startSetup();
    });
    afterEach(() => setup.close());

    test('a fax is submitted once and its success is reported', async () => {
      const provider = setup.provider();
      const { reference } = await provider.submit(setup.account, setup.request);
      expect(await provider.fetchReport(setup.account, reference)).toMatchObject({
        reference,
        outcome: 'in_progress',
        pages: null,
        cost: null,
        completedAt: null,
        failure: null,
      });
      setup.finish(reference, 'success');
      const report = await provider.fetchReport(setup.account, reference);
      expect(report).toMatchObject({ outcome: 'success', to: setup.request.to, failure: null });
      expect(report.completedAt).toMatch(/Z$/u);
      expect(setup.counts().accepted).toBe(1);
    });

    test('a failed fax is reported with one sentence', async () => {
      const provider = setup.provider();
      const { reference } = await provider.submit(setup.account, setup.request);
      setup.finish(reference, 'failed');
      const report = await provider.fetchReport(setup.account, reference);
      expect(report.outcome).toBe('failed');
      expect(report.failure).toMatch(/^[A-Z][^()]+\.$/u);
      expect(report.failureCode).not.toBeNull();
    });

    test('a status nobody documents is never an outcome', async () => {
      const provider = setup.provider();
      const { reference } = await provider.submit(setup.account, setup.request);
      setup.setUnknownStatus(reference);
      const report = await provider.fetchReport(setup.account, reference);
      expect(report).toMatchObject({ outcome: 'in_progress', failure: null });
    });

    for (const [fault, expected] of Object.entries(afterSubmitting)) {
      test(`submitting into "${fault}" is ${expected.certainty} and is not repeated`, async () => {
        setup.setNextFault(fault as ContractFault);
        const provider = setup.provider(fault === 'slow' ? { timeoutMs: 300 } : {});
        const error = await providerErrorOf(provider.submit(setup.account, setup.request));
        expect(error).toMatchObject({ certainty: expected.certainty, category: expected.category });
        expect(setup.counts()).toEqual({ accepted: expected.accepted, requests: 1 });
        expectNoSecret(error, setup.account);
      });
    }

    for (const [fault, category] of Object.entries(afterPolling)) {
      test(`polling into "${fault}" is ${category}`, async () => {
        const { reference } = await setup.provider().submit(setup.account, setup.request);
        setup.setNextFault(fault as ContractFault);
        const provider = setup.provider(fault === 'slow' ? { timeoutMs: 300 } : {});
        const error = await providerErrorOf(provider.fetchReport(setup.account, reference));
        expect(error.category).toBe(category);
        expect(error.certainty).not.toBe('unknown');
        expectNoSecret(error, setup.account);
      });
    }

    test('a host that refuses connections has accepted nothing', async () => {
      await setup.refuseConnections();
      const provider = setup.provider();
      const wanted = { certainty: 'try_later', category: 'provider_unavailable' };
      expect(await providerErrorOf(provider.reach(setup.account))).toMatchObject(wanted);
      expect(await providerErrorOf(provider.submit(setup.account, setup.request))).toMatchObject(wanted);
      await setup.acceptConnections();
      await provider.reach(setup.account);
      expect(setup.counts()).toEqual({ accepted: 0, requests: 0 });
    });

    test('a document that cannot be read fails before anything is sent', async () => {
      const request = {
        ...setup.request,
        document: { ...setup.request.document, path: '/nonexistent/fax.pdf' },
      };
      const error = await providerErrorOf(setup.provider().submit(setup.account, request));
      expect(error.certainty).toBe('try_later');
      expect(setup.counts().requests).toBe(0);
    });

    test('nothing is sent to an address without HTTPS that is not this computer', async () => {
      const account = { ...setup.account, baseUrl: 'http://provider.example.com/v2' };
      const error = await providerErrorOf(setup.provider().submit(account, setup.request));
      expect(error).toMatchObject({
        certainty: 'try_later',
        publicMessage: 'The provider address must use HTTPS.',
      });
    });

    test('the account check answers in a sentence, with right and with wrong credentials', async () => {
      const provider = setup.provider();
      expect(await provider.checkAccount(setup.account)).toEqual({ ok: true, detail: setup.accountAccepted });
      const wrong = await provider.checkAccount({ ...setup.account, apiSecret: 'wrong' });
      expect(wrong.ok).toBe(false);
      await setup.refuseConnections();
      expect(await provider.checkAccount(setup.account)).toMatchObject({ ok: false });
    });

    test('a fax without a record at the provider is refused, not failed', async () => {
      const error = await providerErrorOf(setup.provider().fetchReport(setup.account, '999'));
      expect(error).toMatchObject({ category: 'refused' });
    });
  });
}

function expectNoSecret(error: TransportError, account: SecretAccount): void {
  const shown = `${error.message} ${error.publicMessage}`;
  for (const secret of [account.apiKey, account.apiSecret, account.callbackToken ?? account.apiKey]) {
    expect(shown).not.toContain(secret);
  }
}
