import { errorCode } from '../../../platform/errors.ts';
import { certificateFailure } from '../../../platform/server-failures.ts';
import { BucketError, type BucketPlace } from '../bucket-port.ts';

/** Parts of the vendor's errors that tell them apart. */
interface VendorError {
  readonly name?: string;
  readonly Code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const FORBIDDEN = new Set([
  'AccessDenied',
  'Forbidden',
  'AllAccessDisabled',
  'AccountProblem',
  'InvalidPayer',
]);
const WRONG_KEY = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'TokenRefreshRequired',
]);
const NO_CREDENTIALS = new Set(['CredentialsProviderError', 'TokenProviderError', 'ProviderError']);
const WRONG_REGION = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]);
const UNREACHABLE = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
]);
const SLOW = new Set(['AbortError', 'TimeoutError', 'RequestTimeout', 'ETIMEDOUT']);
const CLOCK = new Set(['RequestTimeTooSkewed', 'RequestExpired']);

/** Returns an error of the vendor's client in a sentence for a person. */
export function bucketFailure(
  { bucket, endpoint }: Pick<BucketPlace, 'bucket' | 'endpoint'>,
  error: unknown,
): BucketError {
  if (error instanceof BucketError) return error;
  const found = (error ?? {}) as VendorError;
  const code = found.Code ?? found.name ?? '';
  const status = found.$metadata?.httpStatusCode;
  const is = (codes: ReadonlySet<string>) => codes.has(code) || codes.has(errorCode(error));
  const fail = (sentence: string) => new BucketError(sentence, error);
  if (code === 'NoSuchBucket')
    return fail(`The bucket ${bucket} does not exist. Create it, or correct its name in the settings.`);
  if (is(NO_CREDENTIALS))
    return fail(
      `There are no credentials for the bucket ${bucket}. Enter an access key, or give this computer a role.`,
    );
  if (is(WRONG_KEY))
    return fail(`The access key for the bucket ${bucket} is not valid. Check it in the settings.`);
  if (is(CLOCK)) return fail('The object storage refuses the time of this computer. Correct its clock.');
  if (is(WRONG_REGION))
    return fail(`The bucket ${bucket} is in another region. Correct the region in the settings.`);
  if (error instanceof Error && error.message.startsWith('Region is missing'))
    return fail(`The region of the bucket ${bucket} is not known. Enter it in the settings.`);
  if (is(SLOW)) return fail(`The bucket ${bucket} is not responding. Faxdesk tries again.`);
  if (is(FORBIDDEN) || status === 403)
    return fail(
      `Faxdesk is not allowed to use the bucket ${bucket}. Allow it to list, read, write and delete there.`,
    );
  if (is(UNREACHABLE))
    return fail(`Faxdesk cannot reach ${endpoint ?? 'Amazon S3'}. Check the network and the address.`);
  const certificate = certificateFailure({ host: hostOf(endpoint) }, errorCode(error));
  if (certificate !== null) return fail(certificate);
  return fail(
    `The bucket ${bucket} reports an error (${status ?? (code || 'unknown')}). Faxdesk tries again.`,
  );
}

const hostOf = (endpoint: string | null): string =>
  (endpoint === null ? null : URL.parse(endpoint)?.hostname) ?? 'Amazon S3';

/** Returns true for an object that does not exist; a bucket that does not exist is something else. */
export const isNoSuchKey = (error: unknown): boolean =>
  ['NoSuchKey'].includes((error as VendorError | null)?.name ?? '');

/** Returns true for the answer to a request for the first bytes of an object that has none. */
export const isEmptyRange = (error: unknown): boolean =>
  ['InvalidRange'].includes((error as VendorError | null)?.name ?? '');

/** Returns true for the answer to a write that another one came before. */
export const isTaken = (error: unknown): boolean =>
  ['PreconditionFailed', 'ConditionalRequestConflict'].includes((error as VendorError | null)?.name ?? '');

/** Returns true where the answer has no body that names the reason. */
export const isNotFound = (error: unknown): boolean =>
  (error as VendorError | null)?.$metadata?.httpStatusCode === 404 &&
  (error as VendorError | null)?.name !== 'NoSuchBucket';
