import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { nextNumber, rowOf } from './sent-page.ts';

const webConsole = testConsole();

test('where nothing was sent the list says so, and the first fax appears by itself', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.getByRole('heading', { name: 'No faxes sent yet' }).waitFor();
  await expectAccessible(page);
  const number = nextNumber();
  await webConsole.gateway.send({ to: number.e164 });
  await rowOf(page, number.shown).getByText('Waiting').waitFor();
  await page.getByText('1 fax', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('heading', { name: 'No faxes sent yet' }).count()).toBe(0);
});
