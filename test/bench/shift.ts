import type { Browser } from 'playwright';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { InboundGateway } from '../api/inbound-setup.ts';
import { MANAGER } from '../api/work-setup.ts';
import { DeskPerson, percentile95, type Routine, reactionsInWords } from '../browser/shift.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { enrolMara } from '../setup/owner.ts';
import { launchChromium, openWindow, type Session, signInMara } from './console-window.ts';
import type { Figure } from './figure.ts';

const FAXES = 20;
/** Ways in which each of two people finishes ten faxes: most are routine. */
const PLAN: readonly Routine[] = [
  'chip',
  'chip',
  'take first',
  'chip',
  'last note',
  'typed',
  'chip',
  'note first',
  'last note',
  'chip',
];
/** Wait from the last key of a fax to the picture of the next that nobody notices. */
const WAIT_MS = 150;
const SHIFT_MINUTES = 7;
/** Time in which a person reads a routine fax, and the time of one key, in seconds. */
const READING_S = 15;
const KEY_S = 0.3;

/** A shift: twenty faxes, two people on one list, keyboard only. */
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
  const { key } = await new MailboxPeople(gateway).addUser('Jonas Tveit', { installation: MANAGER });
  for (let n = 0; n < FAXES; n += 1) {
    gateway.clock.advance(SECOND);
    await inbound.notify(inbound.arrive({ from: `+12025550${100 + n}`, document: textPdf(2) }));
    await inbound.work();
  }
  const sessions = [await signInMara(browser, gateway.url), await signInWith(browser, gateway.url, key)];
  const pages = await Promise.all(sessions.map((session) => openWindow(browser, gateway.url, session)));
  const people = pages.map((page) => new DeskPerson(page));
  try {
    for (const [n, person] of people.entries()) {
      await person.page.goto('/admin/ui/work');
      await person.page.getByRole('grid', { name: 'Work items' }).getByRole('row').nth(FAXES).waitFor();
      await person.openAt((n * FAXES) / people.length);
    }
    const began = performance.now();
    for (const [n, routine] of PLAN.entries())
      for (const [place, person] of people.entries())
        await person.finish(routine, n === PLAN.length - 1 && place === people.length - 1);
    return figuresOf(people, (performance.now() - began) / 60_000);
  } finally {
    for (const page of pages) await page.context().close();
    await inbound.close();
  }
}

function figuresOf(people: readonly DeskPerson[], minutes: number): Figure[] {
  const settled = people.flatMap(({ reactions }) => reactions.map((it) => it.settled));
  const keys = people.reduce((sum, person) => sum + person.keys, 0);
  // One person who reads each fax and presses every key.
  const byHand = (FAXES * READING_S + keys * KEY_S) / 60 + minutes;
  return [
    {
      name: 'from the last key of a fax to the next one painted, 95th percentile',
      ratio: Number((percentile95(settled) / WAIT_MS).toFixed(2)),
      bar: 1,
      atMost: true,
      unit: `of ${WAIT_MS} ms`,
      detail: reactionsInWords(people),
    },
    {
      name: `${FAXES} faxes from arrival to done, by keyboard`,
      ratio: Number(byHand.toFixed(1)),
      bar: SHIFT_MINUTES,
      atMost: true,
      unit: 'minutes',
      detail: `${keys} keys at ${KEY_S} s, ${READING_S} s of reading a fax, ${minutes.toFixed(1)} minutes of the window`,
    },
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
