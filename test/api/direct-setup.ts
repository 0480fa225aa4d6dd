import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import type { AddedDirectPartner, DirectPartner } from '../../shared/api/direct-partners.ts';
import { referee } from '../fixtures/referees.ts';
import { startGatewayOn } from '../setup/both-gateways.ts';
import type { TestGateway, TestGatewayOptions } from '../setup/gateway.ts';
import { ManualClock } from '../setup/manual-clock.ts';

export type Partner = z.infer<typeof DirectPartner>;
type Added = z.infer<typeof AddedDirectPartner>;

/** An installation with direct delivery, on loopback. */
export interface Office {
  readonly gateway: TestGateway;
  readonly number: string;
  close(): Promise<void>;
}

/** Starts an installation whose partners may be on this computer. */
export async function startOffice(
  organization: string,
  number: string,
  { store = 'sqlite', ...options }: TestGatewayOptions & { readonly store?: 'sqlite' | 'postgres' } = {},
): Promise<Office> {
  const { gateway, close } = await startGatewayOn(store, {
    clock: new ManualClock(),
    ...options,
    settings: { FAX_NUMBER: number, ...options.settings },
  });
  await gateway.set({
    DIRECT_DELIVERY_ENABLED: true,
    DIRECT_ORGANIZATION: organization,
    DIRECT_FAX_NUMBER: number,
    DIRECT_ALLOW_PRIVATE_PEERS: true,
    PUBLIC_API_URL: gateway.url,
  });
  return { gateway, number, close };
}

/** Answer of a request; throws for a refusal. */
async function answered<T>(response: Promise<Response>): Promise<T> {
  const answer = await response;
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

export async function cardOf({ gateway }: Office): Promise<string> {
  return (await answered<{ text: string }>(gateway.request('GET', '/direct/card'))).text;
}

export async function partnersOf({ gateway }: Office): Promise<Partner[]> {
  return (await answered<{ items: Partner[] }>(gateway.request('GET', '/direct/peers'))).items;
}

/** The only partner of an installation. */
export async function partnerOf(office: Office): Promise<Partner> {
  const [partner] = await partnersOf(office);
  if (!partner) throw new Error('there is no partner');
  return partner;
}

export const addCard = (office: Office, card: string) =>
  office.gateway.request('POST', '/direct/peers', { json: { card } });

/** Adds the card of each to the other. */
export async function exchangeCards(one: Office, other: Office): Promise<[Added, Added]> {
  return [
    await answered<Added>(addCard(one, await cardOf(other))),
    await answered<Added>(addCard(other, await cardOf(one))),
  ];
}

export async function challenge({ gateway }: Office, { id, version }: Partner): Promise<Response> {
  return gateway.request('POST', `/direct/peers/${id}/challenge`, { json: { version } });
}

export async function confirm({ gateway }: Office, { id }: Partner, code: string): Promise<Response> {
  return gateway.request('POST', `/direct/peers/${id}/confirm`, { json: { code } });
}

export async function revoke({ gateway }: Office, { id, version }: Partner): Promise<Response> {
  return gateway.request('POST', `/direct/peers/${id}/revoke`, { json: { version } });
}

/** Faxes a code to the only partner of an installation, and reads it from the page. */
export async function faxCode(office: Office): Promise<string> {
  const partner = await answered<Partner>(challenge(office, await partnerOf(office)));
  return readCode(await codePage(office, partner));
}

/** Texts of the page that was faxed to a partner. */
export async function codePage({ gateway }: Office, { code_fax_id }: Partner): Promise<string> {
  const answer = await gateway.request('GET', `/fax/${code_fax_id}/document`);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-code-'));
  try {
    const path = join(folder, 'page.pdf');
    writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
    return referee('pdftotext', ['-layout', path, '-']).toString();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The code, with its space between the groups. */
export function readCode(page: string): string {
  const [code] = /\b\d{5} \d{5}\b/u.exec(page) ?? [];
  if (code === undefined) throw new Error(`there is no code on the page:\n${page}`);
  return code;
}
