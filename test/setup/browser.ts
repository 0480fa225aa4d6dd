import { type Browser, type BrowserContext, chromium } from 'playwright';
import { type Skippable, toolPath } from './tools.ts';

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Pages of a test live for seconds: what optimized code and small collections cost is not earned back. */
const SHORT = '--js-flags=--no-opt --no-maglev --min-semi-space-size=16 --max-semi-space-size=32';

/**
 * The system's Chromium without a window; skips the running test, with the reason, when there is none. Close it. The build that can
 * have no windows does the same in less time. `isLasting` is for pages that are used for longer than a test.
 */
export async function openBrowser(
  context: Skippable,
  { isLasting = false }: { isLasting?: boolean } = {},
): Promise<Browser> {
  const executablePath = toolPath('chromium-headless-shell') ?? toolPath('chromium');
  if (executablePath === null) return context.skip('not installed: chromium');
  return chromium.launch({ executablePath, args: isLasting ? QUIET : [...QUIET, SHORT] });
}

/**
 * Faults of a page that a person would not see: errors, violations of the content policy, and the origins of its
 * resources.
 */
export interface WatchedPages {
  readonly complaints: string[];
  readonly origins: Set<string>;
}

/** Watches every page of the context from its first request on. */
export function watchPages(context: BrowserContext): WatchedPages {
  const complaints: string[] = [];
  const origins = new Set<string>();
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol)) origins.add(origin);
  });
  context.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  return { complaints, origins };
}
