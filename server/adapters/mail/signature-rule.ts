import { getAlignment } from 'mailauth/lib/tools.js';
import type { HeaderLine } from './header-line.ts';

/** Fields that have to be present and signed. */
const REQUIRED_FIELDS = ['from', 'date', 'message-id', 'content-type'] as const;
/** Fields that have to be signed where present. */
const SIGNED_IF_PRESENT = [
  'subject',
  'to',
  'cc',
  'content-transfer-encoding',
  'content-disposition',
] as const;
/** Fields that may stand in a message once: with a second one, programs differ in which they read. */
const SINGLE_FIELDS: readonly string[] = [...REQUIRED_FIELDS, ...SIGNED_IF_PRESENT];

/** Of a name in the DNS. */
const MAX_DOMAIN_LENGTH = 253;

/** A DKIM signature as it stands in the header, before anything of it is checked. */
export interface ParsedSignature {
  readonly field: HeaderLine;
  /** Domain that signed, in lower case. */
  readonly domain: string;
  /** Names of the fields that it covers, in lower case, each as often as it is named. */
  readonly signedFields: readonly string[];
  /** It says that it covers the beginning of the text alone. */
  readonly isPartial: boolean;
}

/** Signatures that could be aligned with a domain by DMARC, the topmost first. */
export function parseSignatures(header: readonly HeaderLine[], domain: string): ParsedSignature[] {
  return header
    .filter(({ key }) => key === 'dkim-signature')
    .map(readSignature)
    .filter((signature) => isRelated(signature.domain, domain));
}

function readSignature(field: HeaderLine): ParsedSignature {
  const tags = new Map<string, string>();
  for (const tag of field.line.slice(field.line.indexOf(':') + 1).split(';')) {
    const at = tag.indexOf('=');
    if (at !== -1) tags.set(tag.slice(0, at).trim().toLowerCase(), tag.slice(at + 1).replaceAll(/\s+/gu, ''));
  }
  return {
    field,
    domain: (tags.get('d') ?? '').toLowerCase(),
    signedFields: (tags.get('h') ?? '').toLowerCase().split(':'),
    isPartial: tags.has('l'),
  };
}

/**
 * Returns true when two domains belong to one organization by the public suffix list: DMARC decides, this keeps strangers from
 * having work done, and from having names of their own looked up.
 */
export function isRelated(one: string, other: string): boolean {
  if (one === '' || Math.max(one.length, other.length) > MAX_DOMAIN_LENGTH) return false;
  return getAlignment(other, [one]) !== false;
}

/**
 * Returns a sentence that explains why a signature over these fields does not prove the message as it is; null when it
 * does. A field has to be listed as often as it is present: of two fields the signature covers one, and anybody could
 * have added the other.
 */
export function coverageProblem(
  header: readonly HeaderLine[],
  signedFields: readonly string[],
): string | null {
  const count = (names: readonly string[], name: string) => names.filter((each) => each === name).length;
  const present = header.map(({ key }) => key);
  const missing = REQUIRED_FIELDS.find((name) => !present.includes(name) && name !== 'content-type');
  if (missing !== undefined) return `The message has no ${titleOf(missing)} field.`;
  if (!present.includes('to') && !present.includes('cc'))
    return 'The message has neither a To nor a Cc field.';
  const open = SINGLE_FIELDS.find((name) => {
    const isNeeded = (REQUIRED_FIELDS as readonly string[]).includes(name);
    return count(signedFields, name) < Math.max(count(present, name), isNeeded ? 1 : 0);
  });
  return open === undefined
    ? null
    : `The signature of the message does not cover its ${titleOf(open)} field. Someone else may have written it.`;
}

/** The field that may stand in a message once and stands there more often, as it is written; null for none. */
export function repeatedField(header: readonly HeaderLine[]): string | null {
  const found = SINGLE_FIELDS.find((name) => header.filter(({ key }) => key === name).length > 1);
  return found === undefined ? null : titleOf(found);
}

function titleOf(name: string): string {
  if (name === 'message-id') return 'Message-ID';
  return name.replaceAll(/(?:^|-)[a-z]/gu, (letter) => letter.toUpperCase());
}
