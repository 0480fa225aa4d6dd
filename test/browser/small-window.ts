import type { Page } from 'playwright';

/** Lists the layout faults of the page as it is now: a sentence each, with the text concerned. */
export async function layoutFaults(page: Page): Promise<string[]> {
  return (await page.evaluate(FAULTS)) as string[];
}

/** The controls of a dialog, or of a page without a frame, that are cut off sideways or cannot be brought into view. */
export async function listUnreachableControls(page: Page, root: string): Promise<string[]> {
  return (await page.evaluate(`(${OUT_OF_REACH})(${JSON.stringify(root)})`)) as string[];
}

const OUT_OF_REACH = String.raw`(selector) => {
  const root = document.querySelector(selector);
  if (!root) return ['not there: ' + selector];
  const nameOf = (it) => (it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent).trim().slice(0, 40);
  const faults = [];
  const controls = [...root.querySelectorAll('button, input, textarea, a[href], [role=option], [role=row]')].filter((it) => it.checkVisibility() && !it.closest('[aria-hidden=true]'));
  for (const it of [...controls, ...root.querySelectorAll('h1, h2, p, dt, dd, label')]) {
    it.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    const range = document.createRange();
    range.selectNodeContents(it);
    const box = it.matches('button, input, textarea') ? it.getBoundingClientRect() : range.getBoundingClientRect();
    if (box.width < 4) continue;
    if (box.left < -1 || box.right > innerWidth + 1) faults.push('beside the window: ' + nameOf(it));
    // A hidden field is pressed by its label.
    if (!controls.includes(it) || it.matches('input') || it.matches(':disabled')) continue;
    const [x, y] = [(box.left + box.right) / 2, Math.min(box.top + 8, (box.top + box.bottom) / 2)];
    const hit = document.elementFromPoint(x, y);
    if (!hit || !(it.contains(hit) || hit.contains(it))) faults.push('out of reach: ' + nameOf(it));
  }
  const wide = [...root.querySelectorAll('*')].filter((it) => it.checkVisibility() && ['auto', 'scroll'].includes(getComputedStyle(it).overflowX) && it.scrollWidth > it.clientWidth + 1 && it.closest('table, [role=grid], pre') === null);
  for (const it of wide) faults.push('scrolls sideways: ' + (it.getAttribute('aria-label') ?? it.className));
  return [...new Set(faults)];
}`;

/** Evaluated in the page. Texts are measured as they are drawn, cut by what cuts them. */
const FAULTS = String.raw`(() => {
  const SLACK = 2;
  const faults = [];
  const clipped = (it) => it !== null && (getComputedStyle(it).clipPath !== 'none' || clipped(it.parentElement));
  const hidden = (it) => it.closest('[aria-hidden="true"], [data-live-announcer]') !== null || !it.checkVisibility() || clipped(it);
  const texts = [];
  const walker = document.createTreeWalker(document.querySelector('#console'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: of, data } = walker.currentNode;
    if (data.trim() === '' || hidden(of)) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const rect of range.getClientRects()) if (rect.width > 1) texts.push({ of, words: data.trim().slice(0, 40), rect });
  }
  for (const of of document.querySelectorAll('main :is(button, input, a[href])'))
    if (!hidden(of) && of.getBoundingClientRect().width > 4) texts.push({ of, words: of.getAttribute('aria-label') ?? of.textContent.trim().slice(0, 40), rect: of.getBoundingClientRect(), isControl: true });
  for (const { of, words, rect } of texts) {
    let at = of;
    let isMoved = false;
    for (; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (['auto', 'scroll'].includes(style.overflowX) && at.scrollWidth > at.clientWidth) { isMoved = true; break; }
      const box = at.getBoundingClientRect();
      if (!['hidden', 'clip'].includes(style.overflowX) || (rect.right <= box.right + SLACK && rect.left >= box.left - SLACK)) continue;
      const isTold = style.textOverflow === 'ellipsis' && (at.closest('[title]') ?? at.querySelector('[title]') ?? at.closest('[aria-label]'));
      if (!isTold) faults.push('cut off: ' + words);
      isMoved = true;
      break;
    }
    if (!isMoved && (rect.right > innerWidth + SLACK || rect.left < -SLACK)) faults.push('beside the window: ' + words);
  }
  const shown = texts.filter(({ isControl }) => !isControl).map(({ of, words, rect }) => {
    let { left, right, top, bottom } = rect;
    for (let at = of; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflowY === 'visible') continue;
      const box = at.getBoundingClientRect();
      [left, right, top, bottom] = [Math.max(left, box.left), Math.min(right, box.right), Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return { of, words, left, right, top, bottom };
  }).filter(({ left, right, top, bottom }) => right - left > SLACK && bottom - top > SLACK);
  shown.forEach((one, index) => {
    for (const other of shown.slice(index + 1)) {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (across > SLACK && down > 4 && one.of !== other.of && !one.of.closest('[data-over]')) faults.push('over each other: ' + one.words + ' | ' + other.words);
    }
  });
  for (const it of document.querySelectorAll('#console *')) {
    const style = getComputedStyle(it);
    if (style.overflowY !== 'visible' && it.scrollHeight > it.clientHeight + SLACK && it.clientHeight < 90 && it.clientHeight > 1 && it.scrollHeight > 90 && !hidden(it)) faults.push('no room: ' + (it.getAttribute('aria-label') ?? it.className) + ' ' + it.clientHeight);
  }
  // A person moves a table sideways in a narrow window only.
  if (innerWidth >= 1024)
    for (const it of document.querySelectorAll('main table')) {
      let at = it;
      while (at.localName !== 'main' && getComputedStyle(at).overflowX === 'visible') at = at.parentElement;
      if (!hidden(it) && Math.max(at.scrollWidth, it.scrollWidth) > at.clientWidth + SLACK) faults.push('table too wide: ' + it.querySelector('tr').textContent.slice(0, 40) + ' ' + at.scrollWidth + ' in ' + at.clientWidth);
    }
  const scroller = document.scrollingElement;
  const isWhole = innerWidth >= 720 && innerHeight >= 480;
  if (isWhole && scroller.scrollHeight > innerHeight) faults.push('the page scrolls by ' + (scroller.scrollHeight - innerHeight));
  scroller.scrollTop = scroller.scrollHeight;
  const isThere = [...document.querySelectorAll('main *')].some((it) => {
    const box = it.getBoundingClientRect();
    return !hidden(it) && it.childElementCount === 0 && box.width > 4 && box.bottom > 4 && box.top < innerHeight - 4;
  });
  if (!isThere) faults.push('blank at the end');
  scroller.scrollTop = 0;
  return [...new Set(faults)];
})()`;
