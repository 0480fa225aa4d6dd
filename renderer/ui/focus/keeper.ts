import { holdKey, holdKeys, releaseKeys } from './held-keys.ts';
import {
  controlsIn,
  firstPlace,
  isPressable,
  isUsable,
  markedBegin,
  type Place,
  placeOf,
  removedPartOf,
  replacementOf,
} from './places.ts';

/** So many places back the keyboard is remembered. */
const MAX_REMEMBERED = 8;
/** A screen that marks no beginning gets its first control after so long. */
const BEGIN_TIMEOUT_MS = 400;
/** Fields and parts that a refusal is about. */
const FAULT_SELECTOR = '[aria-invalid="true"], [data-fault]';

/** A dialog that is closing is marked, and stays in the page until its animation has ended. */
const OPEN_DIALOG = '[role="dialog"]:not([data-exiting], [data-exiting] *)';

/** Places that had the focus, the last first. `focusTurn` is the number of the focus change. */
let places: readonly (Place & { readonly focusTurn: number })[] = [];
let focusTurn = 0;
/** Turn in which a part of the page was added. */
const addedInTurn = new WeakMap<Node, number>();
/** A screen or step is on its way; `added` is what came into the page since. */
let awaitedBegin: { isDrawn: boolean; isLate: boolean; readonly added: WeakSet<Node> } | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Form that was submitted, until the person types again. */
let submittedForm: Element | null = null;
let isChecking = false;

/**
 * The one rule about the keyboard: it never stands nowhere. What goes away gives it back to where it was opened from, or
 * leaves it to what takes its place; a screen or step that opens gets it where that begins, a form that is refused at the
 * first field at fault. Call it once for the page.
 */
export function keepFocus(): void {
  const observer = new MutationObserver(recordChanges);
  observer.observe(document.body, {
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
    if (!awaitedBegin) return;
    recordChanges(observer.takeRecords());
    // A screen reader can move the focus without a key or a pointer, before the screen takes it.
    if (!isMovingFocus && target instanceof Element && isInNewScreen(target)) endWaiting();
    // A dialog may take the keyboard after all else has changed.
    else checkLater();
  });
  document.addEventListener('focusout', checkLater);
  document.addEventListener(
    'submit',
    ({ target }) => target instanceof Element && focusFaultOf(target),
    true,
  );
  document.addEventListener('input', () => (submittedForm = null), true);
  window.addEventListener('pointerdown', beforePointer, true);
  window.addEventListener('mousedown', beforeMouse, true);
  window.addEventListener('keydown', beforeKey, true);
}

/** A screen or step opens: as soon as its beginning is there, that has the keyboard, and what was typed meanwhile. */
export function awaitBegin(): void {
  awaitedBegin = { isDrawn: false, isLate: false, added: new WeakSet() };
  clearTimeout(timer);
  holdKeys();
}

let isMovingFocus = false;

/** Returns true while the focus is moved by the program and not by the person. */
export const isFocusMoving = (): boolean => isMovingFocus;

/** Returns true when the element came with the screen that is drawn, but did not take the keyboard yet. */
function isInNewScreen(element: Element): boolean {
  if (!awaitedBegin?.isDrawn || element.closest('main') === null) return false;
  for (let node: Node | null = element; node; node = node.parentNode)
    if (awaitedBegin.added.has(node)) return true;
  return false;
}

function moveFocus(to: HTMLElement | null | undefined): void {
  isMovingFocus = true;
  to?.focus();
  isMovingFocus = false;
}

/** Returns true when a control of this page has or had the focus. */
export const hadFocus = (): boolean => places.length > 0;

/** Returns true while a screen or step is loading. */
export const isBeginAwaited = (): boolean => awaitedBegin !== null;

/** Marks the awaited screen or step as drawn. */
export function beginIsDrawn(): void {
  if (!awaitedBegin) return;
  awaitedBegin.isDrawn = true;
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (awaitedBegin) awaitedBegin.isLate = true;
    check();
  }, BEGIN_TIMEOUT_MS);
  checkLater();
}

/** Moves the focus to the beginning of content that is drawn already, such as the next step of a form. */
export function beginHere(): void {
  awaitBegin();
  beginIsDrawn();
}

/** A form was handed in: the first field of it that is refused, now or by the answer, has the keyboard. */
function focusFaultOf(form: Element): void {
  submittedForm = form;
  checkLater();
}

/** Target of the last press; null before the first. */
let pressed: Node | null = null;
let isMouse = false;

const isPressedGone = () => pressed?.isConnected === false;

