import type { ReportProblem } from '../../../../shared/report-problems.ts';
import type {
  CallbackForm,
  CallbackReading,
  ReceivedCallback,
} from '../../../features/outbound/transport-port.ts';
import type { CloudoneAccount } from './account.ts';
import { readFaxForm } from './fax-form.ts';
import { reportOf } from './fax-report.ts';
import { isSignature, signatureOf, verifySignature } from './signature.ts';

/** Without a token, or with verification switched off, no callback is believed. */
export function headProblem(
  account: CloudoneAccount,
  header: ReceivedCallback['header'],
): ReportProblem | null {
  if (!account.verifySignature || !account.callbackToken) return 'callback_no_token';
  const signature = signatureOf(header);
  if (signature === undefined) return 'callback_no_signature';
  return isSignature(signature) ? null : 'callback_wrong_signature';
}

/** The head has no problem, and the signature is right. */
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
