import { isPressable, takesText } from './places.ts';

/** Nobody types further ahead than this, from the last screen or dialog on that began to load. */
const MAX_HELD_MS = 3_000;

/** A key press of which a shortcut may be made. */
type HeldKey = Pick<KeyboardEvent, 'key' | 'shiftKey'>;

let heldKeys: readonly HeldKey[] = [];
let isHolding = false;
let since = 0;
/** Dialogs that load: what is typed meanwhile is for the last one, whatever the screen below does. */
let loadingDialogs = 0;

/** Holds typed keys until `releaseKeys`, or until a screen takes the keyboard. */
export function holdKeys(): void {
  since = performance.now();
  isHolding = true;
}

/** Holds typed keys for a dialog that loads. Returns the function that hands them over once it has the keyboard. */
export function holdKeysForDialog(): () => void {
  holdKeys();
  loadingDialogs += 1;
  return () => {
    loadingDialogs -= 1;
    releaseKeys();
  };
}

/** Hands over what was typed meanwhile, unless a dialog loads: text to the field that has the keyboard, shortcuts to who listens. */
export function releaseKeys(): void {
  if (loadingDialogs === 0) handOver();
}

function handOver(): void {
  isHolding = false;
  for (;;) {
    const [next, ...rest] = heldKeys;
    heldKeys = rest;
    if (next === undefined) return;
    if (next.key === 'Enter') {
      // The form processes the entered keys a moment later; the keys after them wait.
      isHolding = true;
      setTimeout(() => {
        pressEnter();
        handOver();
      });
      return;
    }
    replayKey(next);
  }
}

function replayKey(pressed: HeldKey): void {
  const target = document.activeElement ?? document.body;
  if (takesText(target)) enter(pressed.key);
  else press(target, pressed);
}

const press = (target: Element, { key, shiftKey }: HeldKey) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));

/**
 * A key press that is made here does not do by itself what the browser does after one. A field hands its form in; a button
 * that nobody has seen yet is not pressed.
 */
function pressEnter(): void {
  const target = document.activeElement ?? document.body;
  if (press(target, { key: 'Enter', shiftKey: false }) && target instanceof HTMLInputElement)
    target.form?.requestSubmit();
}

/**
 * Enters a key as the keyboard does: the field receives its events, and it can be undone, which no other call offers.
 */
function enter(key: string): void {
  const isDeleted = key === 'Backspace';
  const change = isDeleted ? { inputType: 'deleteContentBackward' } : { inputType: 'insertText', data: key };
  // The command below fires the other events of the field.
  const before = new InputEvent('beforeinput', { ...change, bubbles: true, cancelable: true });
  if (document.activeElement?.dispatchEvent(before) !== true) return;
  if (isDeleted) document.execCommand('delete');
  else document.execCommand('insertText', false, key);
}

/** Keeps a key press while keys are held. */
export function holdKey(event: KeyboardEvent): void {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (!isHolding || ctrlKey || metaKey || altKey || event.isComposing) return;
  if (performance.now() - since > MAX_HELD_MS) return handOver();
  if (key.length > 1 && key !== 'Backspace' && !(key === 'Enter' && heldKeys.length > 0)) return;
  if (key === ' ' && heldKeys.length === 0 && isDialogControl(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  heldKeys = [...heldKeys, { key, shiftKey }];
}

/** Returns true for a control in a dialog that is drawn: Space is meant for it, as Enter is. */
function isDialogControl(target: EventTarget | null): boolean {
  return target instanceof Element && isPressable(target) && target.closest('[role="dialog"]') !== null;
}
