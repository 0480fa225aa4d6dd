import { isAddressRange } from '../platform/address-range.ts';
import { NO_PROXIES, type OutgoingProxies } from '../platform/outgoing-proxy.ts';
import type { Environment } from './env.ts';

/** A rule of `NO_PROXY`: a host or domain, each with or without a port. */
const HOST_RULE = /^(?:\*|\*?\.?[a-z0-9_](?:[a-z0-9._-]{0,252})(?::\d{1,5})?)$/iu;

/** Text that says which variable is wrong and what it must be; the address may hold a password and is not repeated. */
export class ProxyProblem extends Error {
  override name = 'ProxyProblem';
}

/**
 * Reads the proxies from the variables that all programs share, in capitals or small letters: `HTTPS_PROXY`, `HTTP_PROXY`,
 * `ALL_PROXY` and `NO_PROXY`. Throws ProxyProblem.
 */
export function readProxies(environment: Environment): OutgoingProxies {
  const https = readProxy(environment, ['HTTPS_PROXY', 'ALL_PROXY']);
  const http = readProxy(environment, ['HTTP_PROXY', 'ALL_PROXY']);
  if (https === null && http === null) return NO_PROXIES;
  return { https, http, except: readExceptions(environment) };
}

const valueOf = (environment: Environment, name: string): string =>
  (environment[name.toLowerCase()] ?? environment[name] ?? '').trim();

function readProxy(environment: Environment, names: readonly string[]): URL | null {
  const name = names.find((each) => valueOf(environment, each) !== '');
  if (name === undefined) return null;
  const text = valueOf(environment, name);
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  const isUsable = url !== null && /^https?:$/u.test(url.protocol) && url.hostname !== '' && isDecodable(url);
  if (isUsable) return url;
  throw new ProxyProblem(`${name} must be the http:// or https:// address of a proxy.`);
}

function isDecodable({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== null;
  } catch {
    return false;
  }
}

function readExceptions(environment: Environment): string[] {
  const rules = valueOf(environment, 'NO_PROXY')
    .split(/[,\s]+/u)
    .filter((rule) => rule !== '');
  const wrong = rules.find((rule) => !isAddressRange(rule.replace(/^\[|\]$/gu, '')) && !HOST_RULE.test(rule));
  if (wrong !== undefined)
    throw new ProxyProblem(`NO_PROXY names a host that is none: ${wrong.slice(0, 80)}`);
  return rules.map((rule) => rule.replace(/^\[|\]$/gu, ''));
}
