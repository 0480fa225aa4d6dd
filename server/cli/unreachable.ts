import type { UnreachableError } from '../../shared/client/index.ts';
import { errorCode } from '../platform/errors.ts';

/** Reason why an address did not answer, and whether the request can have arrived. */
interface Unreachable {
  readonly sentence: string;
  /** False when no connection came about: the gateway has nothing of the request. */
  readonly mayHaveArrived: boolean;
  /** True when the same address may answer a moment later. */
  readonly mayPass: boolean;
}

const NOT_TRUSTED =
  'The gateway answers, but this computer does not trust its certificate. Install the root certificate of the gateway here ("faxdesk https root --output <file>" saves it on the gateway’s computer), or set NODE_EXTRA_CA_CERTS to its file. Nothing was sent.';

const REASONS: readonly (readonly [RegExp, string, Pick<Unreachable, 'mayPass'>])[] = [
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE|INVALID_CA|CERT_CHAIN_TOO_LONG|INVALID_PURPOSE|CERT_REJECTED)$/u,
    NOT_TRUSTED,
    { mayPass: false },
  ],
  [
    /^CERT_HAS_EXPIRED$/u,
    'The certificate of the gateway has expired, so nothing was sent. Run "faxdesk https show" on its computer to see the certificate, and check the clock of this computer.',
    { mayPass: false },
  ],
  [
    /^CERT_NOT_YET_VALID$/u,
    'The certificate of the gateway is not valid yet, so nothing was sent. Check the clocks of both computers.',
    { mayPass: false },
  ],
  [
    /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/u,
    'The certificate is not for the name in --url, so nothing was sent. Use an address from "faxdesk https show", or add the name to HTTPS_NAMES.',
    { mayPass: false },
  ],
  [
    /^(?:ERR_SSL_|EPROTO)/u,
    'That port does not use HTTPS. Use an address from "faxdesk https show", or http:// for the plain address.',
    { mayPass: false },
  ],
  [/^ENOTFOUND$/u, 'There is no computer with that name. Check --url.', { mayPass: false }],
  [
    /^(?:EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/u,
    'The gateway cannot be reached. Check that it is running, and check --url.',
    { mayPass: true },
  ],
];

/** Describes a request that got no complete answer, by the underlying error of the system or of TLS. */
export function unreachable(error: UnreachableError): Unreachable {
  for (const code of codesOf(error.cause)) {
    const known = REASONS.find(([pattern]) => pattern.test(code));
    if (known) return { sentence: known[1], mayHaveArrived: false, mayPass: known[2].mayPass };
  }
  return {
    sentence: `${error.message} Check that it is running, and check --url.`,
    mayHaveArrived: true,
    mayPass: true,
  };
}

/** `fetch` wraps the error that has the code, and tries several addresses of one name. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const several = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [errorCode(error), ...several, ...codesOf(error.cause)].filter((code) => code !== '');
}
