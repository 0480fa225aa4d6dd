import type { ErrorCategory } from '../../../../shared/states/outbound.ts';
import { type Certainty, TransportError } from '../../../features/outbound/transport-port.ts';
import { AmiError } from '../../../platform/ami/error.ts';

const UNREACHED = 'The telephone engine could not be reached.';
const SIGN_IN = 'The telephone engine refused the sign-in. Check its user and password.';
const NOT_THE_ENGINE =
  'The program at the address of the telephone engine is not Asterisk’s manager interface.';
const NO_ANSWER = 'The telephone engine did not answer.';
const LOST =
  'The connection to the telephone engine was lost while the call was being started; the call may have been made.';

/** Maps an error of the engine for a query, which is harmless to repeat. Returns other errors unchanged. */
export function queryFailure(error: unknown): unknown {
  if (!(error instanceof AmiError)) return error;
  return failure(error, 'try_later', 'provider_unavailable', sentenceOf(error));
}

/** Maps an error of the engine for a requested call: only one that was never written, or was refused, is certain. */
export function callFailure(error: unknown): unknown {
  if (!(error instanceof AmiError)) return error;
  if (error.reason === 'refused')
    return failure(error, 'not_accepted', 'refused', 'The telephone engine refused to make the call.');
  if (error.reason === 'unsendable')
    return failure(error, 'not_accepted', 'refused', 'The call cannot be described to the telephone engine.');
  if (!error.wrote) return queryFailure(error);
  return failure(error, 'unknown', 'transport_ambiguous', LOST);
}

function sentenceOf({ reason }: AmiError): string {
  switch (reason) {
    case 'connection':
      return UNREACHED;
    case 'sign_in':
      return SIGN_IN;
    case 'protocol':
      return NOT_THE_ENGINE;
    case 'timeout':
    case 'refused':
    case 'unsendable':
      return NO_ANSWER;
    default:
      return reason satisfies never;
  }
}

function failure(
  error: AmiError,
  certainty: Certainty,
  category: ErrorCategory,
  publicMessage: string,
): TransportError {
  return new TransportError(`sip: ${error.reason}, ${error.message}`, {
    certainty,
    category,
    publicMessage,
    cause: error,
  });
}
