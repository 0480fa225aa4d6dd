import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright';
import { t } from '../../renderer/texts/work.ts';
import type { Random } from '../fuzz/random.ts';
import { mailboxOf } from './mailboxes.ts';
import type { Person } from './office.ts';
import type { ShiftWindow } from './shift-window.ts';

const ANSWER_MS = 15_000;
const POLL_MS = 200;
const TABS = ['todo', 'mine', 'unassigned', 'all', 'done'] as const;
const VIEW_KEYS: Readonly<Record<(typeof TABS)[number], string>> = {
  todo: '1',
  mine: '2',
  unassigned: '3',
  all: '5',
  done: '6',
};

interface WorkItem {
  readonly id: string;
  readonly state: string;
  readonly mailbox: string | null;
  readonly owner: { readonly name: string } | null;
}

/** Figures of what people did. */
interface Deeds {
  finished: number;
  taken: number;
  read: number;
  sent: number;
  /** Items at which somebody else was faster. */
  overtaken: number;
}

/** Person at a window, who does one thing after another by keyboard and mouse. */
export class Worker {
  readonly window: ShiftWindow;
  readonly deeds: Deeds = { finished: 0, taken: 0, read: 0, sent: 0, overtaken: 0 };
  readonly #random: Random;
  #letters = 0;

  constructor(window: ShiftWindow, random: Random) {
    this.window = window;
    this.#random = random;
  }

