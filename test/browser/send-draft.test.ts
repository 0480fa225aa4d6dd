import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { expectAccessible, headersOfPage, MARA, testConsole } from './console.ts';
import { letter, SendPage } from './send-page.ts';

const webConsole = testConsole();

async function begin(page: Page, complaints: { allow(...texts: string[]): void }): Promise<SendPage> {
  // The header line is drawn again with the number; a picture of the preview before may just have been asked for.
  complaints.allow('404 GET /fax/preview/');
  const send = await new SendPage(page).opened();
  await send.number('303 555 0101');
  await page.getByRole('textbox', { name: 'Last four digits' }).fill('0101');
  await send.add(letter('first.txt'), letter('second.txt'));
  await send.row('second.txt').focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('Referral');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'More options' }).click();
  await page.getByText('Urgent').click();
  await send.kept();
  return send;
}

async function expectWhole(send: SendPage, titles = ['first', 'Referral']): Promise<void> {
  await send.opened();
  await expect.poll(() => send.to.inputValue()).toBe('303 555 0101');
  await expect.poll(() => send.titles()).toEqual(titles);
  await send.page.getByText('You retyped the last four digits: 0101.').waitFor();
  await send.page.getByRole('button', { name: /More.*urgent/ }).waitFor();
  await send.drawn();
}

test('a reload keeps the draft: number, digits, files, titles and choices', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  const send = await begin(page, complaints);
  await page.reload();
  await expectWhole(send);
  await expectAccessible(page);
});

test('a session that ends elsewhere leaves the draft to whoever signs in as the same person', async (context) => {
  const { page, context: browser, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('401 ');
  const send = await begin(page, complaints);
  const headers = await headersOfPage(browser, webConsole.gateway);
  const ended = Promise.withResolvers<void>();
  // The page notices it with its next request, which comes too late.
  await page.route('**/fax/preview', async (route) => {
    await ended.promise;
    await route.continue();
  });
  await send.add(letter('third.txt'));
  await browser.request.post('/auth/logout', { headers });
  ended.resolve();
  await page.getByText('Your session has ended.').waitFor();
  await expect.poll(() => page.getByText('first.txt').count()).toBe(0);
  await page.getByLabel('Password', { exact: true }).fill(MARA.password);
  await page.keyboard.press('Enter');
  await expectWhole(send, ['first', 'Referral', 'third']);
});

test('somebody else at the same computer does not see the draft', async (context) => {
  const key = await webConsole.keyWith('fax:send', 'fax:read');
  const { page, context: browser, complaints } = await webConsole.open(context, { path: '/send' });
  const send = await begin(page, complaints);
  await page.keyboard.press('Control+Shift+L');
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  await browser.request.post('/auth/key-login', {
    data: { api_key: key },
    headers: { Origin: webConsole.gateway.url },
  });
  await page.reload();
  await send.opened();
  await page.getByText('Pages appear here').waitFor();
  await expect.poll(() => send.to.inputValue()).toBe('');
  await expect.poll(() => send.rows.count()).toBe(0);
});

test('what the browser keeps of a draft is sealed, and opens only with a session of its person', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  await begin(page, complaints);
  // Every record of the database, bytes and names alike.
  const kept = (await page.evaluate(`(async () => {
    const database = await new Promise((resolve, reject) => {
      const request = indexedDB.open('faxdesk-drafts');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const rows = await Promise.all(['drafts', 'contents'].map((name) => new Promise((resolve) => {
      const request = database.transaction(name).objectStore(name).getAll();
      request.onsuccess = () => resolve(request.result);
    })));
    database.close();
    return rows.flat().map((row) => {
      const bytes = row instanceof ArrayBuffer ? row : row.sealed;
      const { sealed, ...plain } = row instanceof ArrayBuffer ? {} : row;
      return JSON.stringify(plain) + new TextDecoder('latin1').decode(bytes);
    });
  })()`)) as string[];
  expect(kept).toHaveLength(3);
  for (const text of kept) expect(text).not.toMatch(/303|0101|Referral|first|second|Dear/u);
});

test('signing out shows a question about a draft, and saves or removes it', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  await begin(page, complaints);
  const signOut = async () => {
    await page.getByRole('button', { name: /Mara/u }).first().click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('dialog', { name: 'Sign out with an unsent fax?' }).waitFor();
  };
  const signIn = async () => {
    await page.getByLabel('Password', { exact: true }).fill(MARA.password);
    await page.keyboard.press('Enter');
  };
  await signOut();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Lock instead' }).click();
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  await signIn();
  await expectWhole(new SendPage(page));
  await signOut();
  // Enter chooses the answer that loses nothing.
  const save = page.getByRole('button', { name: 'Save for later and sign out' });
  await expect.poll(() => save.and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByLabel('Sign-in name').fill(MARA.login);
  await signIn();
  await page.getByRole('button', { name: 'Drafts (1)' }).click();
  await page.getByRole('button', { name: 'Open 303 555 0101, first' }).click();
  await expectWhole(new SendPage(page));
  await signOut();
  await page.getByRole('button', { name: 'Delete it and sign out' }).click();
  await page.getByLabel('Sign-in name').fill(MARA.login);
  await signIn();
  const send = await new SendPage(page).opened();
  await page.getByText('Pages appear here').waitFor();
  await expect.poll(() => send.rows.count()).toBe(0);
  await expect.poll(() => send.to.inputValue()).toBe('');
});

