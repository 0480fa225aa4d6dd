import { type RefObject, useId, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { IconName } from './icon.tsx';
import { hasSingleKeys, isSingleKey } from './single-keys.ts';

/** Action on the present screen: run by its shortcut or from the palette, and listed under `?`. */
export interface Action {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  /** `j`, `mod+enter`, `shift+r`; `mod` is Ctrl, on a Mac ⌘. */
  readonly keys?: string;
  /** Other shortcuts of the same action. */
  readonly alsoKeys?: readonly string[];
  /** Runs again and again while its key is held. */
  readonly isRepeated?: boolean;
  /** An element of a dialog that has the action: it works while that dialog is open, and not below another one. */
  readonly within?: RefObject<HTMLElement | null>;
  /** Works below an open overlay too, such as the help. */
  readonly isEverywhere?: boolean;
  readonly isDisabled?: boolean;
  /** Receives the shortcut that was pressed, if one was. */
  readonly run: (shortcut?: string) => void;
}

interface ActionGroup {
  /** Group of the actions: "Sent", "This fax". */
  readonly title: string;
  /** True for the frame around every screen: a screen's own action takes precedence over one with the same shortcut. */
  readonly isFrame: boolean;
  readonly actions: readonly Action[];
}

const groups = new Map<string, ActionGroup>();
const listeners = new Set<() => void>();
let registered: readonly ActionGroup[] = [];

function publishActions(): void {
  const all = [...groups.values()];
  registered = mergeByTitle([
    ...all.filter((group) => group.isFrame),
    ...all.filter((group) => !group.isFrame),
  ]);
  for (const listener of listeners) listener();
}

/** Merges groups of one title, which several parts of a screen can register, at the position of the last. */
function mergeByTitle(all: readonly ActionGroup[]): ActionGroup[] {
  const byTitle = new Map<string, ActionGroup>();
  for (const group of all) {
    const before = byTitle.get(group.title)?.actions ?? [];
    byTitle.delete(group.title);
    byTitle.set(group.title, { ...group, actions: [...before, ...group.actions] });
  }
  return [...byTitle.values()];
}

/**
 * Registers actions while the component is mounted. Of two with one shortcut, the one registered last runs. They change
 * together with what is drawn, neither before nor after it: a key acts on what the person sees.
 */
export function useActions(title: string, actions: readonly Action[], isFrame = false): void {
  const id = useId();
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  const shape = actions
    .map(
      ({ id: name, label, keys, alsoKeys, isDisabled }) =>
        `${name}|${label}|${keys}|${alsoKeys?.join()}|${isDisabled}`,
    )
    .join();
  useLayoutEffect(() => {
    const current = latest.current.map((action, index) => ({
      ...action,
      run: (shortcut?: string) => latest.current[index]?.run(shortcut),
    }));
    groups.set(id, { title, isFrame, actions: current });
    publishActions();
    return () => {
      groups.delete(id);
      publishActions();
    };
  }, [id, title, isFrame, shape]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the registered actions in groups, the group registered last at the end. */
export function useRegisteredActions(): readonly ActionGroup[] {
  return useSyncExternalStore(subscribe, () => registered);
}

/** Returns the shortcut of a key press, in the order `mod+alt+shift+key`. */
function shortcutOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> & {
    readonly code?: string;
  },
): string {
  // With Alt some keyboards write another sign for a digit.
  const digit = event.altKey ? /^Digit(\d)$/u.exec(event.code ?? '')?.[1] : undefined;
  const key = digit ?? (event.key === ' ' ? 'space' : event.key.toLowerCase());
  const isLetter = /^[a-z0-9]$|^[a-z]{2,}$/u.test(key);
  const parts = [
    event.ctrlKey || event.metaKey ? 'mod' : '',
    event.altKey ? 'alt' : '',
    // Signs such as ? already need Shift on most keyboards.
    event.shiftKey && isLetter ? 'shift' : '',
    key,
  ];
  return parts.filter((part) => part !== '').join('+');
}

const WRITING =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [role="textbox"], [role="combobox"]';

/** Returns true when the person is typing text, so that plain letters belong to the text. */
function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches(WRITING);
}

/**
 * Runs the action of a shortcut with Ctrl or ⌘, and of the help. Registered for the capture phase, since a focused button
 * would treat Ctrl+Enter as a press of itself, and a field of a dialog keeps its keys.
 */
export function handleCommand(event: KeyboardEvent): void {
  const shortcut = shortcutOf(event);
  if (shortcut.startsWith('mod+') || shortcut === HELP_KEY) handle(event);
}

/** Shortcuts that lead to another screen or page. They also work in a single-line field, which does not use them. */
const NAVIGATION = /^alt\+\d$|^page(?:up|down)$/u;

/** Types no text anywhere. */
const HELP_KEY = 'f1';

/** Runs the action of a plain key unless a person types text. While an overlay is open, only its own actions run. */
export function handleShortcut(event: KeyboardEvent): void {
  const shortcut = shortcutOf(event);
  if (shortcut.startsWith('mod+') || shortcut === HELP_KEY) return;
  const isLine = event.target instanceof HTMLInputElement;
  const isUsable = (isLine && NAVIGATION.test(shortcut)) || !isWriting(event.target);
  if (isUsable) handle(event);
}

/** Returns true while an overlay covers the screen. */
export const isCovered = (): boolean => findCover() !== null;

/** Returns the help page of the dialog that covers the screen; null when it has none of its own. */
export const helpOfCover = (): string | null =>
  findCover()?.closest('[data-help]')?.getAttribute('data-help') ?? null;

/** An overlay that is closing is marked, and stays in the page until its animation has ended. */
const OPEN = ':is([role="dialog"], [role="menu"]):not([data-exiting], [data-exiting] *)';

/** Returns the overlay that covers the screen and receives the keys; null when there is none. */
function findCover(): Element | null {
  if (!document.querySelector(OPEN)) return null;
  // An overlay closed by the key or click just before this one is marked only after React has drawn.
  flushSync(() => undefined);
  return [...document.querySelectorAll(OPEN)].at(-1) ?? null;
}

/** Returns true for keys that the focused element uses itself: Space presses a button, arrows move within a group of choices. */
function isOwnKey(target: EventTarget | null, shortcut: string): boolean {
  if (!(target instanceof Element)) return false;
  if (/(?:^|\+)space$/u.test(shortcut)) return target.closest(PRESSED_BY_SPACE) !== null;
  return /^(?:arrow|home$|end$|page)/u.test(shortcut) && target.closest(MOVED_BY_ARROWS) !== null;
}
const PRESSED_BY_SPACE =
  'button, summary, input, select, [role="button"], [role="checkbox"], [role="switch"], [role="radio"], [role="tab"], [role="option"]';
const MOVED_BY_ARROWS =
  'input[type="radio"], select, [role="separator"][tabindex], [role="slider"], [role="radiogroup"], [role="tablist"], [role="listbox"]';

function handle(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const shortcut = shortcutOf(event);
  if (isSingleKey(shortcut) && !hasSingleKeys()) return;
  if (isOwnKey(event.target, shortcut)) return;
  const cover = shortcut === 'mod+k' ? null : findCover();
  const action = registered
    .flatMap((group) => group.actions)
    .filter(
      ({ within, isEverywhere }) =>
        cover === null || isEverywhere || (within?.current && cover.contains(within.current)),
    )
    .findLast((it) => (it.keys === shortcut || it.alsoKeys?.includes(shortcut)) && !it.isDisabled);
  if (!action || (event.repeat && action.isRepeated !== true)) return;
  event.preventDefault();
  event.stopPropagation();
  action.run(shortcut);
}

/** Runs a registered action that is not off, as its shortcut would. */
export function runAction(id: string): void {
  const action = registered.flatMap(({ actions }) => actions).findLast((it) => it.id === id);
  if (action && !action.isDisabled) action.run();
}