  get #page() {
    return this.window.page;
  }

  /** Does one thing of the day. */
  async act(): Promise<void> {
    const { person } = this.window;
    if (!person) return;
    const dice = this.#random.int(100);
    if (dice < 45) await this.#finish(person);
    else if (dice < 58) await this.#take(person);
    else if (dice < 72) await this.#read();
    else if (dice < 82) await this.#lookAtTabs();
    else if (dice < 90) await this.#show(t.shell.sent);
    else if (dice < 95) await this.#send(person);
    else await this.#show(t.shell.inbox);
  }

  /** A key that changes nothing, so that the window is not locked as one that nobody uses. */
  async touch(): Promise<void> {
    await this.#page.keyboard.press('Shift');
  }

  async #show(screen: string): Promise<void> {
    await this.#page
      .getByRole('navigation', { name: t.shell.screens })
      .getByRole('link', { name: new RegExp(`^${screen}`, 'u') })
      .click();
    this.window.changed();
  }

  /** Opens one of the items at the top of the list; null when there is none. */
  async #openItem(): Promise<string | null> {
    await this.#show(t.shell.work);
    const page = this.#page;
    const rows = page.getByRole('grid', { name: t.work.list }).getByRole('row');
    await pause(500);
    const count = (await rows.count()) - 1;
    if (count <= 0) return null;
    const index = this.#random.int(Math.min(count, 8));
    if (this.#random.chance(50)) {
      for (let n = 0; n <= index; n += 1) await page.keyboard.press('j');
      await page.keyboard.press('Enter');
    } else if (!(await clicked(rows.nth(index + 1)))) return null;
    // The list may have become empty, because somebody else was faster.
    const isOpen = page.waitForURL(/\/work\/[^?]+/u, { timeout: OPEN_MS }).then(
      () => true,
      () => false,
    );
    if (!(await isOpen)) return null;
    this.window.changed();
    await page.locator(PICTURE).waitFor();
    return new URL(page.url()).pathname.split('/').at(-1) ?? null;
  }

  async #finish(person: Person): Promise<void> {
    const id = await this.#openItem();
    if (id === null) return;
    const { state, mailbox } = await person.ask<WorkItem>(`/work/${id}`);
    if (state === 'done') return this.#overtaken();
    const { keyboard } = this.#page;
    await keyboard.press('d');
    // Notes that were used before are offered, to those who see their mailbox.
    await keyboard.type(`${mailbox} note ${this.#random.int(6)}`);
    const isRefused = this.#watchRefusal(id);
    await keyboard.press('Enter');
    this.window.changed();
    if (await this.#becomes(person, id, (item) => item.state === 'done' || isRefused()))
      this.deeds[isRefused() ? 'overtaken' : 'finished'] += 1;
    await this.#close();
  }

  async #take(person: Person): Promise<void> {
    const id = await this.#openItem();
    if (id === null) return;
    const { owner, state } = await person.ask<WorkItem>(`/work/${id}`);
    if (owner !== null || state === 'done') return this.#overtaken();
    const isRefused = this.#watchRefusal(id);
    await this.#page.keyboard.press('o');
    this.window.changed();
    const isTaken = (item: WorkItem) => item.owner !== null || item.state === 'done' || isRefused();
    if (await this.#becomes(person, id, isTaken)) this.deeds[isRefused() ? 'overtaken' : 'taken'] += 1;
    await this.#close();
  }

  /** Returns a function that is true once a change of the item was refused, because another person changed it meanwhile. */
  #watchRefusal(id: string): () => boolean {
    let isRefused = false;
    void this.#page
      .waitForResponse((response) => response.url().includes(`/work/${id}/`) && response.status() === 409, {
        timeout: ANSWER_MS,
      })
      .then(
        () => (isRefused = true),
        () => undefined,
      );
    return () => isRefused;
  }

  async #overtaken(): Promise<void> {
    this.deeds.overtaken += 1;
    await this.#close();
  }

  /** Waits until the gateway has what was done. What is done while the network goes away is done when it is back. */
  async #becomes(person: Person, id: string, isDone: (item: WorkItem) => boolean): Promise<boolean> {
    const end = performance.now() + ANSWER_MS;
    while (performance.now() < end && this.window.isConnected) {
      if (isDone(await person.ask<WorkItem>(`/work/${id}`))) return true;
      await pause(POLL_MS);
    }
    if (!this.window.isConnected) return false;
    throw new Error(`the gateway did not get what ${person.name} did to ${id}`);
  }

  async #close(): Promise<void> {
    await this.#page.keyboard.press('Escape');
    await this.#page.keyboard.press('Escape');
    this.window.changed();
  }

  async #read(): Promise<void> {
    await this.#show(t.shell.inbox);
    const page = this.#page;
    const rows = page.getByRole('grid', { name: t.inbox.list }).getByRole('row');
    await pause(500);
    const count = await rows.count();
    if (count === 0) return;
    if (!(await clicked(rows.nth(this.#random.int(Math.min(count, 8)))))) return;
    await page.waitForURL(/\/inbox\/.+/u);
    this.window.changed();
    await page.locator('[data-current] [data-drawn]').first().waitFor();
    this.deeds.read += 1;
    await this.#close();
  }

  async #lookAtTabs(): Promise<void> {
    await this.#show(t.shell.work);
    await this.#page.keyboard.press(VIEW_KEYS[this.#random.pick(TABS)]);
    this.window.changed();
    await pause(4_000);
    await this.#page.keyboard.press(VIEW_KEYS.todo);
    this.window.changed();
  }

  async #send(person: Person): Promise<void> {
    await this.#show(t.shell.send);
    const page = this.#page;
    const to = page.getByRole('combobox', { name: t.send.to });
    this.#letters += 1;
    await to.fill(`+1${person.area}556${String(1_000 + this.#random.int(9_000))}`);
    await to.press('Escape');
    const text = `Letter ${this.#letters} of ${person.name}, ${this.#random.int(1_000_000)}\n`;
    await page.evaluate(chooseFile(text));
    const choice = page.getByRole('button', { name: new RegExp(t.send.chooseMailbox, 'u') });
    await page.getByText(/^about/u).waitFor();
    if ((await choice.count()) > 0) {
      await choice.click();
      const label = person.reads[0] ?? 'Quillon';
      await page.getByRole('option', { name: mailboxOf(label).label }).click();
    }
    const button = page.getByRole('button', { name: t.send.send });
    await button.click();
    await page.waitForURL(/\/send\/.+/u);
    this.deeds.sent += 1;
    this.window.changed();
    // The next fax begins with an empty form.
    await page.keyboard.press('n');
    await this.#show(t.shell.work);
  }
}

/**
 * In the page: chooses a file, as its dialog does. `setInputFiles` keeps the field, and with it the whole form, in memory for
 * as long as the page lives.
 */
const chooseFile = (text: string) => `{
  const chosen = new DataTransfer();
  chosen.items.add(new File([${JSON.stringify(text)}], 'letter.txt', { type: 'text/plain' }));
  const field = document.querySelector('#send-files');
  field.files = chosen.files;
  field.dispatchEvent(new Event('change', { bubbles: true }));
}`;

/** Clicks a row; false when it went away before, because somebody else was faster. */
async function clicked(row: Locator): Promise<boolean> {
  try {
    await row.click({ position: { x: 200, y: 10 }, timeout: CLICK_MS });
    return true;
  } catch {
    return false;
  }
}

const CLICK_MS = 3_000;
const OPEN_MS = 8_000;
const PICTURE = `section[aria-label="${t.work.viewer.label}"] canvas[data-drawn]`;
