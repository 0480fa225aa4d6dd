import type { CallbackForm, CallbackReading, ReceivedCallback } from '../port.ts';
import type { CloudoneAccount } from './account.ts';
import { readFaxForm } from './fax-form.ts';
import { reportOf } from './fax-report.ts';
import { isSignature, signatureOf, verifySignature } from './signature.ts';

/** Without a token, or with verification switched off, no callback is believed. */
export function mayVerify(account: CloudoneAccount, header: ReceivedCallback['header']): boolean {
  return account.verifySignature && Boolean(account.callbackToken) && isSignature(signatureOf(header) ?? '');
}

/** As {@link mayVerify}, and its signature is right. */
export function verifyCallback(account: CloudoneAccount, { url, form, header }: ReceivedCallback): boolean {
  const signature = signatureOf(header);
  if (!account.verifySignature || !account.callbackToken || !signature) return false;
  return verifySignature(account.callbackToken, url, form, signature);
}

/** Reads a verified callback in any of the vendor's layouts. Says nothing about its signature. */
export function readCallback(form: CallbackForm): CallbackReading {
  const reading = readFaxForm(form);
  return reading.kind === 'fax' ? { kind: 'report', report: reportOf(reading.fax) } : reading;
}
