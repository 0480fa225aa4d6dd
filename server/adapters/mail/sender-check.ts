import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { evaluateDmarc } from 'mailauth/lib/dmarc/index.js';
import type { HeaderLine } from './header-line.ts';
import { verifyHeader } from './header-verifier.ts';
import { valuesOf } from './mail-header.ts';
import type { ResolveDns, SenderCheck } from './reading-port.ts';
import type { Signature } from './signature.ts';
import {
  coverageProblem,
  isRelated,
  type ParsedSignature,
  parseSignatures,
  repeatedField,
} from './signature-rule.ts';
import { signedCopy } from './signed-copy.ts';
import { trustedVerdict } from './trusted-results.ts';

/** Refused a key or was not asked: another time it may answer. */
const TEMPORARY = 'temperror';
const DAY_MS = 24 * 3_600_000;
/** Signatures of one message that are verified; real ones have one or two of their own domain. */
const MAX_SIGNATURES = 5;

interface CheckOptions {
  readonly path: string;
  /** The file has no more than the header for certain: the text is left out of the check. */
  readonly isBeginning: boolean;
  readonly header: readonly HeaderLine[];
  /** In lower case. */
  readonly sender: string;
  readonly resolve: ResolveDns;
  readonly trustedServer: string | null;
  /** Time at which the message arrived in the mailbox, in epoch ms. */
  readonly arrivedAt: number;
}

/**
 * Checks a message by DMARC. Only proof within the message counts: one DKIM signature by the domain of the From field
 * that covers the whole message with every field that affects the fax, or, where a server is trusted, the results that
 * this server added. SPF alone would need the address of the submitting host, which only such a server has. A message
 * older than a day never passes: a signed message that somebody obtained later is no order.
 */
export async function checkSender(options: CheckOptions): Promise<SenderCheck> {
  const { header, sender, trustedServer } = options;
  const twice = repeatedField(header);
  if (twice !== null) return failed(`The message has more than one ${twice} field.`);
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const stale = dateProblem(valuesOf(header, 'date')[0], options.arrivedAt);
  if (stale !== null) return failed(stale);
  const signatures = parseSignatures(header, domain);
  const check = await checkSignatures(options, domain, signatures);
  if (check.kind === 'passed' || trustedServer === null) return check;
  return isVouchedFor(options, domain, signatures) ? { kind: 'passed' } : check;
}

/**
 * Returns true when the trusted server vouches for the message as it is: the domain of the sender submitted it itself,
 * or the signature behind the server's result covers every required field. The result does not identify that signature,
 * so all of them have to.
 */
function isVouchedFor(
  { header, trustedServer }: CheckOptions,
  domain: string,
  signatures: readonly ParsedSignature[],
): boolean {
  const verdict = trustedVerdict(header, trustedServer ?? '', domain);
  if (verdict === null || !verdict.passed) return false;
  if (verdict.submittedBy !== null && isRelated(verdict.submittedBy, domain)) return true;
  const isWhole = ({ signedFields, isPartial }: ParsedSignature) =>
    !isPartial && coverageProblem(header, signedFields) === null;
  return signatures.length > 0 && signatures.every(isWhole);
}

async function checkSignatures(
  options: CheckOptions,
  domain: string,
  signatures: readonly ParsedSignature[],
): Promise<SenderCheck> {
  const { header, sender, resolve, arrivedAt } = options;
  const [first] = signatures;
  if (first === undefined) return failed(unproven(domain));
  const isAble = ({ signedFields, isPartial }: ParsedSignature) =>
    !isPartial && coverageProblem(header, signedFields) === null;
  const able = signatures.filter(isAble).slice(0, MAX_SIGNATURES);
  if (able.length === 0)
    return failed(
      coverageProblem(header, first.signedFields) ?? 'The signature covers only part of the message.',
    );
  const results = await verify(options, able);
  const passed = results.filter(({ status }) => status.result === 'pass');
  const { response, dkimAligned } = await evaluateDmarc({
    headerFrom: [sender],
    fromFields: 1,
    spfDomains: [],
    dkimDomains: passed.map(({ id = '', signingDomain = '' }) => ({ id, domain: signingDomain })),
    resolver: resolve,
  });
  if (!response) return failed('The sender of the message is not a usable address.');
  if (response.status.result === 'pass') {
    const own = passed.filter(({ signingDomain = '' }) => dkimAligned?.has(signingDomain.toLowerCase()));
    const gaps = own.map((signature) => signatureProblem(signature, header, arrivedAt));
    return gaps.includes(null) ? { kind: 'passed' } : failed(gaps[0] ?? unproven(domain));
  }
  const isUnsure =
    response.status.result === TEMPORARY || results.some(({ status }) => status.result === TEMPORARY);
  if (isUnsure)
    return {
      kind: 'later',
      sentence: `The signature of ${domain} could not be checked: the DNS did not answer.`,
    };
  return failed(
    response.status.result === 'none'
      ? `${domain} publishes no DMARC policy, so its sender cannot be verified.`
      : unproven(domain),
  );
}

/**
 * Verifies signatures, the header first: the body is hashed only where the header was signed with the key of the
 * domain. Signatures of other domains are skipped, so that adding them causes no work.
 */
async function verify(
  { path, isBeginning, header, resolve, arrivedAt }: CheckOptions,
  able: readonly ParsedSignature[],
): Promise<readonly Signature[]> {
  const at = new Date(arrivedAt);
  const found: { written: ParsedSignature; result: Signature }[] = [];
  for (const written of able)
    found.push({ written, result: await verifyHeader(header, written, { resolve, at }) });
  const right = found.filter(({ result }) => result.status.result === 'pass');
  if (isBeginning || right.length === 0) return found.map(({ result }) => result);
  const kept = right.map(({ written }) => written);
  const verified: { results?: readonly Signature[] } = await dkimVerify(signedCopy(path, header, kept), {
    resolver: resolve,
    curTime: at,
    rejectRsaSha1: true,
  });
  return verified.results ?? [];
}

/**
 * Returns the reason why one valid signature is not sufficient, by what it covers; null when it is. Signatures are not
 * combined.
 */
function signatureProblem(
  signature: Signature,
  header: readonly HeaderLine[],
  arrivedAt: number,
): string | null {
  const { canonBodyLengthLimited, signingHeaders, signTime } = signature;
  if (canonBodyLengthLimited === true) return 'The signature covers only part of the message.';
  const signedFields = (signingHeaders?.keys ?? '').split(':').map((key) => key.trim().toLowerCase());
  return (
    coverageProblem(header, signedFields) ??
    (typeof signTime === 'string' ? dateProblem(signTime, arrivedAt) : null)
  );
}

/** Returns a sentence that explains why a message of this date was not sent just now; null when it was. */
function dateProblem(date: string | undefined, arrivedAt: number): string | null {
  const written = date === undefined || date.length > 200 ? Number.NaN : Date.parse(date);
  if (Number.isNaN(written)) return 'The message has no date that can be read.';
  if (arrivedAt - written > DAY_MS)
    return 'The message was more than a day old when it arrived. Send it again.';
  return written - arrivedAt > DAY_MS ? 'The date of the message is in the future.' : null;
}

const unproven = (domain: string) => `No signature shows that the message comes from ${domain}.`;

const failed = (sentence: string): SenderCheck => ({ kind: 'failed', sentence });
