import type { Page } from 'playwright';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import type { LocalBridge } from '../../main/channels.ts';
import { buildDesktop } from '../../scripts/build-desktop.ts';
import type { DesktopBridge } from '../../shared/desktop.ts';
import { sharedByTests } from '../setup/shared-by-tests.ts';
import { type DesktopApp, type Kind, type LaunchOptions, launch, missing } from './desktop-app.ts';

const KINDS: readonly Kind[] = ['stand-in', 'Electron'];

/** Globals of a page of the window, for functions that run in it. */
export interface InPage {
  readonly faxdesk: DesktopBridge;
  readonly faxdeskApplication: LocalBridge;
  readonly location: { href: string; origin: string };
}

/** The same tests on the stand-in and, where its binary exists, on Electron; skipped with the reason where it does not. */
export function onEachKind(title: string, tests: (kind: Kind) => void): void {
  for (const kind of KINDS)
    describe(`${title} on ${kind}`, () => {
      beforeEach((context) => {
        const reason = missing(kind);
        if (reason !== null) context.skip(reason);
      });
      beforeAll(async () => {
        if (missing(kind) === null) await builtDesktop();
      });
      tests(kind);
    });
}

let built: Promise<void> | undefined;
/** Builds the application once for the files that a worker runs. */
export const builtDesktop = (): Promise<void> => (built ??= buildDesktop());

/** Skips a test of what only the stand-in records. */
export function onlyStandin(kind: Kind, context: { skip(reason?: string): never }): void {
  if (kind === 'Electron') context.skip('Electron does not tell what the operating system draws');
}

/** One application for the tests of a group, on a page of the gateway. */
export function sharedApp(
  kind: Kind,
  options: LaunchOptions = {},
): { readonly app: DesktopApp; page(): Promise<Page> } {
  const shared = sharedByTests(async () => (missing(kind) === null ? launch(kind, options) : null));
  return {
    get app() {
      return shared.current;
    },
    page: () => quietPage(shared.current),
  };
}

/** A page of the gateway that takes nothing from the bridge itself, and keeps nothing busy. */
async function quietPage(app: DesktopApp): Promise<Page> {
  const page = await app.console();
  const quiet = `${new URL(app.gatewayUrl()).origin}/health`;
  const present = await page.evaluate(() => (globalThis as unknown as InPage).location.href);
  if (present !== quiet) await page.goto(quiet);
  return page;
}

/**
 * Watches the page from now on. The returned function waits until the page has shown the words, however briefly: looking
 * again and again would miss what a fast computer shows for a part of a second.
 */
export async function watchWords(page: Page, words: string): Promise<() => Promise<unknown>> {
  const name = `shown: ${words}`;
  await page.evaluate(`new MutationObserver((_, observer) => {
    if (!document.documentElement.textContent.includes(${JSON.stringify(words)})) return;
    globalThis[${JSON.stringify(name)}] = true;
    observer.disconnect();
  }).observe(document.documentElement, { childList: true, subtree: true, characterData: true })`);
  return () => page.waitForFunction((shown) => shown in globalThis, name);
}

/** Waits until the window shows these words. Without a hold on the page, which a window may replace. */
export async function untilShown(app: DesktopApp, words: string): Promise<Page> {
  const shown = async () => {
    const page = await app.window();
    return page.locator('body').innerText({ timeout: 1_000 }).catch(String);
  };
  await expect.poll(shown, { message: app.output() }).toContain(words);
  return app.window();
}
