import type * as Ldap from 'ldapts';
import { errorCode } from '../../platform/errors.ts';
import { isLoopbackHost } from '../../platform/public-address.ts';
import { certificateFailure, networkFailure } from '../../platform/server-failures.ts';
import {
  type Directories,
  type DirectoryAccount,
  type DirectoryEntry,
  DirectoryError,
  type DirectorySearch,
} from './port.ts';

/** For all steps of a search together: somebody waits for it while typing. */
const DEADLINE_MS = 5000;
const MAX_TEXT = 1000;

const FAX_NUMBER = 'facsimileTelephoneNumber';
/** Attributes of names and offices, of Active Directory and of inetOrgPerson. */
const NAMES = ['displayName', 'cn', 'givenName', 'sn', 'company', 'o', 'ou', 'department'] as const;
const ADDRESS = ['streetAddress', 'l', 'st', 'postalCode'] as const;
const PHONE = 'telephoneNumber';

type LdapModule = typeof Ldap;

/** Searches LDAP servers, Active Directory among them; ldapts speaks the protocol. */
export function createDirectories(): Directories {
  return { search: searchDirectory };
}

async function searchDirectory(
  account: DirectoryAccount,
  search: DirectorySearch,
): Promise<readonly DirectoryEntry[]> {
  // Loaded only where a directory is used.
  const ldap = await import('ldapts');
  const client = new ldap.Client({ url: account.url, timeout: DEADLINE_MS, connectTimeout: DEADLINE_MS });
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    void client.unbind().catch(() => undefined);
  }, DEADLINE_MS);
  try {
    await signIn(client, account);
    const base = account.base ?? (await findBase(client));
    const { searchEntries } = await client.search(base, {
      scope: 'sub',
      filter: filterOf(ldap, account, search.words),
      attributes: [FAX_NUMBER, PHONE, ...NAMES, ...ADDRESS],
      sizeLimit: search.limit,
      timeLimit: DEADLINE_MS / 1000,
    });
    return searchEntries
      .filter((entry) => hasNumbers(entry, search.words))
      .slice(0, search.limit)
      .map(entryOf);
  } catch (error) {
    throw asDirectoryError(account, error, isLate);
  } finally {
    clearTimeout(deadline);
    await client.unbind().catch(() => undefined);
  }
}

/** A password never leaves this computer without encryption: a plain address is encrypted by StartTLS. */
async function signIn(client: Ldap.Client, { url, user, password }: DirectoryAccount): Promise<void> {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/u, '$1');
  if (protocol === 'ldap:' && !isLoopbackHost(host)) await client.startTLS({ host, servername: host });
  if (user !== null) await client.bind(user, password);
}

/** Returns the base that the server names: of Active Directory its domain, else the first one. */
async function findBase(client: Ldap.Client): Promise<string> {
  const attributes = ['defaultNamingContext', 'namingContexts'];
  const { searchEntries } = await client.search('', { scope: 'base', attributes });
  const [root = { dn: '' }] = searchEntries;
  const [base] = attributes.flatMap((name) => textsOf(root, name));
  if (base === undefined)
    throw new DirectoryError('The office directory does not name a search base. Enter one in the settings.');
  return base;
}

function filterOf(ldap: LdapModule, { filter }: DirectoryAccount, words: readonly string[]): Ldap.Filter {
  const filters = words.map((word) => {
    const digits = digitsOf(word);
    return new ldap.OrFilter({
      filters: [
        ...NAMES.map((attribute) => new ldap.SubstringFilter({ attribute, any: [word] })),
        // Spaces and signs may be anywhere between the digits.
        ...(digits === null ? [] : [new ldap.SubstringFilter({ attribute: FAX_NUMBER, any: [...digits] })]),
      ],
    });
  });
  const own = filter === null ? [] : [parseFilter(ldap, filter)];
  return new ldap.AndFilter({
    filters: [new ldap.PresenceFilter({ attribute: FAX_NUMBER }), ...own, ...filters],
  });
}

/** Returns the digits of a word that may be a part of a number; null for any other word. */
function digitsOf(word: string): string | null {
  const digits = word.replaceAll(/\D/gu, '');
  return digits.length < 3 || digits.length > 15 || /\p{L}/u.test(word) ? null : digits;
}

/** Returns false where the digits of a word are in a number of the entry with others between them. */
function hasNumbers(entry: Ldap.Entry, words: readonly string[]): boolean {
  const numbers = textsOf(entry, FAX_NUMBER).map((text) => text.replaceAll(/\D/gu, ''));
  const texts = NAMES.flatMap((name) => textsOf(entry, name)).map((text) => text.toLowerCase());
  return words.every((word) => {
    const digits = digitsOf(word);
    return (
      digits === null ||
      numbers.some((number) => number.includes(digits)) ||
      texts.some((text) => text.includes(word.toLowerCase()))
    );
  });
}

function parseFilter(ldap: LdapModule, filter: string): Ldap.Filter {
  try {
    return ldap.FilterParser.parseString(filter);
  } catch (error) {
    throw new DirectoryError('The filter of the office directory in the settings cannot be read.', error);
  }
}

function entryOf(entry: Ldap.Entry): DirectoryEntry {
  const first = (...names: string[]) => names.flatMap((name) => textsOf(entry, name))[0] ?? null;
  const place = [first('l'), first('st'), first('postalCode')].filter((part) => part !== null).join(' ');
  const street = first('streetAddress');
  return {
    name: first('displayName', 'cn'),
    organization: first('company', 'o', 'department', 'ou'),
    // Parameters of the fax machine follow a dollar sign (RFC 4517).
    faxNumbers: textsOf(entry, FAX_NUMBER).map((text) => text.split('$', 1)[0] ?? ''),
    phone: first(PHONE),
    address: [...(street?.split(/\r?\n/u) ?? []), place].filter((line) => line.trim() !== ''),
  };
}

function textsOf(entry: Ldap.Entry, name: string): string[] {
  const value = entry[name] ?? [];
  return [value]
    .flat()
    .map((one) => one.toString().slice(0, MAX_TEXT))
    .filter((text) => text !== '');
}

function asDirectoryError({ url }: DirectoryAccount, error: unknown, isLate: boolean): DirectoryError {
  if (error instanceof DirectoryError) return error;
  const { hostname: host, port: named, protocol } = new URL(url);
  const port = named === '' ? (protocol === 'ldaps:' ? 636 : 389) : Number(named);
  const server = { host, port };
  const code = isLate ? 'ETIMEDOUT' : errorCode(error);
  const failure = certificateFailure(server, code) ?? networkFailure(server, code);
  return new DirectoryError(failure ?? answerSentence(error, host), error);
}

/** Sentence for a refusal of the server, by its result code (RFC 4511). */
function answerSentence(error: unknown, host: string): string {
  switch (error instanceof Error ? error.name : '') {
    case 'InvalidCredentialsError':
      return 'The office directory refused the sign-in.';
    case 'NoSuchObjectError':
    case 'InvalidDNSyntaxError':
      return 'The office directory does not have the search base of the settings.';
    case 'InsufficientAccessError':
    case 'OperationsError':
    case 'InappropriateAuthError':
    case 'StrongAuthRequiredError':
      return 'The office directory does not permit this account to search.';
    case 'ConfidentialityRequiredError':
      return `${host} requires an encrypted connection. Use an address that begins with ldaps.`;
    default:
      return `The connection to ${host} was lost before it answered.`;
  }
}
