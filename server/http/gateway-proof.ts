import { createHmac } from 'node:crypto';
import type { Express } from 'express';
import { GATEWAY_PROOF, proofText } from '../../shared/gateway-proof.ts';

const CHALLENGE = /^[\w-]{20,100}$/u;

/** Proves to the program that started this gateway that it is the one; see {@link GATEWAY_PROOF}. */
export function mountGatewayProof(app: Express, secret: string): void {
  app.get(GATEWAY_PROOF.path, (request, response, next) => {
    const challenge = request.get(GATEWAY_PROOF.challengeHeader) ?? '';
    const { remotePort: fromPort, localPort: toPort } = request.socket;
    if (!CHALLENGE.test(challenge) || fromPort === undefined || toPort === undefined) return next();
    const proof = createHmac('sha256', secret).update(proofText({ challenge, fromPort, toPort }));
    response.json({ proof: proof.digest('base64url') });
  });
}
