import { connectionState, onReconnect } from './connection.ts';

/** Time in ms that an answer still has once the gateway is back; the connection it was to come by may be dead. */
const LAST_CHANCE_MS = 2_000;
/** The same for an act that is not repeated. */
const ONLY_CHANCE_MS = 10_000;
/** Time in ms after which an act is no longer repeated: by then a person has done something else. */
const GIVE_UP_MS = 10 * 60_000;
const PAUSE_MS = 500;
/** Repetitions while the gateway answers everything else. */
const MAX_REPEATS = 3;

/** Returns the path of an address, which may have no host. */
export const pathOf = (address: string): string => new URL(address, 'http://localhost').pathname;

/** Returns the first answer; it is that of a repetition where the connection broke off before. */
export async function sendUntilAnswered(
  send: typeof fetch,
  address: string,
  init: RequestInit,
): Promise<{ response: Response; isRepeated: boolean }> {
  const giveUpAt = Date.now() + GIVE_UP_MS;
  let isRepeated = false;
  for (let failures = 0; ; isRepeated = true) {
    try {
      return { response: await sendOnce(send, address, init), isRepeated };
    } catch (error) {
      if (init.signal?.aborted || !isRepeatable(address, init)) throw error;
      const cameBack = await waitForGateway(PAUSE_MS * 2 ** failures, giveUpAt);
      failures = cameBack ? 0 : failures + 1;
      if (failures > MAX_REPEATS || Date.now() >= giveUpAt || init.signal?.aborted) throw error;
    }
  }
}

/**
 * Waits the pause in ms, and then for a gateway that is lost, until `giveUpAt` in epoch ms. Returns true when it was lost
 * and is back; the connection may be lost only during the pause, and may be back before its end.
 */
async function waitForGateway(pauseMs: number, giveUpAt: number): Promise<boolean> {
  let isBack = false;
  const stop = onReconnect((wasLost) => {
    isBack ||= wasLost;
  });
  try {
    await pause(pauseMs);
    if (connectionState().connection === 'lost') await reconnected(giveUpAt - Date.now());
  } finally {
    stop();
  }
  return isBack;
}

/** Sends it, and reads the answer to its end. Fails when the gateway is back and this request still has no answer. */
async function sendOnce(send: typeof fetch, address: string, init: RequestInit): Promise<Response> {
  const dead = new AbortController();
  const signals = [dead.signal, ...(init.signal ? [init.signal] : [])];
  const lastChanceMs = isRepeatable(address, init) ? LAST_CHANCE_MS : ONLY_CHANCE_MS;
  const stop = onReconnect((wasLost) => {
    // An upload may go on where it was.
    if (wasLost && !hasFiles(init)) setTimeout(() => dead.abort(), lastChanceMs);
  });
  try {
    const response = await send(address, { ...init, signal: AbortSignal.any(signals) });
    const body = await response.arrayBuffer();
    const isEmpty = response.status === 204 || response.status === 205 || response.status === 304;
    return new Response(isEmpty ? null : body, response);
  } finally {
    stop();
  }
}

/** Returns true where the body of a request contains files. */
export const hasFiles = ({ body }: RequestInit): boolean =>
  body instanceof FormData && [...body.values()].some((part) => part instanceof Blob);

/** Acts of which a second one finds nothing left to change, by their path. */
const SETTING_ACTS = /^\/inbound\/(blocked-senders(\/[^/]+)?|[^/]+\/not-junk)$/u;

/** A key or the version of what is changed keeps a request from being carried out twice; files are not sent again. */
function isRepeatable(address: string, { body, headers }: RequestInit): boolean {
  if (SETTING_ACTS.test(pathOf(address))) return true;
  if (body !== undefined && body !== null && typeof body !== 'string') return false;
  if (new Headers(headers).has('Idempotency-Key')) return true;
  return typeof body === 'string' && /"(\w*version|expected_revision_id)"\s*:\s*["\d]/u.test(body);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the gateway is back, or after that time in ms. */
function reconnected(withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const settled = () => {
      stop();
      clearTimeout(timer);
      resolve();
    };
    const stop = onReconnect(settled);
    const timer = setTimeout(settled, withinMs);
  });
}
