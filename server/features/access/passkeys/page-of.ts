import type { Request } from 'express';
import type { PasskeyAnswer } from '../../../../shared/api/access-passkeys.ts';
import { type ConnectionKind, checkSignInOrigin, type Listening } from '../authentication/origins.ts';
import type { OwnProof, SecondFactor } from '../sign-in/own-sign-in.ts';
import type { AccessSettings } from '../types.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';

export interface PageParts {
  readonly settings: AccessSettings;
  readonly listening: () => Listening;
}

/** Returns the requesting page, by its origin. Throws 403 for a foreign one, 409 where browsers have no passkeys. */
export function pageOf(
  { settings, listening }: PageParts,
  request: Request,
): { kind: ConnectionKind; party: RelyingParty } {
  const kind = checkSignInOrigin(request, settings, listening());
  return { kind, party: relyingPartyOf(request.headers.origin ?? '', kind) };
}

interface SecondFactorBody {
  readonly code?: string | undefined;
  readonly passkey?: PasskeyAnswer | undefined;
}

/** The second factor in a body: a code, or a passkey of that page. */
export function secondOf(
  parts: PageParts,
  request: Request,
  { code, passkey: answer }: SecondFactorBody,
): SecondFactor {
  return { code, passkey: answer && { answer, party: pageOf(parts, request).party } };
}

/** The same with the password. */
export function proofOf(
  parts: PageParts,
  request: Request,
  body: SecondFactorBody & { readonly current_password: string },
): OwnProof {
  return { currentPassword: body.current_password, ...secondOf(parts, request, body) };
}
