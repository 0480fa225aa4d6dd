import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FaxToSend } from '../../../server/features/outbound/transport-port.ts';

export interface SentFax {
  readonly id: string;
  readonly request: FaxToSend;
  readonly bytes: Buffer;
  state: 'sending' | 'delivered';
}

export interface ArrivedFax {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly document: Buffer;
}

/** Vendor behind the provider of the tests: it keeps everything in memory and trusts one key. */
export class FaxHouse {
  readonly key = 'key-of-the-fax-house';
  readonly sent: SentFax[] = [];
  readonly arrived: ArrivedFax[] = [];
  /** Answers whether it can be reached; a test may let that wait. */
  reach: () => Promise<void> = async () => undefined;
  /** The addresses and keys of every call, in their order. */
  readonly calls: { readonly url: string; readonly key: string }[] = [];

  async take(request: FaxToSend): Promise<SentFax> {
    const bytes = await readFile(request.document.path);
    const fax: SentFax = { id: `out-${this.sent.length + 1}`, request, bytes, state: 'sending' };
    this.sent.push(fax);
    return fax;
  }

  arrive(fax: Omit<ArrivedFax, 'id'>): ArrivedFax {
    const arrived = { id: `in-${this.arrived.length + 1}`, ...fax };
    this.arrived.push(arrived);
    return arrived;
  }
}

/** Computes the proof of a call by the vendor from the address; it requires the key. */
export function proofOf(key: string, address: string): string {
  return createHash('sha256').update(`${key} ${address}`).digest('hex');
}
