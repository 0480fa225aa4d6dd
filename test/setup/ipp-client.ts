import { type IncomingMessage, request } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { OPERATION } from '../../server/platform/ipp/codes.ts';
import { decodeMessage } from '../../server/platform/ipp/decode.ts';
import { encodeMessage } from '../../server/platform/ipp/encode.ts';
import {
  GROUP,
  type IppAttribute,
  type IppGroup,
  type IppMessage,
} from '../../server/platform/ipp/message.ts';
import { attribute, groupOf, soleValue } from '../../server/platform/ipp/values.ts';

interface IppCall {
  readonly operation?: readonly IppAttribute[];
  readonly job?: readonly IppAttribute[];
  readonly document?: Uint8Array;
  readonly user?: string | null;
  readonly headers?: Record<string, string>;
}

/** Encodes a request to a printer, with its document. */
export function ippRequest(uri: string, name: keyof typeof OPERATION, call: IppCall = {}): Buffer {
  const { user = 'mara' } = call;
  const operation = [
    attribute('attributes-charset', 'charset', 'utf-8'),
    attribute('attributes-natural-language', 'naturalLanguage', 'en'),
    attribute('printer-uri', 'uri', uri),
    ...(user === null ? [] : [attribute('requesting-user-name', 'name', user)]),
    ...(call.operation ?? []),
  ];
  const groups: IppGroup[] = [{ tag: GROUP.operation, attributes: operation }];
  if (call.job) groups.push({ tag: GROUP.job, attributes: [...call.job] });
  const message = { version: { major: 2, minor: 0 }, code: OPERATION[name], requestId: 7, groups };
  return Buffer.concat([encodeMessage(message), call.document ?? Buffer.alloc(0)]);
}

/** Sends a request to a printer, and returns its answer. */
export async function callPrinter(
  uri: string,
  name: keyof typeof OPERATION,
  call: IppCall = {},
): Promise<IppMessage> {
  const body = ippRequest(uri, name, call);
  return decodeMessage(await postToPrinter(uri, body, call.headers));
}

/** Posts bytes to a printer on a new connection, and returns the body of the response. Throws an Error with the status when it is not 200. */
export async function postToPrinter(
  uri: string,
  body: Uint8Array,
  headers: Record<string, string> = {},
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const isSecure = uri.startsWith('ipps:');
  const outgoing = (isSecure ? requestHttps : request)(uri.replace(/^ipp/u, 'http'), {
    method: 'POST',
    agent: false,
    // Printers have self-signed certificates.
    ...(isSecure ? { rejectUnauthorized: false } : {}),
    headers: { 'Content-Type': 'application/ipp', 'Content-Length': body.length, ...headers },
  });
  outgoing.on('response', resolve).on('error', reject).end(body);
  const response = await promise;
  const bytes = await buffer(response);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}`);
  return bytes;
}

/** Prints a document by Print-Job, and returns the IPP status with the number, state and message of its job. */
export async function printByIpp(uri: string, document: Uint8Array, call: IppCall & { name?: string } = {}) {
  const { name = 'Letter to Ann', operation = [], ...others } = call;
  const answer = await callPrinter(uri, 'printJob', {
    ...others,
    operation: [attribute('job-name', 'name', name), ...operation],
    document,
  });
  const job = groupOf(answer, GROUP.job);
  return {
    status: answer.code,
    number: soleValue(job, 'job-id', 'integer'),
    state: soleValue(job, 'job-state', 'enum'),
    message: soleValue(job, 'job-state-message', 'text'),
  };
}
