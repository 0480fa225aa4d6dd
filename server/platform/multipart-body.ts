import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { fileChunks } from './file-bytes.ts';
import { openStream, plainSizeOf } from './file-cipher.ts';
import type { HttpBody } from './http-client.ts';

interface MultipartFile {
  readonly name: string;
  readonly path: string;
  /** Key of a sealed file. */
  readonly key?: Uint8Array | undefined;
  readonly fileName: string;
  readonly contentType: string;
}

/**
 * A multipart/form-data body: the fields in their order, then at most one file, read from disk in pieces of 64 KiB. The
 * file is opened here, so a missing file fails before any connection. The caller calls `close` in every case.
 */
export async function openMultipartBody(
  fields: ReadonlyArray<readonly [name: string, value: string]>,
  file: MultipartFile | null,
): Promise<HttpBody & { readonly contentLength: number; close(): Promise<void> }> {
  const boundary = `----faxdesk${randomBytes(16).toString('hex')}`;
  const head = Buffer.from(
    fields.map(([name, value]) => fieldPart(boundary, name, value)).join('') +
      (file === null ? '' : filePartHead(boundary, file)),
  );
  const tail = Buffer.from(`${file === null ? '' : '\r\n'}--${boundary}--\r\n`);
  const handle = file === null ? null : await open(file.path, 'r');
  const key = file?.key;
  const stored = handle === null ? 0 : (await handle.stat()).size;
  const fileSize = handle !== null && key !== undefined ? plainSizeOf(stored) : stored;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.length + fileSize + tail.length,
    async *chunks() {
      yield head;
      if (handle !== null) yield* key === undefined ? fileChunks(handle, fileSize) : openStream(key, handle);
      yield tail;
    },
    close: async () => {
      await handle?.close();
    },
  };
}

/** A field of a multipart/form-data body, whole. */
export function fieldPart(boundary: string, name: string, value: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`;
}

/** Returns the bytes before the content of a file in a multipart/form-data body; a line break follows the content. */
export function filePartHead(
  boundary: string,
  { name, fileName, contentType }: Pick<MultipartFile, 'name' | 'fileName' | 'contentType'>,
): string {
  const disposition = `form-data; name="${quoted(name)}"; filename="${quoted(fileName)}"`;
  return `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${contentType}\r\n\r\n`;
}

/** The escapes of the HTML standard: nothing can leave the quotes. */
function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
