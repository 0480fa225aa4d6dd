import { currentServer } from '../platform/server-list.ts';
import type { StoreLocation } from './snapshot.ts';

/** Describes a store without the password that its address may hold; `prefix` precedes the path of a SQLite file. */
export function storeWords({ postgresUrl, sqliteFile }: StoreLocation, prefix = ''): string {
  const url = postgresUrl === null ? null : URL.parse(currentServer(postgresUrl).address);
  if (url === null) return `${prefix}${sqliteFile}`;
  return `the database ${decodeURIComponent(url.pathname.slice(1))} at ${url.host || 'this computer'}`;
}
