import { useEffect, useRef, useSyncExternalStore } from 'react';
import { forgetWithPerson } from '../../api/person-memory.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { storeItem, type WorkItem } from '../../api/work.ts';
import { type Act, carryOut } from './acts.ts';
import { forgetNotes, keepNote, noteKey } from './drafts.ts';
import { type Meanwhile, whatHappened } from './meanwhile.ts';

/** Action that is being sent to the gateway. */
interface PendingAction {
  readonly act: Act;
  /** As the person saw them. */
  readonly items: readonly WorkItem[];
  /** The items in words: "the fax from …", "3 items". */
  readonly what: string;
  /** Each of them by sender and pages. */
  readonly names: readonly string[];
}

/** Action that was refused, so that none of its items changed. Kept until it is tried again or closed. */
export interface Refusal extends PendingAction {
  readonly sentence: string;
  /** Changes by others since the person saw the items; null when there were none. */
  readonly meanwhile: Meanwhile | null;
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
/** Another one for each person at this page. */
let turn = 0;

forgetWithPerson(() => {
  turn += 1;
  returnedTo = null;
  set({ underway: [], refusals: [] });
});

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

/**
 * Sends an action after all earlier ones are answered. `onDone` receives the changed items, as they are now. Nothing is sent or
 * shown once another person is at this page.
 */
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
  const own = turn;
  const problem = await enqueue(async () => {
    try {
      if (turn !== own) return null;
      const answers = await carryOut(act, items);
      if (turn !== own) return null;
      for (const answer of answers) storeItem(answer);
      if (act.kind === 'done' || act.kind === 'note') forgetNotes(act.kind, items);
      const changed = answers.filter(({ version }, index) => version !== items[index]?.version);
      if (changed.length > 0) onDone(changed);
      return null;
    } catch (error) {
      return { sentence: sentenceOf(error), meanwhile: await whatHappened(action, error) };
    }
  });
  const isLeft = watch.end();
  if (turn !== own) return;
  const underway = state.underway.filter((it) => it !== action);
  if (problem === null) return set({ underway });
  if (problem.meanwhile !== null) keepTyped(action, problem.meanwhile);
  addRefusal({ ...action, ...problem, isLeft }, underway);
}

/** Shows that nothing was done, and why, without a request. */
export function refuse(action: PendingAction, sentence: string): void {
  addRefusal({ ...action, sentence, meanwhile: null, isLeft: false }, state.underway);
}

function addRefusal(refusal: Refusal, underway: readonly PendingAction[]): void {
  const isSame = (other: Refusal) => refusal.items.some(({ id }) => names(other, id));
  set({ underway, refusals: [...state.refusals.filter((other) => !isSame(other)), refusal] });
  for (const listener of refusalListeners) listener(refusal);
}

/** The note stays, for the item as it is now: who reads what happened and sends it again means that one. */
function keepTyped({ act, items }: PendingAction, { fresh }: Meanwhile): void {
  if (act.kind !== 'done' && act.kind !== 'note') return;
  const [only, ...others] = items;
  const version = fresh?.[0]?.version ?? null;
  if (only && others.length === 0) keepNote(noteKey(act.kind, only.id), { text: act.note, version });
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
      if (refusal.isLeft || refusal.items.length > 1 || !item) return;
      returnTo(refusal);
      latest.current(item);
    };
    refusalListeners.add(listener);
    return () => void refusalListeners.delete(listener);
  }, []);
}
