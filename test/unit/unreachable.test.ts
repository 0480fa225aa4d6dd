import { describe, expect, test, vi } from 'vitest';
import { repeatSafely } from '../../server/cli/safe-repeat.ts';
import { unreachable } from '../../server/cli/unreachable.ts';
import { UnreachableError } from '../../shared/client/index.ts';

/** As `fetch` fails: the error that has the code lies below. */
function failure(code: string): UnreachableError {
  const below = Object.assign(new Error('in the words of the system'), { code });
  return new UnreachableError('The gateway cannot be reached.', {
    cause: new TypeError('fetch failed', { cause: below }),
  });
}

describe('a gateway that cannot be reached', () => {
  test.each([
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /does not trust its certificate/u],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /does not trust its certificate/u],
    ['SELF_SIGNED_CERT_IN_CHAIN', /does not trust its certificate/u],
    ['CERT_HAS_EXPIRED', /^The certificate of the gateway has expired/u],
    ['CERT_NOT_YET_VALID', /is not valid yet/u],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /^The certificate is not for the name in --url/u],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /^That port does not use HTTPS/u],
    ['ENOTFOUND', /^There is no computer with that name/u],
  ])('by %s says so in a sentence, and a fax is not sent again and again', async (code, sentence) => {
    const error = failure(code);
    expect(unreachable(error).sentence).toMatch(sentence);
    const request = vi.fn(() => Promise.reject(error));
    await expect(repeatSafely('key', request)).rejects.toBe(error);
    expect(request).toHaveBeenCalledTimes(1);
  });

  test('by a refused connection has nothing of the request, one that broke off may have', () => {
    expect(unreachable(failure('ECONNREFUSED'))).toEqual({
      sentence: 'The gateway cannot be reached. Check that it is running, and check --url.',
      mayHaveArrived: false,
      mayPass: true,
    });
    expect(unreachable(failure('UND_ERR_SOCKET')).mayHaveArrived).toBe(true);
    const several = new AggregateError([Object.assign(new Error('::1'), { code: 'ECONNREFUSED' })]);
    const tried = new UnreachableError('The gateway cannot be reached.', { cause: several });
    expect(unreachable(tried).mayHaveArrived).toBe(false);
  });
});
