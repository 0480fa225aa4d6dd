import type { MessageHeader, MessagePage } from './page-header.ts';
import { rebuildParts } from './page-parity.ts';

/** A message whose pages arrive in any order, some of them repeatedly or never. */
export interface CollectedMessage {
  header: MessageHeader;
  /** Payloads by the index of their page. */
  parts: Map<number, Uint8Array>;
}

/** Gathers pages by their message. */
export function createPageCollection(): PageCollection {
  return new PageCollection();
}

class PageCollection {
  readonly #messages = new Map<string, CollectedMessage>();

  /** Adds a page. A repeated one changes nothing. Returns the message when it can be opened with it. */
  add({ header, index, payload }: MessagePage): CollectedMessage | null {
    const key = JSON.stringify(header);
    const message = this.#messages.get(key) ?? { header, parts: new Map<number, Uint8Array>() };
    this.#messages.set(key, message);
    if (!message.parts.has(index)) message.parts.set(index, payload);
    return isComplete(message) ? message : null;
  }

  /** The message with the most pages, of several the first; null when there is none. */
  largest(): CollectedMessage | null {
    const messages = [...this.#messages.values()];
    return messages.sort((a, b) => b.parts.size - a.parts.size)[0] ?? null;
  }
}

/** As many pages as the message has data pages are enough, whichever they are. */
function isComplete({ header, parts }: CollectedMessage): boolean {
  return parts.size >= header.dataPages;
}

/** Joins the parts of a complete message. */
export function joinParts({ header, parts }: CollectedMessage): Buffer {
  return Buffer.concat(rebuildParts(parts, header.dataPages, header.partBytes)).subarray(
    0,
    header.sealedBytes,
  );
}
