import { useEffect, useRef, useSyncExternalStore } from 'react';
import { isStatus, sentenceOf } from '../../api/sentence.ts';
import { storeItem, type WorkItem } from '../../api/work.ts';
import { type Act, carryOut } from './acts.ts';
import { forgetNotes } from './drafts.ts';

/** Action that is being sent to the gateway. */
interface PendingAction {
  readonly act: Act;
  /** As the person saw them. */
  readonly items: readonly WorkItem[];
  /** The items in words: "the fax from …", "3 items". */
  readonly what: string;
}

/**
 * Action that failed for some of the items. Kept until it is tried again, the items are read again, or it is closed.
 */
export interface Refusal extends PendingAction {
  /** Of how many items that were to be changed. */
  readonly all: number;
  readonly error: unknown;
  readonly sentence: string;
  /** Somebody else changed an item, so that it is to be read again. */
  readonly isStale: boolean;
  /** The person did something else before the answer came. */
  readonly isLeft: boolean;
}

interface State {
  readonly underway: readonly PendingAction[];
  readonly refusals: readonly Refusal[];
}

let state: State = { underway: [], refusals: [] };
let queue: Promise<unknown> = Promise.resolve();
let returnedTo: Refusal | null = null;
const listeners = new Set<() => void>();
const refusalListeners = new Set<(refusal: Refusal) => void>();

function set(next: Partial<State>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

const names = ({ items }: PendingAction, id: string): boolean => items.some((item) => item.id === id);

/** Runs the work after all earlier actions, so that the gateway receives changes in the order of the key presses. */
export function enqueue<T>(work: () => Promise<T>): Promise<T> {
  const turn = queue.then(work);
  queue = turn.catch(() => undefined);
  return turn;
}

/** Sends an action after all earlier ones are answered. `onDone` receives the changed items, as they are now. */
export async function send(
  action: PendingAction,
  onDone: (done: readonly WorkItem[]) => void,
): Promise<void> {
  const { act, items } = action;
  const isRetried = (refusal: Refusal) => items.some(({ id }) => names(refusal, id));
  set({
    underway: [...state.underway, action],
    refusals: state.refusals.filter((refusal) => !isRetried(refusal)),
  });
  const watch = watchInput();
  const failed = await enqueue(async () => {
    const answers = await sendAll(action);
    if (act.kind === 'done') forgetNotes(answers.done);
    if (answers.done.length > 0) onDone(answers.done);
    return answers.failed;
  });
  const isLeft = watch.end();
  const [first] = failed;
  const refusal = first && {
    ...action,
    items: failed.map(({ item }) => item),
    all: items.length,
    error: first.error,
    sentence: sentenceOf(first.error),
    isStale: failed.some(({ error }) => isStatus(error, 409)),
    isLeft,
  };
  set({
    underway: state.underway.filter((it) => it !== action),
    refusals: refusal ? [...state.refusals, refusal] : state.refusals,
  });
  if (refusal) for (const listener of refusalListeners) listener(refusal);
}

async function sendAll({ act, items }: PendingAction) {
  const done: WorkItem[] = [];
  const failed: { item: WorkItem; error: unknown }[] = [];
  for (const item of items) {
    try {
      const answer = await carryOut(item, act);
      storeItem(answer);
      if (answer.version !== item.version) done.push(answer);
    } catch (error) {
      failed.push({ item, error });
    }
  }
  return { done, failed };
}

/** Watches for input by the person from now on; the key that is being handled does not count. */
function watchInput() {
  const events = ['keydown', 'pointerdown'];
  let isActive = false;
  const note = () => {
    isActive = true;
  };
  for (const event of events) window.addEventListener(event, note, true);
  return {
    end() {
      for (const event of events) window.removeEventListener(event, note, true);
      return isActive;
    },
  };
}

export function forgetRefusal(refusal: Refusal): void {
  set({ refusals: state.refusals.filter((it) => it !== refusal) });
}

/** The form of what was refused opens again when its item is shown next. */
export function returnTo(refusal: Refusal): void {
  returnedTo = refusal;
}

/** Returns true once for the refusal that the person returned to. */
export function isReturnedTo(refusal: Refusal): boolean {
  if (returnedTo !== refusal) return false;
  returnedTo = null;
  return true;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the last action under way for this item; null when there is none. */
export function usePendingAction(id: string): PendingAction | null {
  return useSyncExternalStore(subscribe, () => state.underway.findLast((it) => names(it, id)) ?? null);
}

/** Everything that is on its way, and what was refused; the last at the end. */
export function useActState(): State {
  return useSyncExternalStore(subscribe, () => state);
}

/** Leads back to an item whose change was refused while the next one was open already, unless the person went on. */
export function useReturnToRefused(back: (item: WorkItem) => void): void {
  const latest = useRef(back);
  latest.current = back;
  useEffect(() => {
    const listener = (refusal: Refusal) => {
      const [item] = refusal.items;
      if (refusal.isLeft || refusal.all > 1 || !item) return;
      returnTo(refusal);
      latest.current(item);
    };
    refusalListeners.add(listener);
    return () => void refusalListeners.delete(listener);
  }, []);
}
