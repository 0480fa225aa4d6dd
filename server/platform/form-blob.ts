import { randomBytes } from 'node:crypto';
import { fieldPart, filePartHead } from './multipart-body.ts';

/**
 * A form as one blob in multipart/form-data, whose type names the boundary; files in it stay where they are until they
 * are read. `fetch` of Node ends the whole process (`ERR_INVALID_STATE`, thrown where nobody can catch it) when a form
 * that it encodes itself is answered before it was read to its end, as a refusal is; a blob it gives up in peace.
 */
export function formBlob(form: FormData): Blob {
  const boundary = `----faxdesk${randomBytes(16).toString('hex')}`;
  const parts = [...form].flatMap(([name, value]): (string | Blob)[] => {
    if (typeof value === 'string') return [fieldPart(boundary, name, value)];
    const contentType = value.type === '' ? 'application/octet-stream' : value.type;
    return [filePartHead(boundary, { name, fileName: value.name, contentType }), value, '\r\n'];
  });
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });
}
