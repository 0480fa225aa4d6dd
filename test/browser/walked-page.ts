import type { Page } from 'playwright';

/** View of a person, and place of the keyboard, at the moment of a key. */
export interface View {
  readonly path: string;
  /** Digits of the sender of the open fax; null when none is open. */
  readonly open: string | null;
  /** Senders of the faxes that keys may act on, as digits. */
  readonly subjects: readonly string[];
  readonly writes: boolean;
  readonly isCovered: boolean;
  /** True where Enter and Space leave the screen: the rail and the bar. */
  readonly isFrame: boolean;
  /** Text of the button or box at the keyboard; empty when it is none. */
  readonly button: string;
  /** Line that offers to undo the last change; empty when there is none. */
  readonly undo: string;
  /** The fax that is put together; null on every other screen. */
  readonly draft: {
    readonly to: string;
    readonly files: readonly string[];
    /** As shown above the preview, with a cover page; null while they are not counted. */
    readonly pages: number | null;
    /** Digits of the sender of the received fax that it answers; empty for none. */
    readonly answers: string;
  } | null;
}

/** A key that the page received, with what was in view then. */
export interface PressedKey {
  /** As Playwright names it. */
  readonly key: string;
  readonly view: View;
  /** True when the page requested a change after it had settled, for an earlier key. */
  readonly isAfterLate: boolean;
}

interface Settled {
  readonly pressed: readonly PressedKey[];
  /** View after all of them. */
  readonly view: View;
  /** True when the page requested a change. */
  readonly hasChanged: boolean;
  /** The requests for changes that began since the last look, each with the count of keys before it. */
  readonly requests: readonly string[];
}

/**
 * Run in the page before its own scripts: counts requests that change something, and notes at each key what is in view,
 * before the console receives the key.
 */
