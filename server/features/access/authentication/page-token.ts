import { createHmac } from 'node:crypto';
import type { Request } from 'express';
import type { RouteDefinition } from '../../../../shared/api/route.ts';
import { PAGE_TOKEN, PAGE_TOKEN_HEADER, PAGE_TOKEN_PARAMETER } from '../../../../shared/page-token.ts';
import { RefusalError } from '../../../platform/errors.ts';
import { equalInConstantTime, sha256Hex } from '../../../platform/hash.ts';

/** Binding of a session to the pages of one origin; both null for one that began without a page token. */
export interface PageBinding {
  /** SHA-256 of the page token, hexadecimal. */
  readonly pageTokenHash: string | null;
  /** Opens addresses of files, pictures and streams, which carry no header. Worth nothing without the cookie. */
  readonly addressToken: string | null;
}

/** The hash of the page token that a sign-in names; null when it names none. Throws a 400 refusal for a wrong form. */
export function pageTokenHashOf(request: Request): string | null {
  const presented = request.get(PAGE_TOKEN_HEADER);
  if (presented === undefined) return null;
  if (!PAGE_TOKEN.test(presented))
    throw new RefusalError('invalid_request', {
      sentence: `The header ${PAGE_TOKEN_HEADER} must be 43 characters of base64url.`,
    });
  return sha256Hex(presented);
}

/** Returns the binding of a session from its proof and the hash of its page token. */
export function pageBindingOf(proof: string, pageTokenHash: string | null): PageBinding {
  if (pageTokenHash === null) return { pageTokenHash, addressToken: null };
  const addressToken = createHmac('sha256', proof).update(`address ${pageTokenHash}`).digest('base64url');
  return { pageTokenHash, addressToken };
}

/**
 * Returns true when a request comes from the pages that the session belongs to. The address token gives access to bytes
 * only, never JSON.
 */
export function isOfItsPage(
  { pageTokenHash, addressToken }: PageBinding,
  request: Request,
  { method, answer }: Pick<RouteDefinition, 'method' | 'answer'>,
): boolean {
  if (pageTokenHash === null || addressToken === null) return true;
  const presented = request.get(PAGE_TOKEN_HEADER);
  if (presented !== undefined) return equalInConstantTime(sha256Hex(presented), pageTokenHash);
  const named = request.query[PAGE_TOKEN_PARAMETER];
  const opensBytes = method === 'GET' && 'contentType' in answer;
  return opensBytes && typeof named === 'string' && equalInConstantTime(named, addressToken);
}
