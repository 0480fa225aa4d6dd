import { ApiError, UnreachableError } from '../../shared/client/errors.ts';
import { ERROR_CODE_HEADER } from '../../shared/errors/header.ts';

/**
 * Why a picture did not come: an `<img>` tells no reason. Resolves when it can be had now; rejects with what a request
 * for it would: `UnreachableError` when nobody answered, else `ApiError` without a sentence.
 */
export async function askForPicture(address: string, signal: AbortSignal): Promise<true> {
  const answer = await fetch(address, { method: 'HEAD', cache: 'no-store', signal }).catch(
    (cause: unknown) => {
      throw new UnreachableError('The picture cannot be asked for.', { cause });
    },
  );
  if (answer.ok) return true;
  const { status, headers } = answer;
  const code = headers.get(ERROR_CODE_HEADER);
  throw new ApiError({ status, code, detail: '', retryAfter: null, requestId: null, body: null });
}
