import { createReadStream } from 'node:fs';
import type { HeaderLine } from './header-line.ts';
import type { ResolveDns, SenderCheck } from './reading-port.ts';
import { vouchedBy } from './trusted-results.ts';

/** Refused a key or was not asked: another time it may answer. */
const TEMPORARY = 'temperror';

interface CheckOptions {
  readonly resolve: ResolveDns;
  readonly trustedServer: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Who sent a message, as far as the check goes: the same reading of the From field for both. */
export interface CheckedSender {
  /** In lower case; null where it is not exactly one. */
  readonly sender: string | null;
  readonly check: SenderCheck;
}

/**
 * Checks a message by DMARC. Only what proves itself counts: a DKIM signature over the whole message by the domain of the
 * From field, or, where a server is trusted, what that server says of DMARC. SPF would need the address of whoever handed
 * the message in, which nothing but such a server knows.
 */
export async function checkSender(path: string, options: CheckOptions): Promise<CheckedSender> {
  // Loaded for who reads mail, and for nobody else.
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
  const verified: Verified = await dkimVerify(createReadStream(path), {
    resolver: options.resolve,
    curTime: new Date(options.now),
    rejectRsaSha1: true,
  });
  const { headerFrom, fromFields } = verified;
  const [author, another] = headerFrom;
  const isOne = fromFields === 1 && author !== undefined && another === undefined;
  if (!isOne)
    return { sender: null, check: failed('The message does not say who sent it, or names several senders.') };
  return { sender: author.toLowerCase(), check: await checkDomain(verified, options) };
}

async function checkDomain(
  { headers, headerFrom, fromFields, results = [] }: Verified,
  { resolve, trustedServer }: CheckOptions,
): Promise<SenderCheck> {
  const { evaluateDmarc } = await import('mailauth/lib/dmarc/index.js');
  // Of a signature over a part of the message anybody may add the rest.
  const whole = results.filter(
    ({ status, canonBodyLengthLimited }) => status.result === 'pass' && canonBodyLengthLimited !== true,
  );
  const { response, dkimAligned } = await evaluateDmarc({
    headerFrom: [...headerFrom],
    fromFields,
    spfDomains: [],
    dkimDomains: whole.map(({ id = '', signingDomain = '' }) => ({ id, domain: signingDomain })),
    resolver: resolve,
  });
  if (!response) return failed('The sender of the message is not a usable address.');
  const { from: domain = '' } = response.status.header ?? {};
  if (response.status.result === 'pass') return { kind: 'passed', signed: signedBy(whole, dkimAligned) };
  if (trustedServer !== null && vouchedBy(linesOf(headers), trustedServer, domain))
    return { kind: 'passed', signed: null };
  const isUnsure =
    response.status.result === TEMPORARY || results.some(({ status }) => status.result === TEMPORARY);
  if (isUnsure)
    return {
      kind: 'later',
      sentence: `The signature of ${domain} could not be checked: the DNS did not answer.`,
    };
  return failed(
    response.status.result === 'none'
      ? `${domain} publishes no DMARC policy, so that nobody can tell who sent the message.`
      : `No signature shows that the message comes from ${domain}.`,
  );
}

const linesOf = (headers: Verified['headers']): HeaderLine[] =>
  (headers?.parsed ?? []).map(({ key, line }) => ({ key, line: line.toString() }));

const failed = (sentence: string): SenderCheck => ({ kind: 'failed', sentence });

interface Verified {
  readonly headers?: { readonly parsed: readonly { readonly key: string; readonly line: Buffer }[] };
  readonly fromFields: number;
  readonly headerFrom: readonly string[];
  readonly results?: readonly Signature[];
}

interface Signature {
  readonly id?: string;
  readonly signingDomain?: string;
  readonly canonBodyLengthLimited?: boolean;
  readonly signingHeaders?: { readonly keys: string };
  readonly status: { readonly result: string };
}

/** The header fields that the signatures of the sender's domain cover. */
function signedBy(whole: readonly Signature[], aligned: ReadonlySet<string> | undefined): Set<string> {
  const own = whole.filter(({ signingDomain = '' }) => aligned?.has(signingDomain.toLowerCase()) ?? false);
  return new Set(
    own.flatMap(({ signingHeaders }) =>
      (signingHeaders?.keys ?? '').split(':').map((key) => key.trim().toLowerCase()),
    ),
  );
}
