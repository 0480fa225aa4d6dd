import { ApiError, UnreachableError } from '../../shared/client/errors.ts';
import { ERROR_CODE_HEADER } from '../../shared/errors/header.ts';

/**
 * Finds out why a picture did not load, as an `<img>` gives no reason. Resolves when it can be loaded now. Rejects as a
 * request for it would: with `UnreachableError` when there is no response, else with an `ApiError` without a sentence.
 */
export async function probePicture(address: string, signal: AbortSignal): Promise<true> {
  const answer = await fetch(address, { method: 'HEAD', cache: 'no-store', signal }).catch(
    (cause: unknown) => {
      throw new UnreachableError('The picture cannot be requested.', { cause });
    },
  );
  if (answer.ok) return true;
  const { status, headers } = answer;
  const code = headers.get(ERROR_CODE_HEADER);
  throw new ApiError({ status, code, detail: '', retryAfter: null, requestId: null, body: null });
}
