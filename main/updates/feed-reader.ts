import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Feed } from './update-settings.ts';

const MAX_ENTRY_BYTES = 100_000;
/** Longest silence of a feed. */
const SILENCE_MS = 30_000;

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** Bytes of a file of a feed, and the position where they begin: 0 where the feed starts over. */
interface FeedFile {
  readonly from: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface FeedReader {
  /** A short text. Throws when it is too long or cannot be read. */
  readText(name: string): Promise<string>;
  /** Opens a file from a position on, as far as the feed can do that. */
  open(name: string, from: number): Promise<FeedFile>;
}

/** Creates a reader for the newest release of a feed, or for the one of a version. */
export function createFeedReader(feed: Feed, fetch: Fetch, version: string | null = null): FeedReader {
  const open = feed.kind === 'folder' ? openInFolder(feed.path) : openOnWeb(addressOf(feed, version), fetch);
  return { open, readText: async (name) => readShort((await open(name, 0)).bytes) };
}

/** Only GitHub has a folder for each version, named by its tag. */
function addressOf(feed: Exclude<Feed, { kind: 'folder' }>, version: string | null): string {
  if (feed.kind === 'web') return feed.address;
  const release = version === null ? 'latest/download' : `download/v${version}`;
  return `https://github.com/${feed.project}/releases/${release}/`;
}

function openInFolder(path: string): FeedReader['open'] {
  return async (name, from) => ({ from, bytes: createReadStream(join(path, name), { start: from }) });
}

function openOnWeb(address: string, fetch: Fetch): FeedReader['open'] {
  return async (name, from) => {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Error('the feed sends nothing')), SILENCE_MS);
    const headers = { 'Cache-Control': 'no-cache', ...(from > 0 ? { Range: `bytes=${from}-` } : {}) };
    try {
      const response = await fetch(`${address}${name}`, { headers, signal: silence.signal });
      if (!response.ok || response.body === null) throw new Error(`the feed answered ${response.status}`);
      const starts = response.headers.get('content-range')?.startsWith(`bytes ${from}-`) === true;
      const continues = response.status === 206 && starts;
      if (response.status === 206 && !continues) throw new Error('the feed sent another part');
      return { from: continues ? from : 0, bytes: watched(response.body, timer) };
    } catch (error) {
      clearTimeout(timer);
      throw error;
    }
  };
}

/** Every piece begins the time of silence again. */
async function* watched(body: AsyncIterable<Uint8Array>, timer: NodeJS.Timeout): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body) {
      timer.refresh();
      yield piece;
    }
  } finally {
    clearTimeout(timer);
  }
}

async function readShort(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > MAX_ENTRY_BYTES) throw new Error('the entry is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
