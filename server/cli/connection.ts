import * as tls from 'node:tls';
import { type Client, createClient } from '../../shared/client/index.ts';
import { commandEnvironment } from '../config/command-env.ts';
import { formBlob } from '../platform/form-blob.ts';
import { bootOf } from './data-folder.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { installationKeyFor, localGateway } from './local-gateway.ts';

/** The options every command takes. */
export interface GlobalOptions {
  readonly url?: string;
  readonly key?: string;
  readonly data?: string;
  readonly json?: boolean;
}

/**
 * A gateway that takes a request and never answers must not hold a command for ever. A long answer may take its time: of
 * five minutes of silence in it `fetch` itself makes an end.
 */
const ANSWER_MS = 180_000;

/**
 * Creates a client for the gateway of the options or the environment, else for that of this computer, whose data folder
 * holds address and installation key.
 */
export async function connect(options: GlobalOptions): Promise<Client> {
  const { url, apiKey } = await resolveConnection(options);
  return createClient({ baseUrl: url, fetch: fetchWithTimeout, ...(apiKey === null ? {} : { apiKey }) });
}

/** Returns the address and key of the gateway that `connect` uses. */
export async function resolveConnection(
  options: GlobalOptions,
): Promise<{ url: string; apiKey: string | null }> {
  const environment = commandEnvironment();
  const given = { url: options.url ?? environment.url, key: options.key ?? environment.key };
  // Nothing is read from a data folder where both are given.
  const boot = given.url !== null && given.key !== null ? null : await bootOf(options.data);
  const url = given.url ?? (boot && (await localGateway(boot.dataFolder)));
  if (url === null)
    throw new CommandFailure(
      `No gateway is running on ${boot?.dataFolder}. Start one with "faxdesk serve", or give its address with --url.`,
      EXIT.unreachable,
    );
  const address = URL.parse(url);
  if (!address || !['http:', 'https:'].includes(address.protocol))
    throw new CommandFailure(`${url} is not a web address.`, EXIT.usage);
  if (address.protocol === 'https:') trustSystemRoots();
  const apiKey = given.key ?? (boot && (await installationKeyFor(address, boot)));
  return { url, apiKey };
}

/** An office installs the root of its gateway on its computers, so what the system trusts is trusted here as well. */
export function trustSystemRoots(): void {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]);
}

export const fetchWithTimeout: typeof fetch = async (address, init) => {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), ANSWER_MS);
  const signal = init?.signal ? AbortSignal.any([init.signal, waiting.signal]) : waiting.signal;
  try {
    const body = init?.body instanceof FormData ? formBlob(init.body) : init?.body;
    return await fetch(address, { ...init, ...(body ? { body } : {}), signal });
  } finally {
    clearTimeout(timer);
  }
};
