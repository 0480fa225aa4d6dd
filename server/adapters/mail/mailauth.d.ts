/** Declares the parts of mailauth that have no types of their own. */
declare module 'mailauth/lib/tools.js' {
  /** The first of these domains that DMARC counts as one organization with another by the public suffix list; false for none. */
  export function getAlignment(
    domain: string,
    others: readonly string[],
  ): { readonly domain: string } | false;
}

declare module 'mailauth/lib/dkim/dkim-verifier.js' {
  import type { Writable } from 'node:stream';

  interface BodyHash {
    update(chunk: Buffer): void;
    setContentType(type: unknown): void;
    digest(encoding: string): string;
    getMimeStructureStart(): number;
  }

  /** Checks the message that is written to it; the results are there once it has finished. */
  export interface DkimVerifier extends Writable {
    readonly results: readonly { readonly status: { readonly result: string } }[];
    readonly signatureHeaders: readonly {
      readonly bodyHashKey?: string;
      readonly parsed?: { readonly bh?: { readonly value?: string } };
    }[];
    /** One for each way to hash that a signature names. */
    readonly bodyHashes: Map<string, BodyHash>;
  }
  export const DkimVerifier: new (options: {
    resolver: (name: string, type: string) => Promise<string[] | string[][]>;
    curTime: Date;
    rejectRsaSha1: boolean;
  }) => DkimVerifier & { messageHeaders(headers: unknown): Promise<void> };
}
