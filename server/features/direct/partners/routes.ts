import type { Request } from 'express';
import { directPartnerRoutes as routes } from '../../../../shared/api/direct-partners.ts';
import { ERROR_CODE_HEADER } from '../../../../shared/errors/header.ts';
import { sendJson } from '../../../http/early-answer.ts';
import { type ServedRoute, serve, serveRaw } from '../../../http/handler.ts';
import { readPieces } from '../../../http/json-body.ts';
import type { UnverifiedBodies } from '../../../http/unverified-bodies.ts';
import { RefusalError } from '../../../platform/errors.ts';
import { addressOf } from '../../access/service.ts';
import { unreadable } from '../errors.ts';
import { STATEMENT_BYTES, signedText } from '../wire/statement.ts';
import { WireError } from '../wire/wire-error.ts';
import type { PartnersService } from './service.ts';

/** Status of a signed refusal. */
const REFUSED = 409;

export function partnerServedRoutes(
  service: PartnersService,
  bodies: UnverifiedBodies,
  /** Throws the refusal of an address that does not exist. */
  assertEnabled: () => void,
): ServedRoute[] {
  const take = <T>(request: Request, work: (body: Uint8Array) => Promise<T>) => {
    assertEnabled();
    return withBody(bodies, request, work);
  };
  const present = ({ params }: { params: { id: string } }) => service.get(params.id);
  return [
    serve(routes.listPartners, async () => ({ items: await service.list() })),
    serve(routes.addPartner, ({ caller, body: { card, check_only } }) =>
      service.add(caller, { card, checkOnly: check_only }),
    ),
    serve(
      routes.challengePartner,
      ({ caller, params, body: { version, mailbox = null } }) =>
        service.challenge(caller, { id: params.id, version, mailbox }),
      { present },
    ),
    serve(
      routes.confirmPartner,
      ({ caller, params, body }) => service.confirm(caller, { id: params.id, code: body.code }),
      { present },
    ),
    serve(
      routes.revokePartner,
      ({ caller, params, body }) => service.revoke(caller, { id: params.id, version: body.version }),
      { present },
    ),
    serveRaw(routes.returnCode, async (request, response) => {
      const answer = await take(request, (body) => service.verifyCode(body));
      const status = answer.statement.type === 'verified' ? 200 : REFUSED;
      if (status === REFUSED) response.set(ERROR_CODE_HEADER, 'partner_code_refused');
      // Canonical: the partner verifies these bytes.
      response.status(status).type('application/json').send(signedText(answer));
    }),
    serveRaw(routes.takeStatement, async (request, response) => {
      await take(request, (body) => service.takeStatement(body));
      sendJson(request, response, 200, { ok: true });
    }),
  ];
}

/**
 * Reads the statement of whoever sent it, bounded in size, number and time, and lends it to `work`. Throws 400 for what is no
 * statement and 413 for a larger body.
 */
async function withBody<T>(
  bodies: UnverifiedBodies,
  request: Request,
  work: (body: Uint8Array) => Promise<T>,
): Promise<T> {
  if (Number(request.headers['content-length'] ?? 0) > STATEMENT_BYTES) throw new RefusalError('too_large');
  const unverified = bodies.begin({ keepsFiles: false, address: addressOf(request) });
  try {
    const pieces: Buffer[] = [];
    let size = 0;
    await readPieces(
      request,
      (piece) => {
        size += piece.length;
        if (size > STATEMENT_BYTES) throw new RefusalError('too_large');
        unverified.add(piece.length);
        pieces.push(Buffer.from(piece));
      },
      unverified.signal,
    );
    return await work(Buffer.concat(pieces, size));
  } catch (error) {
    throw error instanceof WireError ? unreadable(error.message) : error;
  } finally {
    unverified.end();
  }
}
