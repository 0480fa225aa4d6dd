import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Evidence, ReportedFax, ReportedIncoming } from './records.ts';
import { digestOf } from './vendor.ts';
import type { World } from './world.ts';

/** Asks the gateway for everything that it has, opens every document, and looks through its folder. */
export async function collectEvidence(world: World): Promise<Evidence> {
  const reportedFaxes = await mapInOrder(await listAll<ListedFax>(world, '/fax'), (fax) =>
    readReportedFax(world, fax),
  );
  const received = await listAll<ListedIncoming>(world, '/inbound/page');
  const reportedIncoming = await mapInOrder(received, (fax) => readReportedIncoming(world, fax));
  const digests = [...reportedFaxes, ...reportedIncoming].flatMap(({ downloaded }) => downloaded ?? []);
  const isFiled = new Set(reportedIncoming.filter(({ status }) => status === 'received').map(({ id }) => id));
  return {
    clients: world.clients,
    vendors: world.vendors.flatMap((vendor) => vendor.sent()),
    incoming: world.incoming,
    hasJumped: world.hasJumped,
    reportedFaxes,
    reportedIncoming,
    stored: new Set([
      ...world.clients.flatMap(({ id, sha256 }) => (id === null ? [] : (sha256 ?? []))),
      ...world.incoming.flatMap(({ id, sha256 }) => (isFiled.has(id) ? sha256 : [])),
    ]),
    found: new Set([...digests, ...(await digestsBelow(join(world.dataFolder, 'files')))]),
  };
}

interface ListedFax {
  readonly id: string;
  readonly to: string;
  readonly delivery_state: string;
  readonly reconciliation_reason: string | null;
  readonly error: string | null;
  readonly document: { readonly sha256: string };
}

interface ListedIncoming {
  readonly id: string;
  readonly backend: string;
  readonly provider_fax_id: string;
  readonly status: string;
  readonly pages: number | null;
  readonly problem: string | null;
  readonly sha256: string | null;
}

/** Returns the number of received faxes that the gateway lists. */
export async function countIncoming(world: World): Promise<number> {
  return (await listAll(world, '/inbound/page')).length;
}

/** Every item of a paged list, of which the path may have a query. */
export async function listAll<T>(world: World, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const start = `${path}${path.includes('?') ? '&' : '?'}limit=100`;
    const answer = await world.request('GET', `${start}${query}`);
    if (answer?.status !== 200)
      throw new Error(`${path} was answered ${answer?.status}: ${answer?.bytes.toString('utf8')}`);
    const page = answer.body as { items: T[]; next_cursor: string | null };
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

async function readReportedFax(world: World, fax: ListedFax): Promise<ReportedFax> {
  return {
    id: fax.id,
    to: fax.to,
    state: fax.delivery_state,
    reason: fax.reconciliation_reason ?? fax.error,
    sha256: fax.document.sha256,
    downloaded: await download(world, `/fax/${fax.id}/document`),
  };
}

async function readReportedIncoming(world: World, fax: ListedIncoming): Promise<ReportedIncoming> {
  const { status, pages, problem, sha256 } = fax;
  const isReceived = status === 'received';
  const downloaded = isReceived ? await download(world, `/inbound/${fax.id}/pdf`) : null;
  return { vendor: fax.backend, id: fax.provider_fax_id, status, pages, problem, sha256, downloaded };
}

async function download(world: World, path: string): Promise<string | null> {
  const answer = await world.request('GET', path);
  return answer?.status === 200 ? digestOf(answer.bytes) : null;
}

async function mapInOrder<T, R>(list: readonly T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const each of list) results.push(await work(each));
  return results;
}

async function digestsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return mapInOrder(files, async ({ parentPath, name }) => digestOf(await readFile(join(parentPath, name))));
}
