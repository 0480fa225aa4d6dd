import type { FileChooser, Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { rawPdf } from '../fixtures/pdf-parts.ts';
import type { Fax, TestGateway } from '../setup/gateway.ts';

/** Of the installations that the provider calls back. */
export const PUBLIC_ADDRESS = 'https://fax.example.com';

interface Upload {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

let letters = 0;

/** A letter of its own each time: the same one to the same number is asked about. */
export const letter = (
  name = 'letter.txt',
  text = `Dear colleague,\nplease find the referral below.\nNumber ${(letters += 1)}\n`,
): Upload => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

export const pdf = (buffer: Buffer, name: string): Upload => ({ name, mimeType: 'application/pdf', buffer });

/** A PDF that nobody can open without its password. */
export function lockedPdf(): Buffer {
  const noise = 'a7'.repeat(32);
  return rawPdf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
    ],
    `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${noise}> /U <${noise}> /P -4 >> /ID [<00> <00>]`,
  );
}

/** The Send screen as a person uses it. */
export class SendPage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  get to(): Locator {
    return this.page.getByRole('combobox', { name: 'To' });
  }

  get form(): Locator {
    return this.page.getByRole('region', { name: 'New fax' });
  }

  get send(): Locator {
    return this.page.getByRole('button', { name: 'Send fax' });
  }

  get rows(): Locator {
    return this.page.getByRole('grid', { name: 'Documents' }).getByRole('row');
  }

  get sheet(): Locator {
    return this.page
      .locator('[data-current]')
      .getByRole('img', { name: /as the receiving machine will print it/ });
  }

  row(name: string): Locator {
    return this.rows.filter({ hasText: name });
  }

  async opened(): Promise<this> {
    await this.page.getByRole('heading', { level: 1, name: 'New fax' }).waitFor();
    await this.to.waitFor();
    return this;
  }

  /** Types a number and leaves the list of suggestions. */
  async number(text: string): Promise<void> {
    await this.to.fill(text);
    await this.to.press('Escape');
  }

  async add(...files: Upload[]): Promise<void> {
    await this.page.locator('#send-files').setInputFiles(files);
  }

  /**
   * The dialog for choosing files that the page opens from now on. What is pressed next may come to the page before the
   * wish to see that dialog does, unless the page has answered since.
   */
  async awaitChooser(): Promise<{ readonly opened: Promise<FileChooser> }> {
    const opened = this.page.waitForEvent('filechooser');
    // A test that fails before it waits for this one fails for its own reason.
    opened.catch(() => undefined);
    await this.page.evaluate('0');
    return { opened };
  }

  /** Waits until every page is drawn. */
  async drawn(): Promise<void> {
    await this.page.getByText(/^about/).waitFor();
  }

  /** Presses *Send fax* with the keyboard as soon as it is on: a button that is off takes no keyboard. */
  async pressSend(): Promise<void> {
    await expect.poll(() => this.send.isEnabled()).toBe(true);
    await this.send.press('Enter');
  }

  async kept(): Promise<void> {
    await this.page.getByText('Draft saved').waitFor();
  }

  /** The texts of the rows' first lines, in order. */
  titles(): Promise<string[]> {
    return this.rows.getByRole('button', { name: /^Title of/ }).allTextContents();
  }
}

/** Makes the number one that faxes reached. */
export async function markReached(gateway: TestGateway, to: string): Promise<void> {
  const { id } = await gateway.send({ to });
  await gateway.processAll();
  gateway.emulator.complete(String((await gateway.fax(id)).provider_sid));
  await gateway.request('POST', `/fax/${id}/refresh`);
}

/** The provider sends the fax and calls back to its public address. */
export async function deliver(gateway: TestGateway, id: string): Promise<Fax> {
  const fax = await gateway.fax(id);
  const sid = String(fax.provider_sid);
  gateway.emulator.complete(sid, { pages: fax.document.pages });
  const path = `/cloudone-callback?job_id=${id}&attempt_id=${fax.attempt?.id}`;
  await gateway.emulator.sendCallback(sid, {
    url: `${gateway.url}${path}`,
    signedUrl: `${PUBLIC_ADDRESS}${path}`,
  });
  return gateway.fax(id);
}
