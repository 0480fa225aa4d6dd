import type { CallbackForm, CallbackReading, ReceivedCallback } from '../port.ts';
import type { CloudoneAccount } from './account.ts';
import { readFaxForm } from './fax-form.ts';
import { reportOf } from './fax-report.ts';
import { signatureHeaders, verifySignature } from './signature.ts';

/** Without a token, or with verification switched off, no callback is believed. */
export function verifyCallback(account: CloudoneAccount, { url, form, header }: ReceivedCallback): boolean {
  const signature = signatureHeaders.map(header).find((value) => value !== undefined);
  if (!account.verifySignature || !account.callbackToken || !signature) return false;
  return verifySignature(account.callbackToken, url, form, signature);
}

/** Reads a verified callback in any of the vendor's layouts. Says nothing about its signature. */
export function readCallback(form: CallbackForm): CallbackReading {
  const reading = readFaxForm(form);
  return reading.kind === 'fax' ? { kind: 'report', report: reportOf(reading.fax) } : reading;
}
