/** Maximum wait of the next sign-in for a gateway that does not answer. */
const MAX_WAIT_MS = 10_000;

/** The sign-out that the gateway has not answered; null when there is none. */
let ending: Promise<unknown> | null = null;

/**
 * Sends a sign-out. Resolves with its answer, also where it failed. Without one it is given up, so that a late answer removes no
 * cookies.
 */
export async function sendSignOut(send: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const sent = send(AbortSignal.timeout(MAX_WAIT_MS)).catch(() => undefined);
  ending = sent;
  await sent;
  if (ending === sent) ending = null;
}

/** Requests that begin a session, by whatever proves who it is. */
const SIGN_IN = /\/auth\/(?:[a-z-]+[/-])*login$/u;

/**
 * Returns a fetch whose sign-ins wait while a sign-out is under way: the answer to that removes the cookies of the session,
 * and would remove those of the next person as well.
 */
export function fetchAfterSignOut(send: typeof fetch): typeof fetch {
  return (input, init) => {
    const isSignIn = typeof input === 'string' && SIGN_IN.test(input);
    return ending !== null && isSignIn ? ending.then(() => send(input, init)) : send(input, init);
  };
}