const WATCH = `(() => {
  if (origin === 'null' || window.walked) return;
  const digits = (text) => (/\\+1 \\d{3} \\d{3} \\d{4}/u.exec(text ?? '')?.[0] ?? '').replace(/\\D/gu, '');
  // Rows that were chosen, also those that are scrolled out of the page since.
  const kept = new Set();
  const look = () => {
    // While another screen loads, the one before is still drawn.
    const isOfPath = /\\/(?:inbox|work|sent)\\/[0-9a-f-]{36}$/u.test(location.pathname);
    const open = isOfPath ? document.querySelector('section[aria-label="Fax"] h2') : null;
    const rows = [...document.querySelectorAll('[role=grid] [role=row]')];
    const chosen = rows.filter((row) => row.querySelector('input:checked'));
    const isChoosing = chosen.length > 0 || [...document.querySelectorAll('h2, h3')].some((it) => /^\\d+ fax(?:es)? selected$/u.test(it.textContent));
    if (!isChoosing) kept.clear();
    for (const row of rows) kept[chosen.includes(row) ? 'add' : 'delete'](digits(row.textContent));
    const active = rows.filter((row) => row.matches('[data-active]'));
    const recipient = /\\/send\\/?$/u.test(location.pathname) && document.querySelector('main input[role=combobox]');
    // The fields are shown once the stored draft is loaded.
    const isDraft = recipient !== null && recipient !== false;
    const counted = [...document.querySelectorAll('main b')].map((it) => /^(\\d+) pages?$/u.exec(it.textContent)?.[1]).find(Boolean);
    const subjects = open ? [digits(open.textContent)] : kept.size > 0 ? [...kept] : active.map((it) => digits(it.textContent));
    const { activeElement: at } = document;
    const control = at?.closest('button, a, [role=checkbox], input');
    const undo = [...document.querySelectorAll('main button')].find((it) => /^Undo/u.test(it.textContent));
    return {
      path: location.pathname,
      open: open ? digits(open.textContent) : null,
      subjects: isDraft ? [] : subjects,
      writes: at?.matches('input:not([type=checkbox], [type=radio]), textarea') ?? false,
      isCovered: document.querySelector('[role=dialog], [role=menu], [role=listbox]') !== null,
      isFrame: at !== null && at !== document.body && at.closest('main') === null,
      button: control ? control.textContent || control.getAttribute('aria-label') || 'unnamed' : '',
      undo: undo?.parentElement.textContent ?? '',
      draft: isDraft
        ? {
            to: recipient.value.replace(/\\D/gu, ''),
            files: rows.filter((row) => row.closest('[aria-label="Documents"]')).map((row) => row.dataset.key ?? ''),
            pages: counted === undefined ? null : Number(counted),
            answers: digits([...document.querySelectorAll('main p')].find((it) => /^Answers the fax/u.test(it.textContent))?.textContent),
          }
        : null,
    };
  };
  const walked = { pressed: [], requests: [], begun: 0, open: 0, seen: 0, isSettled: true, look };
  const begin = (method, address) => {
    walked.begun += 1;
    walked.open += 1;
    walked.requests.push(method + ' ' + address + ' after ' + walked.pressed.length + ' keys');
  };
  window.walked = walked;
  addEventListener(
    'keydown',
    (event) => {
      if (['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) return;
      const named = event.key === ' ' ? 'Space' : event.key;
      const letter = /^[A-Z]$/u.test(named);
      const key = (event.ctrlKey ? 'Control+' : '') + (event.altKey ? 'Alt+' : '') + (event.shiftKey && (letter || named.length > 1) ? 'Shift+' : '') + named;
      walked.pressed.push({ key, view: look(), isAfterLate: walked.begun > walked.seen && walked.isSettled });
      walked.isSettled = false;
    },
    true,
  );
  const changes = (method, address) =>
    !/^(?:GET|HEAD)$/iu.test(method) && !/\\/(?:presence|auth\\/|fax\\/preview|console\\/)/u.test(String(address));
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const [method, address] = [init?.method ?? 'GET', input?.url ?? input];
    if (!changes(method, address)) return fetch(input, init);
    begin(method, address);
    try {
      return await fetch(input, init);
    } finally {
      walked.open -= 1;
    }
  };
  const { open, send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (method, address, ...others) {
    this.change = changes(method, address) ? [method, address] : null;
    return open.call(this, method, address, ...others);
  };
  XMLHttpRequest.prototype.send = function (body) {
    if (this.change) {
      begin(...this.change);
      this.addEventListener('loadend', () => { walked.open -= 1; });
    }
    return send.call(this, body);
  };
})()`;

/** In the page: resolves once everything that the keys began has ended and is drawn. */
const SETTLE = `(async () => {
  const { walked } = window;
  const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await drawn();
  const before = walked.seen;
  // A form that is handed over rests from the key on: its document and draft are stored before its request leaves.
  // While a document is moved by keyboard, everything beside its places rests as well, for as long as the person likes.
  const isMoved = () => document.querySelector('main [data-dragging]') !== null;
  const isHandedOver = () => !isMoved() && document.querySelector('main [inert]') !== null;
  // One change may follow another.
  while (isHandedOver() || walked.open > 0 || walked.begun > walked.seen) {
    walked.seen = walked.begun;
    while (isHandedOver() || walked.open > 0) await drawn();
    for (let frame = 0; frame < 4; frame += 1) await drawn();
  }
  walked.isSettled = true;
  return { pressed: walked.pressed.splice(0), requests: walked.requests.splice(0), view: walked.look(), hasChanged: walked.begun > before };
})()`;

/** Watches every page that is opened in this window from now on, until the returned function is called. */
export async function watchPage(page: Page): Promise<() => Promise<void>> {
  const script = await page.addInitScript(WATCH);
  return () => script.dispose();
}

/** Waits until nothing is on its way. */
export const settle = async (page: Page) => (await page.evaluate(SETTLE)) as Settled;
