import type { Transports } from '../port.ts';
import { type Transport, TransportError, type TransportName } from '../transport-port.ts';
import type { JobRow } from '../types.ts';

/**
 * Returns the transport of a captured step, for the faxes that it is used for. The only place that does: a test fax gets
 * no transport that could hand it to anybody, whatever its plan names, and a live fax never gets the one that hands faxes to
 * nobody. Throws TransportError.
 */
export function transportOf(
  { transports }: { readonly transports: Pick<Transports, 'of'> },
  jobs: readonly Pick<JobRow, 'id' | 'test'>[],
  name: TransportName,
): Transport {
  const isTestTransport = name.kind === 'test';
  for (const { id, test } of jobs)
    if ((test === 1) !== isTestTransport) throw refusal(id, { isTest: test === 1, name });
  return transports.of(name);
}

function refusal(
  id: string,
  { isTest, name: { kind, backend } }: { readonly isTest: boolean; readonly name: TransportName },
): TransportError {
  const fax = isTest ? 'test fax' : 'fax';
  return new TransportError(`the ${fax} ${id} must not use the transport ${kind} ${backend}`, {
    certainty: 'not_accepted',
    category: 'refused',
    publicMessage: isTest
      ? 'This is a test fax, so it was handed to nobody.'
      : 'This fax is no test, so it was not treated as one.',
  });
}
