import { createHash } from 'node:crypto';
import type { Fault } from '../../setup/emulators/faults.ts';

/** Record of a provider about a fax that it was given to send. */
export interface VendorFax {
  readonly vendor: string;
  readonly id: string;
  readonly to: string;
  readonly state: 'open' | 'success' | 'failure';
  /** Of the document that it has; null while it has none. */
  readonly sha256: string | null;
}

/** Options of a report about a fax. */
export interface Report {
  /** Sent by a stranger without the provider's proof; its content is false. */
  readonly isForged?: boolean;
  /** Without the document, of a received fax. */
  readonly omitsDocument?: boolean;
}

/** One of the two providers, as far as a trial needs it. It runs in the process of the trial, so that it survives every kill. */
export interface Vendor {
  readonly name: 'cloudone' | 'cloudtwo';
  /** Settings with which the gateway reaches it. */
  readonly environment: Readonly<Record<string, string>>;
  sent(): VendorFax[];
  /** Reports so many pages as sent; 1 when left out. */
  complete(id: string, isSuccess: boolean, pages?: number): void;
  /** The number is busy: no page left. */
  setBusy(id: string): void;
  /** Fetches the document where it was given an address only. False when it could not be had. */
  fetchDocument(id: string, gatewayUrl: string): Promise<boolean>;
  /** Returns the document that it has of a fax; null while it has none. */
  documentOf(id: string): Buffer | null;
  /** Reports about a sent fax; the status of the answer, null without one or without an address to report to. */
  report(id: string, gatewayUrl: string, report: Report): Promise<number | null>;
  /** A fax comes in for the customer, from the provider's usual sender and to the usual number unless others are given; its id. */
  receive(document: Buffer, pages: number, from?: string, to?: string): string;
  /** Notifies of a received fax; whether that was acknowledged. */
  notify(id: string, gatewayUrl: string, report: Report): Promise<boolean>;
  setFault(fault: Fault): void;
  /** Ends whatever trouble it makes. */
  clearFaults(): Promise<void>;
  release(): void;
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
  close(): Promise<void>;
}

export const OWN_NUMBER = '+12025550100';
export const PUBLIC_URL = 'https://fax.example.com';

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The address that a provider was given, at the gateway as it can be reached now. */
export function atGateway(address: string, gatewayUrl: string): string {
  const { pathname, search } = new URL(address);
  return `${gatewayUrl}${pathname}${search}`;
}

/** Downloads the document at an address given to a provider; null when it is not available. */
export async function downloadDocument(
  address: string | undefined,
  gatewayUrl: string,
): Promise<Buffer | null> {
  if (address === undefined) return null;
  try {
    const answer = await fetch(atGateway(address, gatewayUrl), { signal: AbortSignal.timeout(10_000) });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return answer.status === 200 ? bytes : null;
  } catch {
    return null;
  }
}

/** Returns functions that open and close the listener of an emulator; repeated calls have no effect. */
export function createListenerSwitch(emulator: {
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
}) {
  let isOpen = true;
  let last: Promise<unknown> = Promise.resolve();
  const set = async (open: boolean) => {
    if (isOpen === open) return;
    isOpen = open;
    await (open ? emulator.acceptConnections() : emulator.refuseConnections());
  };
  const inTurn = async (open: boolean) => {
    last = last.then(() => set(open));
    await last;
  };
  return { open: () => inTurn(true), close: () => inTurn(false) };
}
