import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { FAX_PRINTER_PATH, PRINTER_PATH } from '../../../../shared/printing.ts';
import { errorCode } from '../../../platform/errors.ts';
import { OPERATION, STATUS } from '../../../platform/ipp/codes.ts';
import { encodeMessage } from '../../../platform/ipp/encode.ts';
import { GROUP, IppFormatError, type IppMessage } from '../../../platform/ipp/message.ts';
import { readMessage } from '../../../platform/ipp/read-message.ts';
import { attribute } from '../../../platform/ipp/values.ts';
import { isLoopbackHost } from '../../../platform/public-address.ts';
import { PrintError } from '../print-error.ts';
import { personOf } from '../print-password.ts';
import { maxJobBytes } from '../sizes.ts';
import { type Answered, runOperation } from './operations.ts';
import type { FaxPrinter } from './printer.ts';
import { readRequest } from './request.ts';

const MEDIA_TYPE = 'application/ipp';
const VERSION = { major: 2, minor: 0 } as const;
const PATHS = [PRINTER_PATH, FAX_PRINTER_PATH];
/** Longest status message that computers have to take. */
const MESSAGE_LENGTH = 255;

/**
 * Returns the handler of requests to the printer. Pages in a browser cannot print: their scripts may not send this media type to
 * another origin, and a name of the internet that leads to this computer is refused. In the network each request but for the
 * attributes of the printer needs a print password.
 */
export function printerRequests(
  printer: FaxPrinter,
  options: { readonly icon: () => Promise<Uint8Array>; readonly isNetwork: boolean },
): RequestListener {
  return (request, response) => {
    answer(printer, { request, response, ...options }).catch((error: unknown) => {
      if (!isGone(request, error)) printer.parts.logger.error({ error }, 'a request to the printer failed');
      response.destroy();
    });
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly icon: () => Promise<Uint8Array>;
  readonly isNetwork: boolean;
}

async function answer(printer: FaxPrinter, exchange: Exchange): Promise<void> {
  const { request, response, icon, isNetwork } = exchange;
  const { method, headers, url } = request;
  const host = headers.host ?? '';
  if (!URL.canParse(`http://${host}`) || !(isNetwork || isOwnHost(host))) return end(response, 403);
  const { pathname } = new URL(url ?? '/', 'http://printer');
  if (pathname === '/icon.png' && method === 'GET') {
    response.setHeader('Content-Type', 'image/png');
    return end(response, 200, await icon());
  }
  if (!PATHS.some((path) => pathname === path || pathname.startsWith(`${path}/`))) return end(response, 404);
  if (method !== 'POST') {
    response.setHeader('Allow', 'POST');
    return end(response, 405);
  }
  if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== MEDIA_TYPE) return end(response, 415);
  const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  const message = await answerMessage(printer, {
    request,
    body,
    isNetwork,
    origin: `${isNetwork ? 'ipps' : 'ipp'}://${host}`,
  });
  if (message === null) {
    response.setHeader('WWW-Authenticate', 'Basic realm="Faxdesk", charset="UTF-8"');
    end(response, 401);
  } else {
    response.setHeader('Content-Type', MEDIA_TYPE);
    response.setHeader('Cache-Control', 'no-cache');
    end(response, 200, encodeMessage(message));
  }
  await readRest(request, body, maxJobBytes(printer.parts));
}

/** Reads on after a refusal: computers read an answer only once they have sent their document. */
async function readRest(
  request: IncomingMessage,
  body: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<void> {
  let left = maxBytes;
  for await (const chunk of body) {
    left -= chunk.length;
    if (left < 0) request.destroy();
  }
}

/** Names of this computer alone, whatever the port. */
function isOwnHost(host: string): boolean {
  return isLoopbackHost(new URL(`http://${host}`).hostname);
}

function end(response: ServerResponse, status: number, body?: Uint8Array): void {
  response.statusCode = status;
  response.setHeader('Content-Length', body?.length ?? 0);
  response.end(body);
}

/** Returns the answer to a request; null where it needs a print password. */
async function answerMessage(
  printer: FaxPrinter,
  {
    request,
    body,
    origin,
    isNetwork,
  }: Pick<Exchange, 'request' | 'isNetwork'> & {
    readonly body: AsyncIterable<Buffer>;
    readonly origin: string;
  },
): Promise<IppMessage | null> {
  let asked: Pick<IppMessage, 'version' | 'requestId'> = { version: VERSION, requestId: 1 };
  try {
    const { message, document } = await readMessage(body);
    asked = message;
    const person = isNetwork ? await personOf(printer.parts, request.headers.authorization) : null;
    if (isNetwork && person === null && message.code !== OPERATION.getPrinterAttributes) return null;
    return answered(asked, await runOperation(printer, readRequest(message, { origin, person, document })));
  } catch (error) {
    if (isGone(request, error)) throw error;
    const refusal = refusalOf(error);
    if (refusal.status === STATUS.internalError)
      printer.parts.logger.error({ error }, 'a request to the printer failed');
    return answered(asked, { status: refusal.status, groups: [] }, refusal.message);
  }
}

function refusalOf(error: unknown): PrintError {
  if (error instanceof PrintError) return error;
  if (error instanceof IppFormatError) return new PrintError('badRequest', 'The request cannot be read.');
  return new PrintError('internalError', 'Faxdesk could not keep the document. The log has the details.');
}

/** True where the computer broke off, so that nobody reads an answer. */
const isGone = (request: IncomingMessage, error: unknown): boolean =>
  request.destroyed && ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(errorCode(error));

/** Answers in the version of the request, or in ours where that is not supported. */
function answered(
  { version, requestId }: Pick<IppMessage, 'version' | 'requestId'>,
  { status, groups }: Answered,
  sentence?: string,
): IppMessage {
  const operation = [
    attribute('attributes-charset', 'charset', 'utf-8'),
    attribute('attributes-natural-language', 'naturalLanguage', 'en'),
    ...(sentence === undefined
      ? []
      : [attribute('status-message', 'text', sentence.slice(0, MESSAGE_LENGTH))]),
  ];
  return {
    version: status === STATUS.versionNotSupported ? VERSION : version,
    code: status,
    requestId: Math.max(0, requestId),
    groups: [{ tag: GROUP.operation, attributes: operation }, ...groups],
  };
}
