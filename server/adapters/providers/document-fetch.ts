import { rm } from 'node:fs/promises';
import { DocumentError, type FetchedDocument } from '../../features/inbound/receiving-port.ts';
import {
  type HttpAnswer,
  type HttpDownload,
  type HttpDownloadAnswer,
  HttpFailure,
} from '../../platform/http-client.ts';
import { certainlyNotSent, failureOf, maxAnswerBytes, mediaTypeOf, unusableAnswer } from './failures.ts';
import type { ProviderAccount } from './provider-port.ts';

interface DocumentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A new file. */
  readonly path: string;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

type Download = (download: HttpDownload) => Promise<HttpDownloadAnswer>;

/** Types in which a provider explains itself, but never a fax. */
const errorTypes = /^(?:application\/(?:.+\+)?json|text\/.+)$/u;

/** Downloads the document of a received fax; see ReceivingProvider. An answer but 200 and 404 is left to `refuse`. */
export async function fetchToFile(
  download: Download,
  account: ProviderAccount,
  documentRequest: DocumentRequest,
  refuse: (answer: HttpAnswer) => Error,
): Promise<FetchedDocument> {
  const { savedBytes, ...answer } = await perform(download, account, documentRequest);
  if (answer.status === 404) throw missing(account);
  if (savedBytes === null) throw refuse(answer);
  const mediaType = mediaTypeOf(answer);
  if (savedBytes > 0 && !errorTypes.test(mediaType ?? '')) return { sizeBytes: savedBytes, mediaType };
  await rm(documentRequest.path, { force: true });
  throw unusableAnswer(account, `${savedBytes} bytes of ${mediaType} for a document`, certainlyNotSent);
}

async function perform(download: Download, account: ProviderAccount, documentRequest: DocumentRequest) {
  const { maxBytes, ...request } = documentRequest;
  try {
    return await download({ ...request, method: 'GET', maxFileBytes: maxBytes, maxAnswerBytes });
  } catch (error) {
    const large = error instanceof HttpFailure && error.reason === 'oversized' && error.status === 200;
    throw large ? tooLarge(account, maxBytes, error) : failureOf(account, error, certainlyNotSent);
  }
}

function missing(account: ProviderAccount): DocumentError {
  const sentence = 'The fax provider does not have the document of this fax, or does not have it yet.';
  return new DocumentError('document_missing', `${account.backend}: no document`, sentence);
}

function tooLarge(account: ProviderAccount, maxBytes: number, cause: unknown): DocumentError {
  const sentence = `The document of this fax is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`;
  return new DocumentError('document_too_large', `${account.backend}: document too large`, sentence, cause);
}
