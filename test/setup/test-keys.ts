import type { Permission } from '../../shared/permissions.ts';
import { type Fax, type TestGateway, textFile } from './gateway.ts';

const PERMISSIONS: readonly Permission[] = [
  'fax:send',
  'fax:read',
  'fax:document',
  'fax:refresh',
  'fax:reconcile',
  'inbound:list',
  'inbound:read',
  'inbound:document',
];

/** Creates a key and returns its token. */
export async function createKey(
  gateway: TestGateway,
  { test, scopes = PERMISSIONS }: { test: boolean; scopes?: readonly Permission[] },
): Promise<string> {
  const response = await gateway.request('POST', '/admin/api-keys', { json: { name: 'Shop', scopes, test } });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { token: string }).token;
}

/** Sends a one-page text with a key and returns the accepted fax. */
export async function sendWith(
  gateway: TestGateway,
  key: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Fax> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ to: '+12025550123', ...fields })) form.append(name, value);
  form.append('file', textFile());
  const response = await gateway.request('POST', '/fax', { key, form, headers });
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Fax;
}

/** Requests a route as JSON with a key; null is the installation key. */
export async function read<T>(gateway: TestGateway, path: string, key: string | null = null): Promise<T> {
  const response = await gateway.request('GET', path, key === null ? {} : { key });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
