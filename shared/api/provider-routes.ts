import { z } from 'zod';
import { InboundAcknowledgement } from './inbound-shapes.ts';
import { CallbackAnswer } from './outbound-shapes.ts';
import { type BasicSecurity, defineRoute, type HeaderWords, type RawBody } from './route.ts';
import { Id } from './values.ts';

const CALLBACK = [
  'invalid_credential',
  'not_current_attempt',
  'unreadable_request',
  'invalid_request',
  'too_large',
  'json_expected',
  'form_expected',
  'too_many_parts',
  'too_busy',
] as const;
const NOTIFICATION = [
  'receiving_off',
  'unreadable_request',
  'invalid_credential',
  'too_large',
  'rate_limited',
  'look_up_failed',
  'document_not_stored',
  'too_busy',
] as const;

/** Provider's description of an address to which it reports. */
export interface RouteWords {
  readonly summary: string;
  readonly description?: string;
  /** Request headers worth naming. */
  readonly headers?: Readonly<Record<string, HeaderWords>>;
  readonly basic?: BasicSecurity;
  /** Body of its requests; omitted when the body is not read. */
  readonly rawBody?: RawBody;
}

/** Returns the path to which a provider reports the outcome of sent faxes. */
export function callbackPath(backend: string): string {
  return `/${backend}-callback`;
}

/** Returns the path to which a provider sends notifications of received faxes. */
export function notificationPath(backend: string): string {
  return `/${backend}-inbound`;
}

/** The route of a provider's callbacks. */
export function callbackRoute(backend: string, words: RouteWords) {
  return defineRoute({
    id: `${backend}Callback`,
    room: 'outbound',
    method: 'POST',
    path: callbackPath(backend),
    ...words,
    access: 'public',
    from: 'provider',
    query: z.strictObject({ job_id: Id, attempt_id: Id }),
    answer: { status: 200, schema: CallbackAnswer },
    refusals: CALLBACK,
  });
}

/** The route of a provider's notifications of received faxes. */
export function notificationRoute(backend: string, words: RouteWords) {
  return defineRoute({
    id: `${backend}Inbound`,
    room: 'inbound',
    method: 'POST',
    path: notificationPath(backend),
    ...words,
    access: 'public',
    from: 'provider',
    answer: { status: 200, schema: InboundAcknowledgement },
    refusals: NOTIFICATION,
  });
}

export type CallbackRoute = ReturnType<typeof callbackRoute>;
export type NotificationRoute = ReturnType<typeof notificationRoute>;