test('a cleared draft can be brought back', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  const send = await begin(page, complaints);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect.poll(() => send.to.inputValue()).toBe('');
  await expect.poll(() => send.rows.count()).toBe(0);
  await page.getByRole('button', { name: 'Undo clear' }).click();
  await expectWhole(send);
});

test('a draft is saved for later under a name, another is sent, and the first is gone on with', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  const send = await begin(page, complaints);
  const form = page.getByRole('dialog', { name: 'Drafts' });
  await page.getByRole('button', { name: 'Save for later' }).click();
  await expectAccessible(page);
  const name = form.getByLabel('Name of the draft');
  await expect.poll(() => name.inputValue()).toBe('303 555 0101, first');
  await page.keyboard.type('Referral for Mill Creek');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  await expect.poll(() => send.to.inputValue()).toBe('');
  await expect.poll(() => send.rows.count()).toBe(0);
  // The urgent one in between.
  await send.number('202 555 0144');
  await send.add(letter('urgent.txt'));
  await expect.poll(() => send.titles()).toEqual(['urgent']);
  await send.kept();
  // Kept across a reload, and sealed as the other.
  await page.reload();
  await send.opened();
  await page.getByRole('button', { name: 'Drafts (1)' }).click();
  await form.getByText(/^2 documents, saved /u).waitFor();
  await form.getByText('Faxdesk saves the fax on the form for later too').waitFor();
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Open Referral for Mill Creek' }).click();
  await form.waitFor({ state: 'detached' });
  await expectWhole(send);
  // The urgent one was put away in its turn: nothing that was typed is lost.
  await page.getByRole('button', { name: 'Drafts (1)' }).click();
  await form.getByRole('button', { name: 'Open 202 555 0144, urgent' }).click();
  await expect.poll(() => send.titles()).toEqual(['urgent']);
  await page.getByRole('button', { name: 'Drafts (1)' }).click();
  await form.getByRole('button', { name: 'Rename 303 555 0101, first' }).click();
  await page.keyboard.type('Mill Creek');
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Delete Mill Creek' }).click();
  await form.getByText('Delete “Mill Creek”?').waitFor();
  // Enter chooses the answer that loses nothing.
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Delete Mill Creek' }).click();
  await form.getByRole('button', { name: 'Delete', exact: true }).click();
  await form.getByText('Saved drafts are for you only.').waitFor();
});

test('two windows show one draft, and never a mixture of two', async (context) => {
  const { page, context: browser, complaints } = await webConsole.open(context, { path: '/send' });
  const send = await begin(page, complaints);
  const second = new SendPage(await browser.newPage());
  await second.page.goto('/admin/ui/send');
  await expectWhole(second);
  await second.page.getByRole('button', { name: 'Remove first' }).click();
  await second.kept();
  await expect.poll(() => send.titles()).toEqual(['Referral']);
  await send.number('303 555 0102');
  await expect.poll(() => second.to.inputValue()).toBe('303 555 0102');
  await expect.poll(() => second.titles()).toEqual(['Referral']);
});

test('a browser that keeps nothing says so and sends all the same', async (context) => {
  const { page } = await webConsole.open(context, {
    path: '/send',
    script: `IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError');
    }`,
  });
  const send = await new SendPage(page).opened();
  await send.number('303 555 0107');
  await page.getByText('Draft not saved').waitFor();
  await page.getByRole('textbox', { name: 'Last four digits' }).fill('0107');
  await send.add(letter());
  await send.drawn();
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/send\/.+/);
});

// The last one: the number is no longer a first one.
test('a saved draft is opened at another computer, and a template stays', async (context) => {
  const first = await webConsole.open(context, { path: '/send' });
  const here = await begin(first.page, first.complaints);
  await here.page.getByRole('button', { name: 'Save for later' }).click();
  await here.page.getByLabel('Name of the draft').fill('Every Monday');
  await here.page.getByRole('button', { name: 'Save as a template' }).press('Enter');
  await expect.poll(() => here.titles()).toEqual(['first', 'Referral']);
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('404 GET /fax/preview/');
  const there = await new SendPage(page).opened();
  const dialog = page.getByRole('dialog', { name: 'Drafts' });
  await page.getByRole('button', { name: 'Drafts (1)' }).press('Enter');
  await dialog.getByText(/^Template, 2 documents, saved /u).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Open Every Monday' }).press('Enter');
  await expectWhole(there);
  await there.pressSend();
  await page.waitForURL(/\/send\/.+/u);
  // The next one of it is another fax.
  await page.goto('/admin/ui/send');
  await there.opened();
  await page.getByRole('button', { name: /^Drafts/u }).press('Enter');
  await dialog.getByRole('button', { name: 'Open Every Monday' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => there.titles()).toEqual(['first', 'Referral']);
  await page.getByRole('button', { name: /^Drafts/u }).press('Enter');
  await dialog.getByRole('button', { name: 'Delete Every Monday' }).press('Enter');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await dialog.getByRole('button', { name: 'Open Every Monday' }).waitFor({ state: 'detached' });
});
