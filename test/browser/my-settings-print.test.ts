import { expect, test } from 'vitest';
import { JOB_STATE } from '../../server/platform/ipp/codes.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { freePort } from '../setup/free-port.ts';
import { printByIpp } from '../setup/ipp-client.ts';
import { expectAccessible, testConsole } from './console.ts';

let printer = '';
const webConsole = testConsole(async () => {
  const [local, network] = [await freePort(), await freePort()];
  printer = `ipps://127.0.0.1:${network}/ipp/print`;
  return {
    settings: {
      PRINT_TO_FAX: 'network',
      PRINT_PORT: String(local),
      PRINT_NETWORK_PORT: String(network),
      PRINT_NETWORK_HOST: '127.0.0.1',
      HTTPS_ENABLED: 'true',
      HTTPS_HOST: '127.0.0.1',
      HTTPS_PORT: '0',
    },
  };
});

test('a print password is created by keyboard alone, shown once, prints, and is removed', async (context) => {
  const { page } = await webConsole.open(context, { path: '/my-settings' });
  const part = page.getByRole('region', { name: 'Print password' });
  await part.getByText('You have no print password yet.').waitFor();
  await part.getByText(/^Address of the printer: ipps:/u).waitFor();
  await part.getByRole('button', { name: 'Create print password' }).press('Enter');
  await part.getByText('It is shown only once.').waitFor();
  await expectAccessible(page);
  const shown = await part.getByText(/^User name: mara/u).textContent();
  const password = /Password: (\S+)$/u.exec(shown ?? '')?.[1] ?? '';
  const headers = { Authorization: `Basic ${Buffer.from(`mara:${password}`).toString('base64')}` };
  expect(await printByIpp(printer, textPdf(1), { headers })).toMatchObject({ state: JOB_STATE.completed });
  // Printing opens Send.
  await page.waitForURL('**/send');
  await page.goto('/admin/ui/my-settings');
  await part.getByText(/^Your user name for the printer is mara/u).waitFor();
  expect(await page.getByText(password).count()).toBe(0);
  await part.getByRole('button', { name: 'Remove it' }).press('Enter');
  await part.getByText('You have no print password yet.').waitFor();
  await expect(printByIpp(printer, textPdf(1), { headers })).rejects.toThrow('401');
});

test('the name by which other computers list the printer is shown while it is announced', async (context) => {
  const { gateway } = webConsole;
  const { page } = await webConsole.open(context, { path: '/my-settings' });
  const part = page.getByRole('region', { name: 'Print password' });
  await part.getByText(/^Address of the printer: ipps:/u).waitFor();
  expect(await part.getByText('Other computers list it').count()).toBe(0);
  await gateway.set({ HTTPS_ANNOUNCED: true });
  const name = async () => {
    const answer = await gateway.request('GET', '/printer');
    return ((await answer.json()) as { network_name: string | null }).network_name;
  };
  await expect.poll(name, { timeout: 20_000 }).toMatch(/^Faxdesk/u);
  await page.reload();
  await part.getByText(`Other computers list it among their printers as “${await name()}”.`).waitFor();
  await expectAccessible(page);
});
