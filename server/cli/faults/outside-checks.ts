import type { Client } from '../../../shared/client/index.ts';
import { type Fault, faultOf } from '../../../shared/fault-kinds.ts';
import { systemClock } from '../../platform/clock.ts';
import { errorCode } from '../../platform/errors.ts';
import { createHttpClient, HttpFailure } from '../../platform/http-client.ts';
import { unreachableReason } from '../../platform/outside-address.ts';
import type { Values } from './own-checks.ts';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Signatures of callbacks and second factors allow no more. */
const MAX_CLOCK_DIFFERENCE_MS = 3 * 60_000;
const MINUTE_MS = 60_000;

/** Checks the public address as a provider would: its name, certificate and what answers there. */
export async function callbackFault(values: Values, isRunning: boolean): Promise<Fault | null> {
  const address = values.get('PUBLIC_API_URL');
  if (typeof address !== 'string') return null;
  const near = unreachableReason(address);
  if (near !== null) return faultOf('callbacks', near);
  const problem = await addressProblem(address, isRunning);
  return problem === null ? null : faultOf('callbacks', `${address}, set as PUBLIC_API_URL, ${problem}`);
}

async function addressProblem(address: string, isRunning: boolean): Promise<string | null> {
  try {
    const { status, body } = await get(`${address.replace(/\/$/u, '')}/health`);
    // Whatever is in front of a gateway that does not run answers with a failure of its own.
    if (!isRunning || (status === 200 && /"status":\s*"ok"/u.test(body.toString()))) return null;
    return `leads to another program, which answers ${status}.`;
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    return failureWords(error, isRunning);
  }
}

function failureWords(error: HttpFailure, isRunning: boolean): string | null {
  const code = errorCode(error.cause);
  if (code === 'CERT_HAS_EXPIRED') return 'has an expired certificate.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'has a certificate for another name.';
  if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE/u.test(code))
    return 'has a certificate that providers do not trust.';
  if (code === 'ENOTFOUND') return 'has a name that the DNS does not know.';
  return isRunning ? 'does not answer from this computer.' : null;
}

/** Compares the clock with those of the database and of the chosen provider. */
export async function clockFault(values: Values, databaseTime: number | null): Promise<Fault | null> {
  const ofDatabase = databaseTime === null ? null : clockWords(databaseTime, 'the database');
  const sentence = ofDatabase ?? clockWords(await providerTime(values), 'the provider');
  return sentence === null ? null : faultOf('clock_wrong', sentence);
}

function clockWords(there: number | null, whose: string): string | null {
  const difference = there === null ? 0 : systemClock.now() - there;
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS) return null;
  const minutes = Math.round(Math.abs(difference) / MINUTE_MS);
  return `The clock of this computer is ${minutes} minutes ${difference > 0 ? 'ahead of' : 'behind'} that of ${whose}.`;
}

/** Reads the time in an answer of the chosen provider, whatever it answers; null where there is none. */
async function providerTime(values: Values): Promise<number | null> {
  const backend = values.get('FAX_BACKEND');
  const url = values.get(`${String(backend).toUpperCase()}_API_URL`);
  if (typeof url !== 'string') return null;
  const date = await get(url).then(
    ({ headers }) => Date.parse(headers.date ?? ''),
    () => Number.NaN,
  );
  return Number.isNaN(date) ? null : date;
}

const get = (url: string) =>
  createHttpClient({ timeoutMs: TIMEOUT_MS }).request({
    method: 'GET',
    url,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });

/** Checks the phone line, where faxes go out over it: Asterisk and the registration of the trunk. */
export async function lineFault(values: Values, { telephony }: Client): Promise<Fault | null> {
  if (values.get('FAX_BACKEND') !== 'sip') return null;
  const { checks } = await telephony.checkTelephony({ body: { loop: false } });
  const problems = checks.filter(({ ok }) => !ok);
  const failed = problems.find(({ name }) => name === 'trunk') ?? problems[0];
  return failed ? faultOf('phone_line', failed.detail) : null;
}

/** Finds e-mails that their server refused and that are tried again. */
export async function mailFault({ intake }: Client): Promise<Fault | null> {
  const { items } = await intake.listDeliveries({ query: { state: ['received'], limit: 50 } });
  const refused = items.filter(({ failures }) => failures > 0).length;
  if (refused === 0) return null;
  const mails = refused === 1 ? '1 e-mail with a received fax' : `${refused} e-mails with received faxes`;
  return faultOf('mail_refused', `The e-mail server refused ${mails}, which Faxdesk tries again.`);
}
