import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readExamples } from '../../scripts/api-examples.ts';
import { openBrowser, type WatchedPages, watchPages } from '../setup/browser.ts';
import { allRoutes } from '../setup/every-route.ts';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';

/** The page draws every route, which takes a busy computer a while. */
const PAGE_MS = 120_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

describe('the documentation page in a browser', () => {
  let browser: Browser | undefined;
  let page: Page;
  let watched: WatchedPages;

  // One page for all of them: it takes seconds to draw, and each test keeps to a route of its own.
  beforeEach(async (context) => {
    if (browser) return;
    browser = await openBrowser(context);
    const pages = await browser.newContext({ viewport: { width: 1280, height: 1000 } });
    watched = watchPages(pages);
    page = await pages.newPage();
    page.setDefaultTimeout(PAGE_MS);
    await page.goto(`${gateway.url}/docs`);
    await page.locator('.opblock').first().waitFor();
  });
  afterAll(() => browser?.close());

  /** A long list is drawn as far as it is in sight: what its rows say, read from the top to the end. */
  async function readThrough<T>(read: () => Promise<T[]>): Promise<T[]> {
    const seen = new Set<T>();
    await page.mouse.move(640, 500);
    await page.evaluate('window.scrollTo(0, 0)');
    for (let isAtEnd = false; !isAtEnd; ) {
      // Drawn anew after the scrolling.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      for (const one of await read()) seen.add(one);
      isAtEnd = await page.evaluate<boolean>(`(() => {
        const before = window.scrollY;
        window.scrollBy(0, 600);
        return window.scrollY === before;
      })()`);
    }
    return [...seen];
  }

  const shownRoutes = () =>
    page.locator('.opblock').evaluateAll((blocks) =>
      blocks.map((block) => {
        const text = (name: string) => block.querySelector(name)?.textContent ?? '';
        const path = text('.opblock-summary-path, .opblock-summary-path__deprecated');
        return `${text('.opblock-summary-method')} ${path.replaceAll('\u200b', '')}`;
      }),
    );
  const namesOf = (routes: typeof allRoutes) =>
    routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/gu, '{$1}')}`).sort();

  /** Only the routes of one group, as the field above them shows it. */
  const showOnly = (group: string) => page.locator('.operation-filter-input').fill(group);

  test('shows every route and gets everything it needs from the gateway, without a complaint', async () => {
    const shown = await readThrough(shownRoutes);
    expect(shown.sort()).toEqual(namesOf(allRoutes.filter(({ onlyConsole }) => !onlyConsole)));
    expect(await page.title()).toBe('Faxdesk API');
    expect(await page.locator('.info .title').textContent()).toContain('Faxdesk');
    expect(watched.complaints).toEqual([]);
    expect([...watched.origins]).toEqual([gateway.url]);
  });

  test('orders the groups by what people come for', async () => {
    const groups = await readThrough(() =>
      page.locator('.opblock-tag').evaluateAll((tags) => tags.map((tag) => tag.id)),
    );
    expect(groups.slice(0, 2)).toEqual(['operations-tag-outbound', 'operations-tag-inbound']);
    expect(groups.at(-1)).toBe('operations-tag-system');
  });

  test('tries a public route out', async () => {
    await showOnly('system');
    const block = page.locator('#operations-system-getHealth');
    await block.click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    await block.getByRole('button', { name: 'Execute' }).click();
    const answer = block.locator('.live-responses-table');
    await answer.waitFor();
    expect(await answer.textContent()).toContain('"status": "ok"');
    expect(await answer.locator('.response-col_status').last().textContent()).toContain('200');
    expect(watched.complaints).toEqual([]);
  });

  test('tries a guarded route out with the key given to it', async () => {
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    // Beside it stands the name and password of a provider.
    const form = page.locator('.auth-container').filter({ has: page.locator('#api_key_value') });
    await form.locator('input').fill(INSTALLATION_KEY);
    await form.getByRole('button', { name: 'Apply credentials' }).click();
    await page.getByRole('button', { name: 'Close' }).first().click();
    await showOnly('access');
    const block = page.locator('#operations-access-getMe');
    await block.click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    await block.getByRole('button', { name: 'Execute' }).click();
    const answer = block.locator('.live-responses-table');
    await answer.waitFor();
    expect(await answer.textContent()).toContain('bootstrap');
    expect([...watched.origins]).toEqual([gateway.url]);
  });

  test('sends a fax as the form is filled in, with a number and a file', async () => {
    await showOnly('outbound');
    const block = page.locator('#operations-outbound-sendFax');
    await block.locator('.opblock-summary').click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    await block.locator('[data-property-name="to"] input').fill('+12025550123');
    const file = block.locator('[data-property-name="file"]');
    const content = { name: 'page.txt', mimeType: 'text/plain', buffer: Buffer.from('One page') };
    await file.locator('input[type=file]').first().setInputFiles(content);
    await block.getByRole('button', { name: 'Execute' }).click();
    const answer = block.locator('.live-responses-table');
    await answer.waitFor();
    expect(await answer.textContent()).toContain('"delivery_state"');
    expect(await answer.locator('.response-col_status').last().textContent()).toContain('202');
    await block.getByRole('button', { name: 'Cancel' }).click();
    await block.locator('.opblock-summary').click();
    expect([...watched.origins]).toEqual([gateway.url]);
  });

  test('shows the call of a route that was run, and its answer', async () => {
    const before = watched.complaints.length;
    await showOnly('contacts');
    const block = page.locator('#operations-contacts-createContact');
    await block.locator('.opblock-summary').click();
    const [request, answer] = [
      block.locator('.opblock-section-request-body'),
      block.locator('.responses-table'),
    ];
    await request.locator('.body-param__example').waitFor();
    expect(await request.textContent()).toContain('"City Lab"');
    const { answer: example } = readExamples()['createContact'] ?? {};
    expect(await answer.first().textContent()).toContain((example as { id: string }).id);
    expect(watched.complaints.slice(before)).toEqual([]);
  });

  test('offers a file for each document of a fax', async () => {
    await showOnly('outbound');
    const block = page.locator('#operations-outbound-sendFax');
    await block.click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    const files = block.locator('[data-property-name="file"]');
    const before = await files.locator('input[type=file]').count();
    await files.getByRole('button', { name: /add/iu }).click();
    expect(await files.locator('input[type=file]').count()).toBe(before + 1);
    expect(await block.locator('select').count()).toBeGreaterThanOrEqual(4);
  });

  test('shows the routes of the console’s window when they are selected', async () => {
    await page.getByLabel('Description').selectOption('Routes of the console’s window alone');
    await page.locator('#operations-terminal-openTerminal').waitFor();
    const shown = await readThrough(shownRoutes);
    expect(shown.sort()).toEqual(namesOf(allRoutes.filter(({ onlyConsole }) => onlyConsole)));
    expect([...watched.origins]).toEqual([gateway.url]);
  });
});

describe('the parts of the documentation page', () => {
  test('come with their types, uncached and without tags to follow a reader by', async () => {
    const types = {
      '/docs': 'text/html',
      '/docs/start.js': 'text/javascript',
      '/docs/examples.json': 'application/json',
      '/docs/swagger-ui.css': 'text/css',
      '/docs/swagger-ui-bundle.js': 'text/javascript',
    };
    for (const [path, type] of Object.entries(types)) {
      const response = await gateway.request('GET', path, { key: null });
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        200,
        `${type}; charset=utf-8`,
      ]);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('etag')).toBeNull();
      expect(response.headers.get('last-modified')).toBeNull();
      await response.arrayBuffer();
    }
  });

  test('let no script in from anywhere else', async () => {
    const policy = (await gateway.request('GET', '/docs', { key: null })).headers.get(
      'content-security-policy',
    );
    expect(policy).toMatch(/script-src 'self';/u);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/u);
    expect(policy).toMatch(/frame-ancestors 'none'/u);
  });

  test('are found below the address with a slash at its end as well', async () => {
    const response = await gateway.request('GET', '/docs/', { key: null });
    expect(response.status).toBe(308);
    expect(new URL(response.headers.get('location') ?? '', `${gateway.url}/docs/`).pathname).toBe('/docs');
  });
});
