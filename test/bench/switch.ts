import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { buildGatewayIfStale } from '../../scripts/build-gateway.ts';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { hashCard } from '../../server/features/access/sign-in/card-hashes.ts';
import { argon2Hasher } from '../../server/features/access/sign-in/passwords.ts';
import { isoTime } from '../../server/platform/clock.ts';
import { newId } from '../../server/platform/ids.ts';
import { holdCard } from '../setup/card-reader.ts';
import { enrolMara, MARA } from '../setup/owner.ts';
import { launchChromium, openWindow, type Session, signInMara } from './console-window.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import { kill, SERVED_KEY, serve } from './served.ts';

const PEOPLE = 500;
const ROUNDS = 7;
const SWITCH_MS = 2_000;
const PIN = '730514';

/** Someone else at the shared computer. */
interface Colleague {
  readonly name: string;
  readonly card: string;
}

/**
 * A computer that 500 people share: from the last key of the PIN, or the Enter of the card reader, until the other person's
 * Send screen takes keys, against a load of the console by a person who is signed in.
 */
export async function run(): Promise<Figure[]> {
  await Promise.all([buildConsoleIfStale(), buildGatewayIfStale()]);
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const browser = await launchChromium();
  let served = await serve(dataFolder);
  try {
    await enrolMara(served.url, SERVED_KEY);
    await allowCards(served.url);
    const session = await signInMara(browser, served.url);
    await kill(served);
    const people = await addColleagues(dataFolder);
    served = await serve(dataFolder);
    return await figuresOf(browser, { url: served.url, session, people });
  } finally {
    await browser.close();
    await kill(served);
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function figuresOf(
  browser: Browser,
  { url, session, people }: { url: string; session: Session; people: readonly Colleague[] },
): Promise<Figure[]> {
  const page = await openWindow(browser, url, session);
  await page.goto('/admin/ui/send');
  await isUsable(page);
  let turn = 0;
  // Evenly from the list: those who come first in it are no different.
  const next = () => people[(turn++ * 71) % people.length] as Colleague;
  const [pin = [], card = [], load = []] = await measureInTurns(ROUNDS, [
    () => switchByPin(page, next()),
    () => switchByCard(page, next()),
    () => loadConsole(page),
  ]);
  await page.context().close();
  return [...figures('another person by PIN', pin, load), ...figures('another person by card', card, load)];
}

function figures(name: string, times: readonly number[], load: readonly number[]): Figure[] {
  const detail = `of ${times.length} among ${PEOPLE} people: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`;
  return [
    {
      name,
      ratio: Number((median(times) / SWITCH_MS).toFixed(2)),
      bar: 1,
      atMost: true,
      unit: 'of two seconds',
      detail,
    },
    {
      name: `${name}, against a load of the console`,
      ratio: ratioOf(times, load),
      bar: 0,
      unit: 'of it',
      detail: `${median(times).toFixed(0)} ms, a load ${median(load).toFixed(0)} ms`,
    },
  ];
}

async function switchByPin(page: Page, person: Colleague): Promise<number> {
  await switchPerson(page);
  await page.getByRole('button', { name: person.name, exact: true }).click();
  const field = page.getByLabel('PIN', { exact: true });
  await field.fill(PIN);
  return await timeUntilUsable(page, person, () => field.press('Enter'));
}

async function switchByCard(page: Page, person: Colleague): Promise<number> {
  await switchPerson(page);
  await page.getByText('Or hold your card to the reader.').waitFor();
  return await timeUntilUsable(page, person, () => holdCard(page, person.card));
}

async function switchPerson(page: Page): Promise<void> {
  await page.getByRole('button', { name: /: account$/u }).click();
  await page.getByRole('menuitem', { name: 'Switch person' }).click();
  await page.getByRole('heading', { level: 1, name: 'Who are you?' }).waitFor();
}

async function loadConsole(page: Page): Promise<number> {
  const began = performance.now();
  await page.reload();
  await isUsable(page);
  return performance.now() - began;
}

const isUsable = (page: Page) => page.getByRole('combobox', { name: 'To' }).waitFor();

/**
 * In the page, since asking from outside takes its own time: from the Enter key to the frame in which the person's name is shown
 * and the field for the number has the keyboard or takes it.
 */
async function timeUntilUsable(page: Page, { name }: Colleague, act: () => Promise<void>): Promise<number> {
  await page.evaluate(`void (window.usable = new Promise((resolve) => {
    const watch = (event) => {
      if (event.key !== 'Enter') return;
      removeEventListener('keydown', watch, true);
      // By the clock of the page: a card reader of the bench gives its keys times of their own.
      const began = performance.now();
      const look = () => {
        const account = document.querySelector('button[aria-label$=${JSON.stringify(`${name}: account`)}]');
        const number = document.querySelector('input[role=combobox]');
        if (!account || !number || number.disabled) return void requestAnimationFrame(look);
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)));
      };
      look();
    };
    addEventListener('keydown', watch, true);
  }))`);
  await act();
  return (await page.evaluate('window.usable')) as number;
}

async function allowCards(url: string): Promise<void> {
  const answer = await fetch(`${url}/admin/settings`, {
    method: 'PUT',
    headers: { 'X-API-Key': SERVED_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ changes: { QUICK_SIGN_IN: 'pin_or_card' } }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}

/** Adds people with PIN and card who signed in with their password in the browser in which Mara did. */
async function addColleagues(dataFolder: string): Promise<Colleague[]> {
  const db = openDatabase({ postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') });
  try {
    const people: Colleague[] = [];
    const pinHash = await argon2Hasher.hash(PIN);
    let cards: string[] = [];
    for (let n = 0; n < PEOPLE; n += 1) {
      const person = {
        name: `Colleague ${String(n).padStart(3, '0')}`,
        card: String(7_316_000 + n * 13).padStart(10, '0'),
      };
      const cardHash = await hashCard(argon2Hasher, person.card, cards);
      cards = [cardHash];
      people.push(person);
      await addColleague(db, person, { pinHash, cardHash });
    }
    return people;
  } finally {
    await db.close();
  }
}

async function addColleague(
  db: Database,
  { name }: Colleague,
  { pinHash, cardHash }: { pinHash: string; cardHash: string },
): Promise<void> {
  const id = newId();
  const at = isoTime(Date.now());
  const login = name.toLowerCase().replace(' ', '');
  await db.transaction(async (tx) => {
    const mara = await tx
      .selectFrom('principal')
      .selectAll()
      .where('login', '=', MARA.login)
      .executeTakeFirstOrThrow();
    const browser = await tx
      .selectFrom('known_browser')
      .selectAll()
      .where('principal_id', '=', mara.id)
      .orderBy('last_used_at', 'desc')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('principal')
      .values({ ...mara, id, login, display_name: name, search_text: name.toLowerCase() })
      .execute();
    const roles = await tx.selectFrom('assignment').selectAll().where('subject_id', '=', mara.id).execute();
    for (const role of roles)
      await tx
        .insertInto('assignment')
        .values({ ...role, id: newId(), subject_id: id, created_at: at })
        .execute();
    await tx
      .insertInto('known_browser')
      .values({ ...browser, id: newId(), principal_id: id })
      .execute();
    await tx
      .insertInto('quick_sign_in')
      .values({ principal_id: id, pin_hash: pinHash, card_hash: cardHash })
      .execute();
  });
}
