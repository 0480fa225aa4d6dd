/**
 * Short messages between the gateways on one database. They get everywhere within moments or not at all: what must not be
 * missed is recorded, and announced only so that others look earlier.
 */
export interface Announcements {
  /** Sends facts, JSON of at most a few kilobytes, to every other gateway. Never throws. */
  send(topic: string, facts: unknown): void;
  /** Calls the listener with what other gateways send. */
  on(topic: string, listener: (facts: unknown) => void): void;
  /** Calls the listener after a time in which announcements may have been missed. */
  onGap(listener: () => void): void;
}

/** Announcements of a gateway without others. */
export const NO_ANNOUNCEMENTS: Announcements = {
  send: () => undefined,
  on: () => undefined,
  onGap: () => undefined,
};

/** Least time between two announcements that only have others look. Milliseconds. */
const SPACING_MS = 50;

/** Returns a function that sends a topic without facts at once, or together with further calls a moment later. */
export function announceOften(announcements: Pick<Announcements, 'send'>, topic: string): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isPending = false;
  const sendNow = () => {
    isPending = false;
    announcements.send(topic, null);
    timer = setTimeout(() => {
      timer = undefined;
      if (isPending) sendNow();
    }, SPACING_MS);
    timer.unref();
  };
  return () => {
    isPending = true;
    if (timer === undefined) sendNow();
  };
}
