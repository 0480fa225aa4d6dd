import { randomBytes } from 'node:crypto';
import type { HttpBody } from '../../platform/http-client.ts';
import { fieldPart, filePartHead } from '../../platform/multipart-body.ts';
import type { PeerDocument } from './port.ts';

/** The form that carries a document, and whether its end was not given to the connection yet. */
interface DeliveryForm {
  readonly body: HttpBody;
  isIncomplete(): boolean;
}

/** Builds the form of `POST /direct/deliveries`: manifest, signature and document, in this order. The document streams. */
export function deliveryForm(document: PeerDocument): DeliveryForm {
  const boundary = `----faxdesk${randomBytes(16).toString('hex')}`;
  const file = { name: 'document', fileName: 'document', contentType: 'application/octet-stream' };
  const head = Buffer.from(
    fieldPart(boundary, 'manifest', document.manifest) +
      fieldPart(boundary, 'signature', document.signature) +
      filePartHead(boundary, file),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  let given = 0;
  return {
    isIncomplete: () => given < document.sizeBytes,
    body: {
      contentType: `multipart/form-data; boundary=${boundary}`,
      contentLength: head.length + document.sizeBytes + tail.length,
      async *chunks() {
        yield head;
        for await (const piece of document.pieces()) {
          given += piece.length;
          yield piece;
        }
        yield tail;
      },
    },
  };
}
