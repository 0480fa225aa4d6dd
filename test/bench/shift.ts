import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { InboundGateway } from '../api/inbound-setup.ts';
import { MANAGER } from '../api/work-setup.ts';
import { DeskPerson, differencesFrom, reactionsOf, SHIFT_FAXES, workShift } from '../browser/shift.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { enrolMara } from '../setup/owner.ts';
import { launchChromium, openWindow, type Session, signInMara } from './console-window.ts';
import type { Figure } from './figure.ts';

/** Waits of which 95 of 100 are shorter on a quiet machine: until the next sender and until the first page, in ms. */
const FIRST_MS = 100;
const SETTLED_MS = 200;
const SHIFT_MINUTES = 7;
/** Time in which a person reads a routine fax, and the time of one key, in seconds. */
const READING_S = 15;
const KEY_S = 0.3;
/** Time that the window is left alone with each fax, so that it draws ahead as it does while a person reads. */
const READING_MS = 3_000;

/**
 * A shift: twenty faxes, two people on one list, keyboard only, checked against the gateway at the end. A film of it, one
 * picture for each act, which makes it slower: `FILM=/tmp/film npm run bench -- shift`.
 */
export async function run(): Promise<Figure[]> {
  await buildConsoleIfStale();
  const browser = await launchChromium();
  try {
    return await shift(browser);
  } finally {
    await browser.close();
  }
}

async function shift(browser: Browser): Promise<Figure[]> {
  const inbound = await InboundGateway.start();
  const { gateway } = inbound;
  await enrolMara(gateway.url, INSTALLATION_KEY);
  const { key } = await new MailboxPeople(gateway).addUser('Jonas Tveit', {
    installation: [...MANAGER, 'work:read'].filter((it, at, all) => all.indexOf(it) === at),
  });
  for (let n = 0; n < SHIFT_FAXES; n += 1) {
    gateway.clock.advance(SECOND);
    await inbound.notify(inbound.arrive({ from: `+12025550${100 + n}`, document: textPdf(2) }));
    await inbound.work();
  }
  const sessions = [await signInMara(browser, gateway.url), await signInWith(browser, gateway.url, key)];
  const pages = await Promise.all(sessions.map((session) => openWindow(browser, gateway.url, session)));
  const names = ['Mara Okafor', 'Jonas Tveit'];
  const people = pages.map((page, n) => new DeskPerson(page, names[n]));
  const film = process.env['FILM'];
  for (const person of people) person.onRead = () => pause(READING_MS);
  if (film !== undefined) await startFilm(film, people);
  try {
    for (const { page } of people) {
      await page.goto('/admin/ui/work');
      await page.getByRole('grid').getByRole('row').nth(SHIFT_FAXES).waitFor();
    }
    const began = performance.now();
    await workShift(people);
    const left = people.reduce((sum, { reactions }) => sum + reactions.length + 1, 0) * READING_MS;
    const minutes = (performance.now() - began - left) / 60_000;
    const read = async <T>(path: string) => (await (await gateway.request('GET', path)).json()) as T;
    return figuresOf(people, minutes, await differencesFrom(people, read));
  } finally {
    for (const page of pages) await page.context().close();
    await inbound.close();
  }
}

/** Has each act photographed into the folder, numbered in the order of all acts. */
async function startFilm(folder: string, people: readonly DeskPerson[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  let taken = 0;
  for (const person of people)
    person.onAct = async (act) => {
      taken += 1;
      const name = `${String(taken).padStart(3, '0')} ${person.name} ${act}.png`;
      await person.page.screenshot({ path: join(folder, name.replaceAll(/[^\w.]+/gu, '-')) });
    };
}

function figuresOf(people: readonly DeskPerson[], minutes: number, differences: readonly string[]): Figure[] {
  const keys = people.reduce((sum, person) => sum + person.keys, 0);
  // One person who reads each fax and presses every key.
  const byHand = (SHIFT_FAXES * READING_S + keys * KEY_S) / 60 + minutes;
  for (const difference of differences) console.error(difference);
  const figure = (name: string, ratio: number, bar: number, unit: string, detail: string): Figure => ({
    name,
    ratio,
    bar,
    atMost: true,
    unit,
    detail,
  });
  const reaction = (until: 'first' | 'settled', what: string, goal: number) => {
    const of = reactionsOf(people, until);
    const detail = `95th percentile; 50th: ${of[50].toFixed(0)} ms`;
    return figure(`from the last key of a fax to the next ${what}`, Math.round(of[95]), goal, 'ms', detail);
  };
  return [
    reaction('first', 'sender', FIRST_MS),
    reaction('settled', 'first page', SETTLED_MS),
    figure(
      `${SHIFT_FAXES} faxes from arrival to done, by keyboard`,
      Number(byHand.toFixed(1)),
      SHIFT_MINUTES,
      'minutes',
      `${keys} keys at ${KEY_S} s, ${READING_S} s of reading a fax, ${minutes.toFixed(1)} minutes of the window`,
    ),
    figure('faxes that are not what the people made of them', differences.length, 0, 'faxes', ''),
  ];
}

async function signInWith(browser: Browser, url: string, key: string): Promise<Session> {
  const context = await browser.newContext({ baseURL: url });
  const answer = await context.request.post('/auth/key-login', {
    data: { api_key: key },
    headers: { Origin: url },
  });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
  const session = await context.storageState();
  await context.close();
  return session;
}
