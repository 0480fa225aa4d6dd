/**
 * Protocol by which the desktop application verifies that the program on a port is the gateway it started: both share a
 * secret of that start, and the gateway signs (HMAC-SHA-256, base64url) a challenge with it.
 */
export const GATEWAY_PROOF = {
  path: '/.well-known/faxdesk-gateway',
  challengeHeader: 'x-faxdesk-challenge',
} as const;

/**
 * Returns the text to sign. The two ports are those of the connection as each end sees it: a program in between, which
 * would have to open a connection of its own, cannot pass the response on.
 */
export function proofText(facts: { challenge: string; fromPort: number; toPort: number }): string {
  return `faxdesk-gateway ${facts.challenge} ${facts.fromPort} ${facts.toPort}`;
}