function beforePointer({ target, pointerType }: PointerEvent): void {
  isMouse = pointerType === 'mouse';
  // Only the next event reports the second press of a double click.
  if (isMouse && isPressedGone()) return;
  pressed = target as Node;
  cancelWaiting();
}

/** The second press of a double click belongs to the target of the first: where that is gone, it moves no focus. */
function beforeMouse(event: MouseEvent): void {
  if (!isMouse || !isPressedGone()) return;
  if (event.detail > 1) event.preventDefault();
  else cancelWaiting();
  pressed = event.target as Node;
}

/** Leaves the focus where the person moves it with the pointer. */
function cancelWaiting(): void {
  submittedForm = null;
  endWaiting();
}

function endWaiting(): void {
  if (!awaitedBegin) return;
  awaitedBegin = null;
  clearTimeout(timer);
  releaseKeys();
}

function remember(element: HTMLElement): void {
  focusTurn += 1;
  const others = places.filter((place) => place.element !== element);
  places = [{ ...placeOf(element), focusTurn }, ...others].slice(0, MAX_REMEMBERED);
}

function recordChanges(records: readonly MutationRecord[]): void {
  for (const { addedNodes } of records)
    for (const node of addedNodes) {
      addedInTurn.set(node, focusTurn);
      awaitedBegin?.added.add(node);
    }
  const [last] = places;
  if (last && document.activeElement === last.element)
    places = [{ ...placeOf(last.element), focusTurn: last.focusTurn }, ...places.slice(1)];
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
  if (awaitedBegin) return focusBegin();
  if (submittedForm) focusFault(submittedForm);
  if (isNowhere()) moveFocus(findFallback());
}

const isNowhere = () => document.activeElement === null || document.activeElement === document.body;

/** A dialog that opens with its screen, as by an address that asks for one, is the beginning. */
function focusBegin(): void {
  const dialog = [...document.querySelectorAll(OPEN_DIALOG)].at(-1);
  const screen = dialog ?? document.querySelector('main');
  if (!awaitedBegin?.isDrawn || !screen) return;
  if (dialog?.contains(document.activeElement)) return endWaiting();
  const isWaiting = screen.querySelector('[data-focus-waits]') !== null;
  const begin = markedBegin(screen) ?? (awaitedBegin.isLate && !isWaiting ? firstPlace(screen) : null);
  if (!begin) return;
  moveFocus(begin);
  endWaiting();
}

function focusFault(form: Element): void {
  const faults = [...form.querySelectorAll(FAULT_SELECTOR)];
  if (faults.length === 0) return;
  submittedForm = null;
  if (faults.some((fault) => fault.contains(document.activeElement))) return;
  moveFocus(faults.flatMap(controlsIn)[0]);
}

/** Returns the element to focus when nothing has the focus; null as long as nothing had it on this page. */
function findFallback(): HTMLElement | null {
  const [last, ...before] = places;
  if (!last) return null;
  const gone = removedPartOf(last);
  /** Went with it, or stood in it before. */
  const wasInside = ({ ancestors }: Place) =>
    !gone.isConnected && ancestors.some(({ node }) => node === gone);
  const inside = before.filter(wasInside);
  const outside = before.filter((place) => !wasInside(place));
  const isOpened = (outside[0]?.focusTurn ?? Infinity) <= (addedInTurn.get(gone) ?? -1);
  const left = last.element.isConnected
    ? findNearby(last.element)
    : isOpened
      ? null
      : replacementOf(last, inside);
  if (left) return left;
  for (const { element, ...place } of outside) {
    const found = isUsable(element) ? element : replacementOf({ element, ...place }, outside);
    if (found && !isInFrame(found)) return found;
  }
  return replacementOf(last) ?? firstPlace(document.querySelector('[role="dialog"], main') ?? document.body);
}

/** A control that rests, or what stands beside it. */
function findNearby(element: HTMLElement): HTMLElement | null {
  if (isUsable(element)) return element;
  return element.parentElement && (controlsIn(element.parentElement)[0] ?? null);
}

/** Nobody works in the frame around the screens. */
const isInFrame = (element: Element) => element.closest('main, [role="dialog"]') === null;

/** A key that comes while nothing has the keyboard is meant for what gets it, but presses nothing: nobody has seen the focus there. */
function beforeKey(event: KeyboardEvent): void {
  if (event.key === 'Tab') return cancelWaiting();
  if (!awaitedBegin && isNowhere()) {
    const to = findFallback();
    moveFocus(to);
    if ((event.key === 'Enter' || event.key === ' ') && to && isPressable(to)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
  }
  holdKey(event);
}
