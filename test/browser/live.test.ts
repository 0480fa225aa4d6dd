import type { BrowserContext, Page } from 'playwright';
import { expect, test } from 'vitest';
import { testConsole } from './console.ts';

const webConsole = testConsole();

const NUMBER = '+12025550123';

function streamsOpenedBy(context: BrowserContext): string[] {
  const opened: string[] = [];
  context.on('request', (request) => {
    if (request.url().includes('/console/events')) opened.push(request.url());
  });
  return opened;
}

const stateOf = (page: Page) => page.getByRole('row').filter({ hasText: '202 555 0123' }).first();

async function sentIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto('/admin/ui/sent');
  await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  return page;
}

test('windows of one browser share one stream, and the next goes on when the first closes', async (test) => {
  let opened: string[] = [];
  const { page: first, context } = await webConsole.open(test, {
    path: '/sent',
    prepare: async (page) => {
      opened = streamsOpenedBy(page.context());
    },
  });
  await first.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  // The stream may be opened only after the first picture.
  await expect.poll(() => opened.splice(0).length).toBe(1);
  const second = await sentIn(context);
  const fax = await webConsole.gateway.send({ to: NUMBER });
  await expect.poll(() => stateOf(first).textContent()).toContain('Waiting');
  await expect.poll(() => stateOf(second).textContent()).toContain('Waiting');
  expect(opened).toEqual([]);

  await first.close();
  const answer = await webConsole.gateway.request('POST', `/fax/${fax.id}/cancel`, {
    json: { delivery_version: fax.delivery_version },
  });
  expect(answer.status).toBe(200);
  await expect.poll(() => stateOf(second).textContent()).toContain('Canceled');
  await expect.poll(() => opened.length).toBe(1);
  // It resumes after the last event that any window received.
  expect(opened[0]).toContain('after=');
});

test('a screen that is opened reads each thing once, and follows what changes from then on', async (context) => {
  const read: string[] = [];
  const { page } = await webConsole.open(context, {
    path: '/sent',
    prepare: async (opened) => {
      opened.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (!pathname.startsWith('/admin/ui/')) read.push(pathname + search);
      });
    },
  });
  await expect.poll(() => read.filter((path) => path.startsWith('/console/events')).length).toBe(1);
  await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  // This change comes after everything that the opened stream begins with.
  await webConsole.gateway.send({ to: NUMBER });
  await expect.poll(() => stateOf(page).textContent()).toContain('Waiting');
  const times = ['/auth/me', '/auth/context', '/inbound/counts', '/work/counts', '/fax?limit=60'].map(
    (path) => read.filter((each) => each === path).length,
  );
  expect(times).toEqual([1, 1, 1, 1, 1]);
});

test('a stream that is held back on the way is replaced by asking', async (test) => {
  const { page, context, complaints } = await webConsole.open(test, { as: null });
  complaints.allow('/console/events');
  await context.route('**/console/events*', (route) => route.abort());
  await page.close();
  await context.request.post('/auth/login', {
    data: { login: 'mara', password: 'quiet harbour lantern' },
    headers: { Origin: webConsole.gateway.url },
  });
  const blocked = await sentIn(context);
  await webConsole.gateway.send({ to: '+12025550177' });
  await expect.poll(() => blocked.getByRole('row').filter({ hasText: '202 555 0177' }).count()).toBe(1);
});
