import { connectionState, onConnectionChange } from './connection.ts';

/** Pauses in ms before the tries after the first. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000, 8_000] as const;

const failedStyles = new Set<HTMLLinkElement>();
document.addEventListener(
  'error',
  ({ target }) => void (target instanceof HTMLLinkElement && failedStyles.add(target)),
  true,
);

/**
 * Loads code of the console that does not come with the first screen. While the gateway is away, as during its restart, it
 * waits and tries again, because a part that fails takes its whole screen with it. Rejects with the last reason when the
 * gateway answers and still has no such code, as one of another release does.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (const pause of PAUSES_MS) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
      await connected();
      await Promise.all([...failedStyles].map(loadStylesAgain));
    }
  }
  return load();
}

async function connected(): Promise<void> {
  if (connectionState().connection !== 'lost') return;
  await new Promise<void>((resolve) => {
    const stop = onConnectionChange(() => {
      if (connectionState().connection === 'lost') return;
      stop();
      resolve();
    });
  });
}

/** The import asks for the styles of its code only once, also when they failed. */
async function loadStylesAgain(failed: HTMLLinkElement): Promise<void> {
  failedStyles.delete(failed);
  const link = failed.cloneNode() as HTMLLinkElement;
  const done = new Promise((resolve) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', resolve);
  });
  failed.replaceWith(link);
  await done;
}
