/** Servers of one database, of which one accepts changes at a time: the address of each, in the given order. */
interface ServerList {
  readonly addresses: readonly string[];
}

/** Values of `target_session_attrs`: a gateway needs a server that accepts changes in any case. */
const WRITABLE = ['any', 'read-write', 'primary'];
const SHAPE = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)([/?#].*)?$/u;

/**
 * Splits the address of a database with a list of servers, as PostgreSQL's own clients take it:
 * `postgres://user@one:5432,two:5432/faxdesk?target_session_attrs=read-write`. Returns null for anything that is no address
 * of a database that can be changed.
 */
export function parseServers(address: string): ServerList | null {
  const [, start, hosts = '', rest = ''] = SHAPE.exec(address) ?? [];
  if (start === undefined) return null;
  const addresses = hosts.split(',').map((host) => withoutTarget(`${start}${host}${rest}`));
  const all = addresses.filter((each) => each !== null);
  return all.length === addresses.length ? { addresses: all } : null;
}

/** The driver knows no such parameter. */
function withoutTarget(address: string): string | null {
  const url = URL.parse(address);
  if (url === null) return null;
  const target = url.searchParams.get('target_session_attrs');
  if (target === null) return address;
  if (!WRITABLE.includes(target)) return null;
  url.searchParams.delete('target_session_attrs');
  return url.href;
}

/** Returns the address with other parameters, the same for each of its servers. */
export function withParameters(address: string, change: (parameters: URLSearchParams) => void): string {
  const [path = '', query = ''] = address.split('?', 2);
  const parameters = new URLSearchParams(query);
  change(parameters);
  return `${path}?${parameters.toString()}`;
}

/** The server that is used now, of those of a list. */
export interface CurrentServer {
  readonly address: string;
  readonly count: number;
  /** Goes on to the next one, unless that was done since `address` was used. */
  leave(address: string): void;
}

/** Begins with the first server of an address. Throws for an address that is none. */
export function currentServer(databaseUrl: string): CurrentServer {
  const { addresses = [] } = parseServers(databaseUrl) ?? {};
  let at = 0;
  const addressNow = () => {
    const address = addresses[at];
    if (address === undefined) throw new Error('the address of the database is not valid');
    return address;
  };
  addressNow();
  return {
    get address() {
      return addressNow();
    },
    count: addresses.length,
    leave(address) {
      if (address === addresses[at]) at = (at + 1) % addresses.length;
    },
  };
}
