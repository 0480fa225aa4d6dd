/** Server that a sentence names. */
interface NamedServer {
  readonly host: string;
  readonly port: number;
}

const CERTIFICATE_CODES = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET_ISSUER))/u;

const NETWORK_SENTENCES: Readonly<Record<string, (server: NamedServer) => string>> = {
  ENOTFOUND: noSuchName,
  EAI_AGAIN: ({ host }) => `The name ${host} could not be looked up.`,
  EDNS: noSuchName,
  ECONNREFUSED: ({ host, port }) => `${host} refuses connections on port ${port}.`,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: ({ host, port }) => `${host} did not answer on port ${port} in time.`,
};

/** Returns the sentence for an error code of DNS or the network; null for another code. */
export function networkFailure(server: NamedServer, code: string): string | null {
  return NETWORK_SENTENCES[code]?.(server) ?? null;
}

/** Returns the sentence for an error code of the check of a certificate; null for another code. */
export function certificateFailure({ host }: Pick<NamedServer, 'host'>, code: string): string | null {
  if (!CERTIFICATE_CODES.test(code)) return null;
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${host} has expired.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate of the server is not for ${host}.`;
  return `The certificate of ${host} is not from an authority that this computer trusts.`;
}

function noSuchName({ host }: NamedServer): string {
  return `There is no server named ${host}.`;
}

function unreachable({ host }: NamedServer): string {
  return `${host} cannot be reached from this network.`;
}
