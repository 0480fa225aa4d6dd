import { randomBytes } from 'node:crypto';
import { makeHeader } from './header.ts';
import { createPayloadCipher, PAYLOAD_NONCE_BYTES, PIECE_BYTES } from './payload.ts';

/** Yields the content as a file of the age format, which the private key of each of these public keys opens; piece by piece. */
export async function* encryptAge(
  content: AsyncIterable<Uint8Array>,
  recipients: readonly Uint8Array[],
): AsyncGenerator<Uint8Array> {
  const { header, fileKey } = await makeHeader(recipients);
  const nonce = randomBytes(PAYLOAD_NONCE_BYTES);
  const cipher = await createPayloadCipher(fileKey, nonce);
  yield Buffer.concat([header, nonce]);
  let held = Buffer.alloc(0);
  let index = 0;
  for await (const chunk of content) {
    held = Buffer.concat([held, chunk]);
    let at = 0;
    // A full piece is held until more follows, because only the last one is marked.
    for (; held.length - at > PIECE_BYTES; at += PIECE_BYTES, index += 1)
      yield cipher.seal(index, held.subarray(at, at + PIECE_BYTES), false);
    if (at > 0) held = held.subarray(at);
  }
  yield cipher.seal(index, held, true);
}
