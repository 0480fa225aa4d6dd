import { finished } from 'node:stream/promises';
import { DkimVerifier } from 'mailauth/lib/dkim/dkim-verifier.js';
import type { HeaderLine } from './header-line.ts';
import type { ResolveDns } from './reading-port.ts';
import type { Signature } from './signature.ts';
import type { ParsedSignature } from './signature-rule.ts';
import { signedHeader } from './signed-copy.ts';

/**
 * Verifies a signature but for the text: the hash of the text is believed as the signature says. Who has no key of the domain is
 * found out by it without anybody reading the text, however large it is.
 */
export async function verifyHeader(
  header: readonly HeaderLine[],
  signature: ParsedSignature,
  { resolve, at }: { readonly resolve: ResolveDns; readonly at: Date },
): Promise<Signature> {
  const verifier = new HeaderVerifier({ resolver: resolve, curTime: at, rejectRsaSha1: true });
  verifier.end(signedHeader(header, [signature]));
  await finished(verifier);
  return verifier.results[0] ?? { status: { result: 'none' } };
}

class HeaderVerifier extends DkimVerifier {
  override async messageHeaders(headers: unknown): Promise<void> {
    await super.messageHeaders(headers);
    for (const { bodyHashKey, parsed } of this.signatureHeaders)
      if (bodyHashKey !== undefined)
        this.bodyHashes.set(bodyHashKey, {
          update: () => undefined,
          setContentType: () => undefined,
          digest: () => parsed?.bh?.value ?? '',
          getMimeStructureStart: () => -1,
        });
  }
}
