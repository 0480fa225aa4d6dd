import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { get } from 'node:http';
import { GATEWAY_PROOF, proofText } from '../shared/gateway-proof.ts';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_LENGTH = 1_000;

/** Returns true when the program that listens at `origin` is the gateway that was given `secret`. Never throws. */
export async function verifyGateway(origin: string, secret: string): Promise<boolean> {
  const challenge = randomBytes(32).toString('base64url');
  const answer = await requestProof(`${origin}${GATEWAY_PROOF.path}`, challenge).catch(() => null);
  if (answer === null) return false;
  const expected = createHmac('sha256', secret)
    .update(proofText({ challenge, ...answer.ports }))
    .digest('base64url');
  return isEqual(answer.proof, expected);
}

interface ProofAnswer {
  readonly proof: string;
  readonly ports: { readonly fromPort: number; readonly toPort: number };
}

/** Sends the challenge on a connection of its own, because its two ports are part of the proof. */
function requestProof(url: string, challenge: string): Promise<ProofAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { [GATEWAY_PROOF.challengeHeader]: challenge };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const request = get(url, { agent: false, headers, signal }, (response) => {
      const { localPort: fromPort = 0, remotePort: toPort = 0 } = response.socket;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        if (text.length > MAX_ANSWER_LENGTH) response.destroy(new Error('no proof'));
      });
      response.on('error', reject);
      response.on('end', () => resolve({ proof: parseProof(text), ports: { fromPort, toPort } }));
    });
    request.on('error', reject);
  });
}

function parseProof(text: string): string {
  try {
    return String((JSON.parse(text) as { proof?: unknown }).proof);
  } catch {
    return '';
  }
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
