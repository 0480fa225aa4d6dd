import { holdKey, holdKeys, releaseKeys } from './held-keys.ts';
import {
  controlsIn,
  firstPlace,
  goneOf,
  heirOf,
  isUsable,
  markedBegin,
  type Place,
  placeOf,
} from './places.ts';

/** So many places back the keyboard is remembered. */
const REMEMBERED = 8;
/** A screen that marks no beginning gets its first control after so long. */
const PATIENCE_MS = 400;
/** Fields and parts that a refusal is about. */
const FAULTS = '[aria-invalid="true"], [data-fault]';

/** Places that had the focus, the last first. `turn` is the number of the focus change. */
let places: readonly (Place & { readonly turn: number })[] = [];
let turn = 0;
/** Turn in which a part of the page was added. */
const born = new WeakMap<Node, number>();
/** A screen or step is on its way. */
let awaited: { isDrawn: boolean; isLate: boolean } | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Form that was submitted, until the person types again. */
let handedIn: Element | null = null;
let isChecking = false;

/**
 * The one rule about the keyboard: it never stands nowhere. What goes away gives it back to where it was opened from, or
 * leaves it to what takes its place; a screen or step that opens gets it where that begins, a form that is refused at the
 * first field at fault. Call it once for the page.
 */
export function keepFocus(): void {
  new MutationObserver(changed).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: [
      'disabled',
      'inert',
      'aria-invalid',
      'data-fault',
      'data-focus-begin',
      'data-focus-waits',
    ],
  });
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target !== document.body) remember(target);
  });
  document.addEventListener('focusout', checkLater);
  document.addEventListener('submit', ({ target }) => target instanceof Element && seekFault(target), true);
  document.addEventListener('input', () => (handedIn = null), true);
  window.addEventListener('pointerdown', goElsewhere, true);
  window.addEventListener('keydown', beforeKey, true);
}

/** A screen or step opens: as soon as its beginning is there, that has the keyboard, and what was typed meanwhile. */
export function awaitBegin(): void {
  awaited = { isDrawn: false, isLate: false };
  clearTimeout(timer);
  holdKeys();
}

let isLeading = false;

/** Returns true while the focus is moved by the program and not by the person. */
export const isLed = (): boolean => isLeading;

function lead(to: HTMLElement | null | undefined): void {
  isLeading = true;
  to?.focus();
  isLeading = false;
}

/** Returns true while a screen or step is loading. */
export const isBeginAwaited = (): boolean => awaited !== null;

/** Marks the awaited screen or step as drawn. */
export function beginIsDrawn(): void {
  if (!awaited) return;
  awaited.isDrawn = true;
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (awaited) awaited.isLate = true;
    check();
  }, PATIENCE_MS);
  checkLater();
}

/** Moves the focus to the beginning of content that is drawn already, such as the next step of a form. */
export function beginHere(): void {
  awaitBegin();
  beginIsDrawn();
}

/** A form was handed in: the first field of it that is refused, now or by the answer, has the keyboard. */
export function seekFault(form: Element): void {
  handedIn = form;
  checkLater();
}

/** Leaves the focus where the person moves it with the pointer. */
function goElsewhere(): void {
  handedIn = null;
  endWaiting();
}

function endWaiting(): void {
  if (!awaited) return;
  awaited = null;
  clearTimeout(timer);
  releaseKeys();
}

function remember(element: HTMLElement): void {
  turn += 1;
  const others = places.filter((place) => place.element !== element);
  places = [{ ...placeOf(element), turn }, ...others].slice(0, REMEMBERED);
}

function changed(records: readonly MutationRecord[]): void {
  for (const { addedNodes } of records) for (const node of addedNodes) born.set(node, turn);
  const [last] = places;
  if (last && document.activeElement === last.element)
    places = [{ ...placeOf(last.element), turn: last.turn }, ...places.slice(1)];
  checkLater();
}

/** After what moves the keyboard itself when it closes or opens, which it does with the next frame. */
function checkLater(): void {
  if (isChecking) return;
  isChecking = true;
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      isChecking = false;
      check();
    }),
  );
}

function check(): void {
  if (awaited) return arrive();
  if (handedIn) toFault(handedIn);
  if (isNowhere()) lead(backTo());
}

const isNowhere = () => document.activeElement === null || document.activeElement === document.body;

function arrive(): void {
  const screen = document.querySelector('main');
  if (!awaited?.isDrawn || !screen) return;
  const isWaiting = screen.querySelector('[data-focus-waits]') !== null;
  const begin = markedBegin(screen) ?? (awaited.isLate && !isWaiting ? firstPlace(screen) : null);
  if (!begin) return;
  lead(begin);
  endWaiting();
}

function toFault(form: Element): void {
  const faults = [...form.querySelectorAll(FAULTS)];
  if (faults.length === 0) return;
  handedIn = null;
  if (faults.some((fault) => fault.contains(document.activeElement))) return;
  lead(faults.flatMap(controlsIn)[0]);
}

/** Returns the element to focus when nothing has the focus; null as long as nothing had it on this page. */
function backTo(): HTMLElement | null {
  const [last, ...before] = places;
  if (!last) return null;
  const gone = goneOf(last);
  /** Went with it, or stood in it before. */
  const wasInside = ({ way }: Place) => !gone.isConnected && way.some(({ node }) => node === gone);
  const inside = before.filter(wasInside);
  const outside = before.filter((place) => !wasInside(place));
  const isOpened = (outside[0]?.turn ?? Infinity) <= (born.get(gone) ?? -1);
  const left = last.element.isConnected ? beside(last.element) : isOpened ? null : heirOf(last, inside);
  if (left) return left;
  for (const { element, ...place } of outside) {
    const found = isUsable(element) ? element : heirOf({ element, ...place }, outside);
    if (found && !isAround(found)) return found;
  }
  return heirOf(last) ?? firstPlace(document.querySelector('[role="dialog"], main') ?? document.body);
}

/** A control that rests, or what stands beside it. */
function beside(element: HTMLElement): HTMLElement | null {
  if (isUsable(element)) return element;
  return element.parentElement && (controlsIn(element.parentElement)[0] ?? null);
}

/** Nobody works in the frame around the screens. */
const isAround = (element: Element) => element.closest('main, [role="dialog"]') === null;

/** A key that comes while nothing has the keyboard is meant for what gets it. */
function beforeKey(event: KeyboardEvent): void {
  if (event.key === 'Tab') goElsewhere();
  else {
    if (!awaited && isNowhere()) lead(backTo());
    holdKey(event);
  }
}
