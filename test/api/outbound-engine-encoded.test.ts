import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { openWorkspace } from '../documents/workspace.ts';
import { denseFile, messageIdOf } from '../fixtures/encoded-message.ts';
import { farEndNumber } from '../setup/telephony/far-end.ts';
import { CALL_MS, callTo, withEngineLine } from './outbound-engine-setup.ts';

// A short page here; ENCODED_CALL_BYTES=62000 sends three full pages and a parity page, six minutes a call.

const BYTES = Number(process.env['ENCODED_CALL_BYTES'] ?? 3000);
const LONGEST_MS = CALL_MS + BYTES * 10;
const engineLine = withEngineLine();
const workspace = openWorkspace();
afterAll(async () => await workspace.close());

/** A fax of encoded pages that carries so many bytes. */
async function encodedFax(content: Buffer, seed: number): Promise<File> {
  const document = {
    documentPath: workspace.file(`original-${seed}.pdf`, content),
    name: 'summary.pdf',
    mediaType: 'application/pdf',
    key: null,
    paper: 'letter',
  } as const;
  const path = join(workspace.folder, `encoded-${seed}.pdf`);
  await workspace.documents.encodePages(document, path, {
    messageId: messageIdOf(seed),
    words: { sender: 'Lakeside Clinic' },
    cap: 60,
  });
  return new File([readFileSync(path)], 'encoded.pdf', { type: 'application/pdf' });
}

describe('encoded pages over a real telephone engine', () => {
  for (const [seed, [behavior, way]] of (
    [
      ['t38', 'over T.38 with error correction'],
      ['audio', 'as sound with error correction'],
      ['audioWithoutEcm', 'as sound without error correction'],
    ] as const
  ).entries())
    test.concurrent(
      `carry their document byte for byte ${way}`,
      async (context) => {
        const line = engineLine(context);
        const content = denseFile(BYTES, seed + 50);
        const to = farEndNumber(behavior, 60);
        const { id } = await callTo(line, to, [await encodedFax(content, seed)]);
        await vi.waitFor(
          async () => expect(await line.gateway.fax(id)).toMatchObject({ delivery_state: 'success' }),
          { timeout: LONGEST_MS, interval: 500 },
        );
        const [received] = await line.rig.received(to);
        const tiff = workspace.file(`received-${seed}.tif`, readFileSync(received ?? ''));
        const { path } = await workspace.prepare([tiff], `received-${seed}.pdf`);
        const output = join(workspace.folder, `arrived-${seed}.pdf`);
        const found = await workspace.documents.decodePages(path, output, { keys: [], maxBytes: 1e7 });
        expect(found).toMatchObject({ state: 'decoded', messageId: messageIdOf(seed) });
        expect(readFileSync(output).equals(content)).toBe(true);
      },
      LONGEST_MS + 60_000,
    );
});
