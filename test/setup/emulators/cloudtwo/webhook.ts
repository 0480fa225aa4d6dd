import { randomBytes } from 'node:crypto';
import type { PreparedWebhook } from '../deliveries.ts';
import { addressOf, basicOf, type Fields, multipart } from '../webhook-body.ts';
import { type EmulatedFax, faxObject } from './fax-record.ts';

export interface WebhookOptions {
  /** Default: what the fax or the service asks for. */
  readonly contentType?: 'application/json' | 'multipart/form-data';
  /** Instead of the fax's or the service's address. */
  readonly url?: string;
  /** Default by the direction of the fax. */
  readonly event?: string;
  /** Laid over the fax, e.g. another id. */
  readonly fax?: Readonly<Record<string, unknown>>;
  /** JSON only: `fax` as text, as some versions write it. */
  readonly faxAsText?: boolean;
  /** Default: the document, but none in the JSON of a sent fax. */
  readonly file?: Buffer | null;
  readonly fileType?: string;
  /** Instead of user and password of the address; null sends none. */
  readonly credentials?: { readonly user: string; readonly password: string } | null;
}

/** Builds the exact request of one webhook. */
export function prepareWebhook(
  fax: EmulatedFax,
  asked: { projectId: string; url: string; contentType: string; now: number },
  options: WebhookOptions,
): PreparedWebhook {
  const isJson = (options.contentType ?? asked.contentType) === 'application/json';
  const attached = isJson && fax.direction === 'OUTBOUND' ? null : fax.document;
  const content = {
    event: options.event ?? (fax.direction === 'INBOUND' ? 'INCOMING_FAX' : 'FAX_COMPLETED'),
    eventTime: new Date(asked.now).toISOString(),
    fax: { ...faxObject(fax, asked.projectId), ...options.fax },
  };
  const file = options.file === undefined ? attached : options.file;
  const target = new URL(asked.url);
  const { fields, contentType, body } = isJson
    ? jsonBody(content, file, options)
    : formBody(content, file, options);
  return {
    url: addressOf(target),
    headers: { 'content-type': contentType, ...credentialsOf(target, options) },
    body,
    fields,
    signature: null,
  };
}

interface Content {
  readonly event: string;
  readonly eventTime: string;
  readonly fax: Readonly<Record<string, unknown>>;
}

interface Body {
  readonly fields: Fields;
  readonly contentType: string;
  readonly body: Buffer;
}

function jsonBody(content: Content, file: Buffer | null, options: WebhookOptions): Body {
  const shown = { ...content, fax: options.faxAsText === true ? JSON.stringify(content.fax) : content.fax };
  const attached =
    file === null ? {} : { file: file.toString('base64'), fileType: options.fileType ?? 'PDF' };
  const body = Buffer.from(JSON.stringify({ ...shown, ...attached }));
  return { fields: [], contentType: 'application/json', body };
}

function formBody(content: Content, file: Buffer | null, options: WebhookOptions): Body {
  const boundary = `----emulator${randomBytes(12).toString('hex')}`;
  const type: Fields = options.fileType === undefined ? [] : [['fileType', options.fileType]];
  const fields: Fields = [
    ['event', content.event],
    ['eventTime', content.eventTime],
    ['fax', JSON.stringify(content.fax)],
    ...type,
  ];
  const files = file === null ? [] : [{ name: 'file', bytes: file }];
  const contentType = `multipart/form-data; boundary=${boundary}`;
  return { fields, contentType, body: multipart(boundary, fields, files) };
}

function credentialsOf(target: URL, { credentials }: WebhookOptions): Record<string, string> {
  if (credentials === undefined) return basicOf(target);
  if (credentials === null) return {};
  const pair = `${credentials.user}:${credentials.password}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
