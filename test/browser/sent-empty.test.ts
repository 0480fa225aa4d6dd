import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { nextNumber, rowOf } from './sent-page.ts';

const desk = testConsole();

test('where nothing was sent the list says so, and the first fax appears by itself', async (context) => {
  const { page } = await desk.open(context, { path: '/sent' });
  await page.getByRole('heading', { name: 'No faxes sent yet' }).waitFor();
  await expectAccessible(page);
  const number = nextNumber();
  await desk.desk.send({ to: number.e164 });
  await rowOf(page, number.shown).getByText('Waiting').waitFor();
  await page.getByText('1 fax', { exact: true }).waitFor();
  expect(await page.getByRole('heading', { name: 'No faxes sent yet' }).count()).toBe(0);
});
