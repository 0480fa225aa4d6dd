import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { MARA } from '../setup/owner.ts';
import { toolPath } from '../setup/tool-path.ts';

/** The system's Chromium without a window, drawing in software. Throws when there is none. */
export async function launchChromium(options: readonly string[] = []): Promise<Browser> {
  const executablePath = toolPath('chromium');
  if (executablePath === null) throw new Error('the console figures need chromium');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...options] });
}

export type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Signs Mara in once: the gateway would take many sign-ins for guessing. */
export async function signInMara(browser: Browser, url: string): Promise<Session> {
  const context = await browser.newContext({ baseURL: url });
  const data = { login: MARA.login, password: MARA.password };
  const answer = await context.request.post('/auth/login', { data, headers: { Origin: url } });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
  const session = await context.storageState();
  await context.close();
  return session;
}

/** A window with nothing cached. Close its context. */
export async function openWindow(browser: Browser, url: string, session: Session | null): Promise<Page> {
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-US',
    viewport,
    ...(session && { storageState: session }),
  });
  return context.newPage();
}

/** Milliseconds from the navigation to the first picture with something on it. */
export async function firstPaint(page: Page): Promise<number> {
  return (await page.evaluate(`new Promise((resolve) => new PerformanceObserver((list) => {
    const entry = list.getEntriesByName('first-contentful-paint')[0];
    if (entry) resolve(entry.startTime);
  }).observe({ type: 'paint', buffered: true }))`)) as number;
}
