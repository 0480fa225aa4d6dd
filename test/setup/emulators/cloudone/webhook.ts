import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { PreparedWebhook } from '../deliveries.ts';
import { addressOf, basicOf, type Fields, type Files, multipart } from '../webhook-body.ts';
import { type EmulatedFax, faxObject } from './fax-record.ts';

type WebhookLayout = 'v1' | 'v2' | 'v2-brackets' | 'v2.1';

/** Part changed after signing; `address`: signed for another address; `uppercase`: the right digits in capitals. */
type WebhookTampering = 'address' | 'field' | 'file' | 'signature' | 'uppercase';

export interface WebhookOptions {
  /** Default `v2.1`. */
  readonly layout?: WebhookLayout;
  /** Default true. */
  readonly signed?: boolean;
  readonly tamper?: WebhookTampering;
  /** Instead of the fax's or the account's address. It is also what is signed. */
  readonly url?: string;
  /** Goes to `url`, while this address is signed: as when a proxy stands between. */
  readonly signedUrl?: string;
  /** An event of v2.1 other than `fax_completed`. */
  readonly event?: 'transmitting_page' | 'retry_scheduled';
  /** Laid over the fax's fields, e.g. another id. */
  readonly fax?: Readonly<Record<string, unknown>>;
  /** Put behind the regular fields. */
  readonly extraFields?: ReadonlyArray<readonly [string, string]>;
  /** Default: the document of a received fax. */
  readonly file?: Buffer | null;
  /** Sends `X-Cloudone-Signature` too. */
  readonly cloudoneHeader?: boolean;
  readonly callbackToken?: string;
}

/** Builds the exact request of one webhook, signed as the vendor documents it. */
export function prepareWebhook(
  fax: EmulatedFax,
  url: string,
  token: string,
  options: WebhookOptions,
): PreparedWebhook {
  const layout = options.layout ?? 'v2.1';
  const fields = [...webhookFields(fax, layout, options), ...(options.extraFields ?? [])];
  const file =
    options.file === undefined && fax.direction === 'received' ? fax.document : (options.file ?? null);
  const fileName = layout === 'v1' ? 'filename' : 'file';
  const files = file === null ? [] : [{ name: fileName, bytes: file }];
  const signature = options.signed === false ? null : signed(options, url, token, fields, files);
  const sent = applyTampering(options.tamper, fields, files);
  const boundary = `----emulator${randomBytes(12).toString('hex')}`;
  const target = new URL(url);
  return {
    url: addressOf(target),
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...basicOf(target),
      ...(signature === null ? {} : { 'X-Phaxio-Signature': signature }),
      ...(signature === null || options.cloudoneHeader !== true ? {} : { 'X-Cloudone-Signature': signature }),
    },
    body: multipart(boundary, sent.fields, sent.files),
    fields: sent.fields,
    signature,
  };
}

/** Numbers, booleans and text as a form holds them. */
function formText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function webhookFields(
  fax: EmulatedFax,
  layout: WebhookLayout,
  options: WebhookOptions,
): Array<[string, string]> {
  const shown = { ...faxObject(fax), ...options.fax };
  const head: Array<[string, string]> = [
    ['success', String(fax.status === 'success')],
    ['is_test', String(fax.isTest)],
    ['direction', shown.direction],
  ];
  switch (layout) {
    case 'v1':
      return [...head, ['fax', JSON.stringify(shown)], ['message', fax.errorMessage ?? '']];
    case 'v2':
      return [
        ...head,
        ...flatFields(shown, (name) => name).filter(([name]) => !['is_test', 'direction'].includes(name)),
      ];
    case 'v2-brackets':
      return [...head, ...flatFields(shown, (name) => `fax[${name}]`)];
    case 'v2.1':
      return [...head, ['fax', JSON.stringify(shown)], ...eventFields(fax, options.event)];
    default:
      return layout satisfies never;
  }
}

function eventFields(fax: EmulatedFax, event: WebhookOptions['event']): Array<[string, string]> {
  const number = fax.recipients[0]?.phone_number ?? '';
  if (event === undefined) return [['event_type', 'fax_completed']];
  const count: [string, string] = event === 'transmitting_page' ? ['page', '1'] : ['retry_count', '1'];
  return [['event_type', event], count, ['recipient_phone_number', number]];
}

/** Form encoding of a nested object: `recipients[0][status]`; null is empty. */
function flatFields(
  value: Readonly<Record<string, unknown>>,
  nameOf: (name: string) => string,
): Array<[string, string]> {
  return Object.entries(value).flatMap(([name, entry]) => flatField(nameOf(name), entry));
}

function flatField(name: string, value: unknown): Array<[string, string]> {
  if (typeof value !== 'object' || value === null) return [[name, value === null ? '' : formText(value)]];
  return Object.entries(value).flatMap(([key, entry]) => flatField(`${name}[${key}]`, entry));
}

function signed(options: WebhookOptions, url: string, token: string, fields: Fields, files: Files): string {
  const address = options.tamper === 'address' ? `${url}x` : (options.signedUrl ?? url);
  const digests = files.map(({ name, bytes }) => [name, sha1(bytes)] as const);
  const signature = vendorSignature(options.callbackToken ?? token, address, fields, digests);
  if (options.tamper === 'uppercase') return signature.toUpperCase();
  if (options.tamper !== 'signature') return signature;
  return `${signature.startsWith('0') ? '1' : '0'}${signature.slice(1)}`;
}

/** The vendor's own recipe, written here a second time on purpose: the gateway's code is not used. */
export function vendorSignature(token: string, address: string, fields: Fields, digests: Fields): string {
  const hmac = createHmac('sha1', token).update(address);
  for (const list of [fields, digests]) {
    const names = [...new Set(list.map(([name]) => name))].sort();
    for (const name of names) {
      for (const [field, value] of list) if (field === name) hmac.update(field).update(value);
    }
  }
  return hmac.digest('hex');
}

function applyTampering(
  tamper: WebhookTampering | undefined,
  fields: Fields,
  files: Files,
): { fields: Fields; files: Files } {
  const changedFields =
    tamper === 'field'
      ? fields.map(([name, value], index) => [name, index === 0 ? `${value}x` : value] as const)
      : fields;
  const changedFiles =
    tamper === 'file'
      ? files.map(({ name, bytes }) => ({ name, bytes: Buffer.concat([bytes, Buffer.from('x')]) }))
      : files;
  return { fields: changedFields, files: changedFiles };
}

function sha1(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('hex');
}
