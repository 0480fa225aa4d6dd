import type { Request, Response } from 'express';
import { directDeliveryRoutes as routes } from '../../../../shared/api/direct-deliveries.ts';
import { ERROR_CODE_HEADER, ERRORS } from '../../../../shared/errors/all.ts';
import { sendJson } from '../../../http/early-answer.ts';
import { type ServedRoute, serve, serveRaw } from '../../../http/handler.ts';
import { receiveForm } from '../../../http/multipart.ts';
import type { MinuteLimit, NewMinuteLimit } from '../../../http/rate-limit.ts';
import type { UnverifiedBodies } from '../../../http/unverified-bodies.ts';
import { addressOf } from '../../access/service.ts';
import { MessageId, STATEMENT_BYTES, signedText } from '../wire/statement.ts';
import type { SignedAnswer } from './answer.ts';
import type { Deliveries } from './deliveries.ts';
import { noLength, noSuchDelivery, tooLarge, unreadableForm } from './errors.ts';

/** Requests of one address in a minute, whoever sends them. */
const UPLOADS_PER_MINUTE = 120;
const QUESTIONS_PER_MINUTE = 600;
/** Bytes of a form beside the document. */
const FORM_BYTES = 64 * 1024;

interface Limits {
  readonly uploads: MinuteLimit;
  readonly questions: MinuteLimit;
  readonly bodies: UnverifiedBodies;
}

export function deliveryServedRoutes(
  deliveries: Deliveries,
  { minuteLimit, bodies }: { readonly minuteLimit: NewMinuteLimit; readonly bodies: UnverifiedBodies },
): ServedRoute[] {
  const limits = {
    uploads: minuteLimit('direct-deliveries'),
    questions: minuteLimit('direct-questions'),
    bodies,
  };
  return [
    serve(routes.listDeliveries, ({ query }) => deliveries.list(query)),
    serveRaw(routes.receiveDelivery, (request, response) => receive(deliveries, limits, request, response)),
    serveRaw(routes.askDelivery, async (request, response) => {
      deliveries.assertOn();
      await limits.questions.consume(addressOf(request), QUESTIONS_PER_MINUTE, request);
      const messageId = messageIdOf(request);
      const body = await deliveries.answerStatus({ messageId, headers: request.headers });
      response.status(200).json(JSON.parse(signedText(body)));
    }),
  ];
}

/** Counts and checks by the head alone, then by the signed parts, and only then reads the document. */
async function receive(
  deliveries: Deliveries,
  limits: Limits,
  request: Request,
  response: Response,
): Promise<void> {
  deliveries.assertOn();
  const address = addressOf(request);
  await limits.uploads.consume(address, UPLOADS_PER_MINUTE, request);
  assertLength(request, deliveries.maxDocumentBytes());
  const unverified = limits.bodies.begin({ keepsFiles: false, address });
  let answer: SignedAnswer | null = null;
  try {
    await receiveForm(request, {
      place: null,
      totalBytes: deliveries.maxDocumentBytes() + FORM_BYTES,
      files: 1,
      digest: 'sha256',
      isMultipartOnly: true,
      unverified,
      async takeFile({ field, content }, fields) {
        if (field !== 'document') throw unreadableForm();
        const arriving = { ...signedParts(fields), document: content };
        answer = await deliveries.receive(arriving);
        // A document that was not read to its end is not read any further.
        if (answer.code !== null || !isRead(content)) throw new AnsweredError();
      },
    });
  } catch (error) {
    if (!(error instanceof AnsweredError)) throw error;
  } finally {
    unverified.end();
  }
  if (answer === null) throw unreadableForm();
  send(request, response, answer);
}

/** Ends the reading of a form whose answer is known. */
class AnsweredError extends Error {
  override name = 'AnsweredError';
}

const isRead = (content: AsyncIterable<Buffer>): boolean =>
  'readableEnded' in content && content.readableEnded === true;

/** Throws a 404 refusal for what is no message id. */
function messageIdOf(request: Request): string {
  const id = MessageId.safeParse(request.params['message_id']);
  if (!id.success) throw noSuchDelivery();
  return id.data;
}

/** Throws 411 and 413 refusals. */
function assertLength(request: Request, maxDocumentBytes: number): void {
  const length = Number(request.headers['content-length']);
  if (!Number.isSafeInteger(length)) throw noLength();
  if (length > maxDocumentBytes + FORM_BYTES) throw tooLarge();
}

/** Returns both signed parts, each once. Throws a 400 refusal. */
function signedParts(fields: readonly (readonly [name: string, value: string])[]): {
  readonly manifest: Uint8Array;
  readonly signature: string;
} {
  const [first, second, ...others] = fields;
  if (first?.[0] !== 'manifest' || second?.[0] !== 'signature' || others.length > 0) throw unreadableForm();
  const [manifest, signature] = [Buffer.from(first[1]), second[1]];
  if (manifest.length > STATEMENT_BYTES || signature.length > STATEMENT_BYTES) throw unreadableForm();
  return { manifest, signature };
}

/** Canonical JSON, as partners require it. */
function send(request: Request, response: Response, { code, body }: SignedAnswer): void {
  if (code !== null) response.setHeader(ERROR_CODE_HEADER, code);
  sendJson(request, response, code === null ? 200 : ERRORS[code].status, JSON.parse(signedText(body)));
}
